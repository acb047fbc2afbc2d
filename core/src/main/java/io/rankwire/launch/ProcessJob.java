package io.rankwire.launch;

import io.rankwire.fabric.Port;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;

/** A rank that is a process of its own. The launcher's environment variables say which rank it is. */
final class ProcessJob extends Job {
    static final String RANK = "RANKWIRE_RANK";
    static final String SIZE = "RANKWIRE_SIZE";
    static final String DIRECTORY = "RANKWIRE_JOB";
    static final String LAUNCHER = "RANKWIRE_LAUNCHER";

    private final JobDirectory directory;
    /** How ranks over a network find each other in the last world that this one has joined; null in shared memory. */
    private AddressFiles files;
    private NetworkCost networkCost;
    /** Null if no rank can be replaced. */
    private final Replacements replacements;

    private ProcessJob(int rank, JobDirectory directory, Board board) {
        super(rank, board);
        this.directory = directory;
        this.replacements = size() == worldSize() ? null : new ReplacementFiles(directory, board, rank);
    }

    static boolean isPresent() {
        return System.getenv(RANK) != null || System.getenv(SIZE) != null || System.getenv(DIRECTORY) != null;
    }

    static ProcessJob fromEnvironment() {
        int size = number(SIZE, 1, Integer.MAX_VALUE);
        JobDirectory directory = directoryFromEnvironment();
        Board board = boardOf(directory, size);
        int rank = number(RANK, 0, board.size() - 1);
        long taken = board.pid(rank);
        if (taken != 0 && taken != ProcessHandle.current().pid()) {
            throw new IllegalStateException("rank " + rank + " of this job is process " + taken + "; this one has only"
                    + " inherited its environment: unset " + RANK + ", " + SIZE + " and " + DIRECTORY + " for it");
        }
        return new ProcessJob(rank, directory, board);
    }

    /**
     * The rank of a process that the launcher did not start itself: a program in a script, say. No code of the launcher
     * runs after its main method, so what is left to do then is done as the process ends.
     */
    static ProcessJob join() {
        ProcessJob job = fromEnvironment();
        begin(job.board(), job.rank(), 1);
        new RankWatch(job).start();
        atExit(new Thread(job::end));
        return job;
    }

    /**
     * Runs as the process ends. What is left to do for a closed world is done now: a program that exits may not have
     * come to the end of its main method.
     */
    void end() {
        try {
            if (!board().stillOpen(rank()) && board().failure(rank()) < 0 && !board().aborted()) {
                finish();
            }
        } catch (RuntimeException e) {
            Failure.write(directory, board(), rank(), e);
        } finally {
            board().left(rank());
        }
    }

    /** Runs the endings; a thread that exits meanwhile waits for that. */
    synchronized void finish() {
        runEndings();
    }

    static JobDirectory directoryFromEnvironment() {
        String name = System.getenv(DIRECTORY);
        if (name == null || !Files.isDirectory(Path.of(name))) {
            throw new IllegalStateException(DIRECTORY + " is " + (name == null ? "not set" : name + ", no directory")
                    + ": start ranks with `rankwire run`, set " + NetworkSettings.ROOT + " to start them by hand,"
                    + " or unset the RANKWIRE_ variables for a world of one");
        }
        return JobDirectory.at(Path.of(name));
    }

    static Board boardOf(JobDirectory directory, int size) {
        Board board;
        try {
            board = directory.openBoard();
        } catch (IOException e) {
            throw new IllegalStateException(
                    "cannot read the board of job " + directory.path() + ": " + e.getMessage(), e);
        }
        if (board.worldSize() != size) {
            throw new IllegalStateException(SIZE + " is " + size + " but the job has " + board.worldSize() + " ranks");
        }
        return board;
    }

    static int number(String variable, int least, int most) {
        String text = System.getenv(variable);
        int value;
        try {
            value = text == null ? -1 : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            value = -1;
        }
        if (value < least || value > most) {
            throw new IllegalStateException(variable + " is " + (text == null ? "not set" : "\"" + text + "\"")
                    + ", not a number from " + least + " to " + most
                    + ": start ranks with `rankwire run`, or unset the RANKWIRE_ variables for a world of one");
        }
        return value;
    }

    /** The program of these ranks is about to run in this process; a job that has ended meanwhile ends it instead. */
    static void begin(Board board, int first, int count) {
        long pid = ProcessHandle.current().pid();
        for (int rank = first; rank < first + count; rank++) {
            board.started(rank, pid);
        }
        // The launcher kills ranks that have not said this, once it has said that the job is over: of the two, one
        // sees what the other has written, so no program is killed without a signal that it can handle.
        VarHandle.fullFence();
        if (board.aborted()) {
            Runtime.getRuntime().halt(board.abortStatus());
        }
    }

    static void atExit(Thread hook) {
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException e) {
            // A signal has ended the process just now: there is nothing to say about it that the launcher cannot see.
        }
    }

    JobDirectory directory() {
        return directory;
    }

    @Override
    public void fail(Throwable thrown) {
        board().endsJob(rank());
        Failure.write(directory, board(), rank(), thrown);
        Debugger.stay();
        System.exit(Aborted.status(thrown));
    }

    @Override
    public Replacements replacements() {
        return replacements;
    }

    @Override
    Port openPort(int world) {
        boolean isFirst = IntStream.range(0, rank()).allMatch(board().failures()::isDead);
        Path place = directory.ofWorld(world, isFirst);
        String fabric = System.getenv(Fabrics.FABRIC);
        if (!Fabrics.isNetworkAlone(fabric)) {
            return Fabrics.ofProcess(place, rank(), size(), worldSize());
        }
        RankSocket socket = AddressFiles.bind(fabric);
        try {
            int seconds = world == 0 ? AddressFiles.startSeconds() : 0;
            files = new AddressFiles(place, rank(), board(), seconds);
            return socket.open(files.exchange(socket), world, 0);
        } catch (RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Over a network, the first two ranks measure in the first world what it costs, and all take that, also ranks that
     * begin in a later world: the file is in the job's directory.
     */
    @Override
    void opened(Port port, int world) {
        if (files == null || networkCost != null || worldSize() < 2) {
            return;
        }
        if (NetworkProbe.isCrowded(worldSize())) {
            networkCost = NetworkCost.unknown("");
            return;
        }
        AddressFiles cost = new AddressFiles(directory.path(), rank(), board(), 0);
        if (rank() == 0) {
            cost.putCost(new NetworkProbe(port, 1, board()::aborted).lead(""));
        } else if (rank() == 1) {
            new NetworkProbe(port, 0, board()::aborted).follow();
        }
        // No poll: frames of a rank that goes on already are for the device.
        networkCost = cost.awaitCost(() -> {
            port.advance(System.nanoTime());
            port.rest();
        });
    }

    @Override
    public NetworkCost networkCost() {
        return networkCost;
    }
}
