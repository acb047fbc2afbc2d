package io.rankwire.sim.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rankwire.collective.Schedule;
import io.rankwire.collective.ScheduleRun;
import io.rankwire.memory.Rand;
import io.rankwire.sim.Noise;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.sim.net.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order in which simulated ranks do things, replayed with words for content: each contribution exactly once. */
class SymbolicTest {
    private static final int RUNS = 400;

    private interface Expected {
        String word(int rank, int unit);
    }

    @Test
    void shouldKeepTheOrderOfAllSchedules() {
        for (int seed = 1; seed <= RUNS; seed++) {
            Rand rand = new Rand(seed);
            int size = 1 + rand.below(rand.chance(1, 8) ? 40 : 12);
            int units = 1 + rand.below(2 * size);
            switch (rand.below(6)) {
                case 0 -> check(rand, Pattern.barrier(size), 0, 0, null);
                case 1 -> check(rand, Pattern.allreduce(size, 64), 1, 1, (rank, unit) -> all(size, unit));
                case 2 -> check(rand, Pattern.largeAllreduce(size, units), units, units,
                        (rank, unit) -> all(size, unit));
                case 3 -> check(rand, Pattern.allgather(size, 100), 1, size, (rank, unit) -> unit + ".0");
                case 4 -> check(rand, Pattern.alltoall(size, 100), size, size, (rank, unit) -> unit + "." + rank);
                default -> check(rand, Pattern.broadcast(size, 0, 100), 1, 1, (rank, unit) -> "0.0");
            }
        }
    }

    private static String all(int size, int unit) {
        List<String> words = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            words.add(rank + "." + unit);
        }
        words.sort(null);
        return String.join(",", words);
    }

    private static void check(Rand rand, Pattern pattern, int in, int out, Expected expected) {
        int size = pattern.ranks();
        List<Schedule> schedules = new ArrayList<>();
        String[][] inputs = new String[size][in];
        String[][] outputs = new String[size][out];
        for (int rank = 0; rank < size; rank++) {
            int self = rank;
            schedules.add(pattern.of(rank));
            Arrays.setAll(inputs[rank], unit -> self + "." + unit);
            if (pattern.name().startsWith("broadcast") && rank == 0) {
                outputs[rank][0] = "0.0";
            }
        }
        ScheduleRun words = new ScheduleRun(schedules, inputs, outputs, false);
        Watcher watcher = new Watcher() {
            @Override
            public void passed(int rank, int step) {
                words.pass(rank, step);
            }

            @Override
            public void received(int from, int send, int rank, int receive) {
                words.receive(from, send, rank, receive);
            }
        };
        LogGops costs = new LogGops(1 + rand.below(3_000), rand.below(2_000), rand.below(2_000), rand.below(50_000),
                rand.below(5_000), rand.chance(1, 2) ? 10 : 1 << 20);
        Noise noise = rand.chance(1, 2) ? Noise.NONE
                : new Noise(10_000, rand.below(9_000), rand.chance(1, 2), rand.nextLong());
        Driver driver = new Driver(rand.chance(1, 2), rand.below(500), rand.below(5_000));
        Setting setting = new Setting(costs, driver, noise, Load.ONCE, 1 + rand.below(3));
        if (rand.chance(1, 2)) {
            Uniform.run(pattern, setting, watcher);
        } else {
            String topology = rand.chance(1, 2) ? "torus" : "fattree:4";
            LinkModel links = new LinkModel(1 + rand.below(2_000), rand.below(50_000), 2 + rand.below(4), 16);
            Routed.run(pattern, setting, Topology.parse(topology, size), links, 16 + rand.below(100), watcher);
        }
        words.assertOver();
        for (int rank = 0; rank < size; rank++) {
            for (int unit = 0; unit < out; unit++) {
                String[] got = outputs[rank][unit].split(",");
                Arrays.sort(got);
                assertEquals(expected.word(rank, unit), String.join(",", got), pattern.name() + ", rank " + rank);
            }
        }
    }
}
