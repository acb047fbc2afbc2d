package io.rankwire;

import java.util.Optional;

/**
 * A group of ranks that can send messages to each other, apart from all other communicators.
 *
 * <p>A buffer is any primitive array, a {@code ByteBuffer} (from its position to its limit, which do not move) or a
 * {@code MemorySegment}; offsets and counts are in its elements (bytes for the latter two). A message keeps its
 * sender's element type: receiving {@code double}s into an {@code int[]} is an error, receiving into raw memory is not.
 * Messages between two ranks are received in the order they were sent. All calls may be made from several threads at
 * once.
 */
public final class Communicator extends Collectives {
    Communicator(World world, Group group, int context, String name) {
        super(world, group, context, name);
    }

    /** A communicator of the same ranks with messages of its own. All ranks call it. */
    public Communicator duplicate() {
        checkUsable();
        return world().contexts().make(this, group(), name() + ".duplicate");
    }

    /**
     * One communicator for each colour, its ranks ordered by key and then by rank here. A colour below zero takes no
     * part and gets nothing. All ranks call it.
     */
    public Optional<Communicator> split(int colour, int key) {
        checkUsable();
        return Optional.ofNullable(world().contexts().split(this, colour, key));
    }

    /** A communicator of a part of the ranks; others get nothing. All ranks call it, with the same group. */
    public Optional<Communicator> create(Group part) {
        checkUsable();
        if (part == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument part is null");
        }
        for (int i = 0; i < part.size(); i++) {
            if (group().rankOf(part.worldRank(i)) < 0) {
                throw new RankwireException(ErrorClass.COMMUNICATOR, "argument part: world rank " + part.worldRank(i)
                        + " is not in " + name());
            }
        }
        int place = part.rankOf(world().worldRank());
        return split(place < 0 ? -1 : 0, place);
    }

    /**
     * Lets the others reach a buffer of this rank: a primitive array, {@code ByteBuffer} or {@code MemorySegment}, of
     * any size on any rank. Memory from {@link World#allocate} is reached without this rank's help. All ranks call it.
     *
     * @param displacementUnit bytes in which the others count their way into this buffer
     */
    public Window window(Object buffer, int displacementUnit) {
        checkUsable();
        return Window.over(this, buffer, displacementUnit);
    }

    /** As {@link #window}, over new memory that all can reach: {@link Window#memory}. All ranks call it. */
    public Window allocateWindow(long bytes, int displacementUnit) {
        checkUsable();
        return Window.allocate(this, bytes, displacementUnit, "allocateWindow");
    }

    /** As {@link #allocateWindow}; every rank's part can also be used directly: {@link Window#shared}. */
    public Window sharedWindow(long bytes, int displacementUnit) {
        checkUsable();
        return Window.allocate(this, bytes, displacementUnit, "sharedWindow");
    }

    /** The work queues of this rank's device. */
    public Work work() {
        checkUsable();
        return new Work(this);
    }

    /** Ends it. All ranks call it; messages nobody has received are reported and dropped. */
    public void free() {
        checkUsable();
        if (context() == Contexts.WORLD) {
            throw new RankwireException(ErrorClass.COMMUNICATOR, "the world's communicator ends with its world");
        }
        world().contexts().free(this);
        freed();
    }
}
