package io.rankwire.launch;

import java.util.Arrays;
import java.util.List;

/**
 * Main class of a rank process. The arguments are the rank, for people who look at lists of processes, the user's main
 * class and its arguments.
 */
public final class RankMain {
    private static final String RANK = "rank=";

    private RankMain() {}

    /** The arguments of the JVM of a rank before those of the program: this class, and the rank. */
    public static List<String> arguments(int rank) {
        // No +, whose set-up takes tens of milliseconds of the start of a job.
        return List.of(RankMain.class.getName(), RANK.concat(Integer.toString(rank)));
    }

    public static void main(String[] words) {
        run(words[0].startsWith(RANK) ? Arrays.copyOfRange(words, 1, words.length) : words);
    }

    private static void run(String[] args) {
        if (AgentRank.isPresent()) {
            AgentRank.run(args[0], Arrays.copyOfRange(args, 1, args.length));
            return;
        }
        if (!ProcessJob.isPresent()) {
            System.err.println("rankwire: this class is for `rankwire run` to start; start your own class instead");
            System.exit(2);
        }
        ProcessJob job;
        try {
            job = ProcessJob.fromEnvironment();
        } catch (IllegalStateException e) {
            System.err.println("rankwire: " + e.getMessage());
            System.exit(2);
            return;
        }
        Job.ofProcess(job);
        ProcessJob.begin(job.board(), job.rank(), 1);
        try {
            new RankWatch(job).start();
            ProcessJob.atExit(new Thread(job::end));
            ProgramEntry.of(args[0], ClassLoader.getSystemClassLoader())
                    .runInProcess(Arrays.copyOfRange(args, 1, args.length));
            job.finish();
        } catch (Throwable thrown) {
            Failure.write(job.directory(), job.board(), job.rank(), thrown);
            Debugger.stay();
            System.exit(Aborted.status(thrown));
        }
        // Like java itself, the process now ends when the last of the program's own threads does.
    }
}
