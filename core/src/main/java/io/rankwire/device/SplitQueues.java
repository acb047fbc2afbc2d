package io.rankwire.device;

import io.rankwire.device.match.HeaderStore;
import io.rankwire.device.match.MatchWatch;
import io.rankwire.device.match.Matching;
import io.rankwire.device.match.Split;
import io.rankwire.device.match.SplitMatcher;
import java.util.ArrayList;
import java.util.Arrays;
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
    /** Replaced when it changes: another thread may read it for {@link Counts}. */
    private SplitMatcher[] queues = {};
    /** Of queues that are gone. */
    private long races;
    private long refusals;
    private long metInSoftware;
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
            metInSoftware++;
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
        SplitMatcher[] more = Arrays.copyOf(queues, queues.length + 1);
        more[queues.length] = queue;
        queues = more;
        return queue;
    }

    void drop(Matching queue) {
        List<SplitMatcher> rest = new ArrayList<>(Arrays.asList(queues));
        if (rest.remove(queue)) {
            races += ((SplitMatcher) queue).races();
            refusals += ((SplitMatcher) queue).refusals();
            queues = rest.toArray(new SplitMatcher[0]);
        }
    }

    int progress(long nowNs) {
        int work = 0;
        for (SplitMatcher queue : queues) {
            work += queue.pump(nowNs);
        }
        return work;
    }

    /** 1 if there is something to move, now or when its time has come. */
    int waiting() {
        awake = false;
        for (SplitMatcher queue : queues) {
            awake |= !queue.isIdle();
        }
        return awake ? 1 : 0;
    }

    /** When something is due next; before all times if progress has not seen it yet. */
    long due() {
        long due = Long.MAX_VALUE;
        for (SplitMatcher queue : queues) {
            due = Math.min(due, queue.due());
        }
        return due;
    }

    /** Posts that met a message on its way up. */
    long races() {
        long all = races;
        for (SplitMatcher queue : queues) {
            all += queue.races();
        }
        return all;
    }

    /** Posts that the device has refused. */
    long refusals() {
        long all = refusals;
        for (SplitMatcher queue : queues) {
            all += queue.refusals();
        }
        return all;
    }

    /** Messages that met in software a receive that was posted before. */
    long metInSoftware() {
        return metInSoftware;
    }

    /** Posted receives in the device, or on their way there or back. */
    int inDevice() {
        return split.posted() - places.free();
    }

    /** Posted receives that wait in software for a place in the device. */
    int inSoftware() {
        int all = 0;
        for (SplitMatcher queue : queues) {
            all += queue.posted();
        }
        return Math.max(0, all - inDevice());
    }

    void checkInvariants() {
        for (SplitMatcher queue : queues) {
            queue.checkInvariants();
        }
    }
}
