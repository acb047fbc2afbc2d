package io.rankwire.lab;

import io.rankwire.Communicator;
import io.rankwire.Request;
import io.rankwire.World;

/**
 * The time of each phase of a window of 64 8-byte messages: rank 0 sends and waits for an acknowledgement, rank 1 posts
 * and awaits. Run: {@code bin/rankwire run -n 2 -cp lab/target/classes io.rankwire.lab.WindowPhases}.
 */
public final class WindowPhases {
    private static final int WINDOW = 64;
    private static final int WINDOWS = 30_000;
    private static final int ROUNDS = 8;
    private static final int TAG_STREAM = 2;
    private static final int TAG_ACK = 3;

    private final Communicator all;
    private final byte[] buffer = new byte[8 * WINDOW];
    private final byte[] ack = new byte[1];
    private final Request[] requests = new Request[WINDOW];
    private long firstNs;
    private long secondNs;

    private WindowPhases(Communicator all) {
        this.all = all;
    }

    public static void main(String[] arguments) {
        try (World world = World.join()) {
            WindowPhases phases = new WindowPhases(world.communicator());
            for (int round = 0; round < ROUNDS; round++) {
                phases.measure();
            }
        }
    }

    private void measure() {
        firstNs = 0;
        secondNs = 0;
        long start = System.nanoTime();
        for (int n = 0; n < WINDOWS; n++) {
            if (all.rank() == 0) {
                send();
            } else {
                receive();
            }
        }
        long allNs = System.nanoTime() - start;
        double messages = (double) WINDOW * WINDOWS;
        String phases = all.rank() == 0 ? "send %.1f, wait %.1f" : "post %.1f, await %.1f";
        System.out.printf(phases + ", all %.1f ns a message, %.1f M/s%n",
                firstNs / messages, secondNs / messages, allNs / messages, 1e3 * messages / allNs);
    }

    private void send() {
        long start = System.nanoTime();
        for (int w = 0; w < WINDOW; w++) {
            requests[w] = all.isend(buffer, 8 * w, 8, 1, TAG_STREAM);
        }
        Request.awaitAll(requests);
        long sent = System.nanoTime();
        all.receive(ack, 1, TAG_ACK);
        firstNs += sent - start;
        secondNs += System.nanoTime() - sent;
    }

    private void receive() {
        long start = System.nanoTime();
        for (int w = 0; w < WINDOW; w++) {
            requests[w] = all.irecv(buffer, 8 * w, 8, 0, TAG_STREAM);
        }
        long posted = System.nanoTime();
        Request.awaitAll(requests);
        firstNs += posted - start;
        secondNs += System.nanoTime() - posted;
        all.send(ack, 0, TAG_ACK);
    }
}
