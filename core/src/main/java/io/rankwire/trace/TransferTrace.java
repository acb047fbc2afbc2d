package io.rankwire.trace;

/** The event of a large message that is under way. Apart from its class, so that {@link TransferEvent} loads late. */
public final class TransferTrace {
    private final TransferEvent event;

    private TransferTrace(TransferEvent event) {
        this.event = event;
        event.begin();
    }

    /** A message begins; null unless a recording wants it. */
    public static TransferTrace begin() {
        return Trace.on ? beginEnabled() : null;
    }

    private static TransferTrace beginEnabled() {
        TransferEvent event = new TransferEvent();
        return event.isEnabled() ? new TransferTrace(event) : null;
    }

    public void end(int rank, int peer, boolean sent, int tag, long bytes, String way, long early) {
        event.end();
        if (event.shouldCommit()) {
            event.rank = rank;
            event.peer = peer;
            event.sent = sent;
            event.tag = tag;
            event.bytes = bytes;
            event.way = way;
            event.early = early;
            event.commit();
        }
    }
}
