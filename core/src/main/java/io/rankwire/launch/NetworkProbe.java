package io.rankwire.launch;

import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.Port;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Measures what a network costs, between two ranks whose port carries nothing else yet: one leads, the other answers.
 * It takes thirty to sixty milliseconds, or a few round trips if that is more. Where ranks share processors it is not
 * done: their own starts would disturb it.
 */
final class NetworkProbe implements FrameSink {
    /** A frame that is not answered. */
    private static final int SILENT = 1;
    /** A frame that is answered. */
    private static final int ANSWERED = 2;
    /** The last frame of the rank that leads, which is not answered. */
    private static final int LAST = 3;
    /** The answer to a frame. */
    private static final int ANSWER = 4;

    private static final long ROUNDS_NS = 20_000_000;
    private static final long OTHERS_NS = 4_000_000;
    private static final int LEAST_ROUNDS = 8;
    /** With few rounds, the time for them is up to this many times as long. */
    private static final int PATIENCE = 2;
    private static final int ENOUGH_ROUNDS = 256;
    private static final int MOST_ROUNDS = 8192;
    /** If a typical round takes longer than this many times a quick one, other work has disturbed them. */
    private static final double SPREAD = 2;
    /** The same with few rounds: those of a slow network differ less. */
    private static final double SPREAD_OF_FEW = 1.25;
    private static final int WINDOW = 16;
    private static final int LONG_BYTES = 1 << 20;
    private static final int POLLS_TO_YIELD = 1 << 9;
    private static final int POLLS_TO_ADVANCE = 1 << 6;
    private static final int LIMIT = 16;
    /** Empty polls after which a rank sleeps, so that the other one gets the processor. */
    private static final int POLLS_TO_SLEEP = 1 << 14;
    private static final long SLEEP_NS = 1_000_000;

    private final Port port;
    private final int peer;
    private final BooleanSupplier isOver;
    private final Outlet outlet;
    private int lastKind;
    /** Answers that this rank owes. */
    private int answers;
    private int idle;
    private int polls;

    /**
     * @param isOver whether the job has ended
     */
    NetworkProbe(Port port, int peer, BooleanSupplier isOver) {
        this.port = port;
        this.peer = peer;
        this.isOver = isOver;
        this.outlet = port.outlet(peer);
    }

    @Override
    public void frame(int from, int meta, long header, MemorySegment memory, long payload, int payloadBytes) {
        lastKind = meta;
        if (meta == ANSWERED) {
            answers++;
        }
    }

    /** Whether more ranks than processors are on a host: they would disturb a measurement. */
    static boolean isCrowded(int ranksHere) {
        return ranksHere > Runtime.getRuntime().availableProcessors();
    }

    /** Does not measure; the other rank, which may wait for it, goes on. */
    NetworkCost skip(String inside) {
        round(0, 0);
        end();
        return NetworkCost.unknown(inside);
    }

    /** Measures; the other rank answers meanwhile. */
    NetworkCost lead(String inside) {
        double round = measure(ROUNDS_NS, 0, 0);
        double many = measure(OTHERS_NS, WINDOW - 1, Long.BYTES);
        int payload = port.maxPayload(peer);
        long one = round(1, payload);
        int frames = Math.clamp(OTHERS_NS / one, 1, Math.max(1, LONG_BYTES / payload));
        double large = measure(OTHERS_NS, frames, payload);
        end();
        return new NetworkCost(round / 2, Math.max(0, many - round) / (WINDOW - 1),
                Math.max(0, large - round) / ((double) frames * payload), inside);
    }

    /**
     * The time of a quick one among the later round trips, when most of the code has been compiled; 0 if other work has
     * disturbed them. In each, a number of silent frames goes ahead.
     */
    private double measure(long budgetNs, int silent, int bytes) {
        long[] times = new long[MOST_ROUNDS];
        long start = System.nanoTime();
        int count = 0;
        while (count < MOST_ROUNDS && (count < LEAST_ROUNDS
                || System.nanoTime() - start < (count < ENOUGH_ROUNDS ? PATIENCE : 1) * budgetNs)) {
            times[count++] = round(silent, bytes);
        }
        long[] later = Arrays.copyOfRange(times, count / 2, count);
        Arrays.sort(later);
        long quick = later[later.length / 8];
        return later[later.length / 2] <= (count < ENOUGH_ROUNDS ? SPREAD_OF_FEW : SPREAD) * quick ? quick : 0;
    }

    private long round(int silent, int bytes) {
        long before = System.nanoTime();
        for (int i = 0; i < silent; i++) {
            send(bytes, SILENT);
        }
        send(Long.BYTES, ANSWERED);
        awaitAnswer();
        return System.nanoTime() - before;
    }

    /**
     * Ends the measurement. The other rank polls until this frame has come. Its answers may not arrive otherwise: the
     * network may first ask who has sent them.
     */
    private void end() {
        send(Long.BYTES, LAST);
        port.rest();
    }

    /** Answers until the other rank has measured enough. */
    void follow() {
        lastKind = 0;
        while (lastKind != LAST || answers > 0) {
            poll();
            for (; answers > 0; answers--) {
                send(Long.BYTES, ANSWER);
            }
        }
        port.rest();
    }

    private void send(int bytes, int kind) {
        long at = outlet.claim(bytes);
        while (at == Outlet.FULL) {
            poll();
            at = outlet.claim(bytes);
        }
        MemorySegment memory = outlet.memory();
        for (int i = 0; i < Long.BYTES; i++) {
            memory.set(ValueLayout.JAVA_BYTE, at + i, (byte) 0);
        }
        outlet.commit(at, bytes, kind, 0);
    }

    private void awaitAnswer() {
        lastKind = 0;
        while (lastKind != ANSWER) {
            poll();
        }
    }

    private void poll() {
        // As seldom as in the waits of a program, because a network looks at all its sockets then.
        if ((++polls & POLLS_TO_ADVANCE - 1) == 0) {
            PeerLost lost = port.advance(System.nanoTime());
            if (lost != null) {
                throw lost;
            }
        }
        if (port.poll(this, LIMIT) > 0) {
            idle = 0;
        } else if (++idle % POLLS_TO_YIELD == 0) {
            if (isOver.getAsBoolean()) {
                throw new FabricException("given up: the job has ended", null);
            }
            port.rest();
            if (idle < POLLS_TO_SLEEP) {
                Thread.yield();
            } else {
                port.sleep(SLEEP_NS);
            }
        } else {
            Thread.onSpinWait();
        }
    }
}
