package io.rankwire.device.onesided;

import io.rankwire.device.Violation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Locks on regions, kept by the rank that owns them: many share one, or one has it alone, in the order they asked. */
final class RegionLocks {
    private record Waiter(int peer, int channel, boolean exclusive) {}

    private static final class Lock {
        /** The peers that share it, each as often as it does. */
        final List<Integer> sharing = new ArrayList<>();
        /** The peer that holds the lock exclusively, or -1. */
        int alone = NOBODY;
        final ArrayDeque<Waiter> waiting = new ArrayDeque<>();

        boolean admits(boolean exclusive) {
            return alone == NOBODY && (!exclusive || sharing.isEmpty());
        }

        void take(int peer, boolean exclusive) {
            if (exclusive) {
                alone = peer;
            } else {
                sharing.add(peer);
            }
        }

        void give(int peer, boolean exclusive) {
            if (exclusive) {
                alone = NOBODY;
            } else {
                sharing.remove((Integer) peer);
            }
        }
    }

    /** Answers a channel of a peer that has asked for a lock. */
    interface Answer {
        void to(int peer, int channel);
    }

    private static final int NOBODY = -1;

    private final Answer granted;
    private final Answer refused;
    private final Map<Integer, Lock> locks = new HashMap<>();

    RegionLocks(Answer granted, Answer refused) {
        this.granted = granted;
        this.refused = refused;
    }

    void lock(int key, int peer, int channel, boolean exclusive) {
        Lock lock = locks.computeIfAbsent(key, k -> new Lock());
        lock.waiting.add(new Waiter(peer, channel, exclusive));
        grant(lock);
    }

    void unlock(int key, int peer, boolean exclusive) {
        Lock lock = locks.get(key);
        if (lock != null) {
            if (exclusive ? lock.alone != peer : !lock.sharing.contains(peer)) {
                throw new Violation("a lock that it does not have");
            }
            lock.give(peer, exclusive);
            grant(lock);
        }
    }

    /** A lost peer gives nothing back by itself. */
    void lose(int peer) {
        for (Lock lock : locks.values()) {
            lock.waiting.removeIf(waiter -> waiter.peer == peer);
            lock.sharing.removeIf(holder -> holder == peer);
            if (lock.alone == peer) {
                lock.alone = NOBODY;
            }
            grant(lock);
        }
    }

    /** The region is gone: refuses all requests that wait for its lock. */
    void drop(int key) {
        Lock dropped = locks.remove(key);
        if (dropped != null) {
            dropped.waiting.forEach(waiter -> refused.to(waiter.peer, waiter.channel));
        }
    }

    private void grant(Lock lock) {
        while (!lock.waiting.isEmpty() && lock.admits(lock.waiting.peek().exclusive)) {
            Waiter next = lock.waiting.remove();
            lock.take(next.peer, next.exclusive);
            granted.to(next.peer, next.channel);
        }
    }
}
