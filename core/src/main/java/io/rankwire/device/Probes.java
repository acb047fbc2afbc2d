package io.rankwire.device;

import io.rankwire.device.match.Matching;
import io.rankwire.wire.MatchWord;

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

    Probes(QueueTable queues, Operations operations, Inbound inbound, Wants wants) {
        this.queues = queues;
        this.operations = operations;
        this.inbound = inbound;
        this.wants = wants;
    }

    /** The entry of the earliest message that matches, or KEPT or NONE. */
    public int find(int context, int from, int tag) {
        int entry = queues.get(context).search(MatchWord.of(from, tag));
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
        return operation;
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
