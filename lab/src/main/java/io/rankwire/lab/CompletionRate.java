package io.rankwire.lab;

import io.rankwire.Communicator;
import io.rankwire.CompletionQueue;
import io.rankwire.Request;
import io.rankwire.World;
import java.util.Arrays;

/**
 * Entries a second of a completion queue: requests that are done are added and taken out again, in windows. What the
 * requests themselves cost is measured apart, and not counted. Other requests that are not done may stay in the queue
 * all the time. One rank: {@code bin/rankwire run -n 1 -cp lab/target/classes io.rankwire.lab.CompletionRate}.
 */
public final class CompletionRate {
    private static final int WINDOW = 256;
    private static final int WINDOWS = 4_000;
    private static final int ROUNDS = 9;
    private static final int TAG = 1;
    private static final int LATER = 2;

    private CompletionRate() {}

    public static void main(String[] args) {
        try (World world = World.join()) {
            System.out.println("pending   M entries/s, best and median of " + ROUNDS);
            for (int pending : new int[] {0, 1_000, 10_000}) {
                measure(world, pending);
            }
        }
    }

    private static void measure(World world, int pending) {
        Communicator all = world.communicator();
        CompletionQueue<Integer> queue = new CompletionQueue<>(world, pending + WINDOW);
        byte[] nothing = new byte[1];
        for (int i = 0; i < pending; i++) {
            queue.add(all.irecv(nothing, 0, LATER), i);
        }
        double[] rates = new double[ROUNDS];
        Request[] requests = new Request[WINDOW];
        for (int round = 0; round < ROUNDS; round++) {
            long spent = 0;
            for (int window = 0; window < WINDOWS; window++) {
                for (int i = 0; i < WINDOW; i++) {
                    requests[i] = all.irecv(nothing, 0, TAG);
                    all.send(nothing, 0, TAG);
                }
                long start = System.nanoTime();
                for (int i = 0; i < WINDOW; i++) {
                    queue.add(requests[i], i & 127);
                }
                for (int i = 0; i < WINDOW; i++) {
                    if (queue.poll().id() != (i & 127)) {
                        throw new IllegalStateException("another request than the first one that was done");
                    }
                }
                spent += System.nanoTime() - start;
            }
            rates[round] = (double) WINDOW * WINDOWS / spent * 1e3;
        }
        for (int i = 0; i < pending; i++) {
            all.send(nothing, 0, LATER);
            queue.await();
        }
        Arrays.sort(rates);
        System.out.printf("%7d %8.1f %8.1f%n", pending, rates[ROUNDS - 1], rates[ROUNDS / 2]);
    }
}
