package io.rankwire.sim.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.World;
import io.rankwire.launch.ThreadRanks;
import org.junit.jupiter.api.Test;

/** Unchanged programs over simulated connections and datagrams. */
class ProgramsOverSocketsTest {
    private static final Settings TCP = Settings.DEFAULT.with("fabric", "tcp");
    private static final Settings UDP = Settings.DEFAULT.with("fabric", "udp");

    private static SimulatedRanks run(Settings settings, int ranks, Adversity adversity, MixedCalls.Program program) {
        return SimulatedRanks.run(settings, ranks, null, adversity, MixedCalls.body(program));
    }

    private static SimulatedRanks mixed(Settings settings, int ranks, Adversity adversity, long seed) {
        return run(settings, ranks, adversity, MixedCalls.of(seed));
    }

    @Test
    void shouldGiveTheSameAnswersOnAnyTopology() {
        for (Settings fabric : new Settings[] {TCP, UDP}) {
            for (String topology : new String[] {"crossbar", "torus", "fattree"}) {
                for (int perNode = 1; perNode <= 2; perNode++) {
                    Settings settings = fabric.with("topology", topology).with("ranks-per-node", "" + perNode);
                    SimulatedRanks first = mixed(settings, 7, null, perNode);
                    assertEquals(first.hash(), mixed(settings, 7, null, perNode).hash());
                    assertNotEquals(first.hash(), mixed(settings.with("seed", "2"), 7, null, perNode).hash());
                }
            }
        }
    }

    @Test
    void shouldGiveTheSameAnswersWhateverBreaks() {
        for (long seed = 1; seed <= 40; seed++) {
            Settings settings = (seed % 4 == 0 ? UDP : TCP).with("seed", "" + seed);
            int ranks = 2 + (int) seed % 5;
            SimulatedRanks first = mixed(settings, ranks, new Adversity(seed, null, settings, ranks, ranks), seed);
            SimulatedRanks again = mixed(settings, ranks, new Adversity(seed, null, settings, ranks, ranks), seed);
            assertEquals(first.hash(), again.hash(), "seed " + seed);
            assertEquals(first.faults(), again.faults());
        }
    }

    /** A link with a tenth of the bandwidth takes longer; frames of other pairs on the way take longer too. */
    @Test
    void shouldTakeTheTimeOfTheLinks() {
        for (Settings fabric : new Settings[] {TCP, UDP}) {
            long fast = megabytes(fabric, 1);
            long slow = megabytes(fabric.with("link.bandwidth", "1 GB/s"), 1);
            long shared = megabytes(fabric.with("link.bandwidth", "1 GB/s").with("topology", "torus:8x1x1"), 3);
            assertTrue(slow > 4_000_000_000L && slow > 2 * fast, fast + " and " + slow);
            assertTrue(shared > 2 * slow, slow + " and " + shared);
        }
    }

    /** Ranks 0, 1 and 2 of eight in a row send 4 MB each to one three places on. */
    private static long megabytes(Settings settings, int senders) {
        return run(settings, 8, null, (world, all) -> {
            byte[] much = new byte[4_000_000];
            if (all.rank() < senders) {
                all.send(much, all.rank() + 3, 1);
            } else if (all.rank() >= 3 && all.rank() < 3 + senders) {
                all.receive(much, all.rank() - 3, 1);
            }
        }).timePs();
    }

    @Test
    void shouldProveADeadlock() {
        for (Settings settings : new Settings[] {TCP, UDP}) {
            for (Adversity adversity : new Adversity[] {null, new Adversity(3L, null, settings, 3, 3)}) {
                ThreadRanks.Failed failed = assertThrows(ThreadRanks.Failed.class,
                        () -> run(settings, 3, adversity, (world, all) -> {
                            all.barrier();
                            all.receive(new byte[1], (all.rank() + 1) % 3, 2);
                        }));
                assertTrue(failed.getMessage().contains("cycle: 0 -> 1 -> 2 -> 0"), failed.getMessage());
            }
        }
    }

    @Test
    void shouldNameARankThatWasKilled() {
        ThreadRanks.Failed failed = assertThrows(ThreadRanks.Failed.class,
                () -> run(TCP, 3, new Adversity(null, "2@50 us", TCP, 3, 3), (world, all) -> {
                    all.barrier();
                    if (all.rank() == 2) {
                        world.spend(1_000_000_000);
                    }
                    all.receive(new byte[1], 2, 7);
                }));
        assertTrue(failed.getMessage().matches("(?s)rank 2 was killed at 50 us of virtual time.*receive from rank 2,"
                + " tag 7, on world at .*: rank 2 on node2 is lost: connection reset, then connection refused.*"),
                failed.getMessage());
    }

    @Test
    void shouldNeverHangOrEndWellWhenARankIsKilled() {
        for (long seed = 1; seed <= 20; seed++) {
            int ranks = 2 + (int) seed % 4;
            Adversity adversity = new Adversity(seed, "", TCP, ranks, ranks);
            try {
                SimulatedRanks ended = mixed(TCP, ranks, adversity, seed);
                assertEquals(-1, ended.killed(), "seed " + seed);
            } catch (ThreadRanks.Failed e) {
                assertTrue(e.getMessage().startsWith("rank " + adversity.kills().getFirst().rank() + " was killed"),
                        "seed " + seed + ": " + e);
            }
        }
    }

    /** A rank that computes for half a minute is busy, and not dead. */
    @Test
    void shouldWaitForARankThatDoesNotCall() {
        SimulatedRanks ranks = run(TCP, 3, null, (world, all) -> {
            all.barrier();
            if (all.rank() == 1) {
                world.spend(30_000_000_000L);
            }
            byte[] much = new byte[3_000_000];
            if (all.rank() == 0) {
                all.send(much, 1, 1);
            } else if (all.rank() == 1) {
                all.receive(much, 0, 1);
            }
            all.barrier();
        });
        assertTrue(ranks.timePs() > 30_000_000_000_000L && ranks.timePs() < 31_000_000_000_000L, "" + ranks.timePs());
    }

    @Test
    void shouldOpenOneWorldAfterAnother() {
        ThreadRanks.Body body = job -> {
            for (int number = 0; number < 3; number++) {
                try (World world = World.join()) {
                    Communicator all = world.communicator();
                    int[] word = {all.rank()};
                    all.send(word, (all.rank() + 1) % 4, number);
                    all.receive(word, (all.rank() + 3) % 4, number);
                    assertEquals((all.rank() + 3) % 4, word[0]);
                }
            }
        };
        for (Settings settings : new Settings[] {TCP, UDP}) {
            SimulatedRanks.run(settings, 4, null, null, body);
            SimulatedRanks.run(settings, 4, null, new Adversity(9L, null, settings, 4, 4), body);
        }
    }
}
