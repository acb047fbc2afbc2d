package io.rankwire.device;

import io.rankwire.device.match.HeaderShare;
import io.rankwire.device.match.HeaderStore;
import io.rankwire.device.match.MatchQueue;
import io.rankwire.device.match.MatchWatch;
import io.rankwire.device.match.Matching;
import io.rankwire.device.match.QueueHints;
import io.rankwire.device.match.SpreadQueue;
import io.rankwire.device.match.WatchedQueue;

/** The match queue of each context. Contexts are any 32-bit numbers. */
final class QueueTable {
    private final HeaderStore headers;
    private final HeaderDivision division;
    /** Null unless the device is configured too small for all receives. */
    private final SplitQueues splits;
    /** Null unless hardware is modelled. */
    private final MatchWatch watch;
    private final Matching.Met met;
    private final Operations operations;
    private int[] contexts = new int[16];
    private Matching[] queues = new Matching[16];
    private int count;

    private int lastContext;
    private Matching last;

    /**
     * @param met called when a receive of a watched queue has met a message that had come before
     */
    QueueTable(HeaderStore headers, HeaderDivision division, SplitQueues splits, MatchWatch watch, Matching.Met met,
            Operations operations) {
        this.headers = headers;
        this.division = division;
        this.splits = splits;
        this.watch = watch;
        this.met = met;
        this.operations = operations;
    }

    /** The queue of a context; a message may come before this rank has made its communicator. */
    Matching get(int context) {
        return context == lastContext && last != null ? last : lookUp(context);
    }

    private Matching lookUp(int context) {
        Matching queue = find(context);
        return queue != null ? queue : open(context);
    }

    /** The queue of a context, or null if the context has none yet. */
    Matching find(int context) {
        if (context == lastContext && last != null) {
            return last;
        }
        int i = slot(context);
        if (queues[i] != null) {
            lastContext = context;
            last = queues[i];
        }
        return queues[i];
    }

    private Matching open(int context) {
        Matching queue = splits == null ? firstQueue(context) : splits.open(context);
        put(context, queue);
        return queue;
    }

    private Matching firstQueue(int context) {
        division.open(context);
        return newQueue(context);
    }

    /** An empty queue as the hints of its context ask for it, with its watch if there is one. */
    MatchQueue newQueue(int context) {
        QueueHints hints = division.hints(context);
        HeaderShare receives = division.receives(context);
        HeaderShare messages = division.messages(context);
        if (watch != null) {
            watch.hinted(context, hints);
            return new WatchedQueue(headers, receives, messages, watch, context, met);
        }
        return hints.isSpread() ? new SpreadQueue(headers, receives, messages, hints, operations::moved)
                : new MatchQueue(headers, receives, messages);
    }

    private void put(int context, Matching queue) {
        if (2 * (count + 1) > queues.length) {
            rebuild(2 * queues.length, 0, false);
        }
        int i = slot(context);
        contexts[i] = context;
        queues[i] = queue;
        count++;
    }

    void remove(int context) {
        last = null;
        rebuild(queues.length, context, true);
        division.drop(context);
    }

    /** Puts another matcher in the place of a context's. */
    void replace(int context, Matching queue) {
        last = null;
        queues[slot(context)] = queue;
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

    private int slot(int context) {
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
                int at = slot(oldContexts[i]);
                contexts[at] = oldContexts[i];
                queues[at] = oldQueues[i];
                count++;
            }
        }
    }
}
