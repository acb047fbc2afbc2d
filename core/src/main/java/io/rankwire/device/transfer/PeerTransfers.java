package io.rankwire.device.transfer;

import io.rankwire.device.Operation;
import io.rankwire.wire.Frame;
import java.util.ArrayDeque;
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
    /**
     * What is known of the peer's announced messages beside their headers, in a hash table by send id. The ids are the
     * peer's: any number.
     */
    private Announced[] announced = new Announced[0];
    private int[] ids = new int[0];
    private int count;

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

    /** The send ids of the messages known here. */
    int[] announcedIds() {
        int[] result = new int[count];
        int found = 0;
        for (int i = 0; i < ids.length; i++) {
            if (announced[i] != null) {
                result[found++] = ids[i];
            }
        }
        return result;
    }

    Announced announced(int sendId) {
        return count == 0 ? null : announced[place(sendId)];
    }

    /** Keeps what is known of a message of which nothing was known. */
    void announce(int sendId, Announced known) {
        if (2 * count >= ids.length) {
            grow();
        }
        int place = place(sendId);
        ids[place] = sendId;
        announced[place] = known;
        count++;
    }

    /** Forgets a message that is known. Those behind it close the gap: a search ends at an empty place. */
    void forget(int sendId) {
        int mask = ids.length - 1;
        int gap = place(sendId);
        announced[gap] = null;
        count--;
        for (int i = gap + 1 & mask; announced[i] != null; i = i + 1 & mask) {
            if ((i - first(ids[i]) & mask) >= (i - gap & mask)) {
                ids[gap] = ids[i];
                announced[gap] = announced[i];
                announced[i] = null;
                gap = i;
            }
        }
    }

    private int first(int sendId) {
        return sendId * 0x9E37_79B9 >>> 8 & ids.length - 1;
    }

    /** Where an id is, or the empty place where it would be. */
    private int place(int sendId) {
        int i = first(sendId);
        while (announced[i] != null && ids[i] != sendId) {
            i = i + 1 & ids.length - 1;
        }
        return i;
    }

    private void grow() {
        Announced[] before = announced;
        int[] idsBefore = ids;
        announced = new Announced[Math.max(16, 2 * before.length)];
        ids = new int[announced.length];
        for (int i = 0; i < before.length; i++) {
            if (before[i] != null) {
                int place = place(idsBefore[i]);
                ids[place] = idsBefore[i];
                announced[place] = before[i];
            }
        }
    }
}
