package io.rankwire.device.work;

import io.rankwire.device.Code;
import io.rankwire.device.CombiningNetwork;
import io.rankwire.device.CompletionTable;
import io.rankwire.device.EndListener;
import io.rankwire.device.Operation;
import io.rankwire.type.Combination;
import io.rankwire.type.Copy;
import io.rankwire.type.ElementType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * A program for the device: buffers, counters and queues of entries. It is written once, and run as often as one
 * likes, one run at a time, from {@link WorkEngine#start} to the end, without help. Buffers may be exchanged between
 * runs. All queues are worked off side by side.
 */
public final class WorkProgram implements EndListener {
    static final int NONE = -1;
    static final int SEVERAL = -2;

    final List<WorkQueue> queueList = new ArrayList<>();
    final int context;
    private final int peers;
    private boolean posted;

    // buffers: what they are, where they begin in their base, how long
    Object[] bases = new Object[4];
    long[] origins = new long[4];
    private long[] lengths = new long[4];
    private int bufferCount;

    /** The combining tree as far as it connects the ranks of this program, and who alone gives and takes, or -1. */
    CombiningNetwork.Group tree;
    int treeGiver;
    int treeTaker;

    private Combination[] combinations = new Combination[1];
    private int combinationCount;
    int counterCount;
    /** The most that each counter comes to in a run; null before the program is checked. */
    long[] most;
    /** Which peer a number in memory stands for, see {@link WorkQueue#sendTo}. */
    private IntUnaryOperator peersInMemory = peer -> peer;

    // what entries name beside peers and buffers
    final List<WorkProgram> others = new ArrayList<>();
    final List<Access> accesses = new ArrayList<>();
    final List<CompletionTable<?>> tables = new ArrayList<>();
    /** For each table, how many ends the program has waited for. */
    final List<long[]> awaited = new ArrayList<>();
    /** Programs that wait for a counter of this one; none for most. */
    private Watches[] watches = {};

    // what the engine keeps
    WorkEngine engine;
    int number;
    int index;
    /** Whether it is on the engine's list of programs to visit. */
    boolean ready;
    int runs;

    // a run
    WorkQueue[] queues = {};
    long[] counters = {};
    int tag;
    /** Done when the run is over, if a caller waits for it. */
    Operation run;
    boolean active;
    int code;
    /** Of a run that failed: the other rank, the bytes and type that came, and those expected; the refused access. */
    private int failedPeer;
    private String failure;
    private long refusedAt;
    private long refusedBytes;
    /** Of a message that was refused too often: its queue, its entry, and how often. */
    private int[] refusedEntry;
    /** What an operation has thrown in this run, or null. */
    private Throwable thrown;
    private boolean informs;
    private long cameBytes;
    private int cameType;
    private long expectedBytes;
    private int expectedType;

    // sends and receives under way
    Operation[] operations = new Operation[4];
    int[] advances = new int[4];
    int underWay;
    /**
     * For each counter: the place of the one transfer under way that advances it, or {@link #NONE}, or {@link
     * #SEVERAL}.
     */
    private int[] places = {};
    /** What an entry needs beside its words, by its number among all. */
    Object[] attached = {};
    public final Deferring deferring = new Deferring();
    /** The run that the network is at; null if there is none. */
    Deferral deferral;
    /** Null until the program has a confirmed send. */
    ConfirmedSends confirmed;
    /** Datagrams that are under way beside the operations. */
    int beside;

    /**
     * @param context that keeps its messages apart, see {@link io.rankwire.device.Device#receive}
     * @param peers ranks of the world
     */
    public WorkProgram(int context, int peers) {
        this.context = context;
        this.peers = peers;
    }

    /** Adds a counter; it is 0 at the start of each run. */
    public int counter() {
        checkWritable();
        if (counterCount == Entry.MOST_COUNTERS) {
            throw new IllegalArgumentException("more than " + Entry.MOST_COUNTERS + " counters");
        }
        return counterCount++;
    }

    /** Adds a buffer of this size; {@link #bind} gives it memory. */
    public int buffer(long bytes) {
        checkWritable();
        if (bufferCount == Entry.MOST_BUFFERS) {
            throw new IllegalArgumentException("more than " + Entry.MOST_BUFFERS + " buffers");
        }
        if (bufferCount == bases.length) {
            bases = Arrays.copyOf(bases, 2 * bufferCount);
            origins = Arrays.copyOf(origins, 2 * bufferCount);
            lengths = Arrays.copyOf(lengths, 2 * bufferCount);
        }
        lengths[bufferCount] = bytes;
        return bufferCount++;
    }

    /** What is bound to the buffers, by their numbers. */
    public Object[] bound() {
        return Arrays.copyOf(bases, bufferCount);
    }

    /**
     * Binds a buffer for the runs to come: a primitive array or segment, and where in it the bytes begin; or one of
     * them seen through a datatype, from its beginning: strided, or of several dimensions.
     */
    public void bind(int buffer, Object base, long origin) {
        if (bases[buffer] != base) {
            bases[buffer] = base;
        }
        origins[buffer] = origin;
    }

    /**
     * Gives the program a combining tree.
     *
     * @param giver the world rank that alone gives, or -1 if all ranks do; and the one that alone takes
     */
    public void tree(CombiningNetwork.Group group, int giver, int taker) {
        checkWritable();
        tree = group;
        treeGiver = giver;
        treeTaker = taker;
    }

    /** Adds an operation for {@link WorkQueue#calc}. */
    public int combination(Combination combination) {
        checkWritable();
        if (combinationCount == Entry.MOST_COMBINATIONS) {
            throw new IllegalArgumentException("more than " + Entry.MOST_COMBINATIONS + " combinations");
        }
        if (combinationCount == combinations.length) {
            combinations = Arrays.copyOf(combinations, 2 * combinationCount);
        }
        combinations[combinationCount] = combination;
        return combinationCount++;
    }

    /**
     * Adds a queue; a disabled one is worked off only as far as it gets enabled. Messages for its receives wait until
     * then.
     */
    public WorkQueue queue(boolean disabled) {
        return add(disabled, false, 0);
    }

    /**
     * Adds a queue of a channel: the tags of its messages are higher than that of the run by this number, so that only
     * queues of the same channel meet them.
     */
    public WorkQueue queue(boolean disabled, int channel) {
        if (channel < 0) {
            throw new IllegalArgumentException("channel " + channel + " is below zero");
        }
        return add(disabled, false, channel);
    }

    /**
     * Adds a disabled queue that refuses messages for receives that are not enabled yet. Only senders that use {@link
     * WorkQueue#sendConfirmed} learn of it: do not send to such a queue in another way.
     */
    public WorkQueue refusingQueue() {
        return add(true, true, 0);
    }

    private WorkQueue add(boolean disabled, boolean refuses, int channel) {
        checkWritable();
        WorkQueue queue = new WorkQueue(this, queueList.size(), disabled, refuses, channel);
        queueList.add(queue);
        return queue;
    }

    /** The highest channel of its queues. */
    public int lastChannel() {
        int last = 0;
        for (WorkQueue queue : queueList) {
            last = Math.max(last, queue.channel);
        }
        return last;
    }

    /** Sets which peer a number in memory stands for, or -1 for none. */
    public void peersInMemory(IntUnaryOperator peerOf) {
        checkWritable();
        peersInMemory = peerOf;
    }

    /** The peer that a number in memory stands for; -1 for none. */
    int peerInMemory(long value) {
        int peer = value < 0 || value > Integer.MAX_VALUE ? -1 : peersInMemory.applyAsInt((int) value);
        return peer < peers ? peer : -1;
    }

    int add(WorkProgram other) {
        if (!others.contains(other)) {
            others.add(other);
        }
        return others.indexOf(other);
    }

    int add(Access access) {
        accesses.add(access);
        return accesses.size() - 1;
    }

    int add(CompletionTable<?> table) {
        if (!tables.contains(table)) {
            tables.add(table);
            awaited.add(new long[] {table.produced()});
        }
        return tables.indexOf(table);
    }

    /** The value of a counter in the run under way, or else in the last one. */
    public long count(int counter) {
        return counter < counters.length ? counters[counter] : 0;
    }

    /** A counter advances by one. */
    void advance(int counter) {
        if (deferral == null || !deferral.advance(counter)) {
            counted(counter, counters[counter] + 1);
        }
    }

    /** A counter has come to a value. */
    void counted(int counter, long value) {
        counters[counter] = value;
        if (counter < watches.length && watches[counter] != null) {
            watches[counter].reached(value);
        }
    }

    /** The programs that wait for a counter. */
    Watches watches(int counter) {
        if (counter >= watches.length) {
            watches = Arrays.copyOf(watches, Math.max(1, counterCount));
        }
        if (watches[counter] == null) {
            watches[counter] = new Watches();
        }
        return watches[counter];
    }

    /** The run has failed: what waits for a counter of it, waits in vain. */
    void endWatches() {
        for (int i = 0; i < watches.length; i++) {
            if (watches[i] != null) {
                watches[i].end();
            }
        }
    }

    /** Puts the program on the list of those to visit. */
    void wake() {
        if (!ready && engine != null) {
            ready = true;
            engine.ready(this);
        }
    }

    @Override
    public void ended(int place) {
        wake();
    }

    /**
     * Has a run whose operation throws an exception go on in vain: what it cannot send is replaced by empty messages
     * of the type {@link ElementType#OBJECT}, and what comes is dropped, so that no peer waits forever and none takes
     * what is left of this run for the next one's. For programs of one queue that sends, receives, waits, combines and
     * copies.
     */
    public void informPeers() {
        checkWritable();
        informs = true;
    }

    boolean informs() {
        return informs;
    }

    /** What an operation has thrown in the last run; null if none did here. */
    public Throwable thrown() {
        return thrown;
    }

    void threw(Throwable e) {
        if (code == Code.OK) {
            code = Code.OPERATION_THREW;
            thrown = e;
        }
    }

    /** Whether a run is under way. */
    public boolean active() {
        return active;
    }

    /** Whether this operation is done when the run under way is over. */
    public boolean isRun(Operation operation) {
        return active && run == operation;
    }

    public int context() {
        return context;
    }

    /** The tag of the run's messages. */
    public int tag() {
        return tag;
    }

    /** How the last run ended: {@link Code#OK} or what went wrong with which peer. */
    public int code() {
        return code;
    }

    /** Why the run ended early, if no code can say it; else null. */
    public String failure() {
        return failure;
    }

    /** Where the access began that a peer has refused, and its bytes. */
    public long refusedAt() {
        return refusedAt;
    }

    public long refusedBytes() {
        return refusedBytes;
    }

    /** Queue and entry of the message that was refused, and how often that was; null if none was. */
    public int[] refusedEntry() {
        return refusedEntry == null ? null : refusedEntry.clone();
    }

    public int failedPeer() {
        return failedPeer;
    }

    public long cameBytes() {
        return cameBytes;
    }

    public ElementType cameType() {
        return ElementType.of(cameType);
    }

    public long expectedBytes() {
        return expectedBytes;
    }

    public ElementType expectedType() {
        return ElementType.of(expectedType);
    }

    /** The peers of sends and receives under way, for reports. */
    public int[] waitsFor() {
        int[] waits = new int[underWay];
        for (int i = 0; i < underWay; i++) {
            waits[i] = operations[i].peer();
        }
        return waits;
    }

    int peer(int peer) {
        if (peer < 0 || peer >= peers) {
            throw new IllegalArgumentException("peer " + peer + " is no rank of a world of " + peers);
        }
        return peer;
    }

    long place(int buffer, long offset, long bytes) {
        if (buffer < 0 || buffer >= bufferCount) {
            throw new IllegalArgumentException("buffer " + buffer + " of " + bufferCount);
        }
        if (offset < 0 || bytes < 0 || offset > lengths[buffer] - bytes) {
            throw new IllegalArgumentException(bytes + " bytes at " + offset + " are outside buffer " + buffer + " of "
                    + lengths[buffer] + " bytes");
        }
        return Entry.place(buffer, offset);
    }

    int combination(int number, boolean operandFirst) {
        if (number < 0 || number >= combinationCount) {
            throw new IllegalArgumentException("combination " + number + " of " + combinationCount);
        }
        return number | (operandFirst ? Entry.OPERAND_FIRST : 0);
    }

    boolean hasCombinations() {
        return combinationCount > 0;
    }

    Combination combinationOf(int field) {
        return combinations[field & Entry.OPERAND_FIRST - 1];
    }

    void checkCounter(int counter) {
        if (counter < 0 || counter > 0 && counter >= counterCount) {
            throw new IllegalArgumentException("counter " + counter + " of " + counterCount);
        }
    }

    void checkWritable() {
        if (posted) {
            throw new IllegalArgumentException("the program was posted and cannot be changed");
        }
    }

    /** Checks the program as a whole, once, and closes it. */
    void close() {
        if (posted) {
            return;
        }
        Check.program(this);
        posted = true;
        queues = queueList.toArray(new WorkQueue[0]);
        counters = new long[Math.max(1, counterCount)];
        places = new int[counters.length];
        int entries = 0;
        for (WorkQueue queue : queues) {
            queue.first = entries;
            entries += queue.tail;
        }
        attached = new Object[entries];
    }

    void track(Operation operation, int counter) {
        if (underWay == operations.length) {
            operations = Arrays.copyOf(operations, 2 * underWay);
            advances = Arrays.copyOf(advances, 2 * underWay);
        }
        places[counter] = places[counter] == NONE ? underWay : SEVERAL;
        operations[underWay] = operation;
        advances[underWay++] = counter;
    }

    int placeOf(int counter) {
        return places[counter];
    }

    /** Takes one that is over off the list. */
    void drop(int i) {
        int last = --underWay;
        if (places[advances[i]] == i) {
            places[advances[i]] = NONE;
        }
        if (i != last) {
            operations[i] = operations[last];
            advances[i] = advances[last];
            if (places[advances[i]] == last) {
                places[advances[i]] = i;
            }
        }
        operations[last] = null;
    }

    /** Sets counters and queues to the beginning of a run. */
    void rewind() {
        thrown = null;
        failure = null;
        refusedEntry = null;
        refusedBytes = 0;
        beside = 0;
        runs++;
        Arrays.fill(counters, 0);
        Arrays.fill(places, NONE);
        for (WorkQueue queue : queues) {
            queue.rewind();
        }
    }

    /** Abandons the run: it accesses no memory from now on, and ends with the next progress. */
    public void stop() {
        code = Code.CANCELLED;
        for (int i = 0; i < underWay; i++) {
            operations[i].abandon();
        }
        for (WorkQueue queue : queues) {
            queue.abandon();
        }
        if (confirmed != null) {
            confirmed.abandon();
        }
        wake();
    }

    /** After an entry has failed: ends the run if memory that it uses has ended, else throws it on. */
    void memoryEnded(IllegalStateException failure) {
        for (Object base : bases) {
            if (Copy.hasEnded(base)) {
                code = Code.MEMORY_ENDED;
                return;
            }
        }
        throw failure;
    }

    /** The ranks have joined a call on the combining tree with different arguments. */
    void failed(CombiningNetwork.Call call, long bytes, int type) {
        code = call.code();
        failedPeer = call.otherRank();
        expectedBytes = bytes;
        expectedType = type;
        cameBytes = call.otherBytes();
        cameType = call.otherType().code();
    }

    /** The run ends early for a reason that is described here. */
    void fail(int peer, String why) {
        if (code == Code.OK) {
            code = Code.ENTRY_FAILED;
            failedPeer = peer;
            failure = why;
        }
    }

    /** Something with a peer went wrong that no operation stands for. */
    void failed(int peer, int how) {
        if (code == Code.OK) {
            code = how;
            failedPeer = peer;
        }
    }

    /** A peer has refused an access to its memory. */
    void refused(int peer, int how, long at, long bytes) {
        failed(peer, how);
        refusedAt = at;
        refusedBytes = bytes;
    }

    /** A message was refused too often. */
    void notEnabled(int queue, int entry, int times) {
        refusedEntry = new int[] {queue, entry, times};
    }

    void failed(Operation operation, int how) {
        if (code == Code.OPERATION_THREW || code == Code.PEER_DEAD || code == Code.REVOKED) {
            return;
        }
        boolean informed = informs && how == Code.TYPE_MISMATCH && operation.isReceive()
                && operation.matchedType() == ElementType.OBJECT.code();
        code = informed ? Code.OPERATION_THREW : how;
        failedPeer = operation.peer();
        expectedBytes = operation.bytes();
        expectedType = operation.elementType();
        cameBytes = operation.isReceive() ? operation.matchedBytes() : 0;
        cameType = operation.isReceive() ? operation.matchedType() : 0;
    }
}
