package io.rankwire.fabric.ofi;

import io.rankwire.fabric.Members;
import io.rankwire.fabric.PeerLost;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Finds peers that are lost. A peer is lost when the provider reports that an operation has failed. No provider reports
 * a peer that has died while this rank waits for its messages, and some report nothing at all; jobs find dead processes
 * by their own connections. Where a port has a patience, every message is acknowledged, a peer that is silent is asked
 * for a sign of life, and one that gives none within the patience is lost. Time counts only while this process runs.
 */
final class Watch {
    /** Most time that passes between two calls: if there was more, this process did not run. */
    private static final long MOST_STEP_NS = 100_000_000;
    private static final long TICK_NS = 10_000_000;
    /** An error may come ahead of the goodbye that explains it. */
    private static final long GRACE_NS = 200_000_000;
    private static final int PINGS = 4;

    private final OfiPort port;
    private final Members members;
    private final OfiConfig config;
    private final Engine engine;
    private final Deque<PeerLost> losses = new ArrayDeque<>();
    private long now;
    private long lastNs;
    private boolean hasTime;
    private long nextTick;

    Watch(OfiPort port, Members members, OfiConfig config, Engine engine) {
        this.port = port;
        this.members = members;
        this.config = config;
        this.engine = engine;
    }

    /** The time that this port has been driven for. */
    long now() {
        return now;
    }

    /** The last time that the owner has passed. */
    long lastNs() {
        return lastNs;
    }

    PeerLost advance(long nowNs) {
        if (hasTime && nowNs > lastNs) {
            now += Math.min(nowNs - lastNs, MOST_STEP_NS);
        }
        hasTime = true;
        lastNs = nowNs;
        if (now >= nextTick) {
            nextTick = now + TICK_NS;
            for (int i = 0; i < port.known.size(); i++) {
                tick(port.known.get(i));
            }
        }
        return losses.isEmpty() ? null : losses.poll();
    }

    long nextDeadline() {
        return !losses.isEmpty() ? lastNs : port.known.isEmpty() ? Long.MAX_VALUE : lastNs + nextTick - now;
    }

    private void tick(OfiPeer peer) {
        if (peer.isGone()) {
            return;
        }
        if (peer.owed && peer.wasOwed) {
            port.acknowledge(peer);
        }
        peer.wasOwed = peer.owed;
        if (peer.failure != null && now - peer.failedAt >= GRACE_NS) {
            lose(peer, new PeerLost(peer.rank, members.name(peer.rank) + " is lost: " + peer.failure));
        } else if (now - peer.heard >= config.patienceNs() && peer.isAwaited()) {
            lose(peer, new PeerLost(peer.rank, members.name(peer.rank) + " is lost: " + silence(peer)));
        } else if (now - peer.heard >= config.patienceNs() / PINGS && !peer.isAwaited() && !peer.errands.pings) {
            peer.errands.pings = true;
            port.busy(peer);
        }
    }

    private String silence(OfiPeer peer) {
        String time = config.patienceNs() / 1_000_000_000L + " s";
        return peer.head != null && peer.refusal != 0
                ? "sending by libfabric (" + engine.provider.name() + ") was not possible for " + time + ": "
                        + engine.library.text(peer.refusal)
                : "it has acknowledged " + (peer.acknowledged & 0xFFFF_FFFFL) + " of "
                        + (peer.sent & 0xFFFF_FFFFL) + " messages by libfabric (" + engine.provider.name()
                        + "), and nothing came from it for " + time;
    }

    /** An operation has failed. The peer is lost, unless its goodbye comes. */
    void fail(OfiPeer peer, String what, int code) {
        if (peer.failure == null && !peer.isGone()) {
            peer.failure = what + " by libfabric (" + engine.provider.name() + ") failed: "
                    + engine.library.text(code);
            peer.failedAt = now;
        }
    }

    void lose(OfiPeer peer, PeerLost why) {
        if (!peer.isGone()) {
            peer.isLost = true;
            port.gone(peer);
            losses.add(why);
        }
    }

    void dismiss(OfiPeer peer) {
        if (!peer.isLost) {
            peer.isLost = true;
            port.gone(peer);
        }
    }

    /** The peer has closed its world: it reads nothing any more. */
    void departed(OfiPeer peer) {
        peer.isDeparted = true;
        port.gone(peer);
    }
}
