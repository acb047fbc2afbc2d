package io.rankwire;

import io.rankwire.runtime.Buffers;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Layout;
import io.rankwire.runtime.TypedViews;
import io.rankwire.runtime.WorkBuilder;
import io.rankwire.type.ElementType;

/**
 * A program for this rank's device: messages, calculations and copies that wait for each other. A rank writes it once
 * and starts it as often as it likes; the device runs it to the end without the rank, which may compute meanwhile. The
 * collectives of this library are programs of this kind.
 *
 * <p>A program has <em>buffers</em>, <em>counters</em> and <em>queues</em> of entries. Each queue is worked off in
 * order, all of them side by side. A send or a receive is started and goes on by itself; it advances its counter by one
 * when it is over. {@link WorkQueue#await(int, long)} holds its queue until a counter has come to a value. All counters
 * are 0 at the start of a run. A queue that begins disabled is worked off only as far as another queue has enabled it.
 *
 * <p>This program receives a vector from the next rank, adds it to its own, and sends the sum on:
 * <pre>{@code
 * Work work = all.work();
 * WorkBuffer sum = work.buffer(vector);
 * WorkBuffer came = work.buffer(new double[vector.length]);
 * int arrived = work.counter();
 * int sent = work.counter();
 * work.queue()
 *         .receive(all.rank() + 1, came, arrived)
 *         .await(arrived, 1)
 *         .combine(Op.SUM, sum, came)
 *         .send(all.rank() - 1, sum, sent)
 *         .await(sent, 1);
 * Request run = work.start(3);
 * compute();
 * run.await();
 * }</pre>
 *
 * <p>Beside messages, entries {@linkplain WorkQueue#put access} windows, send {@linkplain WorkQueue#datagram
 * datagrams}, and wait for {@linkplain WorkQueue#await(Work, int, long) other programs} and for {@linkplain
 * WorkQueue#await(CompletionQueue, long) completion queues}. A {@linkplain #pair queue pair} is a channel to one rank.
 * One queue may also serve many ranks, even {@linkplain WorkQueue#sendTo ranks that the program finds while it runs}.
 *
 * <p>A network that sends by itself when a counter has come to a value runs the sends of a program, if the program has
 * nothing but waits, sends and receives of small messages in memory of {@link World#allocate}: {@code rankwire run
 * --explain} shows what runs it. The results are the same.
 *
 * <p>Messages of a program are messages of its communicator: plain sends and receives of other ranks with the same tag
 * can meet them. A program is written and started by one thread at a time.
 *
 * <p>All calls throw {@link RankwireException}: of class {@link ErrorClass#ARGUMENT} for an argument that is null or of
 * another program, and for a program that has been started and is changed; of class {@link ErrorClass#RANK} for a rank
 * that the communicator does not have.
 *
 * @see Communicator#work
 */
public final class Work {
    private final Endpoint on;
    private final WorkBuilder builder;

    Work(Communicator communicator) {
        this.on = communicator.endpoint();
        this.builder = new WorkBuilder(on);
    }

    /**
     * Adds a buffer to the program.
     *
     * @param memory a primitive array, {@code ByteBuffer} or {@code MemorySegment}, the whole of which is the buffer
     * @return the buffer
     * @throws RankwireException of class {@link ErrorClass#BUFFER} if this is no buffer
     */
    public WorkBuffer buffer(Object memory) {
        ElementType type = on.typeOf(memory);
        WorkBuffer buffer = add(type, Buffers.length(memory));
        buffer.bind(memory);
        return buffer;
    }

    /**
     * Adds a buffer to the program: the elements of datatypes, as they lie in memory. These can be strided vectors,
     * boxes of grids and the like. To the program they are elements in a row, for messages, calculations and copies.
     *
     * @param memory a primitive array, {@code ByteBuffer} or {@code MemorySegment}
     * @param offset where the first datatype has its byte 0, in elements of the memory
     * @param count how many datatypes
     * @param type the datatype
     * @return the buffer
     * @throws RankwireException of class {@link ErrorClass#TYPE} or {@link ErrorClass#COUNT} if the datatypes do not
     *     fit the memory
     */
    public WorkBuffer buffer(Object memory, long offset, long count, Datatype type) {
        Layout layout = Datatype.layout(type);
        TypedViews.source(on, memory, offset, count, layout);
        WorkBuffer buffer = add(layout.element(), layout.bytes(count) / layout.element().bytes());
        buffer.bind(memory, offset, count, type);
        return buffer;
    }

    private WorkBuffer add(ElementType type, long length) {
        return new WorkBuffer(this, builder.add(() -> builder.program().buffer(length * type.bytes())), type, 0, length,
                null);
    }

    /**
     * Adds a counter to the program. It is 0 at the start of each run.
     *
     * @return its number: 0 for the first counter, 1 for the second, and so on
     */
    public int counter() {
        return builder.counter();
    }

    /**
     * Adds a queue, which is worked off from the start of each run.
     *
     * @return the queue, without entries
     */
    public WorkQueue queue() {
        return new WorkQueue(this, builder.add(() -> builder.program().queue(false)));
    }

    /**
     * Adds a queue that is worked off only as far as another queue {@linkplain WorkQueue#enable(WorkQueue, int)
     * enables} it. Messages for its receives wait until then.
     *
     * @return the queue, without entries
     */
    public WorkQueue disabledQueue() {
        return new WorkQueue(this, builder.add(() -> builder.program().queue(true)));
    }

    /**
     * Adds a disabled queue that refuses messages for receives that are not enabled yet: such a message is discarded,
     * and the rank that has sent it sends it again, within bounds. Send to such a queue by {@link
     * WorkQueue#sendConfirmed(int, WorkBuffer, int)} alone.
     *
     * @return the queue, without entries
     */
    public WorkQueue refusingQueue() {
        return new WorkQueue(this, builder.add(builder.program()::refusingQueue));
    }

    /**
     * Adds a queue pair: a queue of sends to a rank and a queue of receives from it. Together with the pair of the same
     * channel in that rank's program they are a point-to-point channel: the messages of a channel meet no receive of
     * another one, and no other receive of the program.
     *
     * @param rank the rank at the other end
     * @param channel the number of the channel, at least 1; the tags of its messages are the tag of the run plus this
     * @return the pair; both queues are worked off from the start of each run
     */
    public WorkPair pair(int rank, int channel) {
        return pair(rank, channel, false);
    }

    /**
     * As {@link #pair}, with queues that are worked off only as far as another queue enables them: {@link
     * WorkQueue#enable(WorkQueue, int)} sets their producer index.
     *
     * @param rank the rank at the other end
     * @param channel the number of the channel, at least 1
     * @return the pair
     */
    public WorkPair disabledPair(int rank, int channel) {
        return pair(rank, channel, true);
    }

    private WorkPair pair(int rank, int channel, boolean disabled) {
        builder.peer("rank", rank);
        if (channel < 1) {
            throw on.error(ErrorClass.ARGUMENT, "argument channel: " + channel + " is below 1");
        }
        WorkQueue sends = new WorkQueue(this, builder.add(() -> builder.program().queue(disabled, channel)));
        return new WorkPair(rank, channel, sends,
                new WorkQueue(this, builder.add(() -> builder.program().queue(disabled, channel))));
    }

    /**
     * Adds a place in a window, for entries that access memory of another rank.
     *
     * @param window the window
     * @param rank the rank of the window whose part is accessed
     * @param displacement where the accesses begin in that part, in the units that its owner has chosen
     * @return the place
     * @throws RankwireException of class {@link ErrorClass#WINDOW} if the window was freed
     */
    public WorkTarget target(Window window, int rank, long displacement) {
        if (window == null) {
            throw on.error(ErrorClass.ARGUMENT, "argument window is null");
        }
        return new WorkTarget(this, window.endpoint(), builder.part(window.endpoint(), rank), rank, displacement);
    }

    /**
     * Returns the value of a counter in the run that is under way or, when none is, in the last one.
     *
     * @param counter the counter
     * @return its value; 0 before the first run
     */
    public long count(int counter) {
        builder.checkCounter(counter);
        return builder.count(counter);
    }

    /**
     * Starts the program. The device runs it to the end by itself. From the first start on nothing can be added to it;
     * buffers can be bound to other memory between runs.
     *
     * @param tag the tag of its messages, at least 0
     * @return a request that is done when the run is over
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if the program is running, or has a wait that no
     *     entry can ever end, or queues that are not enabled to their end; of class {@link ErrorClass#TAG} if the tag
     *     is below zero, or too large for the channels of its pairs
     */
    public Request start(int tag) {
        return new Request(on, builder, builder.start(tag));
    }

    Endpoint on() {
        return on;
    }

    WorkBuilder builder() {
        return builder;
    }

    WorkTarget own(WorkTarget target) {
        if (target == null || target.work() != this) {
            throw on.error(ErrorClass.ARGUMENT, "the target" + (target == null ? " is null"
                    : " belongs to another program"));
        }
        return target;
    }

    WorkBuffer own(String argument, WorkBuffer buffer) {
        if (buffer == null || buffer.work() != this) {
            throw on.error(ErrorClass.ARGUMENT, "argument " + argument
                    + (buffer == null ? " is null" : " is a buffer of another program"));
        }
        return buffer;
    }

    /** A buffer that an entry writes to. */
    WorkBuffer written(String argument, WorkBuffer buffer) {
        if (own(argument, buffer).whole.obstacle != null) {
            throw on.error(ErrorClass.BUFFER, "argument " + argument + buffer.whole.obstacle);
        }
        buffer.whole.written = true;
        return buffer;
    }

    /** Throws unless two buffers hold the same number of elements of types that fit. */
    void checkAlike(String argument, WorkBuffer buffer, String otherArgument, WorkBuffer other) {
        if (!ElementType.compatible(buffer.type.code(), other.type.code())) {
            throw on.error(ErrorClass.TYPE, "argument " + argument + " is of " + buffer.type + ", " + otherArgument
                    + " of " + other.type);
        }
        if (buffer.bytes() != other.bytes()) {
            throw on.error(ErrorClass.COUNT, "argument " + argument + " has " + buffer.bytes() + " bytes, "
                    + otherArgument + " has " + other.bytes());
        }
    }

    int combination(Op op, WorkBuffer target, WorkBuffer operand) {
        ElementType type = target.type == ElementType.RAW ? operand.type : target.type;
        return builder.combination(Op.operator(op), type, target.bytes());
    }
}
