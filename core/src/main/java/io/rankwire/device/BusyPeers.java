package io.rankwire.device;

import java.util.Arrays;

/** The peers with something left to send, so that a round of progress visits no others. */
public final class BusyPeers {
    private final Runnable addChore;
    private Peer[] peers = new Peer[4];
    private int count;

    BusyPeers(Runnable addChore) {
        this.addChore = addChore;
    }

    /** Has the next round of progress visit a peer. */
    public void add(Peer peer) {
        if (!peer.busy) {
            peer.busy = true;
            if (count == peers.length) {
                peers = Arrays.copyOf(peers, 2 * count);
            }
            peers[count++] = peer;
            addChore.run();
        }
    }

    int count() {
        return count;
    }

    Peer get(int i) {
        return peers[i];
    }

    void remove(int i) {
        peers[i].busy = false;
        peers[i] = peers[--count];
        peers[count] = null;
    }
}
