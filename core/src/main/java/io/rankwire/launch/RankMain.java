package io.rankwire.launch;

import java.util.Arrays;

/** Main class of a rank process: the arguments are the user's main class and its arguments. */
public final class RankMain {
    private RankMain() {}

    public static void main(String[] args) {
        ProcessJob job;
        try {
            job = (ProcessJob) Job.current();
        } catch (IllegalStateException e) {
            System.err.println("rankwire: " + e.getMessage());
            System.exit(2);
            return;
        } catch (ClassCastException e) {
            System.err.println("rankwire: this class is for `rankwire run` to start; start your own class instead");
            System.exit(2);
            return;
        }
        job.programName(args[0]);
        job.board().started(job.rank(), ProcessHandle.current().pid());
        new RankWatch(job).start();
        Runtime.getRuntime().addShutdownHook(new Leaving(job));
        try {
            ProgramEntry.of(args[0], ClassLoader.getSystemClassLoader())
                    .runInProcess(Arrays.copyOfRange(args, 1, args.length));
            job.runEndings();
        } catch (Throwable thrown) {
            Failure.tell(job.directory(), job.board(), job.rank(), thrown);
            System.exit(Aborted.status(thrown));
        }
        // Like java itself, the process now ends when the last of the program's own threads does.
    }

    private static final class Leaving extends Thread {
        private final ProcessJob job;

        Leaving(ProcessJob job) {
            this.job = job;
        }

        @Override
        public void run() {
            job.board().left(job.rank());
        }
    }
}
