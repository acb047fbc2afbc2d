package io.rankwire.sim.fault;

import io.rankwire.device.Operation;

/** A receive from its post on. */
final class Receipt {
    final int rank;
    final int context;
    final int from;
    final int tag;
    final int type;
    final int bytes;
    Room room;
    Operation operation;
    Message message;
    boolean cancelled;
    /** What is in the buffer of one that the loss of its sender has ended; null for others. */
    byte[] left;
    /** Whether it was to be cancelled, and what the cancellation returned; kept where that is judged in the end. */
    boolean asked;
    End ended;

    /** The status of a receive's operation that is done. */
    record End(int code, int source, int tag, long bytes, int type) {}

    Receipt(int rank, int context, int from, int tag, int type, int bytes) {
        this.rank = rank;
        this.context = context;
        this.from = from;
        this.tag = tag;
        this.type = type;
        this.bytes = bytes;
    }

    int most() {
        return room.isGrowing() ? Integer.MAX_VALUE : bytes;
    }

    @Override
    public String toString() {
        return "receive at rank " + rank + " (" + bytes + " bytes, context " + context + ", tag "
                + (tag == MatchModel.ANY ? "any" : tag) + ") from "
                + (from == MatchModel.ANY ? "any rank" : "rank " + from)
                + (message == null ? ", which met nothing" : ", which met " + message);
    }
}
