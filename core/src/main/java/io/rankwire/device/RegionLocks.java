package io.rankwire.device;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/** Locks on regions, kept by the rank that owns them: many share one, or one has it alone, in the order they asked. */
final class RegionLocks {
    private record Waiter(int peer, int channel, boolean exclusive) {}

    private static final class Lock {
        int shared;
        boolean exclusive;
        final ArrayDeque<Waiter> waiting = new ArrayDeque<>();

        boolean admits(boolean alone) {
            return !exclusive && (!alone || shared == 0);
        }

        void take(boolean alone) {
            if (alone) {
                exclusive = true;
            } else {
                shared++;
            }
        }
    }

    /** Hears of a lock that a peer's channel has now. */
    interface Granted {
        void granted(int peer, int channel);
    }

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

    void unlock(int key, boolean exclusive) {
        Lock lock = locks.get(key);
        if (lock == null) {
            return;
        }
        if (exclusive) {
            lock.exclusive = false;
        } else {
            lock.shared--;
        }
        grant(lock);
    }

    void drop(int key) {
        locks.remove(key);
    }

    private void grant(Lock lock) {
        while (!lock.waiting.isEmpty() && lock.admits(lock.waiting.peek().exclusive)) {
            Waiter next = lock.waiting.remove();
            lock.take(next.exclusive);
            granted.granted(next.peer, next.channel);
        }
    }
}
