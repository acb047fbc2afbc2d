package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.Job;
import io.rankwire.launch.Replacements;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Ranks of a program that are replaced when they die: by new threads, or by new processes. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RanksReplaceTest {
    enum Kind {
        THREADS, PROCESSES;

        Ranks ranks(int count) {
            return (this == THREADS ? Ranks.threads(count) : Ranks.processes(count)).goOn();
        }
    }

    /** Ends a rank: by a signal if it is a process, else by an exception. */
    private static void die() {
        if (System.getenv("RANKWIRE_RANK") == null) {
            throw new IllegalStateException("dies");
        }
        try {
            new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start();
            Thread.sleep(600_000);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The members of a communicator repair it until there was no death in a round. */
    private static Communicator repaired(Communicator all) {
        Communicator last = all;
        while (true) {
            try {
                last.barrier();
                last.barrier();
                return last;
            } catch (RankwireException e) {
                if (e.errorClass() != ErrorClass.PEER && e.errorClass() != ErrorClass.REVOKED) {
                    throw e;
                }
                last.revoke();
                last = last.replace();
            }
        }
    }

    private static int sum(Communicator on) {
        int[] sum = new int[1];
        on.allreduce(new int[] {1 << on.rank()}, sum, Op.SUM);
        return sum[0];
    }

    @ParameterizedTest
    @EnumSource
    void shouldGiveTheValueOfTheLastInAPlace(Kind kind) {
        Ranks.Results<String> results = kind.ranks(4).run(world -> {
            Communicator all = world.communicator();
            int place = all.group().worldRank(all.rank());
            // Rank 1 dies, and so does the one that replaces it; rank 3 dies and is replaced once.
            if (place == 1 || place == 3 && !world.isReplacement()) {
                die();
            }
            if (all.rank() == 1 && place < 6) {
                die();
            }
            all = repaired(all);
            return "rank " + all.rank() + ", " + world.isReplacement() + ", sum " + sum(all);
        });
        assertEquals(List.of("rank 0, false, sum 15", "rank 1, true, sum 15", "rank 2, false, sum 15",
                "rank 3, true, sum 15"), results.values());
        assertEquals(Set.of(1, 3), results.failures().keySet());
        RankwireException first = results.failures().get(1);
        assertTrue(first.getMessage().startsWith("rank 1 of 4 failed: "), first.getMessage());
        assertTrue(first.getSuppressed().length > 0, "no failure of the one that had replaced it");
        for (Throwable each : first.getSuppressed()) {
            assertTrue(each.getMessage().matches("(?s)rank [456], a replacement, failed: .*"),
                    each.getMessage());
        }
        if (kind == Kind.THREADS) {
            assertInstanceOf(IllegalStateException.class, first.getCause());
        } else {
            assertTrue(first.getMessage().contains("SIGKILL"), first.getMessage());
        }
    }

    /** Communicators of different members may have the same context. */
    @Test
    void shouldReplaceInTwoHalvesAtOnce() {
        Ranks.Results<Integer> results = Ranks.threads(6).goOn().run(world -> {
            if (world.isReplacement()) {
                return sum(repaired(world.communicator()));
            }
            Communicator all = world.communicator();
            Communicator half = all.split(all.rank() % 2, all.rank()).orElseThrow();
            if (all.rank() == 2 || all.rank() == 3) {
                die();
            }
            return sum(repaired(half));
        });
        assertEquals(List.of(7, 7, 7, 7, 7, 7), results.values());
    }

    /** Each rank has its own classes, also one that replaces another. */
    static final class Counts {
        private static int begun;

        public static void main(String[] args) {
            begun++;
            try (World world = World.join()) {
                Communicator all = world.communicator();
                if (all.rank() == 1 && !world.isReplacement()) {
                    die();
                }
                all = repaired(all);
                if (begun != 1 || sum(all) != 7) {
                    throw new IllegalStateException(begun + " have begun, sum " + sum(all));
                }
            }
        }
    }

    /** The first rank that is to replace another one does not join. */
    static final class Refuses {
        public static void main(String[] args) {
            if (Job.current().rank() == 3) {
                if (args[0].equals("exit")) {
                    System.exit(0);
                }
                return;
            }
            Counts.main(args);
        }
    }

    @ParameterizedTest
    @CsvSource({"THREADS, exit", "THREADS, return", "PROCESSES, exit", "PROCESSES, return"})
    void shouldReplaceARankThatDoesNotJoin(Kind kind, String how) {
        RankwireException failure = kind.ranks(3).timeout(Duration.ofMinutes(2)).runMain(Refuses.class, how)
                .failures().get(1);
        assertEquals(1, failure.getSuppressed().length);
        String text = failure.getSuppressed()[0].getMessage();
        assertTrue(text.contains("it ended with status 0 and never joined"), text);
    }

    @ParameterizedTest
    @EnumSource
    void shouldReplaceRanksOfAMainMethod(Kind kind) {
        Ranks.Results<Void> results = kind.ranks(3).runMain(Counts.class);
        assertEquals(Set.of(1), results.failures().keySet());
    }

    /** Rank 0 asks for another and dies at once. */
    static final class AsksAndDies {
        public static void main(String[] args) throws Exception {
            Job job = Job.current();
            if (job.rank() == 0) {
                job.replacements().ask(new Replacements.Request("key", 0, 40, "world", List.of(0), List.of(0)));
            }
            Runtime.getRuntime().halt(9);
        }
    }

    @Test
    void shouldFailIfTheLastRankDiesWhenItHasAskedForAnother() {
        RankwireException error = assertThrows(RankwireException.class,
                () -> Ranks.processes(1).goOn().runMain(AsksAndDies.class));
        assertTrue(error.getMessage().contains("it exited with status 9"), error.getMessage());
    }

    @Test
    void shouldRefuseAtAllMembersWhenAllPlacesAreUsed() {
        Ranks.Results<String> results = Ranks.threads(2).goOn().run(world -> {
            Communicator all = world.communicator();
            if (all.rank() == 1) {
                die();
            }
            try {
                repaired(all);
                return "repaired";
            } catch (RankwireException e) {
                return e.errorClass() + " " + e.getMessage();
            }
        });
        assertTrue(results.value(0).startsWith("RESOURCE "), results.value(0));
        assertTrue(results.value(0).contains("the job may start 66 ranks in all and has started 66, so it"),
                results.value(0));
        assertEquals(64, results.failures().get(1).getSuppressed().length);
    }
}
