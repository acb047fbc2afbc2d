package io.rankwire.fabric.ofi;

import io.rankwire.fabric.FrameSink;
import java.util.concurrent.locks.LockSupport;

/** The end of a port: delivers what was committed, says goodbye, and waits some time until peers have that. */
final class Closing {
    private static final long STEP_NS = 200_000;
    private static final int ROUNDS = 16;

    private final OfiPort port;
    private final Watch watch;
    private final long mostNs;

    Closing(OfiPort port, Watch watch, long mostNs) {
        this.port = port;
        this.watch = watch;
        this.mostNs = mostNs;
    }

    void run() {
        await(ROUNDS, mostNs);
        for (OfiPeer peer : port.known) {
            if (!peer.isGone()) {
                peer.errands.leaves = true;
                port.busy(peer);
            }
        }
        await(ROUNDS, mostNs);
    }

    /** Goes on until peers have acknowledged all, for a number of rounds at least and a time at most. */
    private void await(int rounds, long ns) {
        long began = System.nanoTime();
        for (int round = 0; !port.isAtRest() && (round < rounds || System.nanoTime() - began < ns); round++) {
            port.poll(FrameSink.NOTHING, Integer.MAX_VALUE);
            port.rest();
            watch.advance(watch.lastNs() + STEP_NS);
            if (round >= rounds) {
                LockSupport.parkNanos(STEP_NS);
            }
        }
    }
}
