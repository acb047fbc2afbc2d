package io.rankwire.device;

import io.rankwire.device.match.HeaderStore;
import io.rankwire.device.match.MatchWatch;
import io.rankwire.device.match.Matching;
import io.rankwire.device.match.Split;
import io.rankwire.device.match.SplitMatcher;
import java.util.ArrayList;
import java.util.List;

/**
 * The matchers of a device that is configured too small for all receives. The device's half and software's half are
 * both here; what is on its way between them moves with each round of progress.
 */
final class SplitQueues {
    private final HeaderStore headers;
    private final Split split;
    /** Null unless hardware is modelled. */
    private final MatchWatch watch;
    private final Operations operations;
    private final DeviceEvents events;
    private final SplitMatcher.Places places;
    private final List<SplitMatcher> queues = new ArrayList<>();
    private boolean awake;

    SplitQueues(HeaderStore headers, Split split, Operations operations, MatchWatch watch, DeviceEvents events) {
        this.watch = watch;
        this.headers = headers;
        this.split = split;
        this.operations = operations;
        this.events = events;
        this.places = new SplitMatcher.Places(split.posted());
    }

    private final class Side implements SplitMatcher.Side {
        private final int context;

        Side(int context) {
            this.context = context;
        }

        @Override
        public void met(int handle, long word, long description, long payload) {
            events.met(handle, word, description, payload);
        }

        @Override
        public void cancelled(int handle) {
            Operation operation = operations.at(handle);
            operation.finish(events.endOfRemoved(operation));
        }

        @Override
        public void full() {
            events.headersFull(context);
        }

        @Override
        public void wake() {
            if (!awake) {
                awake = true;
                events.run();
            }
        }
    }

    Matching open(int context) {
        SplitMatcher queue = new SplitMatcher(headers, split, places, new Side(context), watch, context);
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
