package io.rankwire.device;

import io.rankwire.device.match.HeaderStore;
import io.rankwire.device.match.Matching;
import io.rankwire.device.match.Split;
import io.rankwire.device.match.SplitMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.ToIntFunction;

/**
 * The matchers of a device that is configured too small for all receives. The device's half and software's half are
 * both here; what is on its way between them moves with each round of progress.
 */
final class SplitQueues {
    private final HeaderStore headers;
    private final Split split;
    private final Operations operations;
    private final Matching.Met met;
    private final ToIntFunction<Operation> endOfRemoved;
    private final IntConsumer overflow;
    private final Runnable addChore;
    private final SplitMatcher.Places places;
    private final List<SplitMatcher> queues = new ArrayList<>();
    private boolean awake;

    /**
     * @param met called when a receive has met a message that had come before
     * @param endOfRemoved the code of a receive that was removed
     * @param overflow makes room for the headers of a context when the store is full
     */
    SplitQueues(HeaderStore headers, Split split, Operations operations, Matching.Met met,
            ToIntFunction<Operation> endOfRemoved, IntConsumer overflow, Runnable addChore) {
        this.headers = headers;
        this.split = split;
        this.operations = operations;
        this.met = met;
        this.endOfRemoved = endOfRemoved;
        this.overflow = overflow;
        this.addChore = addChore;
        this.places = new SplitMatcher.Places(split.posted());
    }

    private final class Side implements SplitMatcher.Side {
        private final int context;

        Side(int context) {
            this.context = context;
        }

        @Override
        public void met(int handle, long word, long description, long payload) {
            met.met(handle, word, description, payload);
        }

        @Override
        public void cancelled(int handle) {
            Operation operation = operations.at(handle);
            operation.finish(endOfRemoved.applyAsInt(operation));
        }

        @Override
        public void full() {
            overflow.accept(context);
        }

        @Override
        public void wake() {
            if (!awake) {
                awake = true;
                addChore.run();
            }
        }
    }

    Matching open(int context) {
        SplitMatcher queue = new SplitMatcher(headers, split, places, new Side(context));
        queues.add(queue);
        return queue;
    }

    void drop(Matching queue) {
        queues.remove(queue);
    }

    int progress(long nowNs) {
        int work = 0;
        for (int i = 0; i < queues.size(); i++) {
            work += queues.get(i).pump(nowNs);
        }
        return work;
    }

    /** 1 if there is something to move, now or when its time has come. */
    int waiting() {
        awake = false;
        for (int i = 0; i < queues.size(); i++) {
            awake |= !queues.get(i).isIdle();
        }
        return awake ? 1 : 0;
    }

    /** When something is due next; before all times if progress has not seen it yet. */
    long due() {
        long due = Long.MAX_VALUE;
        for (int i = 0; i < queues.size(); i++) {
            due = Math.min(due, queues.get(i).due());
        }
        return due;
    }

    /** Posts that met a message on its way up; for tests. */
    long races() {
        long races = 0;
        for (SplitMatcher queue : queues) {
            races += queue.races();
        }
        return races;
    }

    void checkInvariants() {
        queues.forEach(SplitMatcher::checkInvariants);
    }
}
