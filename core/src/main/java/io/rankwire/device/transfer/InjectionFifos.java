package io.rankwire.device.transfer;

/** The descriptors that wait to be pushed to one peer, in three FIFOs; a higher one goes first. */
final class InjectionFifos {
    /** Puts the receiver waits for. */
    static final int HIGH = 0;
    /** Early pushes. */
    static final int NORMAL = 1;
    /** Sends that no receiver waits for. */
    static final int LOW = 2;
    private static final int COUNT = 3;

    private final Descriptor[] heads = new Descriptor[COUNT];
    private final Descriptor[] tails = new Descriptor[COUNT];

    void add(int priority, Descriptor descriptor) {
        assert !descriptor.queued();
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
        return heads[HIGH] == null && heads[NORMAL] == null && heads[LOW] == null;
    }
}
