package io.rankwire.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A message that {@link Probes} have lent to the program. */
public final class Lent {
    private final Unexpected message;
    private final boolean inPlace;
    private final Arena end;
    private final MemorySegment view;

    Lent(Unexpected message, boolean inPlace, Arena end, MemorySegment memory) {
        this.message = message;
        this.inPlace = inPlace;
        this.end = end;
        this.view = memory.asReadOnly();
    }

    public Unexpected message() {
        return message;
    }

    /** Whether the view is the device's own memory, which the message holds until it is given back. */
    boolean inPlace() {
        return inPlace;
    }

    /** The bytes of the message. */
    public MemorySegment view() {
        return view;
    }

    /** Closing it ends the view. */
    public Arena end() {
        return end;
    }
}
