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

    /** Called when a lock is granted to a channel of a peer. */
    interface Granted {
        void granted(int peer, int channel);
    }

    private static final int NOBODY = -1;

    private final Granted granted;
    private final Map<Integer, Lock> locks = new HashMap<>();

    RegionLocks(Granted granted) {
        this.granted = granted;
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

    void drop(int key) {
        locks.remove(key);
    }

    private void grant(Lock lock) {
        while (!lock.waiting.isEmpty() && lock.admits(lock.waiting.peek().exclusive)) {
            Waiter next = lock.waiting.remove();
            lock.take(next.peer, next.exclusive);
            granted.granted(next.peer, next.channel);
        }
    }
}
