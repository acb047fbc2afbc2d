package io.rankwire.device.transfer;

import io.rankwire.device.Operation;
import io.rankwire.wire.Frame;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;

/** The state of the large messages that are exchanged with one peer. */
public final class PeerTransfers {
    private static final int LEAST_QUANTUM = 4;
    private static final int MOST_QUANTUM = 16;
    /** Longer chunks, on fabrics with large frames, go one a round. */
    private static final int LONG_CHUNK = 64 << 10;

    /** Sends with bytes to push. */
    final InjectionFifos injection = new InjectionFifos();
    final EarlyQuota early;
    /** Most bytes of a large message in one frame. */
    final int chunkBytes;
    /** Frames that the peer may get in one round of progress, so that no transfer holds up small messages. */
    final int quantum;
    /** Sends that have ended but for bytes that the port may have to read again from their buffers, in their order. */
    final Queue<Operation> lending = new ArrayDeque<>();
    /** Rounds of progress that have moved nothing since such a send ended. */
    int idle;
    /** What is known of the peer's announced messages beside their headers, by send id. */
    private Announced[] announced = new Announced[0];

    /**
     * @param maxPayload most bytes of payload that a frame to the peer takes
     * @param mostWhole bytes up to which a message should go without waiting for an answer, as far as the port knows
     */
    public PeerTransfers(int maxPayload, int mostWhole) {
        chunkBytes = maxPayload - Frame.DATA_LEAD & ~63;
        quantum = chunkBytes > LONG_CHUNK ? 1 : Math.clamp(mostWhole / 4 / chunkBytes, LEAST_QUANTUM, MOST_QUANTUM);
        early = new EarlyQuota(chunkBytes, Math.max(4L * maxPayload, mostWhole));
    }

    /** Whether some send has bytes to push. */
    public boolean hasWork() {
        return !injection.isEmpty();
    }

    /** Whether some send waits for its buffer. */
    public boolean isLending() {
        return !lending.isEmpty();
    }

    /** The first number that is no send id of a message known here. */
    int announcedEnd() {
        return announced.length;
    }

    Announced announced(int sendId) {
        return sendId < announced.length ? announced[sendId] : null;
    }

    void announced(int sendId, Announced known) {
        if (sendId >= announced.length) {
            announced = Arrays.copyOf(announced, Math.max(16, 2 * sendId));
        }
        announced[sendId] = known;
    }
}
