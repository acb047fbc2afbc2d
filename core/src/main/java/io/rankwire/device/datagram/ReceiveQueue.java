package io.rankwire.device.datagram;

import io.rankwire.device.Code;
import io.rankwire.type.Copy;
import java.lang.foreign.MemorySegment;

/**
 * A datagram receive queue: a ring of fixed entries in host memory. Software moves the head, the device moves the tail.
 * An armed queue wakes its owner when the tail moves.
 */
public final class ReceiveQueue {
    private final int id;
    private final byte[] base;
    private final int entries;
    private final int entryBytes;
    private final int[] lengths;
    private final int[] nodes;
    private final int[] queues;
    private volatile Runnable armed;
    private volatile long head;
    private volatile long tail;

    ReceiveQueue(int id, int entries, int entryBytes) {
        this.id = id;
        this.entries = entries;
        this.entryBytes = entryBytes;
        this.base = new byte[entries * entryBytes];
        this.lengths = new int[entries];
        this.nodes = new int[entries];
        this.queues = new int[entries];
    }

    public int id() {
        return id;
    }

    public int entryBytes() {
        return entryBytes;
    }

    public boolean isEmpty() {
        return head == tail;
    }

    /** Has {@code wake} run once, by the device, when the next message lies here; polling needs none. Null disarms. */
    public void arm(Runnable wake) {
        armed = wake;
    }

    public boolean armed() {
        return armed != null;
    }

    /** Sender's node of the message at the head. */
    public int node() {
        return nodes[slot(head)];
    }

    /** Sender's queue of the message at the head. */
    public int queue() {
        return queues[slot(head)];
    }

    /** Bytes of the message at the head. */
    public int length() {
        return lengths[slot(head)];
    }

    /** Copies from the message at the head. */
    public void read(int from, byte[] to, int offset, int bytes) {
        System.arraycopy(base, slot(head) * entryBytes + from, to, offset, bytes);
    }

    /** Software is done with the message at the head. */
    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    public void advance() {
        assert head != tail;
        head = head + 1;
    }

    /** The device's side: a {@link Code}. */
    int deposit(int node, int queue, MemorySegment memory, long payload, int bytes) {
        if (bytes > entryBytes) {
            return Code.BAD_SIZE;
        }
        if (tail - head == entries) {
            return Code.QUEUE_FULL;
        }
        int slot = slot(tail);
        Copy.in(memory, payload, base, (long) slot * entryBytes, bytes);
        lengths[slot] = bytes;
        nodes[slot] = node;
        queues[slot] = queue;
        tail = tail + 1;
        Runnable wake = armed;
        if (wake != null) {
            armed = null;
            wake.run();
        }
        return Code.OK;
    }

    private int slot(long position) {
        return (int) (position % entries);
    }
}
