package io.rankwire.device.transfer;

import io.rankwire.wire.Frame;

/** The state of the large messages that are exchanged with one peer. */
public final class PeerTransfers {
    /** Sends with bytes to push. */
    final InjectionFifos injection = new InjectionFifos();
    final EarlyQuota early;
    /** Most bytes of a large message in one frame. */
    final int chunkBytes;
    /**
     * What is known of the peer's announced messages beside their headers, in a hash table by send id. The ids are the
     * peer's: any number.
     */
    private Announced[] announced = new Announced[0];
    private int[] ids = new int[0];
    private int count;

    /**
     * @param maxPayload most bytes of payload that a frame to the peer takes
     */
    public PeerTransfers(int maxPayload) {
        chunkBytes = maxPayload - Frame.DATA_LEAD & ~63;
        early = new EarlyQuota(chunkBytes, 4L * maxPayload);
    }

    /** Whether some send has bytes to push. */
    public boolean hasWork() {
        return !injection.isEmpty();
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
