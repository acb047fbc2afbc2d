package io.rankwire.device;

import io.rankwire.device.match.HeaderShare;
import io.rankwire.device.match.HeaderStore;
import io.rankwire.device.match.ListMatcher;
import io.rankwire.device.match.MatchQueue;
import io.rankwire.device.match.Matching;
import io.rankwire.device.match.QueueHints;
import io.rankwire.device.match.SplitMatcher;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What happens when the headers of a queue are used up: it gets some that others have and do not use; if there are
 * none, the store grows, software takes the queue over, the job fails, or the queue stops. Hints change how the store
 * is divided. The messages of a stopped queue are refused, and so are those behind them, of all queues. Its interrupt
 * calls software, which lets the queue go on when a quarter of the store is free. While a receive is posted or a probe
 * has found nothing, what it waits for may be refused: then software takes the queue over.
 */
final class HeaderOverflow {
    private final DeviceConfig.Overflow policy;
    private final QueueTable queues;
    private final HeaderStore headers;
    private final HeaderDivision division;
    private final Operations operations;
    private final Runnable addChore;
    private int softwareQueues;
    private final Set<Integer> stopped = new LinkedHashSet<>();
    /** Whether a probe has found nothing since a queue stopped. */
    private boolean wanted;
    private long interrupts;

    HeaderOverflow(DeviceConfig.Overflow policy, QueueTable queues, HeaderStore headers,
            HeaderDivision division, Operations operations, Runnable addChore) {
        this.policy = policy;
        this.queues = queues;
        this.headers = headers;
        this.division = division;
        this.operations = operations;
        this.addChore = addChore;
    }

    /** A receive finds no header. */
    void receives(int context) {
        overflow(context, division.receives(context));
    }

    /** A message without a receive finds no header. */
    void messages(int context) {
        overflow(context, division.messages(context));
    }

    private void overflow(int context, HeaderShare full) {
        if (division.enlarge(full)) {
            return;
        }
        switch (policy) {
            case GROW -> grow(full);
            case SOFTWARE, REFUSE -> {
                if (queues.get(context) instanceof MatchQueue queue) {
                    takeOver(context, queue);
                } else {
                    grow(full);
                }
            }
            case FAIL -> {
                Matching queue = queues.get(context);
                throw new DeviceFault(Code.NO_HEADERS, "the header store is full: " + headers.inUse()
                        + " receives and unexpected messages; this communicator has " + queue.posted() + " posted and "
                        + queue.unexpected() + " unexpected" + setAside(context));
            }
        }
    }

    /** Whether there is a header for a message of a context. */
    boolean hasHeader(int context) {
        HeaderShare share = division.messages(context);
        return !share.isFull() || division.enlarge(share);
    }

    /** Whether the messages of a context are refused. */
    boolean isStopped(int context) {
        return !stopped.isEmpty() && stopped.contains(context);
    }

    /** The queue of a context stops, and software is called. */
    void stop(int context) {
        if (stopped.add(context)) {
            interrupts++;
            addChore.run();
        }
    }

    /** How often a queue has stopped. */
    long interrupts() {
        return interrupts;
    }

    /** A probe has found no message. */
    void probed() {
        wanted = !stopped.isEmpty();
    }

    /** Software deals with the stopped queues; returns how many stay so. */
    private int serveStopped() {
        boolean isAwaited = wanted || isAnyPosted();
        wanted = false;
        for (int context : List.copyOf(stopped)) {
            if (isAwaited && queues.find(context) instanceof MatchQueue queue) {
                takeOver(context, queue);
            }
            HeaderShare share = division.messages(context);
            if (isAwaited || share.inUse() <= share.limit() - (share.limit() + 3) / 4) {
                stopped.remove(context);
            }
        }
        return stopped.size();
    }

    private boolean isAnyPosted() {
        for (int context : queues.contexts()) {
            if (queues.get(context).posted() > 0) {
                return true;
            }
        }
        return false;
    }

    private String setAside(int context) {
        QueueHints hints = division.hints(context);
        return hints.receives() + hints.messages() == 0 ? "" : ", and " + hints.receives() + " and " + hints.messages()
                + " headers set aside for them";
    }

    private void grow(HeaderShare full) {
        headers.limit((int) Math.min(2L * headers.limit(), Integer.MAX_VALUE / 16));
        division.enlarge(full);
    }

    /**
     * Divides headers and queues as the user of a context expects to use them.
     *
     * @return what is in force: fewer headers are set aside if the store does not have them
     */
    QueueHints hint(int context, QueueHints wish) {
        Matching queue = queues.get(context);
        if (queue instanceof SplitMatcher) {
            return QueueHints.NONE;
        }
        queue.settle();
        if (queue instanceof MatchQueue before) {
            ListMatcher all = new ListMatcher();
            before.dumpTo(all, operations::moved);
            division.give(context, wish, all.posted(), all.unexpected());
            MatchQueue after = queues.newQueue(context);
            if (!all.handBack(after, operations::moved)) {
                throw new IllegalStateException("no headers for receives and messages that had some");
            }
            queues.replace(context, after);
        } else {
            division.give(context, wish, 0, 0);
        }
        return division.hints(context);
    }

    /** Software matches this context in host memory from now on, until {@link #handBack}. */
    private void takeOver(int context, MatchQueue queue) {
        ListMatcher list = new ListMatcher();
        queue.dumpTo(list, operations::moved);
        queues.replace(context, list);
        softwareQueues++;
        addChore.run();
    }

    /**
     * Gives queues that software has taken over back to the store once they would fill half of it at most; returns how
     * many software keeps, or are stopped.
     */
    int handBack() {
        int stay = stopped.isEmpty() ? 0 : serveStopped();
        if (softwareQueues > 0) {
            softwareQueues = 0;
            for (int context : queues.contexts()) {
                if (queues.get(context) instanceof ListMatcher list && !handBack(context, list)) {
                    softwareQueues++;
                }
            }
        }
        return softwareQueues + stay;
    }

    private boolean handBack(int context, ListMatcher list) {
        if (!division.hasAmpleRoom(context, list.posted(), list.unexpected())) {
            return false;
        }
        MatchQueue queue = queues.newQueue(context);
        list.handBack(queue, operations::moved);
        queues.replace(context, queue);
        return true;
    }
}
