package io.rankwire.device.datagram;

import io.rankwire.device.Peers;
import java.util.BitSet;

/**
 * The peers that datagrams were exchanged with lately. What the device and the fabric keep for a peer is given back
 * after some seconds without one, unless there were messages of communicators too.
 */
final class RecentPeers {
    private static final long TURN_NS = 1_500_000_000L;

    private final Peers peers;
    /** Those with a datagram in this turn, and those with one before. */
    private final BitSet now = new BitSet();
    private final BitSet before = new BitSet();
    private boolean empty = true;
    private long turnNs;

    RecentPeers(Peers peers) {
        this.peers = peers;
    }

    void add(int rank) {
        now.set(rank);
        empty = false;
    }

    void advance(long nowNs) {
        if (!empty && nowNs - turnNs >= TURN_NS) {
            turnNs = nowNs;
            turn();
        }
    }

    private void turn() {
        for (int rank = before.nextSetBit(0); rank >= 0; rank = before.nextSetBit(rank + 1)) {
            if (!now.get(rank) && peers.forget(rank)) {
                before.clear(rank);
            }
        }
        before.or(now);
        now.clear();
        empty = before.isEmpty();
    }
}
