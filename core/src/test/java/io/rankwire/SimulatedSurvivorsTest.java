package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Simulated ranks that die, and others that go on. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SimulatedSurvivorsTest {
    private static int sum(Communicator on) {
        int[] sum = new int[1];
        on.allreduce(new int[] {1}, sum, Op.SUM);
        return sum[0];
    }

    private static int shrunk(World world) {
        Communicator all = world.communicator();
        world.spend(1_000_000);
        assertEquals(ErrorClass.PEER, assertThrows(RankwireException.class, () -> {
            for (int i = 0; i < 1_000_000; i++) {
                all.barrier();
            }
        }).errorClass());
        Communicator rest = all.shrink();
        return sum(rest);
    }

    @Test
    void shouldGoOnWithoutKilledRanks() {
        Ranks ranks = Ranks.simulated(5, "crossbar").goOn().kill("3@10 us, 0@2 ms");
        Ranks.Results<Integer> first = ranks.run(SimulatedSurvivorsTest::shrunk);
        assertEquals(List.of(3, 0), List.copyOf(first.failures().keySet()));
        assertEquals("rank 3 of 5 failed: it was killed at 10 us of virtual time",
                first.failures().get(3).getMessage());
        assertEquals(null, first.value(0));
        assertEquals(3, first.value(1));
        assertEquals(first.hash(), ranks.run(SimulatedSurvivorsTest::shrunk).hash());
        assertNotEquals(first.hash(), ranks.setting("seed", "2").run(SimulatedSurvivorsTest::shrunk).hash());
        assertTrue(first.virtualTime().toMillis() >= 13, first.virtualTime().toString());
        RankwireException ended = assertThrows(RankwireException.class,
                () -> Ranks.simulated(5, "crossbar").kill("3@10 us").run(SimulatedSurvivorsTest::shrunk));
        assertEquals("rank 3 was killed at 10 us of virtual time", ended.getMessage());
    }

    @Test
    void shouldTakeAnExceptionForADeath() {
        Ranks.Results<Integer> results = Ranks.simulated(3, "crossbar").goOn().run(world -> {
            if (world.communicator().rank() == 1) {
                throw new IllegalStateException("enough");
            }
            return shrunk(world);
        });
        assertEquals(Set.of(1), results.failures().keySet());
        assertEquals("enough", results.failures().get(1).getCause().getMessage());
        assertEquals(2, results.value(2));
        assertTrue(assertThrows(RankwireException.class, () -> Ranks.simulated(3, "crossbar").goOn().run(world -> {
            throw new IllegalStateException("all");
        })).getMessage().endsWith("failed: java.lang.IllegalStateException: all"));
    }

    /** Ranks hear of a death at different times: one that has heard of it ends its call, and others have not. */
    @Test
    void shouldHearOfADeathAtATimeOfItsOwn() {
        Ranks.Results<Long> results = Ranks.simulated(8, "crossbar").goOn().kill("5@1 us")
                .setting("launcher.notice", "1 ms to 9 ms").run(world -> {
                    Communicator all = world.communicator();
                    assertThrows(RankwireException.class, () -> all.receive(new int[1], 5, 1));
                    return world.time();
                });
        List<Long> times = results.values().stream().filter(each -> each != null).sorted().toList();
        assertEquals(7, Set.copyOf(times).size());
        assertTrue(times.getFirst() >= 1_001_000 && times.getLast() <= 9_010_000, times.toString());
    }

    @Test
    void shouldReplaceRanksAndTheirReplacements() {
        Ranks.Results<String> results = Ranks.simulated(4, "crossbar").goOn().kill("1@20 us, 2@30 us, 5@200 ms")
                .setting("launcher.start", "100 ms").run(world -> {
                    Communicator all = world.communicator();
                    boolean isNew = world.isReplacement();
                    for (int sums = 0; sums < 3; ) {
                        try {
                            assertEquals(4, sum(all));
                            if (world.time() > 300_000_000L) {
                                sums++;
                            } else {
                                world.spend(1_000_000);
                            }
                        } catch (RankwireException e) {
                            all.revoke();
                            all = all.replace();
                            sums = 0;
                        }
                    }
                    return all.rank() + (isNew ? " new" : " old");
                });
        assertEquals(List.of("0 old", "1 new", "2 new", "3 old"), results.values());
        assertEquals(Set.of(1, 2), results.failures().keySet());
        assertEquals(1, Stream.of(1, 2).mapToInt(rank -> results.failures().get(rank).getSuppressed().length).sum());
    }

    @Test
    void shouldProveADeadlockOfSurvivors() {
        RankwireException proven = assertThrows(RankwireException.class, () -> Ranks.simulated(3, "crossbar").goOn()
                .kill("1@1 us").run(world -> {
                    Communicator all = world.communicator();
                    assertThrows(RankwireException.class, () -> all.receive(new int[1], 1, 1));
                    all.receive(new int[1], 2 - all.rank(), 2);
                    return null;
                }));
        assertTrue(proven.getMessage().contains("cycle: 0 -> 2 -> 0"), proven.getMessage());
        assertTrue(proven.getMessage().contains("rank 1: is dead: rank 1 was killed at 1 us"), proven.getMessage());
    }

    @Test
    void shouldEndARankAloneThatExits() {
        Ranks.Results<Void> results = Ranks.simulated(3, "crossbar").goOn().runMain(Exits.class);
        assertEquals(Set.of(1), results.failures().keySet());
        assertEquals("rank 1 of 3 failed: it exited with status 7", results.failures().get(1).getMessage());
    }

    static final class Exits {
        public static void main(String[] args) {
            try (World world = World.join()) {
                if (world.communicator().rank() == 1) {
                    Runtime.getRuntime().halt(7);
                }
                assertEquals(2, shrunk(world));
            }
            System.exit(0);
        }
    }
}
