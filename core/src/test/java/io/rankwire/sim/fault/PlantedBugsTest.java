package io.rankwire.sim.fault;

import static io.rankwire.sim.fault.Mutation.NOTHING;
import static io.rankwire.sim.fault.Mutation.branch;
import static io.rankwire.sim.fault.Mutation.call;
import static io.rankwire.sim.fault.Mutation.constant;
import static io.rankwire.sim.fault.Mutation.edge;
import static io.rankwire.sim.fault.Mutation.returns;
import static io.rankwire.sim.fault.Mutation.sign;
import static io.rankwire.sim.fault.Mutation.store;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A test of the tester: each of these bugs must be found by some seed of the campaign. */
class PlantedBugsTest {
    private static final long SEEDS = 10_000;

    private static final List<Mutation> BUGS = List.of(
            new Mutation("device.Outbound", "sendSync", store("announced", 0), "a cancel of it looks in the wrong place"),
            new Mutation("device.Outbound", "advance", store("firstPending", 0), "a send that found no room is forgotten"),
            new Mutation("device.Outbound", "advance", call("dropControl", 0), "a control frame is sent again"),
            new Mutation("device.Outbound", "finishSend", store("bufferedHeld", 0), "buffered bytes are not given back"),
            new Mutation("device.Outbound", "writeEager", store("used", 1), "credit is not counted"),
            new Mutation("device.Outbound", "holdIfBuffered", store("offset", 0), "a buffered send keeps its old offset"),
            new Mutation("device.Peer", "removePending", store("lastPending", 0), "a stale end of the list of sends"),
            new Mutation("device.Peer", "credited", call("allow", 0), "credit that was told is not used"),
            new Mutation("device.Peer", "addControl", sign(1), "control frames are forgotten when there are many"),
            new Mutation("device.Inbound", "giveBackUnits", edge(0), "credit is told too late"),
            new Mutation("device.Inbound", "cancel", constant(1, 0, 0), "a withdrawn message is said to be gone"),
            new Mutation("device.Inbound", "discard", call("release", 0), "payload of a dropped message leaks"),
            new Mutation("device.Inbound", "consume", call("answerSync", 0), "a late receive does not tell the sender"),
            new Mutation("device.Inbound", "lastPiece", store("operation", 0), "a message in pieces meets an old receive"),
            new Mutation("device.Inbound", "isAnnouncement", branch(1), "a cancel takes another message"),
            new Mutation("device.SendTransfers", "cancelAnswered", branch(0), "a refused cancel counts as done"),
            new Mutation("device.SendTransfers", "withdraw", call("endEarly", 0), "parts follow a cancelled message"),
            new Mutation("device.SendTransfers", "startPuts", call("cut", 0), "more is sent than is wanted"),
            new Mutation("device.SendTransfers", "push", store("used", 0), "early parts take no credit"),
            new Mutation("device.ReceiveTransfers", "place", store("moved", 0), "parts are not counted"),
            new Mutation("device.ReceiveTransfers", "start", call("forget", 0), "a refused message is remembered"),
            new Mutation("device.ReceiveTransfers", "takeStored", sign(0), "early parts are put in the wrong place"),
            new Mutation("device.ReceiveTransfers", "early", branch(2), "late early parts are stored"),
            new Mutation("device.Loopback", "cancel", call("discard", 0), "a message to oneself stays after a cancel"),
            new Mutation("device.Device", "takeOver", call("replace", 0), "software does not take over"),
            new Mutation("device.match.MatchQueue", "earlier", branch(2), "the later receive is met"),
            new Mutation("device.match.MatchQueue", "removePosted", branch(4), "any receive may be cancelled"),
            new Mutation("device.match.ListMatcher", "arrive", constant(0, 1, 0), "the first receive is passed over"),
            new Mutation("device.match.UnexpectedBuffer", "release", store("bytesHeld", 0), "spilled bytes are held"),
            new Mutation("device.match.UnexpectedBuffer", "store", constant(-1, 0, 0), "a chain without an end"),
            new Mutation("device.dma.Span", "claimBack", constant(1, 2, 0), "a chunk starts inside a grain"),
            new Mutation("device.dma.Span", "cut", call("max", 0), "a transfer is cut to nothing"),
            new Mutation("device.dma.InjectionFifos", "remove", store("previous", 0), "a list that is not mended"),
            new Mutation("sim.SimFabric", "accept", store("x", 0), "frames overtake each other"),
            new Mutation("sim.SimPort", "left", store("waitingBytes", 0), "room is not given back"),
            new Mutation("sim.net.Network", "giveBack", branch(1), "a packet in line is not called"));

    @TestFactory
    Stream<DynamicTest> shouldFindEveryBug() {
        return BUGS.stream().map(bug -> DynamicTest.dynamicTest(bug.toString(), () -> find(bug)));
    }

    private static void find(Mutation bug) throws ReflectiveOperationException {
        String failure = (String) new MutantLoader(bug).loadClass(Campaign.class.getName())
                .getMethod("firstFailure", long.class, long.class).invoke(null, 1L, SEEDS);
        assertNotNull(failure, () -> "not found within " + SEEDS + " seeds: " + bug);
    }
}
