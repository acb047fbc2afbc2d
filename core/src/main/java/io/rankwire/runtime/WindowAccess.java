package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.type.CopyProgram;
import io.rankwire.type.ElementType;
import java.lang.foreign.MemorySegment;

/** What stands between a window's calls and its targets: whether an access is allowed, where it goes, by which way. */
public final class WindowAccess extends CallChecks {
    private final Endpoint on;
    private final Host host;
    private final String name;
    private final WindowParts parts;
    private final WindowEpochs epochs;
    private final Target[] targets;
    private volatile boolean freed;

    public WindowAccess(Endpoint on, String name, WindowParts parts) {
        super(on.session(), on.rank());
        this.on = on;
        this.host = on.host();
        this.name = name;
        this.parts = parts;
        this.epochs = new WindowEpochs(this, on.size());
        this.targets = new Target[on.size()];
    }

    @Override
    public String name() {
        return name;
    }

    public int worldRank(int of) {
        return on.group().worldRank(of);
    }

    public WindowEpochs epochs() {
        return epochs;
    }

    /** The ways in use; null where none was needed yet. */
    public Target[] targets() {
        return targets;
    }

    public boolean isFreed() {
        return freed;
    }

    public void freed() {
        freed = true;
    }

    /** An error of a call on the window, which {@code what} names. */
    public RankwireException wrong(ErrorClass errorClass, String what) {
        return raised(new RankwireException(errorClass, "rank " + rank() + ": " + name + ": " + what
                + CallSite.find()));
    }

    @Override
    public void checkUsable() {
        checkUsable("attribute");
    }

    public Object typed(boolean written, Object buffer, long offset, long count, Layout type) {
        return written ? TypedViews.target(on, buffer, offset, count, type)
                : TypedViews.source(on, buffer, offset, count, type);
    }

    public void checkUsable(String call) {
        on.checkOpen();
        if (freed) {
            throw wrong(ErrorClass.WINDOW, call + ": the window was freed");
        }
    }

    public Target target(int of) {
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
            throw wrong(ErrorClass.WINDOW, "the memory of rank " + of + " is gone: it was freed before the window");
        }
        return mapped;
    }

    public Target target(String call, Object buffer, long offset, long count, int to, long displacement) {
        return target(call, buffer, on.typeOf(buffer), offset, count, to, displacement);
    }

    /** Checks an access and finds its target; null if there is nothing to be done. */
    public Target target(
            String call, Object buffer, ElementType type, long offset, long count, int to, long displacement) {
        checkUsable(call);
        if (offset < 0 || count < 0 || offset > Buffers.length(buffer) - count) {
            throw wrong(ErrorClass.COUNT, call + ": arguments offset " + offset + " and count " + count
                    + " do not fit a " + Buffers.describe(buffer) + " of length " + Buffers.length(buffer));
        }
        if (to == Endpoint.NONE) {
            return null;
        }
        checkRank(call, to);
        long bytes = count * type.bytes();
        checkPlace(call, type, bytes, to, displacement);
        epochs.access(call, to);
        return bytes == 0 ? null : target(to);
    }

    /** As above for places at the target that a datatype names. */
    public Target target(String call, ElementType type, CopyProgram places, int to, long displacement) {
        if (to == Endpoint.NONE) {
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
            throw wrong(ErrorClass.DISPLACEMENT, call + " at rank " + to + ": argument targetType: bytes "
                    + places.low() + " to " + places.high() + " from displacement " + displacement
                    + " are outside the " + parts.bytes(to) + " bytes of that rank's part");
        }
        if (!places.isAligned(parts.type(to).bytes())) {
            throw wrong(ErrorClass.DISPLACEMENT, call + " at rank " + to + ": argument targetType: its places are not"
                    + " whole elements of " + parts.type(to));
        }
    }

    private void checkPlace(String call, ElementType type, long bytes, int to, long displacement) {
        long unit = parts.unit(to);
        long room = parts.bytes(to);
        long at = displacement * unit;
        if (displacement < 0 || Math.multiplyHigh(displacement, unit) != 0 || at < 0 || at > room - bytes) {
            throw wrong(ErrorClass.DISPLACEMENT, call + " at rank " + to + ": argument displacement: " + displacement
                    + " of " + unit + " bytes, with " + bytes + " bytes from there, is outside the " + room
                    + " bytes of that rank's part");
        }
        ElementType there = parts.type(to);
        if (!ElementType.compatible(type.code(), there.code())) {
            throw wrong(ErrorClass.TYPE, call + " at rank " + to + ": the buffer is of " + type
                    + ", that rank's part of " + there);
        }
        // Sizes of elements are powers of two.
        if (((at | bytes) & there.bytes() - 1) != 0) {
            throw wrong(ErrorClass.DISPLACEMENT, call + " at rank " + to + ": argument displacement: " + displacement
                    + " of " + unit + " bytes, with " + bytes + " bytes from there, is not whole elements of " + there);
        }
    }

    /** The type in which elements are combined. */
    public ElementType combined(String call, Object origin, int to, Operator op) {
        if (op == null) {
            throw wrong(ErrorClass.ARGUMENT, call + ": argument op is null");
        }
        ElementType type = on.typeOf(origin);
        if (to != Endpoint.NONE && type == ElementType.RAW) {
            type = parts.type(to);
        }
        if (to != Endpoint.NONE && (op.reduction() == null || !op.supports(type))) {
            throw wrong(ErrorClass.TYPE, call + " at rank " + to + ": argument op: " + op + " does not combine " + type
                    + (type == ElementType.RAW ? "; give a primitive array" : ""));
        }
        return type;
    }

    public void checkLike(String call, String argument, Object origin, Object buffer, long offset, long count) {
        ElementType type = on.typeOf(buffer);
        if (type != Buffers.type(origin)) {
            throw wrong(ErrorClass.TYPE, call + ": argument " + argument + " is of " + type + ", origin of "
                    + Buffers.type(origin));
        }
        if (offset < 0 || offset > Buffers.length(buffer) - count) {
            throw wrong(ErrorClass.COUNT, call + ": argument " + argument + ": offset " + offset + " and count "
                    + count + " do not fit a " + Buffers.describe(buffer) + " of length " + Buffers.length(buffer));
        }
        on.checkWritable(buffer);
    }

    public long at(int to, long displacement) {
        return displacement * parts.unit(to);
    }

    public static long start(Object buffer, long offset) {
        return Buffers.start(buffer) + offset * Buffers.type(buffer).bytes();
    }

    public static long bytes(Object buffer, long count) {
        return count * Buffers.type(buffer).bytes();
    }

    public void checkRank(String call, int of) {
        if (of < 0 || of >= targets.length) {
            throw wrong(ErrorClass.RANK, call + ": argument rank: " + of + " is not a rank of the window, which has "
                    + targets.length);
        }
    }

    public void checkGroup(String call, RankSet group) {
        if (group == null) {
            throw wrong(ErrorClass.ARGUMENT, call + ": argument group is null");
        }
        for (int i = 0; i < group.size(); i++) {
            if (on.rankOf(group.worldRank(i)) < 0) {
                throw wrong(ErrorClass.RANK, call + ": argument group: world rank " + group.worldRank(i)
                        + " is not of the window");
            }
        }
    }
}
