package io.rankwire;

import io.rankwire.device.work.RemotePart;
import io.rankwire.runtime.Operator;
import io.rankwire.runtime.window.WindowEndpoint;
import io.rankwire.type.ElementType;

/**
 * A place in a rank's part of a window that entries of one program access: {@link WorkQueue#put}, {@link
 * WorkQueue#get}, {@link WorkQueue#accumulate}, {@link WorkQueue#fetch} and {@link WorkQueue#compareAndSwap}.
 *
 * @see Work#target
 */
public final class WorkTarget {
    private final Work work;
    private final WindowEndpoint window;
    private final RemotePart part;
    private final int rank;
    private final long displacement;

    WorkTarget(Work work, WindowEndpoint window, RemotePart part, int rank, long displacement) {
        this.work = work;
        this.window = window;
        this.part = part;
        this.rank = rank;
        this.displacement = displacement;
    }

    /**
     * Returns the rank whose memory it is.
     *
     * @return a rank of the window
     */
    public int rank() {
        return rank;
    }

    /**
     * Returns where it begins in that rank's part.
     *
     * @return the displacement, in units of the part
     */
    public long displacement() {
        return displacement;
    }

    Work work() {
        return work;
    }

    RemotePart part() {
        return part;
    }

    /** Checks an access to a number of bytes, and returns the byte of the part where it begins. */
    long check(String call, ElementType type, long bytes) {
        return window.access().check(call, type, bytes, rank, displacement);
    }

    /** The type in which elements are combined. */
    ElementType combined(String call, ElementType type, Operator op) {
        return window.access().combined(call, type, rank, op);
    }
}
