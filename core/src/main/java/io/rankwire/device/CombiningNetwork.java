package io.rankwire.device;

import io.rankwire.type.Combination;
import io.rankwire.type.ElementType;

/**
 * A network of its own for collectives, as one rank sees it: its switches combine what ranks give on the way. Modelled
 * hardware may have one; no machine that this library runs on does.
 */
public interface CombiningNetwork {
    /** Returns the part of the network that connects some ranks of the world, this one among them. */
    Group group(int[] worldRanks);

    /** Ranks that make calls together. */
    interface Group {
        /**
         * Estimates a call, the same on all ranks.
         *
         * @param combines whether packets are combined on their way
         * @return nanoseconds
         */
        double ns(long bytes, boolean combines);

        /**
         * This rank joins a call: its part is read at once, if it gives one. All ranks of the group join with the same
         * arguments, but for the memory.
         *
         * @param context of the communicator, which with the tag keeps calls apart
         * @param giver the world rank that alone gives, or -1 if all ranks do
         * @param taker the world rank that alone takes, or -1 if all ranks do
         * @param op what combines; null where one rank or none gives
         */
        Call join(int context, int tag, int giver, int taker, Combination op, ElementType type, Object base,
                long offset, long bytes);
    }

    /** A call that a rank has joined. */
    interface Call {
        /** Has the end of this rank's part noted. */
        void noteEnd(EndListener by);

        /** Whether this rank's part is over. */
        boolean isDone();

        /** Returns {@link Code#OK}, or {@link Code#TYPE_MISMATCH} if the ranks have joined with different arguments. */
        int code();

        /** Writes the result; only for a rank that takes it, when the call is done. */
        void take(Object base, long offset);

        /** Returns a world rank that has joined with other arguments than this one. */
        int otherRank();

        /** Returns the bytes that it has given. */
        long otherBytes();

        /** Returns the type of what it has given. */
        ElementType otherType();

        /** This rank does not wait for the end any more. */
        void abandon();
    }
}
