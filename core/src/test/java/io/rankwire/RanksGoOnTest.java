package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.FailureLog;
import io.rankwire.launch.Job;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ranks of a program of which some fail while the others go on. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RanksGoOnTest {
    enum Kind {
        THREADS, PROCESSES;

        Ranks ranks(int count) {
            return (this == THREADS ? Ranks.threads(count) : Ranks.processes(count)).goOn();
        }
    }

    private static FailureLog awaitDeaths(int count) throws InterruptedException {
        FailureLog log = Job.current().board().failures();
        while (log.count() < count) {
            Thread.sleep(1);
        }
        return log;
    }

    @ParameterizedTest
    @EnumSource
    void shouldGiveTheValuesOfThoseThatGoOn(Kind kind) {
        Ranks.Results<String> results = kind.ranks(3).run(world -> {
            Communicator all = world.communicator();
            if (all.rank() == 1) {
                throw new IllegalStateException("no more");
            }
            FailureLog log = awaitDeaths(1);
            int[] got = new int[1];
            all.sendReceive(new int[] {all.rank()}, 2 - all.rank(), 0, got, 2 - all.rank(), 0);
            return got[0] + ", " + log.cause(0);
        });
        String cause = ", rank 1 threw java.lang.IllegalStateException: no more";
        assertEquals(Arrays.asList("2" + cause, null, "0" + cause), results.values());
        assertEquals(List.of(1), List.copyOf(results.failures().keySet()));
        RankwireException failure = results.failures().get(1);
        assertEquals("rank 1 of 3 failed: java.lang.IllegalStateException: no more", failure.getMessage());
        assertInstanceOf(IllegalStateException.class, failure.getCause());
    }

    @ParameterizedTest
    @EnumSource
    void shouldFailWhenAllFail(Kind kind) {
        RankwireException error = assertThrows(RankwireException.class, () -> kind.ranks(3).execute(world -> {
            int rank = world.communicator().rank();
            awaitDeaths(2 - rank);
            throw new IllegalStateException("as number " + (2 - rank));
        }));
        assertEquals("rank 2 of 3 failed: java.lang.IllegalStateException: as number 0", error.getMessage());
    }

    @ParameterizedTest
    @EnumSource
    void shouldEndAllWhenARankWantsThat(Kind kind) {
        RankwireException error = assertThrows(RankwireException.class, () -> kind.ranks(2).execute(world -> {
            if (world.communicator().rank() == 0) {
                world.abort(3, "for all");
            }
            Thread.sleep(600_000);
        }));
        assertTrue(error.getMessage().contains("abort with status 3: for all"), error.getMessage());
    }

    @Test
    void shouldInterruptAThreadThatAnotherCannotReach() {
        Ranks.Results<String> results = Ranks.threads(2).goOn().run(world -> {
            if (world.communicator().rank() == 1) {
                Thread.sleep(600_000);
            }
            Job.current().board().failures().suspect(0, 1);
            return awaitDeaths(1).cause(0);
        });
        assertEquals("rank 1 was ended: rank 0 could not reach it", results.value(0));
        assertEquals("rank 1 of 2 failed: it was ended: rank 0 could not reach it",
                results.failures().get(1).getMessage());
    }

    @ParameterizedTest
    @EnumSource
    void shouldEndOneOfTwoThatCannotReachEachOther(Kind kind) {
        Ranks.Results<Integer> results = kind.ranks(4).run(world -> {
            world.communicator().barrier();
            FailureLog log = Job.current().board().failures();
            int rank = world.communicator().rank();
            if (rank == 3) {
                Thread.sleep(600_000);
            } else if (rank == 2) {
                log.suspect(0, 1);
                log.suspect(1, 0);
                awaitDeaths(1);
                // When rank 3 is dead, the watcher has looked at all others again.
                log.suspect(2, 3);
            }
            return awaitDeaths(2).count();
        });
        assertEquals(2, results.failures().size(), results.failures().toString());
        assertTrue(results.failures().containsKey(3), results.failures().toString());
        assertEquals(2, results.value(2));
    }

    @Test
    void shouldEndAProcessThatAnotherCannotReach() {
        Ranks.Results<String> results = Ranks.processes(2).goOn().run(world -> {
            if (world.communicator().rank() == 1) {
                Thread.sleep(600_000);
            }
            Job.current().board().failures().suspect(0, 1);
            return awaitDeaths(1).cause(0);
        });
        assertEquals("rank 1 was ended: rank 0 could not reach it", results.value(0));
        assertEquals(List.of(1), List.copyOf(results.failures().keySet()));
    }
}
