package io.rankwire.device.work;

import io.rankwire.device.Code;
import io.rankwire.device.CombiningNetwork;
import io.rankwire.device.Operation;
import io.rankwire.type.Combination;
import io.rankwire.type.Combining;
import io.rankwire.type.Copy;
import io.rankwire.type.ElementType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A program for the device: buffers, counters and queues of entries. It is written once, and run as often as one
 * likes, one run at a time, from {@link WorkEngine#start} to the end, without help. Buffers may be exchanged between
 * runs. All queues are worked off side by side.
 */
public final class WorkProgram {
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

    // a run
    WorkQueue[] queues = {};
    long[] counters = {};
    int tag;
    /** Done when the run is over, if a caller waits for it. */
    Operation run;
    boolean active;
    int code;
    /** Of a run that failed: the other rank, the bytes and type that came, and those expected. */
    private int failedPeer;
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
    Combining[] combining = {};

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
        return add(disabled, false);
    }

    /**
     * Adds a disabled queue that refuses messages for receives that are not enabled yet. Only senders that use {@link
     * WorkQueue#sendConfirmed} learn of it: do not send to such a queue in another way.
     */
    public WorkQueue refusingQueue() {
        return add(true, true);
    }

    private WorkQueue add(boolean disabled, boolean refuses) {
        checkWritable();
        WorkQueue queue = new WorkQueue(this, queueList.size(), disabled, refuses);
        queueList.add(queue);
        return queue;
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

    /** The tag of the run's messages. */
    public int tag() {
        return tag;
    }

    /** How the last run ended: {@link Code#OK} or what went wrong with which peer. */
    public int code() {
        return code;
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
            entries += queue.tail;
        }
        combining = new Combining[entries];
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

    void failed(Operation operation, int how) {
        if (code == Code.OPERATION_THREW) {
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
