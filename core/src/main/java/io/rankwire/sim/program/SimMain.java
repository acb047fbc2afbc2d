package io.rankwire.sim.program;

import io.rankwire.launch.DeadlockWatch;
import io.rankwire.launch.ProgramProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * Main class of a process that simulates a job. The arguments are whether to tag output ({@code tag} or {@code plain}),
 * a file with the settings, the user's main class and its arguments. The launcher that started it watches over the board
 * as it does for real ranks; that of a deadlock it only tells, which is proven here.
 */
public final class SimMain {
    private static final double PS_PER_MS = 1e9;

    private SimMain() {}

    public static void main(String[] args) throws IOException {
        Path file = Path.of(args[1]);
        Settings settings = Settings.DEFAULT.read(Files.readString(file), args[1]);
        PrintStream err = System.err;
        ProgramProcess process = ProgramProcess.start(
                args[0].equals("tag"), args[2], Arrays.copyOfRange(args, 3, args.length), true);
        boolean[] over = {false, false};
        SimulatedRanks ranks = new SimulatedRanks(settings, process.board(), process::run, process::fail,
                () -> {
                    over[1] = true;
                    System.exit(DeadlockWatch.EXIT_STATUS);
                });
        process.atExit(() -> {
            boolean exits = ranks.runningIsInside("java.lang.Runtime", "exit");
            if (over[0] || exits) {
                err.print(result(ranks, settings, process.size()));
                err.flush();
            }
            return exits && !over[1] && process.board().failure(ranks.running()) < 0 ? ranks.running() : -1;
        });
        ranks.run();
        over[0] = true;
    }

    private static String result(SimulatedRanks ranks, Settings settings, int size) {
        return String.format(Locale.ROOT, "rankwire: simulated %.6f ms of %d ranks on %s, seed %d, %d events, hash %016x%n",
                ranks.timePs() / PS_PER_MS, size, settings.topologyFor(size), settings.seed(), ranks.events(),
                ranks.hash());
    }
}
