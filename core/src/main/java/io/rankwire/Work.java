package io.rankwire;

import io.rankwire.device.work.Place;
import io.rankwire.device.work.WorkQueue;
import io.rankwire.runtime.Buffers;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Layout;
import io.rankwire.runtime.TypedViews;
import io.rankwire.runtime.WorkBuilder;
import io.rankwire.type.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A program for this rank's device: messages, calculations and copies that wait for each other. A rank writes it once
 * and starts it as often as it likes; the device runs it to the end without the rank, which may compute meanwhile. The
 * collectives of this library are programs of this kind.
 *
 * <p>A program has <em>buffers</em>, <em>counters</em> and <em>queues</em> of entries. Each queue is worked off in
 * order, all of them side by side. A send or a receive is started and goes on by itself; it advances its counter by one
 * when it is over. {@link Queue#await} holds its queue until a counter has come to a value. All counters are 0 at the
 * start of a run. A queue that begins disabled is worked off only as far as another queue has enabled it.
 *
 * <p>This program receives a vector from the next rank, adds it to its own, and sends the sum on:
 * <pre>{@code
 * Work work = all.work();
 * Work.Buffer sum = work.buffer(vector);
 * Work.Buffer came = work.buffer(new double[vector.length]);
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
    public Buffer buffer(Object memory) {
        ElementType type = on.typeOf(memory);
        Buffer buffer = add(type, Buffers.length(memory));
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
    public Buffer buffer(Object memory, long offset, long count, Datatype type) {
        Layout layout = Datatype.layout(type);
        TypedViews.source(on, memory, offset, count, layout);
        Buffer buffer = add(layout.element(), layout.bytes(count) / layout.element().bytes());
        buffer.bind(memory, offset, count, type);
        return buffer;
    }

    private Buffer add(ElementType type, long length) {
        return new Buffer(builder.add(() -> builder.program().buffer(length * type.bytes())), type, 0, length, null);
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
    public Queue queue() {
        return new Queue(builder.add(() -> builder.program().queue(false)));
    }

    /**
     * Adds a queue that is worked off only as far as another queue {@linkplain Queue#enable(Queue, int) enables} it.
     * Messages for its receives wait until then.
     *
     * @return the queue, without entries
     */
    public Queue disabledQueue() {
        return new Queue(builder.add(() -> builder.program().queue(true)));
    }

    /**
     * Adds a disabled queue that refuses messages for receives that are not enabled yet: the program that has sent one
     * ends with an error. Send to such a queue by {@link Queue#sendConfirmed} alone.
     *
     * @return the queue, without entries
     */
    public Queue refusingQueue() {
        return new Queue(builder.add(builder.program()::refusingQueue));
    }

    /**
     * Starts the program. The device runs it to the end by itself. From the first start on nothing can be added to it;
     * buffers can be bound to other memory between runs.
     *
     * @param tag the tag of its messages, at least 0
     * @return a request that is done when the run is over
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if the program is running, or has a wait that no
     *     entry can ever end, or queues that are not enabled to their end; of class {@link ErrorClass#TAG} if the tag
     *     is below zero
     */
    public Request start(int tag) {
        return new Request(on, builder.program(), builder.start(tag));
    }

    private Buffer own(String argument, Buffer buffer) {
        if (buffer == null || buffer.work() != this) {
            throw on.error(ErrorClass.ARGUMENT, "argument " + argument
                    + (buffer == null ? " is null" : " is a buffer of another program"));
        }
        return buffer;
    }

    /** A buffer that an entry writes to. */
    private Buffer written(String argument, Buffer buffer) {
        if (own(argument, buffer).whole.obstacle != null) {
            throw on.error(ErrorClass.BUFFER, "argument " + argument + buffer.whole.obstacle);
        }
        buffer.whole.written = true;
        return buffer;
    }

    /** Throws unless two buffers hold the same number of elements of types that fit. */
    private void checkAlike(String argument, Buffer buffer, String otherArgument, Buffer other) {
        if (!ElementType.compatible(buffer.type.code(), other.type.code())) {
            throw on.error(ErrorClass.TYPE, "argument " + argument + " is of " + buffer.type + ", " + otherArgument
                    + " of " + other.type);
        }
        if (buffer.bytes() != other.bytes()) {
            throw on.error(ErrorClass.COUNT, "argument " + argument + " has " + buffer.bytes() + " bytes, "
                    + otherArgument + " has " + other.bytes());
        }
    }

    private int combination(Op op, Buffer target, Buffer operand) {
        ElementType type = target.type == ElementType.RAW ? operand.type : target.type;
        return builder.combination(Op.operator(op), type, target.bytes());
    }

    /** Elements in memory of this rank that entries of one program send, receive, combine and copy. */
    public final class Buffer {
        private final int number;
        private final ElementType type;
        /** The first element and how many, in the buffer that was added to the program. */
        private final long offset;
        private final long length;
        /** That buffer. */
        private final Buffer whole;
        /** Why no entry can write to it; null if one can. */
        private String obstacle;
        /** Whether an entry writes to it. */
        private boolean written;

        private Buffer(int number, ElementType type, long offset, long length, Buffer whole) {
            this.number = number;
            this.type = type;
            this.offset = offset;
            this.length = length;
            this.whole = whole == null ? this : whole;
        }

        /**
         * Returns the number of elements.
         *
         * @return the number of elements; for memory without a type, of bytes
         */
        public long length() {
            return length;
        }

        /**
         * Returns a part of this buffer, which is bound to other memory together with it.
         *
         * @param from the first element
         * @param count how many elements
         * @return the part
         * @throws RankwireException of class {@link ErrorClass#COUNT} if the part is not within this buffer
         */
        public Buffer slice(long from, long count) {
            if (from < 0 || count < 0 || from > length - count) {
                throw on.error(ErrorClass.COUNT, "arguments from " + from + " and count " + count
                        + " do not fit a buffer of length " + length);
            }
            return new Buffer(number, type, offset + from, count, whole);
        }

        /**
         * Binds this buffer to other memory, for the runs to come.
         *
         * @param memory memory of the same type, which may be longer than this buffer
         * @throws RankwireException of class {@link ErrorClass#TYPE} or {@link ErrorClass#COUNT} if the memory does not
         *     fit, of class {@link ErrorClass#ARGUMENT} if the program is running or this buffer is a slice
         */
        public void bind(Object memory) {
            ElementType given = on.typeOf(memory);
            bind(memory, given, Buffers.length(memory), Buffers.base(memory), Buffers.start(memory), false);
        }

        /**
         * Binds this buffer to the elements of datatypes, as they lie in other memory, for the runs to come.
         *
         * @param memory a primitive array, {@code ByteBuffer} or {@code MemorySegment}
         * @param from where the first datatype has its byte 0, in elements of the memory
         * @param count how many datatypes
         * @param type the datatype
         * @throws RankwireException of class {@link ErrorClass#TYPE} or {@link ErrorClass#COUNT} if the memory does not
         *     fit, of class {@link ErrorClass#ARGUMENT} if the program is running or this buffer is a slice
         */
        public void bind(Object memory, long from, long count, Datatype type) {
            Layout layout = Datatype.layout(type);
            Object view = TypedViews.source(on, memory, from, count, layout);
            bind(memory, layout.element(), layout.bytes(count) / layout.element().bytes(), view,
                    TypedViews.start(view, memory, from, layout), layout.overlaps(count));
        }

        private void bind(Object memory, ElementType given, long room, Object base, long start, boolean overlaps) {
            if (whole != this) {
                throw on.error(ErrorClass.ARGUMENT, "a slice cannot be bound; bind the buffer that it is a part of");
            }
            if (given != type) {
                throw on.error(ErrorClass.TYPE, "argument memory is of " + given + ", the buffer of " + type);
            }
            if (room < length) {
                throw on.error(ErrorClass.COUNT, "argument memory has " + room + " elements, the buffer " + length);
            }
            String found = Buffers.isReadOnly(memory) ? ": its memory is read-only, and an entry writes to it"
                    : overlaps ? ": its datatype names a byte twice, and an entry writes to it" : null;
            if (written && found != null) {
                throw on.error(ErrorClass.BUFFER, "argument memory" + found);
            }
            builder.bind(number, base, start);
            obstacle = found;
        }

        private Work work() {
            return Work.this;
        }

        private long at() {
            return offset * type.bytes();
        }

        private long bytes() {
            return length * type.bytes();
        }
    }

    /**
     * A queue of entries, which the device works off in order. Each call appends one entry, unless it says otherwise,
     * and returns the queue.
     */
    public final class Queue {
        private final WorkQueue queue;

        private Queue(WorkQueue queue) {
            this.queue = queue;
        }

        /**
         * Appends the start of a send.
         *
         * @param dest the rank to send to
         * @param buffer what to send
         * @param counter the counter that advances when the buffer may be changed again
         * @return this queue
         */
        public Queue send(int dest, Buffer buffer, int counter) {
            int peer = builder.message("dest", dest, counter);
            own("buffer", buffer);
            return added(() -> queue.send(peer, buffer.number, buffer.at(), buffer.bytes(), buffer.type, counter));
        }

        /**
         * Appends the start of a send that is over when a receive has taken the message. If that receive is in a
         * {@linkplain Work#refusingQueue refusing queue} and not enabled, it refuses, and this program ends with an
         * error.
         *
         * @param dest the rank to send to
         * @param buffer what to send
         * @param counter the counter that advances when a receive has taken the message
         * @return this queue
         */
        public Queue sendConfirmed(int dest, Buffer buffer, int counter) {
            int peer = builder.message("dest", dest, counter);
            own("buffer", buffer);
            return added(() -> queue.sendConfirmed(
                    peer, buffer.number, buffer.at(), buffer.bytes(), buffer.type, counter));
        }

        /**
         * Appends the start of a send whose message names the counter that it advances where it arrives: the other rank
         * takes it by {@link #receiveNamed}.
         *
         * @param dest the rank to send to
         * @param counterThere the number of the counter in that rank's program, which the device writes into the first
         *     8 bytes of the buffer
         * @param buffer what to send, these 8 bytes included
         * @param counter the counter that advances when the buffer may be changed again
         * @return this queue
         */
        public Queue sendNaming(int dest, int counterThere, Buffer buffer, int counter) {
            int peer = builder.message("dest", dest, counter);
            written("buffer", buffer);
            return added(() -> queue.sendNaming(
                    peer, counterThere, buffer.number, buffer.at(), buffer.bytes(), buffer.type, counter));
        }

        /**
         * Appends the start of a receive of exactly the buffer's length.
         *
         * @param source the rank to receive from
         * @param into where the message goes
         * @param counter the counter that advances when the message is in the buffer
         * @return this queue
         */
        public Queue receive(int source, Buffer into, int counter) {
            int peer = builder.message("source", source, counter);
            written("into", into);
            return added(() -> queue.receive(peer, into.number, into.at(), into.bytes(), into.type, counter));
        }

        /**
         * Appends the start of a receive that combines what comes with local elements on its way into the buffer.
         *
         * @param source the rank to receive from
         * @param into where the results go
         * @param local the elements to combine with, as many; this may be the same buffer
         * @param op how two elements become one
         * @param comingFirst whether the elements that come are the left operands; no matter if the operation commutes
         * @param counter the counter that advances when the results are in the buffer
         * @return this queue
         */
        public Queue receiveCombine(int source, Buffer into, Buffer local, Op op, boolean comingFirst, int counter) {
            int peer = builder.message("source", source, counter);
            written("into", into);
            checkAlike("into", into, "local", own("local", local));
            int combination = combination(op, into, local);
            return added(() -> queue.receiveCombine(peer, into.number, into.at(), local.number, local.at(),
                    into.bytes(), into.type, combination, comingFirst, counter));
        }

        /**
         * Appends the receive of a message that names, in its first 8 bytes, the counter that it advances. It holds the
         * queue until the message has come.
         *
         * @param source the rank to receive from, which sends by {@link #sendNaming}
         * @param into where the message goes, these 8 bytes included
         * @return this queue
         */
        public Queue receiveNamed(int source, Buffer into) {
            int peer = builder.peer("source", source);
            written("into", into);
            return added(() -> queue.receiveNamed(peer, into.number, into.at(), into.bytes(), into.type));
        }

        /**
         * Appends a wait: it holds the queue until a counter has come to a value.
         *
         * @param counter the counter
         * @param value the value, at least 0
         * @return this queue
         */
        public Queue await(int counter, long value) {
            builder.checkCounter(counter);
            return added(() -> queue.await(counter, value));
        }

        /**
         * Appends an entry that lets another queue go on by one entry.
         *
         * @param other a disabled queue of the same program
         * @return this queue
         */
        public Queue enable(Queue other) {
            int number = numberOf(other);
            return added(() -> queue.enableReceives(number));
        }

        /**
         * Appends an entry that lets another queue go on to an entry.
         *
         * @param other a disabled queue of the same program
         * @param entries how many entries of that queue are then enabled in all
         * @return this queue
         */
        public Queue enable(Queue other, int entries) {
            int number = numberOf(other);
            return added(() -> queue.enableReceives(number, entries));
        }

        /**
         * Appends a calculation: {@code target[i] = target[i] op operand[i]}.
         *
         * @param op how two elements become one
         * @param target the left operands, which take the results
         * @param operand the right operands, as many
         * @return this queue
         */
        public Queue combine(Op op, Buffer target, Buffer operand) {
            return combine(op, target, operand, false);
        }

        /**
         * Appends a calculation with the operands in one order or the other.
         *
         * @param op how two elements become one
         * @param target one of the operands, which takes the results
         * @param operand the other, of as many elements
         * @param operandFirst true for {@code operand[i] op target[i]}, false for {@code target[i] op operand[i]}
         * @return this queue
         */
        public Queue combine(Op op, Buffer target, Buffer operand, boolean operandFirst) {
            written("target", target);
            checkAlike("target", target, "operand", own("operand", operand));
            int combination = combination(op, target, operand);
            return added(() -> queue.calc(combination, target.number, target.at(), operand.number, operand.at(),
                    target.bytes(), operandFirst));
        }

        /**
         * Appends a calculation with several arguments, which are combined in their order. The result goes into each of
         * the targets and is sent to each of the ranks. These are as many entries as it takes.
         *
         * @param op how two elements become one
         * @param arguments at least one; one of them may be the first target
         * @param targets at least one
         * @param counter the counter that advances with each send
         * @param dests the ranks to send to, if any
         * @return this queue
         */
        public Queue combine(Op op, List<Buffer> arguments, List<Buffer> targets, int counter, int... dests) {
            if (arguments.isEmpty() || targets.isEmpty()) {
                throw on.error(ErrorClass.ARGUMENT, "argument " + (arguments.isEmpty() ? "arguments" : "targets")
                        + " is empty");
            }
            Buffer first = written("targets", targets.get(0));
            List<Place> to = new ArrayList<>();
            for (Buffer target : targets) {
                checkAlike("targets", written("targets", target), "the first of them", first);
                to.add(new Place(target.number, target.at()));
            }
            List<Place> from = new ArrayList<>();
            int combination = -1;
            for (Buffer argument : arguments) {
                checkAlike("arguments", own("arguments", argument), "targets", first);
                from.add(new Place(argument.number, argument.at()));
                combination = combination(op, first, argument);
            }
            int used = combination;
            int[] peers = new int[dests.length];
            for (int i = 0; i < dests.length; i++) {
                peers[i] = builder.message("dests", dests[i], counter);
            }
            return added(() -> queue.calc(used, from, to, first.bytes(), first.type, counter, peers));
        }

        /**
         * Appends a copy.
         *
         * @param from the elements to copy
         * @param to where they go: as many, of the same type
         * @return this queue
         */
        public Queue copy(Buffer from, Buffer to) {
            checkAlike("from", own("from", from), "to", written("to", to));
            return added(() -> queue.copy(from.number, from.at(), to.number, to.at(), from.bytes()));
        }

        /**
         * Appends the streaming of a long message from one rank to another: the device receives it in chunks and sends
         * each on, over slots of one buffer. It holds the queue until the last chunk has gone.
         *
         * @param source the rank to receive chunks from
         * @param dest the rank to send them to
         * @param through the buffer, from its beginning, for a number of slots of one chunk
         * @param chunk elements of a chunk; the last one may be shorter
         * @param slots how many slots, at most 64
         * @param count elements of the whole message
         * @param counter the counter that advances with each chunk sent
         * @return this queue
         */
        public Queue pipe(int source, int dest, Buffer through, long chunk, int slots, long count, int counter) {
            int from = builder.message("source", source, counter);
            written("through", through);
            int to = builder.peer("dest", dest);
            if (through.offset != 0) {
                throw on.error(ErrorClass.ARGUMENT, "argument through: a slice that begins at " + through.offset
                        + "; a pipe needs a buffer from its beginning");
            }
            int size = through.type.bytes();
            return added(() -> queue.pipe(
                    from, to, through.number, chunk * size, slots, count * size, through.type, counter));
        }

        /**
         * Returns the number of entries so far.
         *
         * @return what to give {@link #enable(Queue, int)} for all of them
         */
        public int size() {
            return queue.size();
        }

        private int numberOf(Queue other) {
            if (other == null || other.work() != Work.this) {
                throw on.error(ErrorClass.ARGUMENT, "argument other"
                        + (other == null ? " is null" : " is a queue of another program"));
            }
            return other.queue.number();
        }

        private Work work() {
            return Work.this;
        }

        private Queue added(Supplier<WorkQueue> entry) {
            builder.add(entry);
            return this;
        }
    }
}
