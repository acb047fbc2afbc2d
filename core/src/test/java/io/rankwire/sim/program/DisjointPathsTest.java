package io.rankwire.sim.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.RankwireException;
import io.rankwire.Request;
import io.rankwire.World;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs whose long messages take two ways through a torus. */
@Timeout(300)
class DisjointPathsTest {
    private static final int FAR = 4 + 8 * 4;

    private static Settings settings(String ways, String... lines) {
        return Settings.DEFAULT.read(
                "topology = torus:8x8x2\nnode.ways = " + ways + "\n" + String.join("\n", lines), "test");
    }

    /** Microseconds of the last of some messages of 1 MiB to the node that is farthest away. */
    private static double us(Settings settings) {
        long[] took = new long[1];
        int[] content = new int[1 << 18];
        Arrays.setAll(content, i -> i * 0x9E3779B9);
        SimulatedRanks.run(settings, FAR + 1, job -> {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                int[] buffer = all.rank() == 0 ? content : new int[content.length];
                for (int i = 0; i < 3 && all.rank() % FAR == 0; i++) {
                    long begun = world.time();
                    if (all.rank() == 0) {
                        all.send(buffer, FAR, 1);
                        all.receive(new int[0], FAR, 2);
                    } else {
                        all.receive(buffer, 0, 1);
                        all.send(new int[0], 0, 2);
                    }
                    took[0] = all.rank() == 0 ? world.time() - begun : took[0];
                }
                if (all.rank() == FAR) {
                    assertArrayEquals(content, buffer);
                }
            }
        });
        return took[0] / 1e3;
    }

    @Test
    void shouldGainByTheSecondPath() {
        double one = us(settings("one"));
        double apart = us(settings("apart"));
        double inTurn = us(settings("in-turn"));
        assertTrue(one > 105 && apart < one, "one path " + one + " us, ends apart " + apart + " us");
        assertTrue(inTurn < 0.6 * one, "one path " + one + " us, both in turn " + inTurn + " us");
    }

    /** Messages of all sorts between all pairs; those of a pair and tag stay in order. */
    @Test
    void shouldKeepTheOrderOfMessages() {
        for (String ways : new String[] {"apart", "in-turn"}) {
            int size = 8;
            SimulatedRanks.run(settings(ways, "jitter = 3 us", "ranks-per-node = 2"), size, job -> {
                try (World world = World.join()) {
                    Communicator all = world.communicator();
                    int[] lengths = {1, 40_000, 3, 60_000, 0, 9_000};
                    Request[] requests = new Request[2 * size * lengths.length];
                    int[][][] got = new int[size][lengths.length][];
                    int count = 0;
                    for (int i = 0; i < lengths.length; i++) {
                        for (int peer = 0; peer < size; peer++) {
                            int[] sent = new int[lengths[i]];
                            Arrays.fill(sent, all.rank() * 100 + i);
                            got[peer][i] = new int[lengths[i]];
                            requests[count++] = all.isend(sent, peer, 7);
                            requests[count++] = all.irecv(got[peer][i], peer, 7);
                        }
                    }
                    Request.awaitAll(requests);
                    for (int peer = 0; peer < size; peer++) {
                        for (int i = 0; i < lengths.length; i++) {
                            int expected = peer * 100 + i;
                            assertTrue(Arrays.stream(got[peer][i]).allMatch(each -> each == expected), ways);
                        }
                    }
                }
            });
        }
    }

    /** The frame that ends a message early must not pass its parts, which take the longer way. */
    @Test
    void shouldEndMessagesWhoseMemoryIsClosedAsWithOnePath() {
        int ended = 0;
        for (int us = 10; us < 46; us += 3) {
            String[] why = new String[2];
            int after = us * 1_000;
            SimulatedRanks.run(settings("in-turn", "link.latency = 2 us"), 2, job -> {
                try (World world = World.join()) {
                    Communicator all = world.communicator();
                    all.barrier();
                    Arena arena = Arena.ofShared();
                    MemorySegment memory = arena.allocate(1 << 20);
                    Request request = all.rank() == 0 ? all.isend(memory, 1, 1) : all.irecv(new byte[1 << 20], 0, 1);
                    if (all.rank() == 0) {
                        world.spend(after);
                        arena.close();
                    }
                    try {
                        request.await();
                    } catch (RankwireException e) {
                        why[all.rank()] = e.getMessage();
                    }
                }
            });
            assertEquals(why[0] == null, why[1] == null, us + " us: " + why[0] + ", " + why[1]);
            assertTrue(why[1] == null || why[1].contains("closed the memory"), us + " us: " + why[1]);
            ended += why[1] == null ? 0 : 1;
        }
        assertTrue(ended > 5, ended + " messages were not over when their memory was closed");
    }
}
