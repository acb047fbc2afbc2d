package io.rankwire.device.work;

import io.rankwire.device.CombiningNetwork;
import io.rankwire.device.CompletionTable;
import io.rankwire.device.Operation;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import java.util.Arrays;
import java.util.List;

/**
 * A queue of work entries, worked off in order. A wait holds the entries behind it; a send or receive is started and
 * goes on by itself, and advances its counter when it is over. A queue that begins disabled is worked off only as far
 * as another queue has enabled it.
 *
 * <p>Peers are world ranks. Places are buffers of the program, by number, with an offset in bytes. All arguments are
 * checked here, and once more together when the program is posted.
 */
public final class WorkQueue {
    private final WorkProgram program;
    final int number;
    final boolean beginsDisabled;
    final boolean refuses;
    /** Added to the tag of the run in all messages of this queue. */
    final int channel;
    /** Entries of the queues before this one. */
    int first;
    long[] cells = new long[16 * Entry.WORDS];
    /** Entries written, by their index from 0. */
    int tail;
    /** The next entry to work off. */
    int head;
    /** Entries up to here may be worked off. */
    int enabled;

    /** Of a PIPE entry under way. */
    Pipe pipe;
    /** Of a receive under way that holds the queue. */
    Operation named;
    /** Of a call on the combining tree that holds the queue. */
    CombiningNetwork.Call joined;
    /** Of a wait for something outside of the program. */
    Watches.Watch watch;
    /** Null unless the queue refuses. */
    final Guards guards;

    WorkQueue(WorkProgram program, int number, boolean beginsDisabled, boolean refuses, int channel) {
        this.program = program;
        this.channel = channel;
        this.guards = refuses ? new Guards() : null;
        this.refuses = refuses;
        this.number = number;
        this.beginsDisabled = beginsDisabled;
    }

    /** What holds the queue goes on without memory. */
    void abandon() {
        if (joined != null) {
            joined.abandon();
            joined = null;
        }
        if (named != null) {
            named.abandon();
        }
        if (pipe != null) {
            pipe.abandon();
        }
    }

    /** Starts to send; the counter advances when the buffer is free again. */
    public WorkQueue send(int peer, int buffer, long offset, long bytes, ElementType type, int counter) {
        return add(Entry.SEND, 0, type.code(), counter, program.peer(peer), program.place(buffer, offset, bytes), 0,
                bytes);
    }

    /**
     * Starts to send; the counter advances when a receive has taken the message. If that receive is disabled there, it
     * refuses the message, which is sent again. The program ends with {@link io.rankwire.device.Code#NOT_ENABLED} when
     * the message was repeated {@code repeats} times, and refused once more.
     */
    public WorkQueue sendConfirmed(
            int peer, int buffer, long offset, long bytes, ElementType type, int counter, int repeats) {
        if (repeats < 0) {
            throw new IllegalArgumentException("repeats: " + repeats);
        }
        return add(Entry.SEND_CONFIRMED, 0, type.code(), counter, program.peer(peer),
                program.place(buffer, offset, bytes), repeats, bytes);
    }

    /** Starts to send to the peer whose number is in a buffer when this entry is reached: an {@code int} or a long. */
    public WorkQueue sendTo(Place peer, int wordBytes, int buffer, long offset, long bytes, ElementType type,
            int counter) {
        return add(Entry.SEND_TO, wordBytes, type.code(), counter, 0, program.place(buffer, offset, bytes),
                program.place(peer.buffer(), peer.offset(), wordBytes), bytes);
    }

    /** Starts to receive from the peer whose number is in a buffer when this entry is reached. */
    public WorkQueue receiveFrom(Place peer, int wordBytes, int buffer, long offset, long bytes, ElementType type,
            int counter) {
        if (refuses) {
            throw new IllegalArgumentException("a queue that refuses messages has to know their senders");
        }
        return add(Entry.RECEIVE_FROM, wordBytes, type.code(), counter, 0, program.place(buffer, offset, bytes),
                program.place(peer.buffer(), peer.offset(), wordBytes), bytes);
    }

    /** Sends a datagram to a queue of a peer; the counter advances when it lies there. */
    public WorkQueue datagram(int peer, int queueThere, int buffer, long offset, int bytes, int counter) {
        return add(Entry.DATAGRAM, 0, 0, counter, program.peer(peer), program.place(buffer, offset, bytes), queueThere,
                bytes);
    }

    /** Writes to memory of a peer; the counter advances when that is done there. */
    public WorkQueue put(RemotePart part, long at, int buffer, long offset, long bytes, ElementType type,
            int counter) {
        return access(Entry.PUT, new Access(part, at, type, null, 0, 0), buffer, offset, bytes, counter);
    }

    /** Reads memory of a peer; the counter advances when the bytes are here. */
    public WorkQueue get(RemotePart part, long at, int buffer, long offset, long bytes, ElementType type,
            int counter) {
        return access(Entry.GET, new Access(part, at, type, null, 0, 0), buffer, offset, bytes, counter);
    }

    /** Combines with memory of a peer; the counter advances when that is done there. */
    public WorkQueue accumulate(RemotePart part, long at, Reduction op, int buffer, long offset, long bytes,
            ElementType type, int counter) {
        return access(Entry.ACCUMULATE, new Access(part, at, type, op, 0, 0), buffer, offset, bytes, counter);
    }

    /** As {@link #accumulate}; what was there before goes into the result. */
    public WorkQueue fetch(RemotePart part, long at, Reduction op, int buffer, long offset, Place result, long bytes,
            ElementType type, int counter) {
        long into = program.place(result.buffer(), result.offset(), bytes);
        return access(Entry.FETCH, new Access(part, at, type, op, into, 0), buffer, offset, bytes, counter);
    }

    /** Replaces an element at a peer if it is the expected one; what was there before goes into the result. */
    public WorkQueue compareAndSwap(RemotePart part, long at, Place expected, Place value, Place result,
            ElementType type, int counter) {
        long into = program.place(result.buffer(), result.offset(), type.bytes());
        long from = program.place(value.buffer(), value.offset(), type.bytes());
        return access(Entry.COMPARE_AND_SWAP, new Access(part, at, type, null, into, from), expected.buffer(),
                expected.offset(), type.bytes(), counter);
    }

    private WorkQueue access(int opcode, Access access, int buffer, long offset, long bytes, int counter) {
        return add(opcode, 0, 0, counter, program.add(access), program.place(buffer, offset, bytes), 0, bytes);
    }

    /** Starts to receive a message of exactly this size; the counter advances when it has arrived. */
    public WorkQueue receive(int peer, int buffer, long offset, long bytes, ElementType type, int counter) {
        return add(Entry.RECEIVE, 0, type.code(), counter, program.peer(peer), program.place(buffer, offset, bytes), 0,
                bytes);
    }

    /** As {@link #receive}; what comes is combined with the local part on its way into the buffer. */
    public WorkQueue receiveCombine(int peer, int buffer, long offset, int local, long localOffset, long bytes,
            ElementType type, int combination, boolean comingFirst, int counter) {
        return add(Entry.RECEIVE_COMBINE, program.combination(combination, comingFirst), type.code(), counter,
                program.peer(peer), program.place(buffer, offset, bytes), program.place(local, localOffset, bytes),
                bytes);
    }

    /**
     * Starts to send a message that says which counter it advances where it arrives: the other rank takes it by {@link
     * #receiveNamed}. The counter's number travels beside the bytes.
     */
    public WorkQueue sendNaming(
            int peer, int counterThere, int buffer, long offset, long bytes, ElementType type, int counter) {
        if (counterThere < 0 || counterThere >= Entry.MOST_COUNTERS) {
            throw new IllegalArgumentException("counter " + counterThere + " of another rank");
        }
        return add(Entry.SEND_NAMING, 0, type.code(), counter, program.peer(peer), program.place(buffer, offset, bytes),
                counterThere, bytes);
    }

    /** Receives a message that says which counter it advances here. Holds the queue until it has come. */
    public WorkQueue receiveNamed(int peer, int buffer, long offset, long bytes, ElementType type) {
        return add(Entry.RECEIVE_NAMED, 0, type.code(), 0, program.peer(peer), program.place(buffer, offset, bytes), 0,
                bytes);
    }

    /** Holds until the counter has come to the value. */
    public WorkQueue await(int counter, long value) {
        if (value < 0) {
            throw new IllegalArgumentException("a wait for " + value + " of counter " + counter);
        }
        return add(Entry.WAIT, 0, 0, counter, 0, 0, value, 0);
    }

    /** Holds until a counter of another program has come to the value, in its run under way or its last one. */
    public WorkQueue await(WorkProgram other, int counter, long value) {
        other.checkCounter(counter);
        if (value < 0) {
            throw new IllegalArgumentException("a wait for " + value + " of counter " + counter);
        }
        return write(Entry.WAIT_OTHER, 0, 0, counter, program.add(other), 0, value, 0);
    }

    /**
     * Holds until more operations of a table have ended than this program has waited for: counting begins with this
     * call, and goes on from run to run.
     */
    public WorkQueue await(CompletionTable<?> table, long ends) {
        if (ends < 1) {
            throw new IllegalArgumentException("a wait for " + ends + " requests");
        }
        return write(Entry.WAIT_COMPLETIONS, 0, 0, 0, program.add(table), 0, ends, 0);
    }

    /** Lets another queue go on up to, not with, the entry of this index. */
    public WorkQueue enableSends(int queue, int index) {
        return enable(Entry.SEND_ENABLE, queue, index);
    }

    /** Lets another queue go on by one entry. */
    public WorkQueue enableSends(int queue) {
        return add(Entry.SEND_ENABLE, 0, 0, 0, queue, 0, Entry.ONE_MORE, 0);
    }

    /** As {@link #enableSends}, for a queue of receives. */
    public WorkQueue enableReceives(int queue, int index) {
        return enable(Entry.RECEIVE_ENABLE, queue, index);
    }

    /** As {@link #enableSends(int)}, for a queue of receives. */
    public WorkQueue enableReceives(int queue) {
        return add(Entry.RECEIVE_ENABLE, 0, 0, 0, queue, 0, Entry.ONE_MORE, 0);
    }

    private WorkQueue enable(int opcode, int queue, int index) {
        if (index < 0) {
            throw new IllegalArgumentException("entry " + index + " of queue " + queue);
        }
        return add(opcode, 0, 0, 0, queue, 0, index, 0);
    }

    /** Combines the operand into the target: {@code target = target op operand}, or the other way around. */
    public WorkQueue calc(int combination, int target, long targetOffset, int operand, long operandOffset, long bytes,
            boolean operandFirst) {
        return add(Entry.CALC, program.combination(combination, operandFirst), 0, 0, 0,
                program.place(target, targetOffset, bytes), program.place(operand, operandOffset, bytes), bytes);
    }

    /**
     * Combines several arguments, in their order, and puts the result into each of the targets and sends it to each of
     * the peers. One of the arguments may be the first target. These are as many entries as it takes.
     *
     * @param counter advances with each send
     */
    public WorkQueue calc(int combination, List<Place> arguments, List<Place> targets, long bytes, ElementType type,
            int counter, int... peers) {
        if (arguments.isEmpty() || targets.isEmpty()) {
            throw new IllegalArgumentException("a calculation needs an argument and a target");
        }
        Place result = targets.get(0);
        int own = arguments.indexOf(result);
        if (own < 0) {
            own = 0;
            copy(arguments.get(0), result, bytes);
        }
        for (int i = own - 1; i >= 0; i--) {
            calc(combination, result.buffer(), result.offset(), arguments.get(i).buffer(), arguments.get(i).offset(),
                    bytes, true);
        }
        for (int i = own + 1; i < arguments.size(); i++) {
            calc(combination, result.buffer(), result.offset(), arguments.get(i).buffer(), arguments.get(i).offset(),
                    bytes, false);
        }
        for (int peer : peers) {
            send(peer, result.buffer(), result.offset(), bytes, type, counter);
        }
        for (Place other : targets.subList(1, targets.size())) {
            copy(result, other, bytes);
        }
        return this;
    }

    private void copy(Place from, Place to, long bytes) {
        copy(from.buffer(), from.offset(), to.buffer(), to.offset(), bytes);
    }

    /** Copies between buffers. */
    public WorkQueue copy(int from, long fromOffset, int to, long toOffset, long bytes) {
        return add(Entry.COPY, 0, 0, 0, 0, program.place(to, toOffset, bytes), program.place(from, fromOffset, bytes),
                bytes);
    }

    /**
     * Streams a long message through: receives it in chunks from one peer and sends each on to another, over so many
     * slots of one buffer. Holds the queue until the last chunk has gone. The counter advances with each chunk sent.
     *
     * @param bytes of the whole message
     */
    public WorkQueue pipe(int from, int to, int buffer, long chunk, int slots, long bytes, ElementType type,
            int counter) {
        checkPipe(chunk, slots);
        program.place(buffer, 0, chunk * slots);
        return add(Entry.PIPE, slots, type.code(), counter, program.peer(from), Entry.place(buffer, chunk),
                program.peer(to), bytes);
    }

    /**
     * As {@link #pipe}, and keeps the message: the buffer has room for all of it.
     *
     * @param from the peer that it comes from; below zero if it is in the buffer
     * @param to the peer that it goes on to; below zero if it ends here
     * @param ahead chunks that are under way at most
     */
    public WorkQueue pass(int from, int to, int buffer, long chunk, int ahead, long bytes, ElementType type,
            int counter) {
        checkPipe(chunk, ahead);
        program.place(buffer, 0, bytes);
        return add(Entry.PIPE, ahead | Entry.KEEPS, type.code(), counter, from < 0 ? Entry.NO_PEER : program.peer(from),
                Entry.place(buffer, chunk), to < 0 ? to : program.peer(to), bytes);
    }

    private static void checkPipe(long chunk, int slots) {
        if (chunk < 1 || slots < 1 || slots > 64) {
            throw new IllegalArgumentException("a pipe of " + slots + " slots of " + chunk + " bytes");
        }
    }

    /**
     * Makes a call on the combining tree that the program was given, see {@link WorkProgram#tree}. Holds the queue
     * until this rank's part in it is over.
     *
     * @param combination what combines; -1 where nothing is combined
     */
    public WorkQueue tree(int combination, int from, long fromOffset, int to, long toOffset, long bytes,
            ElementType type) {
        return add(Entry.TREE, combination < 0 ? 0 : program.combination(combination, false), type.code(), 0, 0,
                program.place(to, toOffset, bytes), program.place(from, fromOffset, bytes), bytes);
    }

    /** Entries written so far: the index of the next. */
    public int size() {
        return tail;
    }

    public int number() {
        return number;
    }

    private WorkQueue add(int opcode, int combination, int type, int counter, int peer, long target, long operand,
            long bytes) {
        program.checkCounter(counter);
        return write(opcode, combination, type, counter, peer, target, operand, bytes);
    }

    private WorkQueue write(int opcode, int combination, int type, int counter, int peer, long target, long operand,
            long bytes) {
        program.checkWritable();
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes: " + bytes);
        }
        int at = tail * Entry.WORDS;
        if (at == cells.length) {
            cells = Arrays.copyOf(cells, 2 * at);
        }
        cells[at] = Entry.head(opcode, combination, type, counter, peer);
        cells[at + 1] = target;
        cells[at + 2] = operand;
        cells[at + 3] = bytes;
        tail++;
        return this;
    }

    void rewind() {
        head = 0;
        enabled = beginsDisabled ? 0 : tail;
    }
}
