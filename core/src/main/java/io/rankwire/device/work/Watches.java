package io.rankwire.device.work;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Queues of programs that wait for a count to come to a value, where the count is not of their own program. The count
 * wakes those whose value has come, and looks at no others.
 */
public final class Watches {
    /** A queue that waits. */
    static final class Watch {
        private final Watches in;
        final WorkProgram program;
        final long value;
        boolean met;
        boolean inVain;

        Watch(Watches in, WorkProgram program, long value) {
            this.in = in;
            this.program = program;
            this.value = value;
        }

        /** The queue waits no more. */
        void end() {
            in.waiting.remove(this);
        }
    }

    private final PriorityQueue<Watch> waiting = new PriorityQueue<>(Comparator.comparingLong(watch -> watch.value));

    /** The count has come to a value. */
    public void reached(long value) {
        while (!waiting.isEmpty() && waiting.peek().value <= value) {
            Watch watch = waiting.poll();
            watch.met = true;
            watch.program.wake();
        }
    }

    /** The count does not go on: what counts has failed. */
    void end() {
        while (!waiting.isEmpty()) {
            Watch watch = waiting.poll();
            watch.inVain = true;
            watch.program.wake();
        }
    }

    Watch add(WorkProgram program, long value) {
        Watch watch = new Watch(this, program, value);
        waiting.add(watch);
        return watch;
    }
}
