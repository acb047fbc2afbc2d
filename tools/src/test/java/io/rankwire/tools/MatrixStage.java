package io.rankwire.tools;

import io.rankwire.Communicator;
import io.rankwire.Group;
import io.rankwire.Intercommunicator;
import io.rankwire.World;
import io.rankwire.tools.MatrixRow.Noticed;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** What a row sees: a communicator of all members of the cell, one of which dies. */
final class MatrixStage {
    final World world;
    /** The communicator that survivors shrink afterwards. */
    final Communicator all;
    /** A duplicate of it, for the row. */
    final Communicator on;
    final int rank;
    final int size;
    /** The rank that dies. */
    final int victim;
    final boolean dies;
    /** The same at all members. */
    final long seed;
    /** For files. */
    final Path place;
    private final Deque<Runnable> ends = new ArrayDeque<>();

    MatrixStage(World world, Communicator all, int victim, long seed, Path place) {
        this.world = world;
        this.all = all;
        this.on = all.duplicate();
        this.rank = all.rank();
        this.size = all.size();
        this.victim = victim;
        this.dies = rank == victim;
        this.seed = seed;
        this.place = place;
        atEnd(on::free);
    }

    /** Has something done by survivors after the cell; what was added last is done first. */
    void atEnd(Runnable action) {
        ends.push(action);
    }

    void end() {
        ends.forEach(Runnable::run);
    }

    /** The rank that lives and is the first behind another one, which may be the victim. */
    int liveAfter(int of) {
        int next = (of + 1) % size;
        return next == victim ? (next + 1) % size : next;
    }

    int liveBefore(int of) {
        int previous = (of + size - 1) % size;
        return previous == victim ? (previous + size - 1) % size : previous;
    }

    int firstLive() {
        return victim == 0 ? 1 : 0;
    }

    int lastLive() {
        return victim == size - 1 ? size - 2 : size - 1;
    }

    /** The place of a rank in the job. */
    int placeOf(int of) {
        return all.group().worldRank(of);
    }

    Group survivors() {
        return on.group().include(IntStream.range(0, size).filter(each -> each != victim).toArray());
    }

    boolean isDeathKnown() {
        return all.failed().size() > 0;
    }

    /** A round of a rank that has nothing to do in a row. */
    void idle() {
        LockSupport.parkNanos(500_000);
        if (!dies && isDeathKnown()) {
            throw new Noticed();
        }
    }

    /** Which half of an intercommunicator a rank is in. */
    static int side(int rank) {
        return rank % 2;
    }

    /** Ranks with even and odd numbers, joined. */
    Intercommunicator intercommunicator() {
        Communicator half = on.split(side(rank), rank).orElseThrow();
        Intercommunicator joined = half.intercommunicator(0, on, 1 - side(rank), 7);
        atEnd(half::free);
        atEnd(joined::free);
        return joined;
    }
}
