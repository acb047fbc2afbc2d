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
    private final MemorySegment memory;
    private final int entries;
    private final int entryBytes;
    private final int[] lengths;
    private final int[] nodes;
    private final int[] queues;
    private final long[] stamps;
    private volatile Runnable armed;
    private volatile long head;
    private volatile long tail;

    ReceiveQueue(int id, int entries, int entryBytes) {
        this.id = id;
        this.entries = entries;
        this.entryBytes = entryBytes;
        this.base = new byte[Math.multiplyExact(entries, entryBytes)];
        this.memory = MemorySegment.ofArray(base);
        this.lengths = new int[entries];
        this.nodes = new int[entries];
        this.queues = new int[entries];
        this.stamps = new long[entries];
    }

    public int id() {
        return id;
    }

    public int entries() {
        return entries;
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

    /** The number of the message at the head among those that came to any queue of the device. */
    public long stamp() {
        return stamps[slot(head)];
    }

    /** Copies from the message at the head to a buffer that {@link Copy} knows, as many bytes as there are. */
    public void read(int from, Object to, long offset, int bytes) {
        long at = (long) slot(head) * entryBytes + from;
        MemorySegment view = Copy.segment(to);
        if (view == null) {
            Copy.in(memory, at, to, offset, bytes);
        } else {
            MemorySegment.copy(memory, at, view, offset, bytes);
        }
    }

    /** Software is done with the message at the head. */
    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    public void advance() {
        assert head != tail;
        head = head + 1;
    }

    /** The device's side: a {@link Code}. */
    int deposit(int node, int queue, MemorySegment payloads, long payload, int bytes, long stamp) {
        if (bytes > entryBytes) {
            return Code.BAD_SIZE;
        }
        if (tail - head == entries) {
            return Code.QUEUE_FULL;
        }
        int slot = slot(tail);
        Copy.in(payloads, payload, base, (long) slot * entryBytes, bytes);
        lengths[slot] = bytes;
        nodes[slot] = node;
        queues[slot] = queue;
        stamps[slot] = stamp;
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
