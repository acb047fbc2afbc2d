package io.rankwire.device.transfer;

import io.rankwire.device.Priorities;

/**
 * The descriptors that wait to be pushed to one peer, in FIFOs; a higher one goes first, chunk by chunk. They move
 * bytes: memory-FIFO sends and direct puts. A request to send and a remote get are frames without bytes of a message,
 * which {@link io.rankwire.device.ControlFrames} and announcements write at once; the remote get injects its put here.
 */
final class InjectionFifos {
    /** What the program has declared urgent. */
    static final int URGENT = 0;
    /** Puts that a remote get or another answer has injected: the receiver waits for them. */
    static final int HIGH = 1;
    /** Early pushes, and puts of messages so large that they go one put after another. */
    static final int NORMAL = 2;
    /** What the program has declared not urgent. */
    static final int LOW = 3;
    private static final int COUNT = 4;

    private final Descriptor[] heads = new Descriptor[COUNT];
    private final Descriptor[] tails = new Descriptor[COUNT];

    /**
     * Adds a descriptor.
     *
     * @param usual the FIFO for a message of usual priority
     */
    void add(int usual, Descriptor descriptor) {
        assert !descriptor.queued();
        int priority = switch (descriptor.owner().operation.priority()) {
            case Priorities.HIGH -> URGENT;
            case Priorities.LOW -> LOW;
            default -> usual;
        };
        descriptor.priority = priority;
        descriptor.next = null;
        descriptor.previous = tails[priority];
        if (tails[priority] == null) {
            heads[priority] = descriptor;
        } else {
            tails[priority].next = descriptor;
        }
        tails[priority] = descriptor;
    }

    void remove(Descriptor descriptor) {
        int priority = descriptor.priority;
        if (descriptor.previous == null) {
            heads[priority] = descriptor.next;
        } else {
            descriptor.previous.next = descriptor.next;
        }
        if (descriptor.next == null) {
            tails[priority] = descriptor.previous;
        } else {
            descriptor.next.previous = descriptor.previous;
        }
        descriptor.next = null;
        descriptor.previous = null;
        descriptor.priority = Descriptor.NOT_QUEUED;
    }

    /** The descriptor whose turn it is, or null. */
    Descriptor first() {
        for (Descriptor head : heads) {
            if (head != null) {
                return head;
            }
        }
        return null;
    }

    boolean isEmpty() {
        return first() == null;
    }
}
