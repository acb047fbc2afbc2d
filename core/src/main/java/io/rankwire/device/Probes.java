package io.rankwire.device;

import io.rankwire.device.match.Matching;
import io.rankwire.memory.Words;
import io.rankwire.wire.MatchWord;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Messages without a receive, as the calls that ask for them see them: a probe finds one and may take it off its queue,
 * and then no other receive can meet it.
 *
 * <p>An entry is good until the next call of the device.
 */
public final class Probes {
    /** What {@link #find} gives if there is no message, and for one that its sender keeps for want of credit. */
    public static final int NONE = -1;
    public static final int KEPT = -2;

    private final QueueTable queues;
    private final Operations operations;
    private final Inbound inbound;
    private final Wants wants;
    private final HeaderOverflow overflow;
    /** Null in a real run. */
    private final Hardware hardware;
    private final NetworkMatching network;
    private final Set<Lent> lent = new LinkedHashSet<>();

    Probes(QueueTable queues, Operations operations, Inbound inbound, Wants wants, HeaderOverflow overflow,
            Hardware hardware, NetworkMatching network) {
        this.network = network;
        this.queues = queues;
        this.operations = operations;
        this.inbound = inbound;
        this.wants = wants;
        this.overflow = overflow;
        this.hardware = hardware;
    }

    /** The entry of the earliest message that matches, or KEPT or NONE. */
    public int find(int context, int from, int tag) {
        network.stop(context);
        int entry = queues.get(context).search(MatchWord.of(from, tag));
        if (entry < 0) {
            overflow.probed();
        }
        return entry >= 0 || !wants.isActive() ? entry : wants.probe(context, from, tag);
    }

    /** The message of an entry. */
    public Unexpected look(int context, int entry) {
        Matching queue = queues.get(context);
        return entry == KEPT ? wants.look()
                : new Unexpected(context, queue.word(entry), queue.description(entry), queue.payload(entry));
    }

    /** Takes a message that was found off its queue, for {@link #receive}. */
    public Unexpected take(int context, int entry) {
        if (entry == KEPT) {
            return wants.take();
        }
        Unexpected taken = look(context, entry);
        Matching queue = queues.get(context);
        queue.take(entry);
        queue.release(entry);
        return taken;
    }

    /** Receives a message that {@link #take} took off its queue. */
    public Operation receive(Unexpected taken, Object buffer, long offset, long bytes, int elementType) {
        Operation operation = operations.take();
        operation.fill(taken.context(), taken.source(), taken.tag(), buffer, offset, bytes, elementType);
        operation.beginReceive();
        operation.entry = -1;
        inbound.consume(operation, taken.word(), taken.description(), taken.payload());
        if (hardware != null) {
            hardware.copied(Unexpected.storedBytes(taken.description()));
        }
        return operation;
    }

    /**
     * Lends a message that {@link #take} took off its queue where it lies, instead of {@link #receive}: until {@link
     * #giveBack} it holds its place and the credit of its sender. Null if it does not lie here in one piece.
     *
     * @param end ends the view, where {@link Words#reachAll} allows that; closed when the message is given back
     */
    public Lent lend(Unexpected taken, Arena end) {
        MemorySegment memory = inbound.lend(taken);
        boolean ends = memory != null && memory.isNative() && Words.reachAll();
        return memory == null ? null : add(taken, true, end, ends ? Words.until(memory, end) : memory);
    }

    /** The same of a message that was received into memory of the arena. */
    public Lent lendCopy(Unexpected taken, Arena end, MemorySegment copy) {
        return add(taken, false, end, copy);
    }

    private Lent add(Unexpected message, boolean inPlace, Arena end, MemorySegment memory) {
        Lent one = new Lent(message, inPlace, end, memory);
        lent.add(one);
        return one;
    }

    /** Takes back what was lent. */
    public void giveBack(Lent one) {
        if (lent.remove(one) && one.inPlace()) {
            inbound.giveBack(one.message());
        }
    }

    /** Messages that were lent and not given back, in that order. */
    public List<Lent> lent() {
        return List.copyOf(lent);
    }

    /** The earliest message of a context, or a negative number. */
    public int first(int context) {
        return queues.get(context).firstUnexpected();
    }

    /** The message behind another, or a negative number. */
    public int next(int context, int entry) {
        return queues.get(context).nextUnexpected(entry);
    }
}
