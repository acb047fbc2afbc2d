package io.rankwire.launch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A rank that an agent of the launcher has started, on any host. It finds the others over the network, and ends when
 * its agent does. The directory of the agent is the place for all files of the job on this host.
 */
public final class AgentRank extends Thread {
    /** The environment variable with the directory of the agent. */
    public static final String DIRECTORY = "RANKWIRE_AGENT";

    /** The environment variable that says what becomes of the job when a rank has failed. */
    public static final String ON_FAILURE = "RANKWIRE_ON_FAILURE";
    /** Its value for a job that goes on. */
    public static final String CONTINUE = "continue";
    /** What the ending of a rank begins with that has lost the root of its job, and ends because of that. */
    public static final String CUT_OFF = "cut off";

    private static final int INTERVAL_MS = 100;

    private final Path directory;
    private final String rank;
    private final long agent;

    private AgentRank() {
        super(OwnThread.group(), "rankwire-agent");
        directory = Path.of(System.getenv(DIRECTORY));
        agent = Long.parseLong(System.getenv(ProcessJob.LAUNCHER));
        rank = System.getenv(ProcessJob.RANK);
        setDaemon(true);
    }

    /** Runs as the process ends. */
    static final class Ending extends Thread {
        private final AgentRank of;

        private Ending(AgentRank of) {
            this.of = of;
        }

        @Override
        public void run() {
            of.writeEnding();
        }
    }

    /**
     * Where a rank writes how it has ended. The first line is {@link #CUT_OFF}; or {@code true} if a rank of the world
     * at the start has joined the job, or a later one its world; else {@code false}. The lines after that are the
     * reason of the end if it is none of its own.
     */
    public static Path ending(Path directory, int rank) {
        return directory.resolve("ending." + rank);
    }

    static boolean isPresent() {
        return System.getenv(DIRECTORY) != null && NetworkSettings.isPresent(System.getenv());
    }

    static void run(String mainClass, String[] args) {
        AgentRank watch = new AgentRank();
        watch.start();
        ProcessJob.atExit(new Ending(watch));
        try {
            ProgramEntry.of(mainClass, ClassLoader.getSystemClassLoader()).runInProcess(args);
        } catch (Throwable thrown) {
            Job job = Job.joined();
            if (job == null) {
                System.err.print("rankwire: rank " + watch.rank + ": " + Failure.story(thrown));
                System.exit(Aborted.status(thrown));
            } else if (job.board().aborted()) {
                // Most likely thrown because of that, which the launcher reports once for all ranks.
                System.exit(job.board().abortStatus());
            } else if (job instanceof NetworkJob of) {
                of.died(thrown);
            } else {
                job.fail(thrown);
            }
        }
    }

    private void writeEnding() {
        Job job = Job.joined();
        boolean isFirst = job == null || !job.board().aborted() || job instanceof NetworkJob of && of.hasFailed();
        boolean isCutOff = job instanceof NetworkJob of && of.isCutOff();
        boolean hasJoined = job != null && (job.rank() < job.worldSize() || job.board().hasJoined(job.rank()));
        String text = (isCutOff ? CUT_OFF : hasJoined) + "\n" + (isFirst ? "" : job.board().abortReason());
        try {
            JobDirectory.write(ending(directory, Integer.parseInt(rank)),
                    ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            // Then the launcher has the exit status alone.
        }
    }

    @Override
    public void run() {
        boolean isKnown = false;
        try {
            while (parent() == agent) {
                Job job = Job.joined();
                if (job != null && !isKnown) {
                    isKnown = true;
                    job.board().enter(this);
                }
                Thread.sleep(INTERVAL_MS);
            }
        } catch (InterruptedException e) {
            // Only the end of the process interrupts this thread.
            return;
        }
        JobDirectory.at(directory).delete();
        Runtime.getRuntime().halt(1);
    }

    private static long parent() {
        ProcessHandle parent = ProcessHandle.current().parent().orElse(null);
        return parent == null ? -1 : parent.pid();
    }
}
