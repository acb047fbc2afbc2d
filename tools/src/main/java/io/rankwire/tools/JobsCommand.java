package io.rankwire.tools;

import io.rankwire.device.Counter;
import io.rankwire.launch.Board;
import io.rankwire.launch.JobDirectory;
import io.rankwire.tools.options.Given;
import io.rankwire.tools.options.Option;
import io.rankwire.tools.options.Syntax;
import io.rankwire.tools.options.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;

/** {@code rankwire ps}, {@code queues}, {@code stack}, {@code attach}: which jobs run on this host and what they do. */
final class JobsCommand {
    private static final Option JOB = Option.text("JOB", "")
            .help("the job, as ps lists it: the beginning of its name, or the number of its process. It can be left out"
                    + " if one job runs");

    static final Syntax PS = new Syntax("ps", "list the jobs of this user that run on this host")
            .forms("ps")
            .about("Lists the jobs of this user on this host: name, process of the launcher, ranks on this host, how"
                    + " many of them wait in calls, time since the start, and command.");
    static final Syntax QUEUES = new Syntax("queues", "print what a running job waits for", JOB)
            .forms("queues [JOB]")
            .about("Prints for each rank on this host of a running job what its program does, which receives are"
                    + " posted, which messages no call has received, and what is under way. The job goes on.");

    static final Syntax STACK = new Syntax("stack", "print the stacks of a running job", JOB)
            .forms("stack [JOB]")
            .about("Prints for each rank on this host of a running job what its program does, and the stacks of the"
                    + " threads of the program, with the calls of Rankwire that they are in. The job goes on.");

    private static final Option ONCE = Option.flag("--once").help("print it once");
    private static final Option EVERY = Option.seconds(1, "--every").otherwise("1").never(ONCE)
            .help("the time from one table to the next");
    static final Syntax ATTACH = new Syntax("attach", "watch a running job", JOB, ONCE, EVERY)
            .forms("attach [JOB] [--once | --every SECONDS]")
            .about("Prints each second, until the job ends, a line for each rank on this host: its calls, messages"
                    + " and bytes so far, the messages that no call has received, and what its program does, with the"
                    + " time that it has waited in a call. It only reads, so the job does not notice.");

    /** Ranks look for questions tens of times a second; a machine may be busy. */
    private static final long PATIENCE_NS = 10_000_000_000L;
    private static final int STEP_MS = 100;
    private static final int NAME = 8;
    private static final int COMMAND = 100;
    private static final Set<String> CLASS_PATH = Set.of("-cp", "-classpath", "--class-path");

    /** A job that runs. */
    private record Running(JobDirectory directory, long process) {
        String name() {
            return directory.id().substring(0, NAME);
        }
    }

    private JobsCommand() {}

    private static List<Running> jobs() {
        Path root = JobDirectory.root();
        try {
            List<Running> found = new ArrayList<>();
            for (Map.Entry<JobDirectory, Long> job : JobDirectory.live(root).entrySet()) {
                found.add(new Running(job.getKey(), job.getValue()));
            }
            return found;
        } catch (IOException e) {
            throw new UsageException("cannot read " + root + ": " + e.getMessage());
        }
    }

    static int ps() {
        List<Running> jobs = jobs();
        if (jobs.isEmpty()) {
            System.out.println("no jobs");
            return 0;
        }
        System.out.printf("%-8s %8s %6s %7s %9s  %s%n", "JOB", "PROCESS", "RANKS", "WAITING", "TIME", "COMMAND");
        for (Running job : jobs) {
            Board board;
            try {
                board = job.directory.openBoard();
            } catch (IOException e) {
                // It has ended meanwhile.
                continue;
            }
            int here = 0;
            int waiting = 0;
            for (int rank = 0; rank < board.size(); rank++) {
                here += board.pid(rank) != 0 && !board.isIdle(rank) && !board.failures().isDead(rank) ? 1 : 0;
                waiting += board.state(rank) == Board.State.BLOCKED ? 1 : 0;
            }
            System.out.printf("%-8s %8d %6s %7d %9s  %s%n", job.name(), job.process,
                    here == board.worldSize() ? "" + here : here + "/" + board.worldSize(), waiting, age(job.process),
                    command(job.process));
        }
        return 0;
    }

    private static String age(long process) {
        Optional<Instant> start = ProcessHandle.of(process).flatMap(handle -> handle.info().startInstant());
        if (start.isEmpty()) {
            return "-";
        }
        long seconds = Math.max(0, Duration.between(start.get(), Instant.now()).toSeconds());
        return seconds < 3_600 ? String.format("%d:%02d", seconds / 60, seconds % 60)
                : String.format("%d:%02d:%02d", seconds / 3_600, seconds / 60 % 60, seconds % 60);
    }

    /** What the user typed, without the JVM and its options where the launcher is ours, and without class paths. */
    private static String command(long process) {
        String[] words = ProcessHandle.of(process).flatMap(handle -> handle.info().arguments()).orElse(new String[0]);
        int main = Arrays.asList(words).lastIndexOf(Main.class.getName());
        for (int i = 0; i + 1 < words.length; i++) {
            if (CLASS_PATH.contains(words[i])) {
                words[i + 1] = "…";
            }
        }
        String text = String.join(" ", Arrays.copyOfRange(words, main + 1, words.length));
        return text.isEmpty() ? "-" : text.length() > COMMAND ? text.substring(0, COMMAND - 1) + "…" : text;
    }

    static int queues(Given given) {
        return ask(given, Board::wantQueues, Board::queuesWritten, JobDirectory::queues);
    }

    static int stack(Given given) {
        return ask(given, Board::wantDumps, Board::dumpWritten, JobDirectory::dump);
    }

    /** Where all ranks answer a question. */
    @FunctionalInterface
    private interface Answers {
        long number(Board board, int rank);
    }

    private static int ask(Given given, ToLongFunction<Board> asking, Answers answers,
            BiFunction<JobDirectory, Integer, Path> file) {
        Running job = choose(given.has(JOB) ? given.text(JOB) : null);
        Board board;
        try {
            board = job.directory.openBoard();
        } catch (IOException e) {
            throw new UsageException("job " + job.name() + " has ended");
        }
        long question = asking.applyAsLong(board);
        long until = System.nanoTime() + PATIENCE_NS;
        System.out.println("job " + job.name() + ", " + command(job.process));
        for (int rank = 0; rank < board.size(); rank++) {
            if (board.pid(rank) == 0) {
                continue;
            }
            boolean answered = awaitAnswer(board, rank, answers, question, until);
            System.out.println("rank " + rank + " (process " + board.pid(rank) + ") " + doing(board, rank));
            if (answered) {
                System.out.print(read(file.apply(job.directory, rank)));
            } else if (ProcessHandle.of(board.pid(rank)).isPresent() && board.state(rank) != Board.State.LEFT) {
                System.out.println("  has not answered");
            }
        }
        return 0;
    }

    static int attach(Given given) {
        Running job = choose(given.has(JOB) ? given.text(JOB) : null);
        Board board;
        try {
            board = job.directory.openBoard();
        } catch (IOException e) {
            throw new UsageException("job " + job.name() + " has ended");
        }
        long everyMs = (long) (given.seconds(EVERY) * 1e3);
        String clear = Main.IS_TERMINAL && !given.has(ONCE) ? "\033[H\033[2J" : "";
        while (true) {
            System.out.print(clear + table(job, board));
            System.out.flush();
            if (given.has(ONCE)) {
                return 0;
            }
            for (long left = everyMs; left > 0 && ProcessHandle.of(job.process).isPresent(); left -= STEP_MS) {
                RunCommand.pause((int) Math.min(left, STEP_MS));
            }
            if (ProcessHandle.of(job.process).isEmpty() || System.out.checkError()) {
                System.out.println("job " + job.name() + " has ended");
                return 0;
            }
        }
    }

    private static String table(Running job, Board board) {
        StringBuilder text = new StringBuilder("job " + job.name() + ", " + age(job.process) + ", "
                + command(job.process) + "\n");
        text.append(String.format("%5s %8s %12s %12s %14s %12s %14s %10s  %s%n", "RANK", "PROCESS", "CALLS", "SENT",
                "BYTES", "RECEIVED", "BYTES", "UNEXPECTED", "DOING"));
        for (int rank = 0; rank < board.size(); rank++) {
            if (board.pid(rank) == 0) {
                continue;
            }
            long[] counters = board.counters(rank);
            text.append(String.format(Locale.ROOT, "%5d %8d %,12d %,12d %,14d %,12d %,14d %,10d  %s%n", rank,
                    board.pid(rank), counters[Counter.CALLS.ordinal()],
                    sum(counters, Counter.EAGER_SENT, Counter.ANNOUNCED_SENT),
                    counters[Counter.BYTES_SENT.ordinal()],
                    sum(counters, Counter.EAGER_RECEIVED, Counter.ANNOUNCED_RECEIVED),
                    counters[Counter.BYTES_RECEIVED.ordinal()], counters[Counter.UNEXPECTED.ordinal()],
                    since(board, rank)));
        }
        return text.append('\n').toString();
    }

    private static long sum(long[] counters, Counter first, Counter second) {
        return counters[first.ordinal()] + counters[second.ordinal()];
    }

    /** What a rank does, with the time that it has waited. */
    private static String since(Board board, int rank) {
        long since = board.blockedSince(rank);
        String doing = doing(board, rank);
        return doing.startsWith("waits in ") && since == board.blockedSince(rank)
                ? String.format(Locale.ROOT, "waits for %.1f s in ", (System.nanoTime() - since) / 1e9)
                        + doing.substring("waits in ".length()) : doing;
    }

    private static String doing(Board board, int rank) {
        return (board.state(rank) == Board.State.BLOCKED ? "waits in " : "") + board.doing(rank);
    }

    private static boolean awaitAnswer(Board board, int rank, Answers answers, long question, long until) {
        while (answers.number(board, rank) != question) {
            if (System.nanoTime() - until > 0 || board.state(rank) == Board.State.LEFT
                    || ProcessHandle.of(board.pid(rank)).isEmpty()) {
                return false;
            }
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    private static Running choose(String wanted) {
        List<Running> jobs = jobs();
        List<Running> fitting = wanted == null ? jobs : jobs.stream()
                .filter(job -> job.directory.id().startsWith(wanted) || wanted.equals("" + job.process)).toList();
        if (fitting.size() == 1) {
            return fitting.getFirst();
        }
        if (jobs.isEmpty()) {
            throw new UsageException("no job of this user runs on this host");
        }
        String names = String.join(", ", jobs.stream().map(Running::name).toList());
        throw new UsageException(fitting.isEmpty() ? "no job " + wanted + " runs here; these do: " + names
                : "which job? " + names + " run here; `rankwire ps` lists them");
    }
}
