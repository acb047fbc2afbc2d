package io.rankwire.lab;

import io.rankwire.Communicator;
import io.rankwire.World;
import java.util.Arrays;

/**
 * How late a message reaches a rank that has waited for it for some time. Rank 0 is silent, takes the time and sends
 * it; rank 1 compares it with its own, which is the same clock on one machine. Run: {@code bin/rankwire run -n 2
 * --fabric=tcp -cp lab/target/classes io.rankwire.lab.WakeUp}. Prints microseconds, of 300 messages for each silence.
 */
public final class WakeUp {
    private static final int[] SILENCES_US = {50, 200, 1_000, 5_000, 20_000};
    private static final int MESSAGES = 300;

    private WakeUp() {}

    public static void main(String[] args) {
        try (World world = World.join()) {
            Communicator all = world.communicator();
            measure(all, 100);
            for (int silence : SILENCES_US) {
                double[] late = measure(all, silence);
                if (all.rank() == 1) {
                    System.out.printf("after %d us: median %.1f, p90 %.1f, least %.1f us%n", silence,
                            late[MESSAGES / 2], late[MESSAGES * 9 / 10], late[0]);
                }
            }
        }
    }

    private static double[] measure(Communicator all, int silenceUs) {
        long[] sent = new long[1];
        double[] late = new double[MESSAGES];
        for (int i = 0; i < MESSAGES; i++) {
            if (all.rank() == 0) {
                all.receive(sent, 1, 2);
                long until = System.nanoTime() + 1_000L * silenceUs;
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
                sent[0] = System.nanoTime();
                all.send(sent, 1, 1);
            } else {
                all.send(sent, 0, 2);
                all.receive(sent, 0, 1);
                late[i] = (System.nanoTime() - sent[0]) / 1e3;
            }
        }
        Arrays.sort(late);
        return late;
    }
}
