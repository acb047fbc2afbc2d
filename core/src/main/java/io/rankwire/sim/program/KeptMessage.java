package io.rankwire.sim.program;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** A message of the program that is kept back, with all its frames. */
final class KeptMessage {
    final int from;
    final int to;
    final int context;
    final int tag;
    /** Names it in later frames of its sender; -1 if there are none. */
    final long id;
    /** Whether its sender may be waiting until it is met. */
    final boolean isAwaited;
    /** The decisions without which it might not have been sent. */
    final BitSet causes;
    final List<Integer> frames = new ArrayList<>();
    /** Whether its sender wants to cancel it. */
    boolean isWithdrawn;

    KeptMessage(int from, int to, int context, int tag, long id, boolean isAwaited, BitSet causes) {
        this.from = from;
        this.to = to;
        this.context = context;
        this.tag = tag;
        this.id = id;
        this.isAwaited = isAwaited;
        this.causes = causes;
    }

    boolean isTakenBy(Wish wish) {
        return wish.takes(context, from, tag);
    }
}
