package io.rankwire.device;

import io.rankwire.device.transfer.PeerTransfers;
import io.rankwire.fabric.Port;

/** The ranks that a device speaks with, itself among them; the state of each is made at its first use. */
public final class Peers {
    private final Peer[] peers;
    private final Port port;
    private final int self;
    private final long firstQuota;
    private final DeviceConfig config;
    final Counts counts;

    Peers(Port port, DeviceConfig config) {
        this.port = port;
        this.self = port.self();
        this.peers = new Peer[port.peers()];
        this.firstQuota = config.firstQuota(peers.length);
        this.config = config;
        this.counts = new Counts(self);
    }

    /** What the device counts. */
    public Counts counts() {
        return counts;
    }

    Port port() {
        return port;
    }

    /** What is known of a rank, or null if nothing is. */
    Peer known(int rank) {
        return peers[rank];
    }

    public int count() {
        return peers.length;
    }

    /** This rank. */
    public int self() {
        return self;
    }

    public Peer get(int rank) {
        Peer peer = peers[rank];
        return peer != null ? peer : open(rank);
    }

    /** The same for a rank that is dead: what is not open is not opened. */
    Peer lost(int rank) {
        if (peers[rank] == null) {
            int most = port.traits().maxPayload();
            peers[rank] = new Peer(rank, Losses.NOWHERE, firstQuota, 0, new PeerTransfers(most, most), counts);
            if (config.mayRefuse()) {
                peers[rank].mayRefuse();
            }
        }
        return peers[rank];
    }

    private Peer open(int rank) {
        PeerTransfers transfers = new PeerTransfers(port.maxPayload(rank), port.mostWhole(rank));
        int eagerBytes = config.mostEager(port.maxPayload(rank), port.mostWhole(rank));
        peers[rank] = new Peer(rank, rank == self ? null : port.outlet(rank), firstQuota, eagerBytes, transfers,
                counts);
        if (config.mayRefuse() && rank != self) {
            peers[rank].mayRefuse();
        }
        return peers[rank];
    }

    /**
     * Gives back what is kept for a peer, if it says no more than what is made at the first use.
     *
     * @return false if something has to be kept, for now
     */
    public boolean forget(int rank) {
        if (peers[rank] != null && !(peers[rank].isAsNew(firstQuota) && port.forget(rank))) {
            return false;
        }
        peers[rank] = null;
        return true;
    }

    /** The peers that something is kept for. */
    public int known() {
        int known = 0;
        for (Peer peer : peers) {
            known += peer == null ? 0 : 1;
        }
        return known;
    }

    /** Reads what the next message of a peer needs, see {@link Foresight}. */
    long touch(int rank) {
        Peer peer = peers[rank];
        return peer == null ? 0 : peer.returned;
    }
}
