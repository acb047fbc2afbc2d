package io.rankwire.sim.fault;

import static io.rankwire.sim.fault.Mutation.branch;
import static io.rankwire.sim.fault.Mutation.call;
import static io.rankwire.sim.fault.Mutation.constant;
import static io.rankwire.sim.fault.Mutation.edge;
import static io.rankwire.sim.fault.Mutation.ignored;
import static io.rankwire.sim.fault.Mutation.returns;
import static io.rankwire.sim.fault.Mutation.sign;
import static io.rankwire.sim.fault.Mutation.store;
import static io.rankwire.sim.fault.Mutation.taken;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestReporter;

/** A test of the tester: each of these bugs must be found by some seed of the campaign. */
class PlantedBugsTest {
    private static final long SEEDS = 10_000;
    /** Found bugs that few others find, so they are tried first: it saves most of the time. */
    private static final long[] RARE = {6_831, 6_473, 426, 182, 146, 120, 94, 326, 172, 46};

    private static final List<Mutation> BUGS = List.of(
            // device: sends
            new Mutation("device.Outbound", "advance", call("removePending", 0), "a send that has gone is sent again"),
            new Mutation("device.ControlFrames", "flush", call("dropControl", 0), "a control frame is sent again"),
            new Mutation("device.BufferedSends", "finish", store("held", 0), "buffered bytes stay counted"),
            new Mutation("device.Outbound", "writeEager", store("used", 0), "credit is not counted"),
            new Mutation("device.BufferedSends", "hold", store("offset", 0), "a copy is read at the old offset"),
            new Mutation("device.Peer", "removePending", store("lastPending", 0), "a stale end of the list of sends"),
            new Mutation("device.Peer", "dropControl", constant(0, 5, 0), "a control frame is skipped"),
            new Mutation("device.transfer.SendTransfers", "cancelAnswered", branch(0),
                    "a cancel that failed counts as done"),
            new Mutation("device.transfer.SendTransfers", "startPuts", call("cut", 0), "more is sent than is wanted"),
            new Mutation("device.transfer.SendTransfers", "pushHeld", call("use", 0), "early parts take no credit"),
            new Mutation("device.transfer.SendTransfers", "answered", branch(0), "a cancel is not waited for"),
            // device: messages that wait for credit
            new Mutation("device.Wants", "meet", branch(2), "a receive of any tag takes what is not the first"),
            new Mutation("device.Wants", "release", call("send", 0), "what nobody took stays offered"),
            new Mutation("device.Wants", "holding", call("forEachWord", 0), "receives posted before are forgotten"),
            new Mutation("device.Credit", "grant", call("beforeRaise", 0),
                    "a peer that got credit counts as out of it"),
            new Mutation("device.Backlog", "add", call("markDue", 0), "a message sent later is not offered"),
            new Mutation("device.Backlog", "remove", call("markDue", 0), "only one message of a tag is offered"),
            new Mutation("device.transfer.SendTransfers", "declined", store("offered", 0), "a declined message stays"),
            // device: receives
            new Mutation("device.FrameDispatch", "withdrawNow", constant(1, 0, 0),
                    "a withdrawn message is said to have met"),
            new Mutation("device.UnexpectedMessages", "discard", call("release", 0),
                    "payload of a dropped message leaks"),
            new Mutation("device.Inbound", "consume", call("answerSync", 0), "a late receive does not tell"),
            new Mutation("device.UnexpectedMessages", "isAnnouncement", branch(1), "a cancel takes another message"),
            new Mutation("device.transfer.ReceiveTransfer", "moveBack", store("back", 0), "parts are not counted"),
            new Mutation("device.transfer.ReceiveTransfers", "start", call("forget", 0),
                    "a refused message is remembered"),
            new Mutation("device.transfer.ReceiveTransfers", "takeStored", sign(0),
                    "early parts go to the wrong place"),
            new Mutation("device.transfer.ReceiveTransfers", "early", branch(2), "parts are stored for ever"),
            new Mutation("device.UnexpectedMessages", "withdraw", call("discard", 0), "a withdrawn message stays"),
            new Mutation("device.HeaderOverflow", "takeOver", call("replace", 0), "software does not take over"),
            // device: the rest
            new Mutation("device.datagram.Datagrams", "answered", call("retry", 0), "a full queue ends a datagram"),
            new Mutation("device.datagram.Datagrams", "progress", branch(2),
                    "a datagram is tried again at once, or never"),
            new Mutation("device.datagram.ReceiveQueue", "deposit", branch(1), "a full queue is written over"),
            new Mutation("device.onesided.Accesses", "moved", branch(0), "a read is done before all of it is here"),
            new Mutation("device.onesided.RegionTable", "check", edge(2), "the last byte cannot be reached"),
            new Mutation("device.onesided.OneSided", "transmit", sign(1), "parts of a write overlap"),
            new Mutation("device.onesided.OneSided", "advance", call("sent", 0),
                    "a write that had to wait is never done"),
            // device: lost peers
            new Mutation("device.Losses", "lose", call("endSends", 0), "sends to a lost peer wait on"),
            new Mutation("device.Losses", "lose", call("endPosted", 0), "receives from a lost peer wait on"),
            new Mutation("device.Losses", "lose", call("endMatched", 0), "half a message of a lost peer is waited for"),
            new Mutation("device.Losses", "lose", call("discardAnnounced", 0), "what a lost peer announced is kept"),
            new Mutation("device.Outbound", "queue", call("finish", 0), "a send to a lost peer never ends"),
            new Mutation("device.Device", "receive", call("refuse", 0), "a receive from a lost peer is posted"),
            new Mutation("device.onesided.Accesses", "lose", call("moved", 0), "reads of a lost peer's memory wait on"),
            new Mutation("device.onesided.RegionLocks", "lose", store("alone", 0), "a lost peer keeps its lock"),
            new Mutation("device.datagram.Datagrams", "lose", call("answered", 0),
                    "datagrams to a lost peer stay pending"),
            // matching
            new Mutation("device.match.MatchQueue", "earlier", branch(2), "the later receive is met"),
            new Mutation("device.match.MatchQueue", "remove", branch(4), "any receive may be cancelled"),
            new Mutation("device.match.Arrivals", "search", branch(1), "an order of arrival is ignored"),
            new Mutation("device.match.ListMatcher", "arrive", constant(0, 1, 0), "the first receive is passed over"),
            new Mutation("device.match.ListMatcher", "handBack", call("append", 0), "messages are not handed back"),
            new Mutation("device.match.DeviceList", "accepts", returns(1), "a receive misses a message on its way up"),
            new Mutation("device.match.DeviceList", "post", store("refusing", 1), "receives overtake a refused one"),
            new Mutation("device.match.Shadow", "refused", store("firstWaiting", 0), "a refused receive is not posted"),
            new Mutation("device.match.Shadow", "end", branch(1), "a place is used before the device has answered"),
            new Mutation("device.match.DeviceList", "remove", returns(1), "a receive is cancelled though too late"),
            new Mutation("device.match.UnexpectedBuffer", "release", store("bytesHeld", 0), "spilled bytes are held"),
            new Mutation("device.match.UnexpectedBuffer", "store", constant(-1, 0, 0), "a chain without an end"),
            new Mutation("device.transfer.Span", "cut", call("max", 0), "a transfer is cut to nothing"),
            // flow
            new Mutation("device.flow.FlowPort", "frame", taken(1), "damage is not seen"),
            new Mutation("device.flow.InStreams", "isOver", returns(0), "streams that are over come back"),
            new Mutation("device.flow.InStreams", "data", ignored(7), "a new stream is not asked about"),
            new Mutation("device.flow.InStreams", "take", edge(0), "the wanted frame counts as repeated"),
            new Mutation("device.flow.OutStreams", "acknowledged", edge(2), "the wanted frame counts as come"),
            new Mutation("device.flow.OutStreams", "begin", constant(1, 0, 0), "streams have no numbers"),
            new Mutation("device.flow.OutStreams", "admits", ignored(3), "a stream ends with frames under way"),
            new Mutation("device.flow.OutStreams", "framesDue", call("repeat", 0), "lost frames are not repeated"),
            new Mutation("device.flow.OutStreams", "removeFirst", call("give", 0), "frames leak"),
            new Mutation("device.flow.OutStreams", "acknowledged", call("mark", 0), "what has come early is not noted"),
            new Mutation("device.flow.OutStreams", "repeat", branch(3), "what has come is sent again"),
            new Mutation("device.flow.PacedStreams", "framesDue", call("probe", 0), "nothing is sent after silence"),
            new Mutation("device.flow.PacedStreams", "probe", ignored(4), "what has come is sent after silence"),
            new Mutation("device.flow.PacedStreams", "note", call("lost", 0), "a frame that has come stays lost"),
            new Mutation("device.flow.Congestion", "credit", branch(0), "no word of credit counts as none"),
            // agreements
            new Mutation("device.agree.Instance", "propagate", store("sentPrepare", 0), "a proposal is sent for ever"),
            new Mutation("device.agree.Instance", "propagate", taken(3), "a root decides before all have accepted"),
            new Mutation("device.agree.Instance", "collect", taken(6), "a root proposes before all have voted"),
            new Mutation("device.agree.Instance", "collect", taken(8), "what others have accepted is not proposed"),
            new Mutation("device.agree.Instance", "collect", taken(10), "what was accepted is not reported"),
            new Mutation("device.agree.Instance", "collect", call("combine", 0), "only the own vote is passed on"),
            new Mutation("device.agree.Instance", "collect", store("sentVote", 0), "a vote is sent for ever"),
            new Mutation("device.agree.Instance", "promised", call("max", 0), "a member promises nothing"),
            new Mutation("device.agree.Instance", "goOn", call("spread", 0), "adopted members get no decision"),
            new Mutation("device.agree.Instance", "spread", call("commit", 0), "only the root decides"),
            new Mutation("device.agree.Instance", "spread", call("commit", 1), "a new parent gets no decision"),
            new Mutation("device.agree.Members", "lose", call("link", 0), "the members behind a dead one are lost"),
            new Mutation("device.agree.Members", "link", call("nextClearBit", 0), "the first rank is always the root"),
            new Mutation("device.agree.Agreements", "decidedUpTo", constant(1, 0, 0),
                    "a call counts as decided while it is under way"),
            new Mutation("device.agree.Agreements", "decidedUpTo", constant(1, 0, 1),
                    "a call is dropped when it is decided"),
            new Mutation("device.agree.Agreements", "lose", call("goOn", 0), "a call does not notice a death"),
            new Mutation("device.agree.Agreements", "lose", call("spread", 0), "a revocation ends at a dead rank"),
            new Mutation("device.agree.Agreements", "revoke", call("spread", 0), "a revocation is not passed on"),
            new Mutation("device.agree.Agreements", "join", call("revoke", 0), "a revocation that came early is lost"),
            new Mutation("device.agree.Agreements", "begin", call("voted", 0), "early votes are forgotten"),
            new Mutation("device.agree.Agreements", "key", constant(32, 64, 0), "a former group is not told apart"),
            // programs that go on when ranks die
            new Mutation("runtime.Consensus", "decide", call("await", 1),
                    "a member does not wait for the report of a death"),
            new Mutation("runtime.Consensus", "result", ignored(0), "deaths that nobody has acknowledged do not count"),
            new Mutation("runtime.Consensus", "settle", call("revoke", 0), "calls on a revoked communicator go on"),
            new Mutation("runtime.Consensus", "begin", store("agreements", 0), "two calls have one number"),
            new Mutation("runtime.MemberLosses", "lose", store("interrupted", 0),
                    "later collective calls are not refused"),
            new Mutation("runtime.MemberLosses", "lose", call("interruptReceives", 0),
                    "receives from any rank wait for a dead one"),
            new Mutation("runtime.MemberLosses", "revoke", call("revoke", 0),
                    "messages of a revoked communicator are received"),
            new Mutation("runtime.MemberLosses", "revoke", call("revoke", 1),
                    "collective calls on a revoked communicator wait"),
            new Mutation("runtime.MemberLosses", "revoke", call("revoke", 2),
                    "windows of a revoked communicator wait"),
            new Mutation("runtime.Survivors", "takeIn", call("lose", 0), "operations with a dead rank wait"),
            new Mutation("runtime.Survivors", "takeIn", call("lose", 1), "communicators do not hear of a death"),
            new Mutation("Checkpoint", "runAndAgree", ignored(6), "a state counts as saved though a member has failed"),
            new Mutation("runtime.Host", "abandon", call("add", 0), "operations of failed calls stay"),
            new Mutation("runtime.window.FramedTarget", "refusal", branch(1),
                    "an access to a window that was freed alone is taken for a mistake"),
            // connections
            new Mutation("fabric.tcp.Link", "resume", store("written", 0), "what was lost is not written again"),
            new Mutation("fabric.tcp.Link", "deliver", store("delivered", 0), "delivered frames are not counted"),
            new Mutation("fabric.tcp.Link", "word", store("told", 0), "acknowledgements are sent again and again"),
            new Mutation("fabric.tcp.Connections", "broken", call("seek", 0), "a broken connection is not replaced"),
            new Mutation("fabric.tcp.Connections", "use", call("retire", 0), "two connections are in use"),
            // the simulated world itself
            new Mutation("sim.SimPort", "left", store("waitingBytes", 0), "room is not given back"),
            new Mutation("sim.SimFabric", "departed", call("left", 0), "nobody hears that a frame has left"),
            new Mutation("sim.net.Network", "goOn", branch(0), "packets in line stay there"));

    /** The bugs are searched for side by side, on all processors. */
    @TestFactory
    Stream<DynamicTest> shouldFindEveryBug(TestReporter reporter) {
        assertTrue(BUGS.size() >= 20);
        ExecutorService pool = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        Map<Mutation, Future<String>> failures = new LinkedHashMap<>();
        for (Mutation bug : BUGS) {
            failures.put(bug, pool.submit(() -> find(bug)));
        }
        return BUGS.stream().map(bug -> DynamicTest.dynamicTest(bug.toString(), () -> {
            String failure = failures.get(bug).get();
            assertNotNull(failure, () -> "not found within " + SEEDS + " seeds: " + bug);
            reporter.publishEntry(bug.toString(), failure);
        })).onClose(pool::shutdownNow);
    }

    private static String find(Mutation bug) throws ReflectiveOperationException {
        MutantLoader loader = new MutantLoader(bug);
        // Fails here if the code has no place for the bug: a trial would count that as found.
        loader.loadClass(bug.className());
        Method firstFailure = loader.loadClass(Campaign.class.getName())
                .getMethod("firstFailure", long.class, long.class, String.class);
        String kind = bug.type().startsWith("fabric.tcp.") ? "TCP"
                : bug.type().matches("runtime\\..*|Checkpoint") ? "PROGRAM"
                : bug.type().startsWith("device.agree.") ? "AGREE" : "DEVICE";
        Object failure = null;
        for (int i = 0; i < RARE.length && failure == null && kind.equals("DEVICE"); i++) {
            failure = firstFailure.invoke(null, RARE[i], 1L, kind);
        }
        return (String) (failure != null ? failure : firstFailure.invoke(null, 1L, SEEDS, kind));
    }
}
