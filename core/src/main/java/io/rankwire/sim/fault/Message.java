package io.rankwire.sim.fault;

import io.rankwire.device.Operation;
import java.util.List;

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
    Room room;
    Operation send;
    Receipt met;
    boolean withdrawn;
    /** Whether it comes in several frames, so that it is not complete when the first has come. */
    boolean comesInParts;
    /** Messages of its wire that it has passed, if its sender was out of credit and offered it; else null. */
    List<Message> passed;
    /** Whether it was to be cancelled, and what its send ended with; kept where that is judged in the end. */
    boolean asked;
    int code;

    Message(int id, int from, int to, int context, int tag, int type, int bytes) {
        this.id = id;
        this.from = from;
        this.to = to;
        this.context = context;
        this.tag = tag;
        this.type = type;
        this.bytes = bytes;
    }

    /** Byte i of the content of a message. */
    static byte at(int id, int i) {
        return (byte) (i * (id * 2 + 1) + (i >> 7) + id);
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
