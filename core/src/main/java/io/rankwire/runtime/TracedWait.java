package io.rankwire.runtime;

import io.rankwire.trace.CallEvent;
import io.rankwire.trace.SleepEvent;

/** A call that waits while there may be a recording of Flight Recorder. */
final class TracedWait {
    private final CallEvent event;
    private final HostCounts counts;
    private final long restedBefore;

    private TracedWait(CallEvent event, HostCounts counts) {
        this.event = event;
        this.counts = counts;
        this.restedBefore = counts.waitNs;
        event.begin();
    }

    /** A call begins to wait; null if no recording wants it. */
    static TracedWait begin(HostCounts counts) {
        CallEvent event = new CallEvent();
        return event.isEnabled() ? new TracedWait(event, counts) : null;
    }

    void end(int rank, Host.Waiting what) {
        event.end();
        if (!event.shouldCommit()) {
            return;
        }
        event.rank = rank;
        event.peer = what.peer();
        event.tag = -1;
        event.bytes = -1;
        event.rested = counts.waitNs - restedBefore;
        event.line = CallSite.find().replaceFirst("^ at ", "");
        event.description = what.describe();
        event.call = event.description.split(" from | to | with | at |,", 2)[0];
        if (what instanceof OperationWait wait) {
            wait.fill(event);
        }
        event.commit();
    }

    /** The event of a sleep that begins; null if no recording wants it. */
    static SleepEvent sleep() {
        SleepEvent sleep = new SleepEvent();
        if (!sleep.isEnabled()) {
            return null;
        }
        sleep.begin();
        return sleep;
    }

    static void awake(SleepEvent sleep, int rank, int peer, int steps) {
        sleep.end();
        sleep.rank = rank;
        sleep.peer = peer;
        sleep.steps = steps;
        sleep.commit();
    }
}
