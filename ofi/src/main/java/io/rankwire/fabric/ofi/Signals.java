package io.rankwire.fabric.ofi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Keeps the signal handlers of the JVM. Libraries below libfabric install handlers of their own, some of them as soon
 * as they are loaded, and the JVM needs its own for ordinary work: one that ends the process at the first SIGSEGV ends
 * it at the first null check. The environment that keeps those libraries off is set before; this is the second guard.
 */
final class Signals {
    /** SEGV, BUS, ILL, ABRT, INT, TERM. */
    private static final int[] GUARDED = {11, 7, 4, 6, 2, 15};
    /** {@code struct sigaction} of Linux on 64-bit systems: the handler, a mask of 128 bytes, the flags. */
    private static final int BYTES = 152;
    private static final int FLAGS = 136;
    /** Set by the C library whenever it installs a handler. */
    private static final int SA_RESTORER = 0x04000000;

    private final MemorySegment sigaction = Calls.system("sigaction");
    private final long saved;
    private final long now;
    private int restored;

    Signals(Arena arena) {
        saved = Raw.allocate(arena, (long) GUARDED.length * BYTES);
        now = Raw.allocate(arena, BYTES);
        for (int i = 0; i < GUARDED.length; i++) {
            Calls.call(sigaction, GUARDED[i], 0, saved + (long) i * BYTES);
        }
    }

    /** Puts those handlers back that were replaced. Several endpoints may be opened at once. */
    synchronized void restore() {
        for (int i = 0; i < GUARDED.length; i++) {
            long before = saved + (long) i * BYTES;
            Calls.call(sigaction, GUARDED[i], 0, now);
            boolean isSame = Raw.word(now) == Raw.word(before)
                    && ((Raw.half(now + FLAGS) ^ Raw.half(before + FLAGS)) & ~SA_RESTORER) == 0;
            if (!isSame) {
                restored++;
                Calls.call(sigaction, GUARDED[i], before, 0);
            }
        }
    }

    /** How often a handler was put back. */
    int restored() {
        return restored;
    }
}
