package io.rankwire.lab;

import io.rankwire.Communicator;
import io.rankwire.World;

/**
 * Passes a token around all ranks, to measure the time of a hop with more ranks than cores.
 * Run: {@code bin/rankwire run -n 8 -cp lab/target/classes io.rankwire.lab.TokenHop}.
 */
public final class TokenHop {
    private static final int ROUNDS = 10;
    private static final int LAPS = 2_000;

    private TokenHop() {}

    public static void main(String[] arguments) {
        try (World world = World.join()) {
            Communicator all = world.communicator();
            byte[] token = new byte[8];
            for (int round = 0; round < ROUNDS; round++) {
                long start = System.nanoTime();
                for (int lap = 0; lap < LAPS; lap++) {
                    hop(all, token);
                }
                if (all.rank() == 0) {
                    System.out.printf("%.1f us a hop%n", (System.nanoTime() - start) / 1e3 / LAPS / all.size());
                }
            }
        }
    }

    private static void hop(Communicator all, byte[] token) {
        int right = (all.rank() + 1) % all.size();
        int left = (all.rank() + all.size() - 1) % all.size();
        if (all.rank() == 0) {
            all.send(token, right, 1);
            all.receive(token, left, 1);
        } else {
            all.receive(token, left, 1);
            all.send(token, right, 1);
        }
    }
}
