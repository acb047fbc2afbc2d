package io.rankwire.device;

import io.rankwire.device.match.HeaderStore;
import io.rankwire.device.match.ListMatcher;
import io.rankwire.device.match.MatchQueue;
import io.rankwire.device.match.Matching;

/** What happens when the header store is full: it grows, software takes a queue over, or the job fails. */
final class HeaderOverflow {
    private final DeviceConfig.Overflow policy;
    private final QueueTable queues;
    private final HeaderStore headers;
    private final Operations operations;
    private final Runnable addChore;
    private int softwareQueues;

    HeaderOverflow(DeviceConfig.Overflow policy, QueueTable queues, HeaderStore headers, Operations operations,
            Runnable addChore) {
        this.policy = policy;
        this.queues = queues;
        this.headers = headers;
        this.operations = operations;
        this.addChore = addChore;
    }

    void overflow(int context) {
        switch (policy) {
            case GROW -> grow();
            case SOFTWARE -> {
                if (queues.get(context) instanceof MatchQueue queue) {
                    takeOver(context, queue);
                } else {
                    grow();
                }
            }
            case FAIL -> {
                Matching queue = queues.get(context);
                throw new DeviceFault(Code.NO_HEADERS, "the header store is full: " + headers.inUse()
                        + " receives and unexpected messages; this communicator has " + queue.posted() + " posted and "
                        + queue.unexpected() + " unexpected");
            }
        }
    }

    private void grow() {
        headers.limit((int) Math.min(2L * headers.limit(), Integer.MAX_VALUE / 16));
    }

    /** Software matches this context in host memory from now on, until {@link #handBack}. */
    private void takeOver(int context, MatchQueue queue) {
        ListMatcher list = new ListMatcher();
        queue.dumpTo(list, this::moved);
        queues.replace(context, list);
        softwareQueues++;
        addChore.run();
    }

    private void moved(int handle, int entry) {
        operations.at(handle).entry = entry;
    }

    /**
     * Gives queues that software has taken over back to the store once they would fill half of it at most; returns how
     * many software keeps.
     */
    int handBack() {
        if (softwareQueues > 0) {
            softwareQueues = 0;
            for (int context : queues.contexts()) {
                if (queues.get(context) instanceof ListMatcher list && !handBack(context, list)) {
                    softwareQueues++;
                }
            }
        }
        return softwareQueues;
    }

    private boolean handBack(int context, ListMatcher list) {
        if (list.posted() + list.unexpected() > (headers.limit() - headers.inUse()) / 2) {
            return false;
        }
        MatchQueue queue = queues.newQueue(context);
        list.handBack(queue, this::moved);
        queues.replace(context, queue);
        return true;
    }
}
