package io.rankwire.device;

import io.rankwire.device.match.MatchQueue;
import io.rankwire.device.match.MatchWatch;
import io.rankwire.device.match.Matching;
import io.rankwire.device.match.WatchedQueue;
import io.rankwire.wire.MatchWord;

/** Context → match queue (H12: several queues for a rank, by context). Contexts are any 32-bit number. */
final class QueueTable {
    private final Device device;
    /** Null unless someone looks on. */
    private final MatchWatch watch;
    private int[] contexts = new int[16];
    private Matching[] queues = new Matching[16];
    private int count;

    private int lastContext;
    private Matching last;

    QueueTable(Device device, MatchWatch watch) {
        this.device = device;
        this.watch = watch;
    }

    Matching get(int context) {
        if (context == lastContext && last != null) {
            return last;
        }
        int i = find(context);
        if (queues[i] != null) {
            lastContext = context;
            last = queues[i];
        }
        return queues[i];
    }

    Matching open(int context) {
        SplitQueues splits = device.splits();
        Matching queue = splits == null ? watched(context, new MatchQueue(device.headers())) : splits.open(context);
        put(context, queue);
        return queue;
    }

    /** The queue with the one who looks on, if there is one. */
    Matching watched(int context, MatchQueue queue) {
        if (watch == null) {
            return queue;
        }
        watch.software(context, false);
        WatchedQueue watched = new WatchedQueue(queue, watch, context,
                (handle, word, a, b) -> device.inbound().consume(device.operation(handle), word, a, b));
        watched.tell(handle -> MatchWord.of(device.operation(handle).peer, device.operation(handle).tag));
        return watched;
    }

    private void put(int context, Matching queue) {
        if (2 * (count + 1) > queues.length) {
            rebuild(2 * queues.length, 0, false);
        }
        int i = find(context);
        contexts[i] = context;
        queues[i] = queue;
        count++;
    }

    void remove(int context) {
        last = null;
        rebuild(queues.length, context, true);
    }

    /** Puts another matcher in the place of a context's. */
    void replace(int context, Matching queue) {
        last = null;
        queues[find(context)] = queue;
    }

    int[] contexts() {
        int[] result = new int[count];
        int n = 0;
        for (int i = 0; i < queues.length; i++) {
            if (queues[i] != null) {
                result[n++] = contexts[i];
            }
        }
        return result;
    }

    private int find(int context) {
        int mask = queues.length - 1;
        int i = context * 0x9E3779B9 >>> 7 & mask;
        while (queues[i] != null && contexts[i] != context) {
            i = i + 1 & mask;
        }
        return i;
    }

    private void rebuild(int size, int without, boolean leaveOut) {
        int[] oldContexts = contexts;
        Matching[] oldQueues = queues;
        contexts = new int[size];
        queues = new Matching[size];
        count = 0;
        for (int i = 0; i < oldQueues.length; i++) {
            if (oldQueues[i] != null && !(leaveOut && oldContexts[i] == without)) {
                int at = find(oldContexts[i]);
                contexts[at] = oldContexts[i];
                queues[at] = oldQueues[i];
                count++;
            }
        }
    }
}
