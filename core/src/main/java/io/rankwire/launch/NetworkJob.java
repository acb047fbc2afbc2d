package io.rankwire.launch;

import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Members;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.Secret;
import io.rankwire.launch.ControlMessage.Addresses;
import io.rankwire.launch.ControlMessage.Closed;
import io.rankwire.launch.ControlMessage.Failed;
import io.rankwire.launch.ControlMessage.FailedAlone;
import io.rankwire.launch.ControlMessage.Leave;
import io.rankwire.launch.ControlMessage.Listening;
import io.rankwire.launch.ControlMessage.Lost;
import io.rankwire.launch.ControlMessage.Measured;
import io.rankwire.launch.ControlMessage.NewRank;
import io.rankwire.launch.ControlMessage.Noted;
import io.rankwire.launch.ControlMessage.Seat;
import io.rankwire.launch.cluster.Launcher;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * A rank that was started by hand, by the launcher of a cluster or by a program, and has found the others through the
 * root. The ranks end each other through the control connections, and the last one of a host removes the job's
 * directory there. In a job that goes on when a rank has failed, the root reports dead ranks through them.
 */
final class NetworkJob extends Job {
    private static final String EXPLAIN = "RANKWIRE_EXPLAIN";
    private static final int WAIT_MS = 50;
    /** How long a rank that waits for others at the start lets its connections wait. */
    private static final int AGREE_MS = 20;
    /** How long the end of a connection may be known before the root knows that a process has ended. */
    private static final long LOST_NS = 300_000_000;
    /** How long ranks of this host may take to end a job that has failed. */
    private static final long OTHERS_NS = 1_500_000_000;
    /** How long a launcher may take to read the output of a process. */
    private static final long OUTPUT_NS = 200_000_000;

    private final NetworkSettings settings;
    private final Root root;
    private final RootLink link;
    private final JobDirectory directory;
    /** By rank; those of ranks that come later are set when the root has made them known. */
    private final AtomicReferenceArray<Seat> seats;
    /** Whether a rank is on this host, for a port over two fabrics; and on another one, for the board. */
    private final boolean[] inside;
    private final boolean[] elsewhere;
    /** Null where no rank can come later. */
    private final RootReplacements replacements;
    /** What the root has answered to a rank that wants the addresses of a world. */
    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    /** What the network costs, once all ranks know it. */
    private final CompletableFuture<NetworkCost> agreed = new CompletableFuture<>();
    private final AtomicBoolean failed = new AtomicBoolean();
    private final Thread main = mainThread();
    /** The launcher of a cluster that has to know how this rank ends; null for none. */
    private final Launcher launcher;
    /** Whether the program goes on after this job: nothing that happens in it ends the process. */
    private final boolean embedded;
    private final Thread hook = new Thread(this::end, "rankwire-end");
    /** Whether the job goes on when a rank has failed. */
    private final boolean goesOn;
    private volatile boolean cutOff;
    /** The rank whose loss was reported last by {@link #suspects}; -1 for none. */
    private int suspected = -1;
    private volatile boolean released;
    private volatile boolean ended;
    /** When this rank began to look for the others, and when all were there. */
    private long joinedNs;
    private long placedNs;
    /** Where other ranks reach this one in the world that it has joined last; null before. */
    private RankSocket socket;

    private record Answer(Addresses addresses, String reason) {}

    NetworkJob(NetworkSettings settings, Root root, RootLink link, WireUp.Placed placed, Launcher launcher,
            boolean embedded) {
        super(settings.rank(), placed.board());
        this.settings = settings;
        this.root = root;
        this.link = link;
        this.directory = placed.directory();
        this.seats = new AtomicReferenceArray<>(placed.seats().toArray(Seat[]::new));
        this.replacements = settings.places() == settings.size() ? null : new RootReplacements(this, link);
        this.launcher = launcher;
        this.embedded = embedded;
        this.goesOn = settings.goesOn();
        this.inside = new boolean[size()];
        this.elsewhere = new boolean[size()];
        for (int rank = 0; rank < size(); rank++) {
            inside[rank] = isInside(rank);
            elsewhere[rank] = !isInside(rank) && (rank < worldSize() || settings.hosts() != 1);
        }
        board().elsewhere(elsewhere);
    }

    /**
     * All ranks are there: watches over this one from now on.
     *
     * @param sinceNs since when this rank has looked for the others
     */
    void begin(StallRule rule, long sinceNs) {
        joinedNs = sinceNs;
        placedNs = System.nanoTime();
        Thread reader = new Thread(OwnThread.group(), () -> link.listen(new Heard(), rootName()),
                "rankwire-control");
        reader.setDaemon(true);
        board().enter(reader);
        if (root != null) {
            board().enter(root);
        }
        reader.start();
        board().started(rank(), ProcessHandle.current().pid());
        if (settings.isLate()) {
            comeLater();
        }
        new HostWatch(this, rule).start();
        ProcessJob.atExit(hook);
        if (!embedded) {
            Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
            Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught(thread, thrown, before));
        }
    }

    /** Opens what other ranks connect to before this one has a part, and reports that it waits for one. */
    private void comeLater() {
        if (usesNetwork()) {
            socket = WireUp.listen(settings, link, false);
        }
        Listening own = socket != null ? WireUp.listening(0, socket)
                : new Listening(0, new byte[0], 0, new byte[Secret.CHALLENGE], new byte[0]);
        replacements.know(rank(), own);
        link.send(own);
    }

    @Override
    public Replacements replacements() {
        return replacements;
    }

    /** Returns the thread whose first method is a main method, and not that of a thread; null if it has ended. */
    private static Thread mainThread() {
        for (Map.Entry<Thread, StackTraceElement[]> each : Thread.getAllStackTraces().entrySet()) {
            StackTraceElement[] stack = each.getValue();
            if (stack.length > 0 && stack[stack.length - 1].getMethodName().equals("main")) {
                return each.getKey();
            }
        }
        return null;
    }

    /**
     * An exception that leaves the main method ends the job, as it ends a plain program. Where the job has ended
     * before, which most likely has thrown it, this process ends with the status of the job.
     */
    private void uncaught(Thread thread, Throwable thrown, Thread.UncaughtExceptionHandler before) {
        boolean ends = thread == main;
        boolean over = ends && board().aborted();
        if (ends) {
            report(Aborted.status(thrown), thrown.toString());
        }
        if (before != null) {
            before.uncaughtException(thread, thrown);
        } else {
            System.err.print("Exception in thread \"" + thread.getName() + "\" ");
            thrown.printStackTrace();
        }
        if (over) {
            System.exit(board().abortStatus());
        }
    }

    private final class Heard implements RootLink.Listener {
        /** Every rank of the host writes the same words; what the first one has written stays. */
        @Override
        public void aborted(int status, String reason) {
            if (!board().aborted()) {
                board().abort(status, reason);
            }
        }

        /** As {@link #aborted}, in the order in which the root has declared them. */
        @Override
        public void declared(int number, int rank, String cause) {
            board().failures().declared(number, rank, cause);
            if (rank == rank() && !ended) {
                declaredDead("rankwire: rank " + rank + " ends: it was declared dead: " + cause);
            }
        }

        @Override
        public void cutOff(String reason) {
            cutOff = true;
            aborted(Roster.LOST, reason);
        }

        @Override
        public void answered(int number, Replacements.Answer answer) {
            replacements.answered(number, answer);
        }

        @Override
        public void newRank(NewRank one) {
            int rank = one.rank();
            seats.set(rank, one.seat());
            inside[rank] |= isInside(rank);
            elsewhere[rank] &= !inside[rank];
            board().failures().give(rank);
            replacements.know(rank, one.at());
            link.send(new Noted(rank));
        }

        @Override
        public void given(Replacements.Part part, List<Listening> world) {
            board().failures().give(rank());
            replacements.given(part, world);
        }

        @Override
        public void allClosed(int worlds) {
            board().closedElsewhere(worlds);
        }

        @Override
        public void agreed(NetworkCost cost) {
            agreed.complete(cost);
        }

        @Override
        public void addresses(Addresses addresses, String reason) {
            answers.add(new Answer(addresses, reason));
        }
    }

    private String rootName() {
        return goesOn ? "the root of the job at " + settings.root() : name(0);
    }

    /** The host of a rank that is there. */
    String hostOf(int rank) {
        return seats.get(rank).name();
    }

    /** Where a rank listens that came later; null if it is not known. */
    Listening lateAt(int rank) {
        return replacements == null ? null : replacements.at(rank);
    }

    /** Names a rank in errors. */
    String name(int rank) {
        return "rank " + rank + " on " + seats.get(rank).name();
    }

    boolean isInside(int rank) {
        return node(rank) == node(rank());
    }

    boolean hasOneHost() {
        return hosts() == 1;
    }

    /** The number of hosts. */
    int hosts() {
        return 1 + IntStream.range(0, seats.length()).map(this::node).max().orElse(0);
    }

    JobDirectory directory() {
        return directory;
    }

    NetworkSettings settings() {
        return settings;
    }

    /** The process of a rank. */
    long process(int rank) {
        return seats.get(rank).process();
    }

    /** Whether this process has to end with the job. */
    boolean endsProcess() {
        return !embedded;
    }

    boolean hasEnded() {
        return ended;
    }

    /** Whether an embedded rank has closed its world, and leaves the job. */
    boolean isReleased() {
        return released;
    }

    /** Whether a root that should outlive all ranks has gone, or does not answer. */
    boolean isCutOff() {
        return cutOff && goesOn;
    }

    boolean hasFailed() {
        return failed.get();
    }

    /** Whether the job goes on when a rank has failed. */
    boolean goesOn() {
        return goesOn;
    }

    void beat() {
        link.sendBeat();
    }

    @Override
    public int node(int of) {
        return seats.get(of).host();
    }

    @Override
    public void fail(Throwable thrown) {
        if (!embedded && !failed.get() && board().aborted()) {
            HostWatch.exit(this);
        }
        if (!embedded) {
            System.err.print("rankwire: " + name(rank()) + ": " + Failure.story(thrown));
        }
        if (failed.compareAndSet(false, true)) {
            endJob(Aborted.status(thrown),
                    failure(thrown instanceof Aborted ? thrown.getMessage() : thrown.toString()));
        }
        if (!embedded) {
            System.exit(Aborted.status(thrown));
        }
    }

    /** The main method has thrown this. In a job that goes on, only {@link Aborted} ends more than this rank. */
    void died(Throwable thrown) {
        if (!(thrown instanceof Aborted)) {
            report(Aborted.status(thrown), thrown.toString());
        }
        fail(thrown);
    }

    /** The root decides, unless the other rank has left; it may know already, and better, what has happened. */
    @Override
    public void lost(int peer, String what) {
        Thread.ofPlatform().group(OwnThread.group()).daemon().name("rankwire-lost").start(() -> {
            LockSupport.parkNanos(LOST_NS);
            if (!board().aborted() && !isDead(peer)) {
                link.send(new Lost(peer, name(rank()) + ": " + what));
            }
        });
    }

    /** The rank has reported on the board that it cannot reach another one. */
    void suspects() {
        int suspect = goesOn ? board().failures().suspectOf(rank()) : -1;
        if (suspect >= 0 && suspect != suspected) {
            suspected = suspect;
            link.send(new Lost(suspect, name(rank()) + " cannot reach " + name(suspect)));
        }
    }

    /** One that has failed ends by itself, with its own status. */
    @Override
    public void declaredDead(String text) {
        if (!failed.get()) {
            super.declaredDead(text);
        }
    }

    private String failure(String what) {
        return name(rank()) + " has failed: " + what;
    }

    /** This rank has failed, which ends the job unless that goes on. */
    private void report(int status, String what) {
        if (failed.compareAndSet(false, true)) {
            link.send(goesOn ? new FailedAlone(failure(what)) : new Failed(status, failure(what)));
        }
    }

    /** Asks the root to end the job; the first reason counts. Does not mark this rank as failed. */
    void endJob(int status, String reason) {
        link.send(new Failed(status, reason));
    }

    @Override
    public void closed() {
        super.closed();
        link.send(new Closed(board().closedWorlds(rank())));
    }

    /** Leaves the job beside the program, which goes on; the next member of a job in this process waits for that. */
    @Override
    public void release() {
        if (embedded && !released) {
            released = true;
            Thread.ofPlatform().group(OwnThread.group()).name("rankwire-leave").start(() -> {
                end();
                try {
                    Runtime.getRuntime().removeShutdownHook(hook);
                } catch (IllegalStateException e) {
                    // It runs already, and finds nothing to do.
                }
            });
        }
    }

    /** Runs as the process ends, or when an embedded world was closed; once. */
    synchronized void end() {
        if (ended) {
            return;
        }
        Board board = board();
        try {
            if (board.stillOpen(rank()) && !board.aborted()) {
                report(1, "it ended without closing its world");
            } else if (embedded || !failed.get()) {
                runEndings();
            }
        } catch (RuntimeException e) {
            System.err.println("rankwire: " + name(rank()) + ": " + e.getMessage());
            report(1, e.toString());
        }
        board.left(rank());
        ended = true;
        boolean good = !failed.get() && !board.aborted();
        link.send(new Leave());
        link.close();
        if (root != null) {
            root.finish();
        }
        if (launcher != null && !good) {
            awaitOthersHere();
        }
        leaveDirectory();
        if (launcher != null && good) {
            launcher.finish();
        } else if (launcher != null) {
            abort(launcher, board.aborted() ? board.abortStatus() : 1, name(rank()) + " or another rank has failed");
        }
    }

    /** A launcher that ends a job drops what it has not read yet, such as the error that this process has printed. */
    static void abort(Launcher launcher, int status, String reason) {
        LockSupport.parkNanos(OUTPUT_NS);
        launcher.abort(status, reason);
    }

    /** The launcher kills the others. Those of this host get time to end by themselves, and leave no files then. */
    private void awaitOthersHere() {
        long until = System.nanoTime() + OTHERS_NS;
        for (int other = 0; other < size(); other++) {
            while (other != rank() && isHere(other) && System.nanoTime() - until < 0) {
                LockSupport.parkNanos(5_000_000);
            }
        }
    }

    /** The last rank of a host removes the directory; one that others outlive leaves it to one of them. */
    void leaveDirectory() {
        // Of two ranks that end at once, one sees that the other has ended. The state of a rank may change after that.
        VarHandle.fullFence();
        for (int other = 0; other < size(); other++) {
            // Of a spare that waits only the board of its host shows that it is there.
            long process = other < worldSize() ? process(other) : board().pid(other);
            if (other != rank() && (isInside(other) || other >= worldSize()) && process != 0
                    && board().endedAt(other) == 0 && directory.handTo(process)) {
                return;
            }
        }
        directory.delete();
    }

    /** Whether a rank is on this host and has not ended. Its state may change once more after it has said that. */
    private boolean isHere(int rank) {
        return isInside(rank) && board().endedAt(rank) == 0 && ProcessIdentity.of(process(rank)).start() != 0;
    }

    @Override
    Port openPort(int world) {
        if (!usesNetwork()) {
            return Fabrics.ofProcess(ofWorld(world), rank(), size(), worldSize());
        }
        if (settings.fabric().equals(Fabrics.SHM)) {
            List<String> hosts = IntStream.range(0, worldSize()).mapToObj(this::hostOf).distinct().toList();
            throw new FabricException(Fabrics.FABRIC + " is shm, but the ranks are on several hosts: "
                    + String.join(", ", hosts), null);
        }
        if (!settings.isLate()) {
            Root.close(socket);
            socket = WireUp.listen(settings, link, hasOneHost() && settings.hosts() <= 1);
        }
        Members members = WorldMembers.of(this, world, settings.isLate() ? replacements.world() : exchange(world),
                socket, link.rootAddress());
        if (Fabrics.isNetworkAlone(settings.fabric())) {
            return socket.open(members, world, settings.silenceSeconds());
        }
        return Fabrics.ofHosts(ofWorld(world), members, socket, inside, worldSize(), world, settings.silenceSeconds());
    }

    @Override
    void opened(Port port, int world) {
        if (!agreed.isDone() && usesNetwork() && worldSize() > 1) {
            if (!settings.isLate()) {
                PairedHosts.measure(this, port, cost -> link.send(new Measured(cost.text())));
            }
            awaitAgreement(port);
        }
        if (world == 0 && rank() == 0 && System.getenv(EXPLAIN) != null) {
            System.err.println("rankwire: all " + worldSize() + " ranks were there after "
                    + (placedNs - joinedNs) / 1_000_000 + " ms, and connected "
                    + (System.nanoTime() - placedNs) / 1_000_000 + " ms later");
        }
    }

    /** Whether messages may go over a network: between hosts, of which one may have its first rank later. */
    private boolean usesNetwork() {
        boolean several = !hasOneHost() || settings.hosts() > 1 && !settings.fabric().equals(Fabrics.SHM);
        return several || Fabrics.isNetworkAlone(settings.fabric());
    }

    /** Whether a rank was declared dead, in a job that goes on without it. */
    boolean isDead(int rank) {
        return goesOn && board().failures().isDead(rank);
    }

    private void awaitAgreement(Port port) {
        awaitRoot(() -> {
            // No poll: frames of a rank that goes on already are for the device.
            port.advance(System.nanoTime());
            try {
                return agreed.get(AGREE_MS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                port.rest();
                return null;
            }
        });
    }

    /** Asks again and again until there is an answer; an interrupt of the thread is kept for the program. */
    private <T> T awaitRoot(Callable<T> question) {
        boolean interrupted = false;
        try {
            while (true) {
                if (board().aborted()) {
                    throw new FabricException("given up: " + board().abortReason(), null);
                }
                try {
                    T answer = question.call();
                    if (answer != null) {
                        return answer;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public NetworkCost networkCost() {
        return agreed.getNow(null);
    }

    private Path ofWorld(int world) {
        boolean isFirst = IntStream.range(0, rank()).noneMatch(rank -> isInside(rank) && !isDead(rank));
        return directory.ofWorld(world, isFirst);
    }

    /** Exchanges the addresses of a world; returns when all ranks have joined it. */
    private List<Listening> exchange(int world) {
        link.send(WireUp.listening(world, socket));
        Answer answer = awaitRoot(() -> answers.poll(WAIT_MS, TimeUnit.MILLISECONDS));
        if (answer.reason() != null) {
            answers.add(answer);
            throw new FabricException(answer.reason(), null);
        }
        return answer.addresses().ranks();
    }
}
