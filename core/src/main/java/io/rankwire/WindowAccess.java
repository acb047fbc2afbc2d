package io.rankwire;

import io.rankwire.type.CopyProgram;
import io.rankwire.type.ElementType;
import java.lang.foreign.MemorySegment;

/** What stands between a window's calls and its targets: whether an access is allowed, where it goes, by which way. */
final class WindowAccess {
    private final Communicator on;
    private final Host host;
    private final String name;
    private final WindowParts parts;
    private final WindowEpochs epochs;
    private final Target[] targets;
    private volatile boolean freed;

    WindowAccess(Communicator on, String name, WindowParts parts) {
        this.on = on;
        this.host = on.host();
        this.name = name;
        this.parts = parts;
        this.epochs = new WindowEpochs(this, on.size());
        this.targets = new Target[on.size()];
    }

    String name() {
        return name;
    }

    int rank() {
        return on.rank();
    }

    int worldRank(int of) {
        return on.group().worldRank(of);
    }

    WindowEpochs epochs() {
        return epochs;
    }

    /** The ways in use; null where none was needed yet. */
    Target[] targets() {
        return targets;
    }

    boolean isFreed() {
        return freed;
    }

    void freed() {
        freed = true;
    }

    RankwireException error(ErrorClass errorClass, String what) {
        return raised(new RankwireException(errorClass, "rank " + rank() + ": " + name + ": " + what
                + CallSite.find()));
    }

    /** The handler of the window hears of errors by way of the communicator that it has for itself. */
    RankwireException raised(RankwireException error) {
        return on.raised(error);
    }

    Object typed(boolean written, Object buffer, long offset, long count, Datatype type) {
        return written ? Typed.target(on, buffer, offset, count, type) : Typed.source(on, buffer, offset, count, type);
    }

    void checkUsable(String call) {
        on.checkOpen();
        if (freed) {
            throw error(ErrorClass.WINDOW, call + ": the window was freed");
        }
    }

    Target target(int of) {
        Target target = targets[of];
        return target != null ? target : reach(of);
    }

    private synchronized Target reach(int of) {
        if (targets[of] == null) {
            targets[of] = parts.isShared(of)
                    ? new MappedTarget(this, host, of, map(of, parts.sharedId(of))
                            .asSlice(parts.sharedOffset(of), parts.bytes(of)), map(of, parts.controlId(of)))
                    : new FramedTarget(this, host, of, on.context(), parts.key(of));
        }
        return targets[of];
    }

    private MemorySegment map(int of, long id) {
        MemorySegment mapped;
        host.lock();
        try {
            mapped = host.device.memory().peer(worldRank(of), id);
        } catch (RuntimeException e) {
            throw host.translate(e, "window");
        } finally {
            host.unlock();
        }
        if (mapped == null) {
            throw error(ErrorClass.WINDOW, "the memory of rank " + of + " is gone: it was freed before the window");
        }
        return mapped;
    }

    Target target(String call, Object buffer, long offset, long count, int to, long displacement) {
        return target(call, buffer, on.typeOf(buffer), offset, count, to, displacement);
    }

    /** Checks an access and finds its target; null if there is nothing to be done. */
    Target target(
            String call, Object buffer, ElementType type, long offset, long count, int to, long displacement) {
        checkUsable(call);
        if (offset < 0 || count < 0 || offset > Buffers.length(buffer) - count) {
            throw error(ErrorClass.COUNT, call + ": arguments offset " + offset + " and count " + count
                    + " do not fit a " + Buffers.describe(buffer) + " of length " + Buffers.length(buffer));
        }
        if (to == Communicator.NONE) {
            return null;
        }
        checkRank(call, to);
        long bytes = count * type.bytes();
        checkPlace(call, type, bytes, to, displacement);
        epochs.access(call, to);
        return bytes == 0 ? null : target(to);
    }

    /** As above for places at the target that a datatype names. */
    Target target(String call, ElementType type, CopyProgram places, int to, long displacement) {
        if (to == Communicator.NONE) {
            return null;
        }
        checkRank(call, to);
        if (places.size() > 0) {
            checkPlaces(call, type, places, to, displacement);
        }
        epochs.access(call, to);
        return places.size() == 0 ? null : target(to);
    }

    private void checkPlaces(String call, ElementType type, CopyProgram places, int to, long displacement) {
        checkPlace(call, type, 0, to, displacement);
        long at = at(to, displacement);
        if (places.low() < -at || places.high() > parts.bytes(to) - at) {
            throw error(ErrorClass.DISPLACEMENT, call + " at rank " + to + ": argument targetType: bytes "
                    + places.low() + " to " + places.high() + " from displacement " + displacement
                    + " are outside the " + parts.bytes(to) + " bytes of that rank's part");
        }
        if (!places.isAligned(parts.type(to).bytes())) {
            throw error(ErrorClass.DISPLACEMENT, call + " at rank " + to + ": argument targetType: its places are not"
                    + " whole elements of " + parts.type(to));
        }
    }

    private void checkPlace(String call, ElementType type, long bytes, int to, long displacement) {
        long unit = parts.unit(to);
        long room = parts.bytes(to);
        long at = displacement * unit;
        if (displacement < 0 || Math.multiplyHigh(displacement, unit) != 0 || at < 0 || at > room - bytes) {
            throw error(ErrorClass.DISPLACEMENT, call + " at rank " + to + ": argument displacement: " + displacement
                    + " of " + unit + " bytes, with " + bytes + " bytes from there, is outside the " + room
                    + " bytes of that rank's part");
        }
        ElementType there = parts.type(to);
        if (!ElementType.compatible(type.code(), there.code())) {
            throw error(ErrorClass.TYPE, call + " at rank " + to + ": the buffer is of " + type
                    + ", that rank's part of " + there);
        }
        // Sizes of elements are powers of two.
        if (((at | bytes) & there.bytes() - 1) != 0) {
            throw error(ErrorClass.DISPLACEMENT, call + " at rank " + to + ": argument displacement: " + displacement
                    + " of " + unit + " bytes, with " + bytes + " bytes from there, is not whole elements of " + there);
        }
    }

    /** The type in which elements are combined. */
    ElementType combined(String call, Object origin, int to, Op op) {
        if (op == null) {
            throw error(ErrorClass.ARGUMENT, call + ": argument op is null");
        }
        ElementType type = on.typeOf(origin);
        if (to != Communicator.NONE && type == ElementType.RAW) {
            type = parts.type(to);
        }
        if (to != Communicator.NONE && (op.reduction() == null || !op.supports(type))) {
            throw error(ErrorClass.TYPE, call + " at rank " + to + ": argument op: " + op + " does not combine " + type
                    + (type == ElementType.RAW ? "; give a primitive array" : ""));
        }
        return type;
    }

    void checkLike(String call, String argument, Object origin, Object buffer, long offset, long count) {
        ElementType type = on.typeOf(buffer);
        if (type != Buffers.type(origin)) {
            throw error(ErrorClass.TYPE, call + ": argument " + argument + " is of " + type + ", origin of "
                    + Buffers.type(origin));
        }
        if (offset < 0 || offset > Buffers.length(buffer) - count) {
            throw error(ErrorClass.COUNT, call + ": argument " + argument + ": offset " + offset + " and count "
                    + count + " do not fit a " + Buffers.describe(buffer) + " of length " + Buffers.length(buffer));
        }
        on.checkWritable(buffer);
    }

    long at(int to, long displacement) {
        return displacement * parts.unit(to);
    }

    static long start(Object buffer, long offset) {
        return Buffers.start(buffer) + offset * Buffers.type(buffer).bytes();
    }

    static long bytes(Object buffer, long count) {
        return count * Buffers.type(buffer).bytes();
    }

    void checkRank(String call, int of) {
        if (of < 0 || of >= targets.length) {
            throw error(ErrorClass.RANK, call + ": argument rank: " + of + " is not a rank of the window, which has "
                    + targets.length);
        }
    }

    void checkGroup(String call, Group group) {
        if (group == null) {
            throw error(ErrorClass.ARGUMENT, call + ": argument group is null");
        }
        for (int i = 0; i < group.size(); i++) {
            if (on.rankOf(group.worldRank(i)) < 0) {
                throw error(ErrorClass.RANK, call + ": argument group: world rank " + group.worldRank(i)
                        + " is not of the window");
            }
        }
    }
}
