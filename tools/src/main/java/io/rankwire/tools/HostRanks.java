package io.rankwire.tools;

import io.rankwire.launch.AgentRank;
import io.rankwire.launch.Board;
import io.rankwire.launch.Debugger;
import io.rankwire.launch.Fabrics;
import io.rankwire.launch.JobDirectory;
import io.rankwire.launch.Limits;
import io.rankwire.launch.RankJvm;
import io.rankwire.launch.RankMain;
import io.rankwire.launch.Root;
import io.rankwire.launch.SecretFile;
import io.rankwire.tools.hosts.Body;
import io.rankwire.tools.hosts.HostsJob;
import io.rankwire.tools.hosts.Message;
import io.rankwire.tools.hosts.Message.Kind;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The ranks of one host, as processes of its agent. */
final class HostRanks {
    /** How long a rank may take to end by itself when asked to, before it is killed. */
    private static final int GRACE_MS = 1000;
    /** How long to wait for more output once its process has gone; a child it left may hold the pipe open for ever. */
    private static final int OUTPUT_MS = 500;
    private static final int POLL_MS = 5;
    /** How often it is reported that a rank runs which was started to replace another one. */
    private static final int RUNS_MS = 10_000;
    /** How long ranks have to write their stacks. */
    private static final int STACKS_MS = 1000;
    /** What the environment of a job says whose counters are wanted. */
    static final String STATS = Board.STATS + "=1";
    private static final String TASKSET = "/usr/bin/taskset";

    private final HostsJob job;
    private final Path directory;
    private final String[] places;
    private final int host;
    private final String name;
    private final Consumer<Message> to;
    private final Map<Integer, Process> processes = new LinkedHashMap<>();
    private final Set<Integer> started = ConcurrentHashMap.newKeySet();
    /** How many ranks have ended. */
    private final AtomicInteger ended = new AtomicInteger();
    /** Called when all ranks have ended, and one of them because it has lost the root of the job. */
    private final Runnable cutOff;
    private final List<Thread> waiters = new ArrayList<>();
    private final BlockingQueue<byte[]> input = new LinkedBlockingQueue<>();
    private volatile int ranksHere;
    private String rootHost;
    /** The processors of ranks that are bound, by rank. */
    private final Map<Integer, String> bound = new HashMap<>();
    private final Set<Integer> dismissed = ConcurrentHashMap.newKeySet();
    /** Open while and after the ranks use it; null unless their counters are wanted, and before they have begun. */
    private volatile Board counted;
    private boolean ending;
    /** The root of the job if it is on this host and in no rank, else null. */
    private volatile Root root;
    /** What the root has decided: a few messages for each place of the job at most. */
    private final BlockingQueue<Message> decisions = new LinkedBlockingQueue<>();

    /** @param places where the entries of the class paths are */
    HostRanks(HostsJob job, Path directory, String[] places, int host, String name, Consumer<Message> to,
            Runnable cutOff) {
        this.job = job;
        this.directory = directory;
        this.places = places;
        this.host = host;
        this.name = name;
        this.to = to;
        this.cutOff = cutOff;
    }

    /**
     * @param at where the host of the root is reached
     * @param isRoot whether that is this host
     */
    void start(List<Integer> ranks, String at, boolean isRoot) throws IOException {
        ranksHere = ranks.size();
        rootHost = at;
        if (isRoot && job.goesOn()) {
            Map<String, String> variables = new HashMap<>();
            environment(variables, job.programOf(0), 0);
            daemon(this::passDecisions);
            try {
                root = Root.ofAgent(variables, job.spares(), new Watching());
            } catch (IllegalStateException e) {
                throw new IOException(e.getMessage(), e);
            }
        }
        for (int rank : ranks) {
            // A spare runs the only program.
            bind(rank);
            start(rank, rank < job.size() ? rank : 0);
        }
        if (isRoot) {
            daemon(this::awaitRoot);
        }
        if (job.environment().contains(STATS)) {
            daemon(this::awaitBoard);
        }
    }

    /** Gives a rank the first processor that no live rank has; a rank that comes later may find none. */
    private void bind(int rank) {
        bound.keySet().removeIf(each -> processes.containsKey(each) && !processes.get(each).isAlive());
        String core = !job.binds() ? null
                : Cores.ofThisProcess().stream().filter(each -> !bound.containsValue(each)).findFirst().orElse(null);
        if (core != null) {
            bound.put(rank, core);
        }
        if (job.reports()) {
            to.accept(new Body().put(rank).put(core == null ? "" : core).to(Kind.BOUND, host));
        }
    }

    /** Starts a rank that replaces another one, with the program of rank {@code like}. */
    synchronized void startMore(int rank, int like) {
        ranksHere++;
        try {
            bind(rank);
            start(rank, like);
            Process process = processes.get(rank);
            if (process != null) {
                daemon(() -> reportWhileAlive(rank, process));
            }
        } catch (IOException e) {
            byte[] line = ("rankwire: " + name + ": " + e.getMessage() + "\n").getBytes(StandardCharsets.UTF_8);
            to.accept(new Body().put(rank).put(line, line.length).to(Kind.ERROR_OUTPUT, host));
            to.accept(new Body().put(rank).put(1).put("").to(Kind.ENDED, host));
            ranksHere--;
        }
    }

    /** Reports again and again that a rank runs: until it arrives, the root can see no other sign of that. */
    private void reportWhileAlive(int rank, Process process) {
        try {
            do {
                to.accept(new Body().put(rank).to(Kind.RUNS, host));
            } while (!process.waitFor(RUNS_MS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the process of a spare, which is no failure of it. */
    void dismiss(int rank) {
        dismissed.add(rank);
        kill(rank);
    }

    private void start(int rank, int like) throws IOException {
        HostsJob.Part program = job.programOf(like);
        ProcessBuilder builder = new ProcessBuilder(command(program, rank));
        builder.directory(new File(program.directory()));
        environment(builder.environment(), program, rank);
        if (rank != 0) {
            builder.redirectInput(new File("/dev/null"));
        }
        Process process;
        synchronized (this) {
            if (ending) {
                return;
            }
            try {
                process = builder.start();
            } catch (IOException e) {
                throw new IOException("cannot start rank " + rank + ": " + Limits.whyNotStarted(e), e);
            }
            processes.put(rank, process);
            started.add(rank);
            waiters.add(daemon(() -> follow(rank, process)));
        }
        if (job.verbose()) {
            to.accept(new Body().put("rank " + rank + " started on " + name + ", process " + process.pid() + ": "
                    + LaunchLog.line(builder.command())).to(Kind.DONE, host));
        }
        if (rank == job.debugRank()) {
            daemon(() -> awaitDebugger(rank));
        }
        if (rank == 0) {
            daemon(() -> feed(process.getOutputStream()));
        }
    }

    /** Reports what the root decides. */
    private final class Watching implements Root.Watcher {
        @Override
        public void started() {
            decisions.add(Message.of(Kind.STARTED, host));
        }

        @Override
        public void declared(int rank, String cause) {
            decisions.add(new Body().put(rank).put(cause).to(Kind.DECLARED, host));
        }

        @Override
        public void kill(int rank) {
            decisions.add(new Body().put(rank).to(Kind.DOOMED, host));
        }

        @Override
        public void start(int rank, int like, int dead) {
            decisions.add(new Body().put(rank).put(like).put(dead).to(Kind.WANTED, host));
        }

        @Override
        public void given(int rank) {
            decisions.add(new Body().put(rank).to(Kind.GIVEN, host));
        }

        @Override
        public void over(int status, String reason) {
            decisions.add(new Body().put(status).put(reason).to(Kind.OVER, host));
        }
    }

    /** The launcher knows that the process of a rank has ended with status 0. */
    void endedWell(int rank) {
        if (root != null) {
            root.endedWell(rank);
        }
    }

    /** The process of a rank runs that was started to replace another one. */
    void alive(int rank) {
        if (root != null) {
            root.runs(rank);
        }
    }

    /** The launcher asks for all that the root has to report. */
    void settle() {
        if (root != null) {
            root.settle(() -> decisions.add(Message.of(Kind.SETTLED, host)));
        }
    }

    /** Passes on what the root decides, which does not wait while the launcher reads nothing. */
    private void passDecisions() {
        try {
            while (true) {
                to.accept(decisions.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The launcher knows that a rank is dead. */
    void dead(int rank, String cause) {
        if (root != null) {
            root.declare(rank, cause);
        }
    }

    void kill(int rank) {
        Process process;
        synchronized (this) {
            process = processes.get(rank);
        }
        if (process != null) {
            process.toHandle().destroyForcibly();
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(null, work, "rankwire-rank", 128 << 10);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private List<String> command(HostsJob.Part program, int rank) throws IOException {
        List<String> command = new ArrayList<>();
        String core = bound.get(rank);
        if (core != null) {
            command.addAll(List.of(TASKSET, "-c", core));
        }
        command.add(RankJvm.java());
        command.addAll(program.flags());
        command.addAll(RankJvm.flagsAmong(ranksHere));
        ClassArchive.use(command, program.jvm(), null);
        if (rank == job.debugRank()) {
            command.addAll(Debugger.waiting(directory, job.debugPort() == 0 ? Debugger.freePort() : job.debugPort()));
        }
        command.addAll(program.jvm());
        command.add("-cp");
        StringBuilder classPath = new StringBuilder(Launch.core());
        for (int each : program.classPath()) {
            classPath.append(File.pathSeparatorChar).append(places[each]);
        }
        command.add(classPath.toString());
        command.addAll(RankMain.arguments(rank));
        command.add(program.mainClass());
        command.addAll(program.arguments());
        return command;
    }

    private void environment(Map<String, String> environment, HostsJob.Part program, int rank) {
        // What another launcher has left would make a program believe that it is a rank of that.
        environment.keySet().removeIf(name -> name.startsWith("PMI_") || name.startsWith("PMIX_")
                || name.startsWith("OMPI_") || name.startsWith("SLURM_STEP_") || name.equals("SLURM_PROCID")
                || name.startsWith("RANKWIRE_"));
        for (List<String> some : List.of(job.environment(), program.environment())) {
            for (String each : some) {
                int equals = each.indexOf('=');
                environment.put(each.substring(0, equals), each.substring(equals + 1));
            }
        }
        MeasuredCosts measured = rank == 0 ? MeasuredCosts.read(MeasuredCosts.file()) : null;
        if (measured != null) {
            environment.putIfAbsent(Fabrics.COST, MeasuredCosts.of(measured, job.size()).text());
        }
        environment.put("RANKWIRE_HOST", name);
        environment.put("RANKWIRE_RANK", Integer.toString(rank));
        environment.put("RANKWIRE_SIZE", Integer.toString(job.size()));
        if (job.goesOn()) {
            environment.put("RANKWIRE_PLACES", Integer.toString(job.places()));
            environment.put("RANKWIRE_HOSTS", Integer.toString(job.hosts()));
        }
        environment.put("RANKWIRE_ROOT", rootHost + "@" + rootFile());
        environment.put(SecretFile.VARIABLE, secret(directory).toString());
        environment.put(JobDirectory.ROOT_VARIABLE, directory.toString());
        environment.put(AgentRank.DIRECTORY, directory.toString());
        environment.put("RANKWIRE_LAUNCHER", Long.toString(ProcessHandle.current().pid()));
    }

    /** Whether ranks can be bound here, before any is started. */
    static void checkBinding(HostsJob job) throws IOException {
        if (job.binds() && !Files.isExecutable(Path.of(TASKSET))) {
            throw new IOException("there is no taskset to bind ranks with: install util-linux there, or do without"
                    + " --bind-to");
        }
    }

    static Path secret(Path directory) {
        return directory.resolve("secret");
    }

    private Path rootFile() {
        return directory.resolve("root");
    }

    /** Passes on where a rank waits for a debugger, once it does. */
    private void awaitDebugger(int rank) {
        try {
            int port = 0;
            while (port == 0) {
                Thread.sleep(POLL_MS);
                port = Debugger.port(directory, rank);
            }
            to.accept(new Body().put(rank).put(port).to(Kind.WAITS, host));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Passes on where the root listens, once it does. */
    private void awaitRoot() {
        try {
            while (!Files.exists(rootFile())) {
                Thread.sleep(POLL_MS);
            }
            int port = Integer.parseInt(Files.readString(rootFile()).strip());
            to.accept(new Body().put(port).to(Kind.LISTENS, host));
        } catch (IOException | InterruptedException e) {
            // The job has ended.
        }
    }

    /** Opens the board that the ranks of this host share, before they remove it. */
    private void awaitBoard() {
        try {
            while (!findBoard()) {
                Thread.sleep(POLL_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean findBoard() {
        try (DirectoryStream<Path> jobs = Files.newDirectoryStream(directory, "rankwire-*")) {
            for (Path each : jobs) {
                counted = JobDirectory.at(each).openBoard();
            }
        } catch (IOException e) {
            // It is being made, or the job has ended.
        }
        return counted != null;
    }

    /** The ranks of this host wait for it. */
    void root(int port) throws IOException {
        if (Files.exists(rootFile())) {
            return;
        }
        JobDirectory.put(rootFile(), Integer.toString(port).getBytes(StandardCharsets.US_ASCII));
    }

    /** Reports what each rank is doing, as it has said on the board that the ranks of this host share. */
    void report() {
        Map<JobDirectory, Board> boards = new LinkedHashMap<>();
        Map<Board, Long> questions = new HashMap<>();
        try (DirectoryStream<Path> jobs = Files.newDirectoryStream(directory, "rankwire-*")) {
            for (Path each : jobs) {
                Board board = JobDirectory.at(each).openBoard();
                boards.put(JobDirectory.at(each), board);
                questions.put(board, board.wantDumps());
            }
        } catch (IOException e) {
            // The ranks have ended, or are about to begin.
        }
        long until = System.nanoTime() + STACKS_MS * 1_000_000L;
        for (int rank = 0; rank < job.places(); rank++) {
            if (started.contains(rank)) {
                String[] doing = {"has not joined", ""};
                for (Map.Entry<JobDirectory, Board> each : boards.entrySet()) {
                    Board board = each.getValue();
                    if (board.state(rank) != Board.State.ABSENT) {
                        doing[0] = board.doing(rank);
                        doing[1] = board.state(rank) != Board.State.RUNNING ? ""
                                : stacks(each.getKey(), board, rank, questions.get(board), until);
                    }
                }
                to.accept(new Body().put(rank).put(doing[0]).put(doing[1]).to(Kind.DOING, host));
            }
        }
    }

    /** The stacks of a rank that is in no call; nothing if it does not answer. */
    private static String stacks(JobDirectory of, Board board, int rank, long question, long until) {
        try {
            while (board.dumpWritten(rank) != question) {
                if (System.nanoTime() - until > 0) {
                    return "";
                }
                Thread.sleep(POLL_MS);
            }
            return Files.readString(of.dump(rank));
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    void input(byte[] bytes) {
        input.add(bytes);
    }

    /** Writes to rank 0 what the launcher has sent, which may wait for the rank to read. */
    private void feed(OutputStream stream) {
        boolean open = true;
        try {
            for (byte[] next = input.take(); next.length > 0; next = input.take()) {
                try {
                    if (open) {
                        stream.write(next);
                        stream.flush();
                    }
                } catch (IOException e) {
                    // The rank reads no more.
                    open = false;
                }
                to.accept(new Body().put(next.length).to(Kind.TAKEN, host));
            }
            stream.close();
        } catch (IOException | InterruptedException e) {
            // The rank has ended.
        }
    }

    private void follow(int rank, Process process) {
        Thread output = daemon(() -> pump(rank, process.getInputStream(), Kind.OUTPUT));
        Thread errors = daemon(() -> pump(rank, process.getErrorStream(), Kind.ERROR_OUTPUT));
        try {
            int status = process.waitFor();
            to.accept(new Body().put(rank).to(Kind.GONE, host));
            RankJvm.clear(process.pid());
            output.join(OUTPUT_MS);
            errors.join(OUTPUT_MS);
            String ending = ending(rank);
            if (counted != null) {
                to.accept(new Body().put(rank).put(StatsTable.text(counted.counters(rank))).to(Kind.COUNTED, host));
            }
            to.accept(new Body().put(rank).put(status).put(ending).to(Kind.ENDED, host));
            if (ended.incrementAndGet() == ranksHere && ending.startsWith(AgentRank.CUT_OFF)) {
                cutOff.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What the rank has written about its end; nothing if it could not. */
    private String ending(int rank) {
        try {
            return Files.readString(AgentRank.ending(directory, rank));
        } catch (IOException e) {
            return "";
        }
    }

    private void pump(int rank, InputStream from, Kind kind) {
        byte[] buffer = new byte[Message.PIECE];
        try {
            for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
                to.accept(new Body().put(rank).put(buffer, count).to(kind, host));
            }
        } catch (IOException e) {
            // The process has gone.
        }
    }

    /**
     * Ends all processes, and returns when their endings have been reported. True if all had ended before, and well:
     * then what they have left running is meant to run on.
     */
    boolean end() {
        List<Process> all;
        List<Thread> threads;
        boolean isGood = true;
        synchronized (this) {
            ending = true;
            all = new ArrayList<>(processes.values());
            threads = new ArrayList<>(waiters);
            for (Map.Entry<Integer, Process> each : processes.entrySet()) {
                Process process = each.getValue();
                isGood &= dismissed.contains(each.getKey()) || !process.isAlive() && process.exitValue() == 0;
            }
        }
        // Not Process.destroy, which also closes the streams, with what is still to be read from them.
        all.forEach(process -> process.toHandle().destroy());
        long deadline = System.nanoTime() + GRACE_MS * 1_000_000L;
        try {
            for (Process process : all) {
                if (!process.waitFor(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                    process.toHandle().destroyForcibly();
                }
            }
            for (Thread thread : threads) {
                if (thread != Thread.currentThread()) {
                    thread.join(2 * OUTPUT_MS + GRACE_MS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (root != null) {
            root.finish();
        }
        return isGood;
    }
}
