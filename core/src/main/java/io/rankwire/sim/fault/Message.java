package io.rankwire.sim.fault;

import io.rankwire.device.Operation;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** A message from its send on. */
final class Message {
    final int id;
    final int from;
    final int to;
    final int context;
    final int tag;
    final int type;
    final int bytes;
    Operation.Mode mode;
    /** What the device reads: an array, or a segment. */
    Object buffer;
    Operation send;
    Receipt met;
    boolean withdrawn;

    Message(int id, int from, int to, int context, int tag, int type, int bytes) {
        this.id = id;
        this.from = from;
        this.to = to;
        this.context = context;
        this.tag = tag;
        this.type = type;
        this.bytes = bytes;
    }

    static byte at(int id, int i) {
        return (byte) (i * (id * 2 + 1) + (i >> 7) + id);
    }

    static byte[] content(int id, int bytes) {
        byte[] content = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            content[i] = at(id, i);
        }
        return content;
    }

    /** The sender's buffer is its own again, and is used for something else. */
    void spoil() {
        if (buffer instanceof byte[] array) {
            Arrays.fill(array, (byte) 0x55);
        } else {
            ((MemorySegment) buffer).fill((byte) 0x55);
        }
    }

    boolean meets(int context, int from, int tag) {
        return this.context == context && (from == MatchModel.ANY || from == this.from)
                && (tag == MatchModel.ANY || tag == this.tag);
    }

    @Override
    public String toString() {
        return "message " + id + " (" + mode + ", " + bytes + " bytes, context " + context + ", tag " + tag
                + ") from rank " + from + " to rank " + to;
    }
}
