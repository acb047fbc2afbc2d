package io.rankwire.device.flow;

import static io.rankwire.device.flow.FramePool.check;
import static io.rankwire.device.flow.PeerTable.IDLING;
import static io.rankwire.device.flow.PeerTable.IN_ASKED;
import static io.rankwire.device.flow.PeerTable.IN_NONE;
import static io.rankwire.device.flow.PeerTable.IN_OPEN;
import static io.rankwire.device.flow.PeerTable.KNOWN;
import static io.rankwire.device.flow.PeerTable.NONE;
import static io.rankwire.device.flow.PeerTable.OUT_CLOSING;
import static io.rankwire.device.flow.PeerTable.OUT_NONE;
import static io.rankwire.device.flow.PeerTable.OUT_OPEN;

import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.PortLayer;
import io.rankwire.fabric.PortTraits;
import io.rankwire.memory.Words;
import io.rankwire.wire.FlowFrame;
import io.rankwire.wire.Frame;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/**
 * A port that delivers each frame once and in order, over one that promises nothing. Its driver calls {@link #advance}
 * with the time before each {@link #poll}, and again when {@link #nextDeadline} has come. Unlike the ports below, a
 * poll may hand up more frames of a peer than its limit: frames that waited for a missing one come together with it.
 *
 * <p>A peer that does not answer although each frame was repeated as often as the configuration says is lost: {@link
 * #advance} reports it once, and later frames of that peer are refused. {@code advance} also reports once that a peer
 * with which frames were exchanged has started anew; frames that it had not acknowledged are gone, and the way to it is
 * open again, unless the device dismisses it.
 */
public final class FlowPort extends PortLayer implements FrameSink {
    /** A peer that was lost and has not been reported. */
    private record Loss(PeerLost peer, boolean startedAnew) {}

    private static final String ANEW = " has started anew";
    /** Peers looked after in one call of {@link #advance}. */
    private static final int MOST_DUE = 64;
    /** No step of the clock counts for more ticks, so that no deadline is in the future again after a long sleep. */
    private static final long MOST_STEP = 1L << 28;
    private final FlowConfig config;
    private final int incarnation;
    private final int idle;
    private final PortTraits traits;
    /** Whether the port below drops frames that were changed. */
    private final boolean checked;
    private final PeerTable peers;
    private final FramePool pool;
    private final ReceiveCredit credit;
    private final OutStreams out;
    private final InStreams in;
    private final LostPeers lost = new LostPeers();
    private final ArrayDeque<Loss> losses = new ArrayDeque<>();
    private final Arrivals arrivals = new Arrivals();
    private LongSupplier clock;
    /** The frame that was claimed and not committed, or {@link PeerTable#NONE}. */
    private int claimed = NONE;
    /** Time of tick 0. */
    private long originNs;
    private long nowNs;
    /** The tick of the last poll. */
    private int lastPoll;
    /** The time to the next deadline, for threads that are about to sleep. */
    private volatile long quietNs;
    private long damaged;

    /**
     * @param incarnation above 0, and above that of every port this rank has had on this fabric
     * @param nowNs the time, by the clock that {@link #advance} is called with
     */
    public FlowPort(Port below, FlowConfig config, int incarnation, long nowNs) {
        super(below);
        int most = below.traits().maxPayload();
        if (incarnation <= 0) {
            throw new IllegalArgumentException("incarnation: " + incarnation);
        }
        this.config = config;
        this.incarnation = incarnation;
        this.originNs = nowNs;
        this.nowNs = nowNs;
        this.idle = FlowConfig.ticks(config.idleNs());
        this.traits = new PortTraits(most - FlowFrame.LEAD, true, true);
        this.checked = below.isChecked();
        this.peers = new PeerTable(config.peers());
        this.pool = new FramePool(most, config.frames());
        this.credit = new ReceiveCredit(peers, config);
        FrameWriter writer = new FrameWriter(below, peers, pool, credit, incarnation);
        this.out = config.congestionControl() ? new PacedStreams(peers, pool, writer, config, incarnation)
                : new OutStreams(peers, pool, writer, config, incarnation);
        this.in = new InStreams(peers, pool, writer, credit, config, out.patience());
    }

    /**
     * A port on which every frame arrives once and in order: the one that is given if its traits promise that, else a
     * flow port over it. The parameters are those of the constructor.
     */
    public static Port over(Port port, FlowConfig config, int incarnation, long nowNs) {
        return port.traits().isExact() ? port : new FlowPort(port, config, incarnation, nowNs);
    }

    /**
     * Has the port read the time when a frame is sent, too: a program may compute for long between two calls of {@link
     * #advance}. With congestion control it also does so before it polls: round trips are measured, and frames paced,
     * by that time.
     */
    public void clock(LongSupplier now) {
        clock = now;
    }

    @Override
    public PeerLost advance(long now) {
        pass(now);
        PeerLost lostBelow = below.advance(now);
        if (lostBelow != null) {
            return lostBelow;
        }
        serve();
        Loss loss = losses.poll();
        if (loss == null) {
            return null;
        }
        if (loss.startedAnew) {
            lost.welcome(loss.peer.rank());
        }
        return loss.peer;
    }

    private void serve() {
        int place;
        for (int done = 0; done < MOST_DUE && (place = peers.first()) != NONE && peers.isDue(place); done++) {
            peers.rest(place);
            due(place);
        }
    }

    private void pass(long now) {
        if (now > nowNs) {
            long ticks = (now - originNs >> FlowConfig.TICK_SHIFT) - (nowNs - originNs >> FlowConfig.TICK_SHIFT);
            long skipped = Math.max(0, ticks - MOST_STEP) << FlowConfig.TICK_SHIFT;
            originNs += skipped;
            nowNs = now;
            peers.tick += (int) Math.min(ticks, MOST_STEP);
        }
    }

    /** Without an end if no frame has to be looked after. */
    @Override
    public long nextDeadline() {
        return losses.isEmpty() ? Math.min(deadline(peers.first()), below.nextDeadline()) : nowNs;
    }

    /** As {@link #nextDeadline}, but only for what peers wait for: nothing is closed or forgotten for it. */
    public long nextNeed() {
        if (!losses.isEmpty()) {
            return nowNs;
        }
        return deadline(peers.firstOf(place -> peers.outLast[place] != NONE || peers.owed(place) > 0));
    }

    private long deadline(int place) {
        if (place == NONE) {
            return Long.MAX_VALUE;
        }
        long tick = (nowNs - originNs >> FlowConfig.TICK_SHIFT) + (peers.due[place] - peers.tick);
        return originNs + (tick << FlowConfig.TICK_SHIFT);
    }

    private void due(int place) {
        in.acknowledgementDue(place);
        int state = peers.out(place);
        if (peers.outLast[place] != NONE) {
            if (!out.framesDue(place)) {
                die(place);
                return;
            }
        } else if (state == OUT_CLOSING) {
            out.closingDue(place);
        } else {
            silent(place, state);
        }
        boolean changed = peers.out(place) != state && peers.in(place) != IN_NONE;
        if (changed || peers.in(place) == IN_ASKED) {
            peers.need(place, peers.tick + idle);
        }
        forgetIfOver(place);
    }

    /** Nothing is under way: after a while of this the stream to the peer is closed, and the peer asked for its own. */
    private void silent(int place, int state) {
        boolean waitsForPeer = state != OUT_OPEN && peers.in(place) == IN_OPEN;
        if (!peers.is(place, IDLING)) {
            peers.set(place, IDLING);
            peers.tries(place, 0);
            peers.need(place, peers.tick + (waitsForPeer ? 2 * idle : idle));
        } else if (waitsForPeer) {
            // Only the sender can say that a stream is over: a frame of it may be under way, delivered here before.
            if (in.ask(place, config.tries())) {
                peers.need(place, peers.tick + idle);
            }
        } else {
            peers.clear(place, IDLING);
            if (peers.in(place) == IN_ASKED) {
                in.drop(place);
            }
            if (state == OUT_OPEN) {
                out.close(place);
            }
        }
    }

    private void forgetIfOver(int place) {
        if (peers.out(place) == OUT_NONE && peers.in(place) == IN_NONE) {
            peers.close(place);
        }
    }

    private void die(int place) {
        String silence = " did not answer for " + config.tries() + " retries over " + duration(out.silentNs(place));
        lose(place, peers.incarnation[place], silence, false);
    }

    /** Takes a peer off the table; {@link #advance} reports it. */
    private void lose(int place, int incarnation, String why, boolean startedAnew) {
        int rank = peers.peer[place];
        int gone = out.drop(place);
        in.drop(place);
        peers.close(place);
        note(rank, incarnation, why + (gone == 0 ? "" : "; frames to it that were not acknowledged: " + gone),
                startedAnew);
    }

    private void note(int rank, int incarnation, String why, boolean startedAnew) {
        lost.add(rank, incarnation);
        losses.add(new Loss(new PeerLost(rank, "rank " + rank + why), startedAnew));
    }

    /** Two digits, which is more than such a time is worth. */
    private static String duration(long ns) {
        String[] units = {" ns", " us", " ms", " s"};
        long scale = 1;
        int unit = 0;
        while (unit < units.length - 1 && ns >= 1_000 * scale) {
            scale *= 1_000;
            unit++;
        }
        long tenths = 10 * ns / scale;
        return (tenths < 100 && tenths % 10 != 0 ? tenths / 10 + "." + tenths % 10 : tenths / 10) + units[unit];
    }

    /** Sees to the incarnation of a peer that sends; false if the frame is not to be taken. */
    private boolean meet(int place, int theirs) {
        int known = peers.incarnation[place];
        if (theirs == known) {
            return true;
        }
        if (theirs < known) {
            return known == 0;
        }
        if (peers.is(place, KNOWN)) {
            lose(place, theirs, ANEW, true);
            return false;
        }
        peers.incarnation[place] = theirs;
        in.drop(place);
        return true;
    }

    /** The same for a peer that was given up. */
    private boolean meetLost(int rank, int theirs) {
        if (!lost.contains(rank)) {
            return true;
        }
        if (!lost.refuses(rank, theirs)) {
            note(rank, theirs, ANEW, true);
        }
        return false;
    }

    @Override
    public void dismiss(int rank) {
        int place = peers.find(rank);
        if (place != NONE) {
            out.drop(place);
            in.drop(place);
            peers.close(place);
        }
        lost.add(rank, LostPeers.EVERY_START);
    }

    @Override
    public void frame(int rank, int kind, long header, MemorySegment memory, long at, int bytes) {
        int sequence = Frame.low(header);
        if (!FlowFrame.isWhole(kind, bytes) || sequence < 0
                || !checked && FlowFrame.sum(rank, self(), kind, sequence, memory, at, bytes) != Frame.high(header)) {
            damaged++;
            return;
        }
        long stream = Words.loadUnaligned(memory, at + FlowFrame.STREAM);
        if (Frame.high(stream) <= 0) {
            damaged++;
            return;
        }
        int place = peers.find(rank);
        if (!(place != NONE ? meet(place, Frame.high(stream)) : meetLost(rank, Frame.high(stream)))) {
            return;
        }
        long acked = Words.loadUnaligned(memory, at + FlowFrame.ACKED);
        long answer = Words.loadUnaligned(memory, at + FlowFrame.ANSWER);
        if (kind == FlowFrame.ASK) {
            out.asked(place, rank, acked, FlowFrame.wanted(answer));
        } else if (place != NONE && Frame.high(acked) == incarnation) {
            arrivals.load(memory, at + FlowFrame.SACK, FlowFrame.reportWords(kind, bytes));
            answered(place, kind, stream, Frame.low(acked), answer);
        }
        if (kind == FlowFrame.DATA) {
            in.data(place, rank, stream, sequence, memory, at, bytes);
        } else if (kind == FlowFrame.CLOSE) {
            in.closed(place, rank, stream);
        }
        if (place != NONE) {
            forgetIfOver(place);
        }
    }

    /** The part of a frame that speaks of a stream, or a question, of this rank. */
    private void answered(int place, int kind, long stream, int mine, long answer) {
        int value = FlowFrame.wanted(answer);
        switch (kind) {
            case FlowFrame.DATA, FlowFrame.ACK ->
                out.acknowledged(place, mine, value, arrivals, FlowFrame.flags(answer));
            case FlowFrame.CONFIRM -> in.confirmed(place, stream, value);
            case FlowFrame.CLOSED -> out.closed(place, mine);
            default -> {
            }
        }
    }

    long claim(int rank, int payloadBytes) {
        assert payloadBytes <= traits.maxPayload() && rank != self();
        if (clock != null) {
            pass(clock.getAsLong());
        }
        int place = peers.find(rank);
        if (claimed != NONE) {
            pool.give(claimed);
            claimed = NONE;
        }
        if (place == NONE ? lost.contains(rank) || !peers.admits() : !out.admits(place)) {
            return Outlet.FULL;
        }
        if (!pool.hasRoom()) {
            return Outlet.FULL;
        }
        claimed = pool.takeToSend(FlowFrame.LEAD + payloadBytes);
        return pool.offset(claimed) + FlowFrame.LEAD;
    }

    MemorySegment claimedMemory() {
        return pool.memory(claimed);
    }

    void commit(int rank, int payloadBytes, int meta, long header) {
        int found = peers.find(rank);
        int place = found != NONE ? found : peers.open(rank);
        int frame = claimed;
        claimed = NONE;
        peers.clear(place, IDLING);
        out.add(place, frame, payloadBytes, meta, header);
    }

    /** While a rank is not ready its peers get NOT_READY, wait, and do not count the rank as lost. */
    public void ready(boolean now) {
        in.ready(now);
    }

    private void look(FrameSink sink) {
        boolean timed = clock != null && config.congestionControl();
        if (timed) {
            pass(clock.getAsLong());
        }
        peers.pause = peers.tick - lastPoll;
        lastPoll = peers.tick;
        if (timed) {
            serve();
        }
        in.begin(sink);
    }

    @Override
    public int poll(FrameSink sink, int limit) {
        look(sink);
        int delivered;
        try {
            below.poll(this, limit);
        } finally {
            delivered = in.end();
        }
        return delivered;
    }

    @Override
    public int pollAll(FrameSink sink, int limit) {
        look(sink);
        int delivered;
        try {
            below.pollAll(this, limit);
        } finally {
            delivered = in.end();
            quietNs = Math.max(0, nextDeadline() - nowNs);
        }
        return delivered;
    }

    /** Not much longer than to the deadline that there was at the last {@link #pollAll}. */
    @Override
    public void sleep(long ns) {
        below.sleep(Math.min(ns, quietNs / SLEEP_FACTOR + 1));
    }

    @Override
    public PortTraits traits() {
        return traits;
    }

    @Override
    public Outlet outlet(int peer) {
        return new FlowOutlet(this, peer, below.outlet(peer));
    }

    /** Frames sent that are not acknowledged: a rank that ends before this is 0 may take them with it. */
    public int underWay() {
        return out.underWay();
    }

    /** Peers of which something is known. */
    public int activePeers() {
        return peers.count();
    }

    /** Peers that were given up. */
    public int lostPeers() {
        return lost.count();
    }

    /** Bytes of what is known of peers, all arrays together. */
    public long peerBytes() {
        return peers.bytes() + out.bytes() + credit.bytes();
    }

    /** Bytes of memory for frames that are kept. */
    public long frameBytes() {
        return pool.heldBytes();
    }

    @Override
    public long resent() {
        return out.resent();
    }

    /** Frames that came again or belonged to streams long over. */
    public long repeated() {
        return in.repeated();
    }

    /** Frames whose sum was wrong. */
    public long damaged() {
        return damaged;
    }

    @Override
    public long refused() {
        return in.refused();
    }

    /** Throws an {@link AssertionError} if anything here does not fit together. For tests and the simulator. */
    public void checkInvariants() {
        peers.checkInvariants();
        int listed = claimed == NONE ? 0 : 1;
        int sent = 0;
        for (int place = 0; place < peers.peer.length; place++) {
            if (peers.peer[place] != NONE && peers.find(peers.peer[place]) == place) {
                int frames = out.checkInvariants(place);
                sent += frames;
                listed += frames + in.checkInvariants(place);
                int state = peers.out(place);
                boolean waits = state == OUT_OPEN || state == OUT_CLOSING || peers.in(place) == IN_ASKED
                        || peers.owed(place) > 0;
                check(!waits || peers.isAwaited(place), "a stream that waits without a deadline");
                check(state != OUT_NONE || peers.in(place) != IN_NONE, "a place without a stream");
            }
        }
        check(sent == out.underWay(), sent + " frames under way, counted " + out.underWay());
        pool.checkInvariants(listed);
    }
}
