package io.rankwire.launch;

import io.rankwire.device.Counter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * The words every rank of a job shares with its watcher (the launcher, or the thread that runs an embedded world).
 * Ranks say here what they are doing; the watcher says here that the job is over. Every word has one writer.
 *
 * <pre>
 * header (16 KiB), written by the watcher         one rank (3 KiB), written by that rank
 *    0  magic  4  places  8  ranks of the world     0  state            4  rank waited for, or -1
 *  128  abort: status+1  132 length of the reason    8  epoch           16  process id
 * 2048  question      2056  stacks wanted          24  length of text  28  joined, not closed
 * 2064  queues wanted, by {@code rankwire queues}  32  failure: status+1  36  it ends the job
 * 2072  dumps wanted, by {@code rankwire stack}    40  time of ending
 * 2080  paused
 * 4096  reason, UTF-8
 *                                                  48  worlds closed    56  calls
 *                                                  64  blocked since
 *                                                  128  beat  256  answer  264  stacks written
 *                                                  272  queues written  280  dump written
 *                                                  384  text, UTF-8, to 2048
 *                                                 2048  counters
 *                                                 2560  what {@link FailureLog} keeps, written by the watcher
 * </pre>
 */
public final class Board {
    /** Set to 1 in the environment of ranks whose counters are printed at the end. */
    public static final String STATS = "RANKWIRE_STATS";

    /** What a rank is doing, as far as it has said. */
    public enum State { ABSENT, RUNNING, BLOCKED, CLOSED, LEFT }

    private static final int MAGIC = 0x52574233;
    private static final int HEADER_BYTES = 16384;
    private static final int RANK_BYTES = 3072;

    private static final int SIZE = 4;
    private static final int WORLD = 8;
    private static final int ABORT = 128;
    private static final int REASON_LENGTH = 132;
    private static final int REASON = 4096;
    private static final int REASON_BYTES = HEADER_BYTES - REASON;
    private static final int QUESTION = 2048;
    private static final int STACKS_WANTED = 2056;
    private static final int QUEUES_WANTED = 2064;
    private static final int DUMPS_WANTED = 2072;
    private static final int PAUSED = 2080;

    private static final int STATE = 0;
    private static final int WAITS_FOR = 4;
    private static final int EPOCH = 8;
    private static final int PID = 16;
    private static final int TEXT_LENGTH = 24;
    private static final int OPEN = 28;
    private static final int FAILURE = 32;
    private static final int ENDS_JOB = 36;
    private static final int ENDED_AT = 40;
    private static final int CLOSED_WORLDS = 48;
    private static final int CALLS = 56;
    private static final int BLOCKED_SINCE = 64;
    private static final int BEAT = 128;
    private static final int ANSWER = 256;
    private static final int STACKS_WRITTEN = 264;
    private static final int QUEUES_WRITTEN = 272;
    private static final int DUMP_WRITTEN = 280;
    private static final int TEXT = 384;
    private static final int COUNTERS = 2048;
    private static final int TEXT_BYTES = COUNTERS - TEXT;
    private static final int FAILURES = 2560;

    private static final State[] STATES = State.values();

    /** Counts the calls that the program of one rank makes, and describes what they have left under way. */
    public interface Caller {
        /** Read by another thread than those that call, so it may be a little old. */
        int calls();

        /** Writes what the rank has counted, by {@link Counter}; called by any thread, so it may be a little old. */
        default void counters(long[] into) {}

        /** Describes what is under way; called by another thread than those that call. */
        default String queues() {
            return "";
        }
    }

    private final BoardWords words;
    /** The place of rank 0 in the words: not the first where several jobs share a board. */
    private final int first;
    private final int size;
    private final int worldSize;
    /** Threads of this process inside blocking calls of this library, and those that the library has started. */
    private final Set<Thread> ownThreads;
    /** The ranks in this process, by their place in the words. */
    private final Caller[] callers;
    /** What the rank that has this board has heard of deaths; null if it sees all. */
    private final FailureLog.News news;
    /** Ranks on other hosts, by rank, whose words here stay blank; null if there are none. */
    private boolean[] elsewhere;
    /** How many worlds all ranks on other hosts have closed, or left. */
    private volatile int closedElsewhere;

    private Board(ByteBuffer words, int size) {
        this.words = new BoardWords(words.order(ByteOrder.nativeOrder()));
        this.first = 0;
        this.size = size;
        this.worldSize = this.words.getInt(WORLD);
        this.callers = new Caller[size];
        this.ownThreads = ConcurrentHashMap.newKeySet();
        this.news = null;
    }

    private Board(Board whole, int first, int size, int worldSize, FailureLog.News news) {
        this.words = whole.words;
        this.first = first;
        this.size = size;
        this.worldSize = worldSize;
        this.callers = whole.callers;
        this.ownThreads = whole.ownThreads;
        this.news = news;
    }

    /** The board of one of several jobs that run side by side in one process: some ranks of this one, from 0 on. */
    public Board part(int from, int ranks) {
        return new Board(this, from, ranks, ranks, null);
    }

    /** The same board for a rank that learns of deaths later than they are declared. */
    public Board heardBy(FailureLog.News rank) {
        return new Board(this, first, size, worldSize, rank);
    }

    /** The ranks that are dead, for jobs that go on without them. */
    public FailureLog failures() {
        return new FailureLog(words, HEADER_BYTES + first * RANK_BYTES + FAILURES, RANK_BYTES, size, news);
    }

    /** The place of a rank on the board of all jobs of the process. */
    int place(int rank) {
        return first + rank;
    }

    public static long bytes(int size) {
        return HEADER_BYTES + (long) size * RANK_BYTES;
    }

    /** A board in native memory, for ranks that are threads of this process. */
    public static Board inMemory(int size) {
        return inMemory(size, size);
    }

    /** With places for ranks that come later. */
    public static Board inMemory(int places, int worldSize) {
        ByteBuffer words = ByteBuffer.allocateDirect(Math.toIntExact(bytes(places))).order(ByteOrder.nativeOrder());
        words.putInt(SIZE, places).putInt(WORLD, worldSize).putInt(0, MAGIC);
        return new Board(words, places);
    }

    /** Writes the file in full, so that no page of it can be missing later. */
    static void create(Path file, int size, int worldSize) throws IOException {
        ByteBuffer blank = ByteBuffer.allocate(Math.toIntExact(bytes(size))).order(ByteOrder.nativeOrder());
        blank.putInt(SIZE, size).putInt(WORLD, worldSize).putInt(0, MAGIC);
        JobDirectory.write(file, blank);
    }

    static Board open(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long length = channel.size();
            if (length < HEADER_BYTES) {
                throw new IOException(file + " is no board: it has " + length + " bytes");
            }
            ByteBuffer words = channel.map(FileChannel.MapMode.READ_WRITE, 0, length, Arena.global())
                    .asByteBuffer().order(ByteOrder.nativeOrder());
            int size = words.getInt(SIZE);
            if (words.getInt(0) != MAGIC || length != bytes(size)) {
                throw new IOException(file + " is no board of this version of Rankwire");
            }
            return new Board(words, size);
        }
    }

    /** The number of places: of the ranks of the world at the start, and behind them of those that may come later. */
    public int size() {
        return size;
    }

    public int worldSize() {
        return worldSize;
    }

    /** Whether no rank has this place, or a spare that waits for its part. */
    public boolean isIdle(int rank) {
        return rank >= worldSize && !failures().isGiven(rank);
    }

    // Written by the rank.

    /** The rank's process is about to run the program. */
    void started(int rank, long pid) {
        words.putLong(at(rank) + PID, pid);
    }

    public void joined(int rank, long pid) {
        words.putLong(at(rank) + PID, pid);
        words.putInt(at(rank) + OPEN, 1);
        bump(rank);
        words.putInt(at(rank) + STATE, State.RUNNING.ordinal());
    }

    /**
     * The rank waits in a call. {@code waitsFor} is the world rank whose act would end the wait, or -1 for any; {@code
     * what} is one line such as {@code receive from 1 tag 7 on world at Ring.java:12}; what it shows to other ranks
     * besides may stand in further lines.
     */
    public void block(int rank, int waitsFor, String what) {
        int base = at(rank);
        bump(rank);
        words.putText(base + TEXT, TEXT_BYTES, base + TEXT_LENGTH, what);
        words.putInt(base + WAITS_FOR, waitsFor);
        words.putLong(base + BLOCKED_SINCE, System.nanoTime());
        bump(rank);
        words.putInt(base + STATE, State.BLOCKED.ordinal());
    }

    /** Each waiting thread of a blocked rank has polled everything once and found nothing. */
    public void beat(int rank) {
        int word = at(rank) + BEAT;
        words.putLong(word, words.getLong(word) + 1);
    }

    /** A blocked rank has found something and dealt with it, but still waits. */
    public void stir(int rank) {
        bump(rank);
    }

    public void unblock(int rank) {
        bump(rank);
        words.putInt(at(rank) + STATE, State.RUNNING.ordinal());
    }

    /** The rank is about to close its world, and leaves this for other ranks to read. */
    public void show(int rank, String what) {
        bump(rank);
        words.putText(at(rank) + TEXT, TEXT_BYTES, at(rank) + TEXT_LENGTH, "\n" + what);
        bump(rank);
    }

    public void closed(int rank) {
        words.putInt(at(rank) + OPEN, 0);
        words.putInt(at(rank) + CLOSED_WORLDS, closedWorlds(rank) + 1);
        bump(rank);
        words.putInt(at(rank) + STATE, State.CLOSED.ordinal());
    }

    /** The rank has failed and will end with {@code status}; its story is written elsewhere. */
    public void failed(int rank, int status) {
        words.putLong(at(rank) + ENDED_AT, System.nanoTime());
        words.putInt(at(rank) + FAILURE, status + 1);
    }

    /** The program of the rank ends the whole job, also one that goes on when a rank has failed. */
    void endsJob(int rank) {
        words.putInt(at(rank) + ENDS_JOB, 1);
    }

    /** The rank's process or thread ends. Whether it had closed its world stays readable. */
    public void left(int rank) {
        int base = at(rank);
        if (words.getLong(base + ENDED_AT) == 0) {
            words.putLong(base + ENDED_AT, System.nanoTime());
        }
        bump(rank);
        words.putInt(base + STATE, State.LEFT.ordinal());
    }

    /**
     * The rank's answer to {@link #question()}: whether no thread of its process could act, but for those inside
     * blocking calls of this library.
     */
    void answer(int rank, long question, boolean noneCanAct) {
        words.putLong(at(rank) + ANSWER, question << 1 | (noneCanAct ? 1 : 0));
    }

    /** The rank's process has left a description of its threads where the watcher looks for it. */
    void stacksWritten(int rank, long wanted) {
        words.putLong(at(rank) + STACKS_WRITTEN, wanted);
    }

    /** The rank's process has described what is under way in a file. */
    void queuesWritten(int rank, long wanted) {
        words.putLong(at(rank) + QUEUES_WRITTEN, wanted);
    }

    /** The rank's process has written the stacks of its threads into a file. */
    void dumpWritten(int rank, long wanted) {
        words.putLong(at(rank) + DUMP_WRITTEN, wanted);
    }

    /** What is under way at a rank in this process. */
    String queues(int rank) {
        Caller caller = callers[first + rank];
        return caller == null ? "" : caller.queues();
    }

    /** Has the calls of a rank in this process counted from now on. */
    public void countCalls(int rank, Caller caller) {
        callers[first + rank] = caller;
    }

    /** Shows what a rank in this process has counted. */
    public synchronized void showCounters(int rank, Caller caller) {
        long[] now = new long[Counter.COUNT];
        caller.counters(now);
        for (int i = 0; i < now.length; i++) {
            words.putLong(at(rank) + COUNTERS + 8 * i, now[i]);
        }
    }

    /** Shows the watcher how many calls the ranks in this process have made, and what they have counted. */
    void showCalls() {
        for (int rank = 0; rank < size; rank++) {
            Caller caller = callers[first + rank];
            if (caller != null) {
                words.putLong(at(rank) + CALLS, caller.calls());
                showCounters(rank, caller);
            }
        }
    }

    // Known in this process only.

    /** The thread is inside a blocking call of this library, or works for the library alone. */
    public void enter(Thread thread) {
        ownThreads.add(thread);
    }

    /** The thread may do anything from now on. */
    public void leave(Thread thread) {
        ownThreads.remove(thread);
    }

    /** Sets which ranks are on other hosts. The caller keeps the array and clears a rank that comes to this host. */
    void elsewhere(boolean[] ranks) {
        for (boolean one : ranks) {
            elsewhere = one ? ranks : elsewhere;
        }
    }

    /** Every rank on another host has closed this number of worlds, or has left. */
    void closedElsewhere(int worlds) {
        closedElsewhere = worlds;
    }

    /** Whether a rank is on another host: the board has no state of it, though it may run. */
    public boolean isElsewhere(int rank) {
        return elsewhere != null && elsewhere[rank];
    }

    /** Whether the board shows a part of the job's ranks only. */
    boolean isPartial() {
        return elsewhere != null;
    }

    Set<Thread> ownThreads() {
        return ownThreads;
    }

    // Written by the watcher.

    /** Ends the job: ranks see it in {@link #aborted()} and stop waiting. */
    public void abort(int exitStatus, String reason) {
        words.putText(REASON, REASON_BYTES, REASON_LENGTH, reason);
        words.putInt(ABORT, exitStatus + 1);
    }

    /** A rank has failed, and the job is kept for debuggers. */
    public void pause() {
        words.putInt(PAUSED, 1);
    }

    void ask(long question) {
        words.putLong(QUESTION, question);
    }

    void wantStacks(long number) {
        words.putLong(STACKS_WANTED, number);
    }

    // Written by the command that looks into a job.

    /** Asks all ranks to describe what is under way; returns the number of the question. */
    public long wantQueues() {
        return next(QUEUES_WANTED);
    }

    /** Asks all ranks to write the stacks of their threads; returns the number of the question. */
    public long wantDumps() {
        return next(DUMPS_WANTED);
    }

    private long next(int word) {
        long number = Math.max(words.getLong(word) + 1, System.currentTimeMillis());
        words.putLong(word, number);
        return number;
    }

    public boolean aborted() {
        return words.getInt(ABORT) != 0;
    }

    /** The status given to {@link #abort}, or -1 while the job runs. */
    public int abortStatus() {
        return words.getInt(ABORT) - 1;
    }

    public String abortReason() {
        return words.getText(REASON, REASON_BYTES, REASON_LENGTH);
    }

    /** A rank that was declared dead has left, whatever it has said last. */
    public State state(int rank) {
        return isDead(rank) ? State.LEFT : STATES[words.getInt(at(rank) + STATE)];
    }

    private boolean isDead(int rank) {
        return words.getInt(at(rank) + FAILURES + FailureLog.DEAD) != 0;
    }

    public boolean anyBlocked() {
        return IntStream.range(0, size).anyMatch(rank -> state(rank) == State.BLOCKED);
    }

    /** When the rank began its wait, by {@link System#nanoTime()}, if it is blocked. */
    public long blockedSince(int rank) {
        return words.getLong(at(rank) + BLOCKED_SINCE);
    }

    public int waitsFor(int rank) {
        return words.getInt(at(rank) + WAITS_FOR);
    }

    public long epoch(int rank) {
        return words.getLong(at(rank) + EPOCH);
    }

    public long beats(int rank) {
        return words.getLong(at(rank) + BEAT);
    }

    /** The process that is this rank, once it has started; otherwise 0. */
    public long pid(int rank) {
        return words.getLong(at(rank) + PID);
    }

    /** The status given to {@link #failed}, or -1. */
    public int failure(int rank) {
        return words.getInt(at(rank) + FAILURE) - 1;
    }

    /** Whether the failure of a rank ends the whole job, because its program wants that. */
    public boolean isEndOfJob(int rank) {
        return words.getInt(at(rank) + ENDS_JOB) != 0;
    }

    /** Whether a rank has ever joined a world. */
    public boolean hasJoined(int rank) {
        return stillOpen(rank) || closedWorlds(rank) > 0;
    }

    /** When the rank said that it fails or leaves, by {@link System#nanoTime()}; 0 when it never did. */
    public long endedAt(int rank) {
        return words.getLong(at(rank) + ENDED_AT);
    }

    /** Whether the rank joined the world and has not, or had not when it left, closed it. */
    public boolean stillOpen(int rank) {
        return words.getInt(at(rank) + OPEN) != 0;
    }

    /** How many worlds the rank has joined and closed again. */
    public int closedWorlds(int rank) {
        return isElsewhere(rank) ? closedElsewhere : words.getInt(at(rank) + CLOSED_WORLDS);
    }

    long question() {
        return words.getLong(QUESTION);
    }

    long answer(int rank) {
        return words.getLong(at(rank) + ANSWER);
    }

    long stacksWanted() {
        return words.getLong(STACKS_WANTED);
    }

    long stacksWritten(int rank) {
        return words.getLong(at(rank) + STACKS_WRITTEN);
    }

    long queuesWanted() {
        return words.getLong(QUEUES_WANTED);
    }

    public long queuesWritten(int rank) {
        return words.getLong(at(rank) + QUEUES_WRITTEN);
    }

    long dumpsWanted() {
        return words.getLong(DUMPS_WANTED);
    }

    public long dumpWritten(int rank) {
        return words.getLong(at(rank) + DUMP_WRITTEN);
    }

    boolean paused() {
        return words.getInt(PAUSED) != 0;
    }

    /** What a rank has counted in all its worlds, by {@link Counter}; at most a tenth of a second old. */
    public long[] counters(int rank) {
        long[] found = new long[Counter.COUNT];
        for (int i = 0; i < found.length; i++) {
            found[i] = words.getLong(at(rank) + COUNTERS + 8 * i);
        }
        return found;
    }

    /** Changes when the program of the rank makes a call, waiting or not. */
    long calls(int rank) {
        return words.getLong(at(rank) + CALLS);
    }

    /** The call a rank is blocked in, or what else it is doing, in one line. */
    public String doing(int rank) {
        for (int attempt = 0; attempt < 100; attempt++) {
            long epoch = epoch(rank);
            State state = state(rank);
            String text = state == State.BLOCKED ? text(rank).split("\n", 2)[0] : describe(rank, state);
            VarHandle.acquireFence();
            if (epoch(rank) == epoch) {
                return text;
            }
        }
        return "is busy in calls";
    }

    /** What a rank has shown besides what it does. */
    public String shown(int rank) {
        for (int attempt = 0; attempt < 100; attempt++) {
            long epoch = epoch(rank);
            String text = text(rank);
            VarHandle.acquireFence();
            if (epoch(rank) == epoch) {
                int end = text.indexOf('\n');
                return end < 0 ? "" : text.substring(end + 1);
            }
        }
        return "";
    }

    private String text(int rank) {
        return words.getText(at(rank) + TEXT, TEXT_BYTES, at(rank) + TEXT_LENGTH);
    }

    private String describe(int rank, State state) {
        return switch (state) {
            case ABSENT -> isElsewhere(rank) ? "is on another host" : "has not joined";
            case RUNNING, BLOCKED -> "is running, outside any blocking call";
            case CLOSED -> "has closed its world";
            case LEFT -> isDead(rank) ? "is dead: " + failures().whyDead(rank)
                    : stillOpen(rank) ? "has ended without closing its world" : "has ended";
        };
    }

    private int at(int rank) {
        if (rank < 0 || rank >= size) {
            throw new IndexOutOfBoundsException("rank " + rank + " of a board of " + size);
        }
        return HEADER_BYTES + (first + rank) * RANK_BYTES;
    }

    private void bump(int rank) {
        int word = at(rank) + EPOCH;
        words.putLong(word, words.getLong(word) + 1);
    }
}
