package io.rankwire.device;

import io.rankwire.wire.Frame;

/**
 * The credit that this rank gives to its senders. A message that is here without a receive holds units of its sender's
 * credit; they go back when it leaves. A sender that runs out gets a larger quota while the bound of this rank allows.
 */
public final class Credit {
    private final ControlFrames control;
    private final DeviceEvents events;
    private final long firstQuota;
    private final int fragmentShift;
    private final int fragmentUnits;
    /** Units that no peer's quota holds. */
    private long pool;
    private boolean poolShort;

    Credit(DeviceConfig config, int peers, ControlFrames control, DeviceEvents events) {
        this.control = control;
        this.events = events;
        this.firstQuota = config.firstQuota(peers);
        this.fragmentShift = Integer.numberOfTrailingZeros(config.fragmentBytes());
        this.fragmentUnits = config.fragmentBytes() / DeviceConfig.UNIT;
        this.pool = Math.max(0, config.capUnits() - firstQuota * peers);
    }

    /** Units that a message takes while it waits for its receive, by the bytes of its payload. */
    public long units(long payloadBytes) {
        return 1 + fragmentUnits * (payloadBytes + (1L << fragmentShift) - 1 >>> fragmentShift);
    }

    /** A message of a peer, or a part of one, stays here; only what its credit covers may. */
    public void hold(Peer peer, long units) {
        if (units > peer.granted - peer.returned - peer.held) {
            throw overdrawn(peer, units);
        }
        peer.held += units;
    }

    private static Violation overdrawn(Peer peer, long units) {
        return new Violation(units + " units of credit, where " + (peer.granted - peer.returned - peer.held)
                + " are left");
    }

    /** What was held has left. */
    public void giveBackHeld(Peer peer, long units) {
        peer.held -= units;
        giveBack(peer, units);
    }

    /** A message of a peer has left. */
    public void giveBack(Peer peer, long units) {
        peer.returned += units;
        if (peer.returned >= peer.grantAt) {
            if (poolShort) {
                shrink(peer);
            }
            grant(peer);
        }
    }

    /** Other senders starve and the pool is empty: what this one got beyond its first quota goes back, bit by bit. */
    private void shrink(Peer peer) {
        long back = Math.min(peer.quota - firstQuota, peer.quota >>> 2);
        peer.quota -= back;
        pool += back;
    }

    /** A sender ran out of credit: doubles its quota while the bound allows it, else takes back from the others. */
    void enlarge(Peer peer) {
        long extra = Math.min(pool, peer.quota);
        poolShort = extra == 0;
        pool -= extra;
        peer.quota += extra;
        grant(peer);
    }

    private void grant(Peer peer) {
        long before = peer.granted;
        peer.granted = Math.max(before, peer.returned + peer.quota);
        if (peer.holder != null && peer.granted != before) {
            events.beforeRaise(peer);
        }
        peer.grantAt = peer.granted - peer.quota + (peer.quota >>> 2);
        if (peer.outlet == null) {
            peer.credited(peer.granted);
        } else {
            control.send(peer, Frame.CREDIT, peer.granted);
        }
    }

    /** Reads what the next message needs, see {@link Foresight}. */
    long touch() {
        return pool;
    }
}
