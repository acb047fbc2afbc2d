package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.World;
import io.rankwire.launch.Job;
import io.rankwire.memory.Rand;
import io.rankwire.tools.Command.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Processes that are killed with signal 9 while all ranks agree, over and over. {@code -Drankwire.test.agree.seeds=20}
 * makes as many jobs on each fabric, of which each kills four processes.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class AgreeKillsTest {
    private static final int SEEDS = Integer.getInteger("rankwire.test.agree.seeds", 1);

    @TempDir
    Path jobs;

    @ParameterizedTest
    @CsvSource({"shm, 10000", "tcp, 2500"})
    void shouldDecideAlike(String fabric, int calls) throws Exception {
        for (int seed = 1; seed <= SEEDS; seed++) {
            run(fabric, calls, seed);
        }
    }

    private void run(String fabric, int calls, int seed) throws Exception {
        Result result = Command.run(jobs, "run", "-n", "6", "--on-failure=continue", "--fabric", fabric, "--jvm",
                Command.LIGHT, "-cp", Launch.locationOf(Programs.class), Program.class.getName(),
                Integer.toString(calls), Integer.toString(seed));
        assertEquals(0, result.status(), result.out() + result.err());
        assertEquals(List.of("2 ranks have decided " + calls + " calls alike"), result.lines(), result.err());
        try (var left = Files.list(jobs)) {
            assertEquals(List.of(), left.toList());
        }
    }

    /** The arguments are the number of calls and a seed. */
    static final class Program {
        private static final int VICTIMS = 4;

        private Program() {}

        public static void main(String[] args) throws Exception {
            int calls = Integer.parseInt(args[0]);
            Rand rand = new Rand(Long.parseLong(args[1]));
            try (World world = World.join()) {
                Communicator all = world.communicator();
                long hash = 0;
                List<Future<Void>> kills = new ArrayList<>();
                for (int call = 0; call < calls; call++) {
                    int part = calls / (VICTIMS + 1);
                    if (all.rank() == 0 && call > 0 && call % part == 0 && call / part <= VICTIMS) {
                        kills.add(kill(Job.current().board().pid(call / part), rand.below(50_000)));
                    }
                    int mine = ~(1 << (call + all.rank()) % 31);
                    int result = call % 3 == 0 ? later(all, mine) : all.agree(mine);
                    hash = 31 * hash + result;
                    if (result == 0) {
                        all.acknowledge();
                    }
                }
                for (Future<Void> each : kills) {
                    each.get();
                }
                Communicator fewer = all.shrink();
                long[] hashes = {hash, -hash};
                long[] most = new long[2];
                fewer.allreduce(hashes, most, Op.MAX);
                if (fewer.rank() == 0) {
                    System.out.println(fewer.size() + " ranks have decided " + calls + " calls "
                            + (most[0] == -most[1] ? "alike" : "differently"));
                }
                fewer.free();
            }
        }

        private static int later(Communicator all, int flags) {
            int[] result = {flags};
            all.iagree(result).await();
            return result[0];
        }

        /** Kills a process at some moment of the calls that follow. */
        private static Future<Void> kill(long pid, int turns) {
            FutureTask<Void> task = new FutureTask<>(() -> {
                for (int i = 0; i < turns; i++) {
                    Thread.onSpinWait();
                }
                if (!ProcessHandle.of(pid).orElseThrow().destroyForcibly()) {
                    throw new IllegalStateException("process " + pid + " was not killed");
                }
                return null;
            });
            Thread.ofPlatform().daemon().start(task);
            return task;
        }
    }
}
