package io.rankwire.tools;

import io.rankwire.launch.Board;
import io.rankwire.launch.DeadlockWatch;
import io.rankwire.launch.Debugger;
import io.rankwire.launch.Ending;
import io.rankwire.launch.FailureWatch;
import io.rankwire.launch.JobDirectory;
import io.rankwire.launch.JobWatch;
import io.rankwire.launch.Limits;
import io.rankwire.launch.Lines;
import io.rankwire.launch.ProcessReplacing;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code rankwire run}: makes the job's directory, starts the ranks, watches them and reports how the job ended.
 * Whatever happens, the job's processes and files are gone before the command ends.
 */
final class RunCommand {
    static final int TIMEOUT_STATUS = 124;
    private static final int POLL_MS = 10;
    static final String BROKEN_PIPE = "Broken pipe";
    /** 128 + SIGPIPE. */
    static final int PIPE_STATUS = 141;

    private final RunOptions options;
    private final Lines.Shared out = new Lines.Shared(new FileOutputStream(FileDescriptor.out));
    /** The same when both are the same file, so that what is said there begins on a line of its own. */
    private final Lines.Shared err =
            isOneOutput() ? out : new Lines.Shared(new FileOutputStream(FileDescriptor.err));
    private final Path root = JobDirectory.root();
    private JobDirectory directory;
    private Launch launch;
    /** Null unless the job gives new ranks to processes here. */
    private ProcessReplacing replacing;
    /** Null unless the launcher says what it does. */
    private final LaunchLog log;
    /** Ranks whose JVM listens for a debugger, as far as users know. */
    private final BitSet listening = new BitSet();
    private boolean over;

    RunCommand(RunOptions options) {
        this.options = options;
        this.log = options.verbose ? new LaunchLog(options.places(), this::say) : null;
    }

    int run() {
        if (options.environmentOf(MeasuredCosts.VARIABLE) == null) {
            MeasuredCosts.again();
        }
        Thread interruption = new Interruption();
        Runtime.getRuntime().addShutdownHook(interruption);
        try {
            return job();
        } catch (IOException e) {
            // Some of the library's exceptions have only the name of a file for a message.
            String message = e.getMessage();
            if (clear()) {
                say(message != null && message.indexOf(' ') > 0 ? message : e.toString());
            }
            return 1;
        } catch (OutOfMemoryError e) {
            if (!String.valueOf(e.getMessage()).contains("native thread")) {
                throw e;
            }
            clear();
            // A process may have been started before the thread that would have waited for it could not be.
            ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
            say("cannot start the ranks: " + Limits.noThread());
            return 1;
        } finally {
            clear();
            forget(interruption);
        }
    }

    /** Nothing is left to be cleared, and the end of the process need not start a thread for it. */
    private static void forget(Thread interruption) {
        try {
            Runtime.getRuntime().removeShutdownHook(interruption);
        } catch (IllegalStateException e) {
            // It runs already.
        }
    }

    static boolean isOneOutput() {
        try {
            return Files.isSameFile(Path.of("/dev/fd/1"), Path.of("/dev/fd/2"));
        } catch (IOException e) {
            return false;
        }
    }

    private void say(String what) {
        try {
            err.print("rankwire: " + what + (what.endsWith("\n") ? "" : "\n"));
        } catch (IOException e) {
            // The reader has gone.
        }
    }

    private int job() throws IOException {
        synchronized (this) {
            if (over) {
                return 1;
            }
            directory = JobDirectory.create(root);
        }
        directory.createBoard(options.places(), options.size());
        if (options.goesOn) {
            directory.openBoard().failures().goOn();
        }
        Map<RunOptions, Program> programs = new HashMap<>();
        for (RunOptions each = options; each != null; each = each.next) {
            if (!each.command) {
                programs.put(each, Program.of(each, directory.path().resolve("classes" + programs.size())));
            }
        }
        synchronized (this) {
            launch = new Launch(options, programs, directory, out, err, log);
        }
        launch.start();
        // While the ranks start.
        Board board = directory.openBoard();
        launch.watch(board);
        JobDirectory.sweep(root);
        return watch(board);
    }

    private int watch(Board board) throws IOException {
        long start = System.nanoTime();
        long timeoutNs = (long) (options.timeoutSeconds * 1e9);
        long lastCheck = start;
        JobWatch watch = new JobWatch(board, options.stall, launch.processes()::hasEnded, this::stacks);
        // A simulation declares its ranks dead itself, in its own time.
        FailureWatch failures = options.goesOn && options.simulated == null ? launch.failures() : null;
        replacing = launch.replacing();
        while (true) {
            if (replacing != null) {
                replacing.look();
            }
            boolean allEnded = launch.processes().awaitSome(POLL_MS);
            if (log != null) {
                log.look(board, launch.processes());
            }
            if (options.debug != null) {
                lookForDebuggers("waits for a debugger");
            }
            Ending first = failures == null ? launch.firstFailure() : failures.end();
            if (first != null) {
                return fail(board, first, failures == null ? "" : failures.whyEnd(first));
            }
            if (failures != null && !goOn(failures)) {
                // Some have ended whose end is not clear yet.
                allEnded = false;
                pause(1);
            }
            if (allEnded) {
                launch.processes().finishOutput();
                IOException broken = launch.processes().brokenOutput();
                warnOfOpenWorlds();
                printStats(board);
                return broken != null ? unwritten(board, broken)
                        : options.goesOn && options.simulated != null ? launch.processes().status(0)
                        : failures == null || failures.anyLeft() ? 0 : failures.first().status();
            }
            launch.processes().releaseOutput();
            IOException broken = launch.processes().brokenOutput();
            if (broken != null) {
                return unwritten(board, broken);
            }
            if (Main.IS_TERMINAL) {
                launch.processes().showQuestion();
            }
            long now = System.nanoTime();
            if (timeoutNs > 0 && now - start >= timeoutNs) {
                return stop(board, TIMEOUT_STATUS, timedOut(board, watch));
            }
            // Ranks of a simulation find their deadlocks themselves, in their own time. A rank may stand in a debugger
            // for as long as it takes.
            boolean isWatched = options.simulated == null && options.debug == null;
            if (isWatched && now - lastCheck >= DeadlockWatch.INTERVAL_MS * 1_000_000L) {
                lastCheck = now;
                JobWatch.Finding found = watch.check(now);
                if (found != null && found.ends()) {
                    return stop(board, DeadlockWatch.EXIT_STATUS, found.text());
                } else if (found != null) {
                    say(found.text());
                }
            }
        }
    }

    /** Reports the ranks that have died since the last time; false if there are more to come. */
    private boolean goOn(FailureWatch failures) {
        List<FailureWatch.Death> deaths = failures.look(System.nanoTime());
        if (!deaths.isEmpty() && isOver()) {
            // The command itself is being ended, and the ranks with it.
            pause(10_000);
        }
        for (FailureWatch.Death each : deaths) {
            Ending ending = each.ending();
            launch.processes().finishOutput(ending.rank());
            if (options.rehearses) {
                continue;
            }
            String story = ending.story(nameOf(ending.rank()), directory);
            int end = story.indexOf('\n');
            String first = end < 0 ? story : story.substring(0, end);
            say(first + (failures.anyLeft() ? "; the job goes on without it" : "; no rank is left")
                    + story.substring(first.length()));
        }
        return !failures.anyUnclear();
    }

    /** What the process of a rank has written about its threads, or nothing. */
    private String stacks(int rank) {
        try {
            return Files.readString(directory.stacks(rank));
        } catch (IOException e) {
            return "";
        }
    }

    private void warnOfOpenWorlds() {
        for (int rank : options.mayStayOpen ? launch.neverClosed() : List.<Integer>of()) {
            say("warning: rank " + rank + " ended without a call of MPI.Finalize");
        }
    }

    /** @param note what is said behind the story */
    private int fail(Board board, Ending first, String note) {
        if (options.explores > 0 && !first.bySignal() && board.failure(first.rank()) < 0) {
            // The ranks have printed everything.
            launch.processes().finishOutput();
            return first.status();
        }
        if (options.simulated != null && first.status() == DeadlockWatch.EXIT_STATUS && board.anyBlocked()) {
            return stop(board, first.status(), DeadlockWatch.report(board, options.jobs()));
        }
        if (first.bySignal() || board.pid(Math.max(0, first.rank())) == 0) {
            // Ctrl-C goes to the ranks too, and they may be faster: then this is no failure of theirs.
            pause(100);
        }
        String story = first.story(nameOf(first.rank()), directory);
        return stop(board, first.status(), note.isEmpty() ? story : story.stripTrailing() + note);
    }

    private String nameOf(int rank) {
        int origin = replacing == null ? rank : replacing.origin(rank);
        String place = origin == rank ? "" : ", in the place of rank " + origin + ",";
        return rank >= options.size() ? "rank " + rank + place
                : options.size() == 1 || rank < 0 ? "the program" : options.nameOf(rank, true);
    }

    /**
     * The job's output cannot be written, so the job ends. When the reader of the output has gone, nothing is
     * reported: the status is that of a program that the system ends for writing to a closed pipe.
     */
    private int unwritten(Board board, IOException broken) {
        String why = String.valueOf(broken.getMessage());
        if (!why.contains(BROKEN_PIPE)) {
            return stop(board, 1, "cannot write the output of the ranks: " + why);
        }
        board.abort(PIPE_STATUS, why);
        launch.processes().end(false);
        return PIPE_STATUS;
    }

    /** Ends the ranks, passes on the rest of their output, and then reports why. */
    private int stop(Board board, int status, String why) {
        boolean paused = options.pauses && options.explores == 0;
        if (paused) {
            say(why);
            keepForDebuggers(board);
        }
        board.abort(status, why);
        launch.processes().end(why.endsWith(Limits.noThread()));
        launch.processes().finishOutput();
        if (!clear()) {
            // The command itself is being ended, and reports that.
            pause(10_000);
        }
        printStats(board);
        if (!paused) {
            say(why);
        }
        return status;
    }

    /** Says of each rank whose JVM has begun to listen for a debugger how to attach. */
    private void lookForDebuggers(String what) {
        for (int rank = 0; rank < (options.threads ? 1 : options.size()); rank++) {
            int port = listening.get(rank) ? 0 : Debugger.port(directory.path(), rank);
            if (port != 0) {
                listening.set(rank);
                say((options.threads ? "the process of all ranks" : "rank " + rank) + " (process "
                        + launch.processes().pid(rank) + ") " + what + ": " + DebugPlan.attach(port));
            }
        }
    }

    /** Leaves all ranks as they are, so that debuggers can attach to them, until the user has seen enough. */
    private void keepForDebuggers(Board board) {
        board.pause();
        Pause pause = new Pause();
        say("the job is kept for debuggers; " + pause.how());
        while (!pause.isOver() && !launch.processes().awaitSome(POLL_MS)) {
            lookForDebuggers("listens for a debugger");
        }
    }

    private void printStats(Board board) {
        int[] jobs = options.jobs();
        for (int job = 0, first = 0; options.stats && job < jobs.length; first += jobs[job++]) {
            int ranks = jobs.length == 1 ? Math.max(jobs[job], launch.processes().count()) : jobs[job];
            say((jobs.length == 1 ? "" : "job " + (job + 1) + ": ") + StatsTable.of(board.part(first, ranks)));
        }
    }

    private String timedOut(Board board, JobWatch watch) {
        String limit = options.timeoutSeconds == Math.rint(options.timeoutSeconds)
                ? String.valueOf((long) options.timeoutSeconds)
                : String.valueOf(options.timeoutSeconds);
        String heading = "the job did not end within " + limit + " s";
        if (options.simulated == null) {
            return watch.describe(heading);
        }
        StringBuilder text = new StringBuilder(heading).append('\n');
        for (int rank = 0; rank < options.size(); rank++) {
            text.append("  ").append(options.nameOf(rank, false)).append(": ").append(board.doing(rank)).append('\n');
        }
        return text.toString();
    }

    static void pause(int ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean isOver() {
        return over;
    }

    /** Leaves nothing behind; false when it has been done already. */
    private synchronized boolean clear() {
        if (over) {
            return false;
        }
        over = true;
        if (launch != null) {
            launch.processes().end(false);
        }
        if (directory != null) {
            directory.delete();
        }
        return true;
    }

    /** Ctrl-C, or another signal that ends the command: the JVM runs this and then ends with 128 + the signal. */
    private final class Interruption extends Thread {
        @Override
        public void run() {
            if (clear()) {
                if (Main.IS_TERMINAL) {
                    // The cursor stands behind the ^C that the terminal has echoed.
                    System.err.println();
                }
                say("interrupted; all ranks have been ended");
            }
        }
    }
}
