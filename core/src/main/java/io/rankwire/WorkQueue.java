package io.rankwire;

import io.rankwire.device.work.Place;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Operator;
import io.rankwire.runtime.WorkBuilder;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A queue of entries, which the device works off in order. Each call appends one entry, unless it says otherwise,
 * and returns the queue.
 */
public final class WorkQueue {
    /** How often {@link #sendConfirmed(int, WorkBuffer, int)} repeats a message: for about a second. */
    private static final int REPEATS = 1_000;

    private final Work work;
    private final Endpoint on;
    private final WorkBuilder builder;
    private final io.rankwire.device.work.WorkQueue queue;

    WorkQueue(Work work, io.rankwire.device.work.WorkQueue queue) {
        this.work = work;
        this.on = work.on();
        this.builder = work.builder();
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
    public WorkQueue send(int dest, WorkBuffer buffer, int counter) {
        int peer = builder.message("dest", dest, counter);
        work.own("buffer", buffer);
        return added(() -> queue.send(peer, buffer.number, buffer.at(), buffer.bytes(), buffer.type, counter));
    }

    /**
     * Appends the start of a send that is over when a receive has taken the message. If that receive is in a
     * {@linkplain Work#refusingQueue refusing queue} and not enabled, the message is discarded there and sent again,
     * with growing pauses, for about a second. Then this program ends with an error.
     *
     * @param dest the rank to send to
     * @param buffer what to send
     * @param counter the counter that advances when a receive has taken the message
     * @return this queue
     */
    public WorkQueue sendConfirmed(int dest, WorkBuffer buffer, int counter) {
        return sendConfirmed(dest, buffer, counter, REPEATS);
    }

    /**
     * As {@link #sendConfirmed(int, WorkBuffer, int)}, with a bound that the program chooses. The first pause is 2 µs;
     * each is twice as long as the one before, up to 1 ms. Confirmed sends of a program to one rank stay in order: the
     * next one begins when the one before is over. Other entries do not wait for that.
     *
     * @param dest the rank to send to
     * @param buffer what to send
     * @param counter the counter that advances when a receive has taken the message
     * @param repeats how often the message is sent again, at least 0
     * @return this queue
     */
    public WorkQueue sendConfirmed(int dest, WorkBuffer buffer, int counter, int repeats) {
        int peer = builder.message("dest", dest, counter);
        work.own("buffer", buffer);
        return added(() -> queue.sendConfirmed(
                peer, buffer.number, buffer.at(), buffer.bytes(), buffer.type, counter, repeats));
    }

    /**
     * Appends the start of a send to the rank that is in memory when this entry is reached: the program decides while
     * it runs, by what it has received, copied or combined into that memory. If it is not a rank of the communicator,
     * the program ends with an error.
     *
     * @param dest one {@code int} or {@code long}: the rank to send to
     * @param buffer what to send
     * @param counter the counter that advances when the buffer may be changed again
     * @return this queue
     */
    public WorkQueue sendTo(WorkBuffer dest, WorkBuffer buffer, int counter) {
        builder.checkCounter(counter);
        Place word = rankIn("dest", dest);
        work.own("buffer", buffer);
        return added(() -> queue.sendTo(
                word, dest.type.bytes(), buffer.number, buffer.at(), buffer.bytes(), buffer.type, counter));
    }

    /**
     * Appends the start of a receive from the rank that is in memory when this entry is reached, as in {@link #sendTo}.
     *
     * @param source one {@code int} or {@code long}: the rank to receive from
     * @param into where the message goes
     * @param counter the counter that advances when the message is in the buffer
     * @return this queue
     */
    public WorkQueue receiveFrom(WorkBuffer source, WorkBuffer into, int counter) {
        builder.checkCounter(counter);
        Place word = rankIn("source", source);
        work.written("into", into);
        return added(() -> queue.receiveFrom(
                word, source.type.bytes(), into.number, into.at(), into.bytes(), into.type, counter));
    }

    private Place rankIn(String argument, WorkBuffer buffer) {
        work.own(argument, buffer);
        if (buffer.length() != 1 || buffer.type != ElementType.INT && buffer.type != ElementType.LONG) {
            throw on.error(ErrorClass.TYPE, "argument " + argument + ": " + buffer.length() + " elements of "
                    + buffer.type + ", where one int or long is the rank");
        }
        return place(buffer);
    }

    private static Place place(WorkBuffer buffer) {
        return new Place(buffer.number, buffer.at());
    }

    /**
     * Appends a datagram: a copy of the buffer, as it is when this entry is reached, goes to a queue of a rank, which
     * takes it with a {@link Datagram}. A full queue is tried again, as by {@link Datagram#sendTo(byte[], int, int)}.
     *
     * @param dest the rank to send to
     * @param queueThere the number of its queue
     * @param buffer what to send, at most {@link Datagram#maxBytes()}
     * @param counter the counter that advances when the datagram lies in the queue
     * @return this queue
     */
    public WorkQueue datagram(int dest, int queueThere, WorkBuffer buffer, int counter) {
        int peer = builder.message("dest", dest, counter);
        work.own("buffer", buffer);
        builder.checkDatagram(queueThere, buffer.bytes());
        return added(() -> queue.datagram(
                peer, queueThere, buffer.number, buffer.at(), (int) buffer.bytes(), counter));
    }

    /**
     * Appends a write to memory of a rank. Like each access to a window, it needs an epoch that is open when this entry
     * is reached; otherwise the program ends with an error.
     *
     * @param from what to write
     * @param to where
     * @param counter the counter that advances when it is written there
     * @return this queue
     */
    public WorkQueue put(WorkBuffer from, WorkTarget to, int counter) {
        builder.checkCounter(counter);
        work.own("from", from);
        long at = work.own(to).check("put", from.type, from.bytes());
        return added(() -> queue.put(to.part(), at, from.number, from.at(), from.bytes(), from.type, counter));
    }

    /**
     * Appends a read of memory of a rank; see {@link #put} about epochs.
     *
     * @param from where to read
     * @param into where the elements go
     * @param counter the counter that advances when they are here
     * @return this queue
     */
    public WorkQueue get(WorkTarget from, WorkBuffer into, int counter) {
        builder.checkCounter(counter);
        work.written("into", into);
        long at = work.own(from).check("get", into.type, into.bytes());
        return added(() -> queue.get(from.part(), at, into.number, into.at(), into.bytes(), into.type, counter));
    }

    /**
     * Appends a combination of elements with those in memory of a rank: {@code to[i] = to[i] op from[i]}, atomic for
     * each element; see {@link #put} about epochs.
     *
     * @param from the right operands
     * @param to the left operands, which take the results
     * @param op one of the operations that {@link Op} has
     * @param counter the counter that advances when the results are there
     * @return this queue
     */
    public WorkQueue accumulate(WorkBuffer from, WorkTarget to, Op op, int counter) {
        builder.checkCounter(counter);
        work.own("from", from);
        Operator operator = Op.operator(op);
        ElementType type = work.own(to).combined("accumulate", from.type, operator);
        long at = to.check("accumulate", type, from.bytes());
        return added(() -> queue.accumulate(to.part(), at, operator.reduction(), from.number, from.at(), from.bytes(),
                type, counter));
    }

    /**
     * As {@link #accumulate}; what was there before comes here.
     *
     * @param from the right operands
     * @param to the left operands, which take the results
     * @param op one of the operations that {@link Op} has
     * @param before where the elements go that were there before, as many as in {@code from}
     * @param counter the counter that advances when they are here
     * @return this queue
     */
    public WorkQueue fetch(WorkBuffer from, WorkTarget to, Op op, WorkBuffer before, int counter) {
        builder.checkCounter(counter);
        work.own("from", from);
        work.checkAlike("before", work.written("before", before), "from", from);
        Operator operator = Op.operator(op);
        ElementType type = work.own(to).combined("fetch", from.type, operator);
        long at = to.check("fetch", type, from.bytes());
        return added(() -> queue.fetch(to.part(), at, operator.reduction(), from.number, from.at(), place(before),
                from.bytes(), type, counter));
    }

    /**
     * Appends an atomic comparison: an element in memory of a rank becomes the value if it is the expected one; see
     * {@link #put} about epochs.
     *
     * @param expected one element, a whole number or a boolean
     * @param value one element
     * @param at the element there
     * @param before one element: takes what was there before
     * @param counter the counter that advances when it is here
     * @return this queue
     */
    public WorkQueue compareAndSwap(
            WorkBuffer expected, WorkBuffer value, WorkTarget at, WorkBuffer before, int counter) {
        builder.checkCounter(counter);
        work.own("expected", expected);
        work.checkAlike("value", work.own("value", value), "expected", expected);
        work.checkAlike("before", work.written("before", before), "expected", expected);
        ElementType type = expected.type;
        if (expected.length() != 1 || !Reduction.BAND.supports(type)) {
            throw on.error(ErrorClass.TYPE, "argument expected: " + expected.length() + " elements of " + type
                    + ", where one whole number or boolean is compared");
        }
        long place = work.own(at).check("compareAndSwap", type, type.bytes());
        return added(() -> queue.compareAndSwap(
                at.part(), place, place(expected), place(value), place(before), type, counter));
    }

    /**
     * Appends the start of a send whose message names the counter that it advances where it arrives: the other rank
     * takes it by {@link #receiveNamed}.
     *
     * @param dest the rank to send to
     * @param counterThere the number of the counter in that rank's program; it travels beside the buffer's bytes
     * @param buffer what to send, all of it bytes of the user; may be empty
     * @param counter the counter that advances when the buffer may be changed again
     * @return this queue
     */
    public WorkQueue sendNaming(int dest, int counterThere, WorkBuffer buffer, int counter) {
        int peer = builder.message("dest", dest, counter);
        work.own("buffer", buffer);
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
    public WorkQueue receive(int source, WorkBuffer into, int counter) {
        int peer = builder.message("source", source, counter);
        work.written("into", into);
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
    public WorkQueue receiveCombine(
            int source, WorkBuffer into, WorkBuffer local, Op op, boolean comingFirst, int counter) {
        int peer = builder.message("source", source, counter);
        work.written("into", into);
        work.checkAlike("into", into, "local", work.own("local", local));
        int combination = work.combination(op, into, local);
        return added(() -> queue.receiveCombine(peer, into.number, into.at(), local.number, local.at(),
                into.bytes(), into.type, combination, comingFirst, counter));
    }

    /**
     * Appends the receive of a message that names the counter that it advances. It holds the queue until the message
     * has come.
     *
     * @param source the rank to receive from, which sends by {@link #sendNaming}
     * @param into where the message goes
     * @return this queue
     */
    public WorkQueue receiveNamed(int source, WorkBuffer into) {
        int peer = builder.peer("source", source);
        work.written("into", into);
        return added(() -> queue.receiveNamed(peer, into.number, into.at(), into.bytes(), into.type));
    }

    /**
     * Appends a wait: it holds the queue until a counter has come to a value.
     *
     * @param counter the counter
     * @param value the value, at least 0
     * @return this queue
     */
    public WorkQueue await(int counter, long value) {
        builder.checkCounter(counter);
        return added(() -> queue.await(counter, value));
    }

    /**
     * Appends a wait for another program of this rank: it holds the queue until a counter of that program has come to a
     * value, in the run that is under way or, when none is, in the last one. The counter wakes this program; nothing
     * polls it. If the other program ends with an error before, this one does, too.
     *
     * @param other a program of the same world
     * @param counter a counter of that program
     * @param value the value, at least 0
     * @return this queue
     */
    public WorkQueue await(Work other, int counter, long value) {
        if (other == null || other.on().host() != on.host()) {
            throw on.error(ErrorClass.ARGUMENT, "argument other" + (other == null ? " is null"
                    : " is a program of another world"));
        }
        other.builder().checkCounter(counter);
        return other == work ? await(counter, value)
                : added(() -> queue.await(other.builder().program(), counter, value));
    }

    /**
     * Appends a wait for requests: it holds the queue until requests of a completion queue are done, with or without an
     * error. Each of them counts once for this program: the count begins when the first such entry is appended, and
     * goes on from entry to entry and from run to run. The requests stay in the completion queue.
     *
     * @param requests the completion queue, of the same world
     * @param count how many more of its requests have to be done, at least 1
     * @return this queue
     */
    public WorkQueue await(CompletionQueue<?> requests, long count) {
        if (requests == null || requests.host() != on.host()) {
            throw on.error(ErrorClass.ARGUMENT, "argument requests" + (requests == null ? " is null"
                    : " is a completion queue of another world"));
        }
        return added(() -> queue.await(requests.table(), count));
    }

    /**
     * Appends an entry that lets another queue go on by one entry.
     *
     * @param other a disabled queue of the same program
     * @return this queue
     */
    public WorkQueue enable(WorkQueue other) {
        int number = numberOf(other);
        return added(() -> queue.enableReceives(number));
    }

    /**
     * Appends an entry that lets another queue go on to an entry: it moves that queue's producer index.
     *
     * @param other a disabled queue of the same program
     * @param entries how many entries of that queue are then enabled in all
     * @return this queue
     */
    public WorkQueue enable(WorkQueue other, int entries) {
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
    public WorkQueue combine(Op op, WorkBuffer target, WorkBuffer operand) {
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
    public WorkQueue combine(Op op, WorkBuffer target, WorkBuffer operand, boolean operandFirst) {
        work.written("target", target);
        work.checkAlike("target", target, "operand", work.own("operand", operand));
        int combination = work.combination(op, target, operand);
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
    public WorkQueue combine(Op op, List<WorkBuffer> arguments, List<WorkBuffer> targets, int counter, int... dests) {
        if (arguments.isEmpty() || targets.isEmpty()) {
            throw on.error(ErrorClass.ARGUMENT, "argument " + (arguments.isEmpty() ? "arguments" : "targets")
                    + " is empty");
        }
        WorkBuffer first = work.written("targets", targets.get(0));
        List<Place> to = new ArrayList<>();
        for (WorkBuffer target : targets) {
            work.checkAlike("targets", work.written("targets", target), "the first of them", first);
            to.add(new Place(target.number, target.at()));
        }
        List<Place> from = new ArrayList<>();
        int combination = -1;
        for (WorkBuffer argument : arguments) {
            work.checkAlike("arguments", work.own("arguments", argument), "targets", first);
            from.add(new Place(argument.number, argument.at()));
            combination = work.combination(op, first, argument);
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
    public WorkQueue copy(WorkBuffer from, WorkBuffer to) {
        work.checkAlike("from", work.own("from", from), "to", work.written("to", to));
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
    public WorkQueue pipe(int source, int dest, WorkBuffer through, long chunk, int slots, long count, int counter) {
        int from = builder.message("source", source, counter);
        work.written("through", through);
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
     * @return what to give {@link #enable(WorkQueue, int)} for all of them
     */
    public int size() {
        return queue.size();
    }

    private int numberOf(WorkQueue other) {
        if (other == null || other.work != work) {
            throw on.error(ErrorClass.ARGUMENT, "argument other"
                    + (other == null ? " is null" : " is a queue of another program"));
        }
        return other.queue.number();
    }

    private WorkQueue added(Supplier<?> entry) {
        builder.add(entry);
        return this;
    }
}
