package io.rankwire;

import io.rankwire.device.dma.RegionTable;
import io.rankwire.fabric.Shared;
import io.rankwire.fabric.SharedMemory;
import io.rankwire.device.Operation;
import io.rankwire.device.Operation.Mode;
import io.rankwire.runtime.AttachedMemory;
import io.rankwire.runtime.Attributes;
import io.rankwire.runtime.Buffers;
import io.rankwire.runtime.Communicators;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Host;
import io.rankwire.runtime.MappedTarget;
import io.rankwire.runtime.PointToPoint;
import io.rankwire.runtime.RankSet;
import io.rankwire.runtime.Target;
import io.rankwire.runtime.TypedAccess;
import io.rankwire.runtime.WindowAccess;
import io.rankwire.runtime.WindowElements;
import io.rankwire.runtime.WindowEpochs;
import io.rankwire.runtime.WindowParts;
import io.rankwire.runtime.WindowTags;
import io.rankwire.type.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Memory of all ranks of a communicator that each of them can read, write and change without a matching call of its
 * owner. Made by {@link Communicator#window}, {@link Communicator#allocateWindow}, {@link Communicator#sharedWindow}
 * and {@link Communicator#dynamicWindow}.
 *
 * <p>A rank reaches another's part only within an <em>epoch</em>: between two {@link #fence}s that all ranks call;
 * between {@link #start} and {@link #complete}, while the targets are between {@link #post} and {@link #await}; or
 * between {@link #lock} and {@link #unlock}, where the target does nothing at all. Accesses are done when their epoch
 * ends or after a {@link #flush}; until then the buffers given to them belong to the window.
 *
 * <p>A place at a target is a <em>displacement</em>: so many of the units that the target chose. Elements are those of
 * the buffer given; the target's part must be of the same type or of memory without a type. Accumulating calls are
 * atomic for each element; with several elements, one rank's elements may lie between another's.
 */
public final class Window implements Handle {
    /** Who may hold a lock together. */
    public enum Lock {
        /** Any number of ranks at a time. */
        SHARED,
        /** One rank alone. */
        EXCLUSIVE
    }

    private final String name;
    private final Endpoint on;
    private final PointToPoint messages;
    private final Attributes attributes;
    private volatile ErrorHandler errorHandler = ErrorHandler.THROW;
    private final Host host;
    private final int rank;
    private final WindowParts parts;
    private final WindowAccess access;
    private final WindowEpochs epochs;
    /** Memory of this rank that ends with the window, or null. */
    private final Shared own;
    private final Shared control;
    private final MemorySegment memory;
    /** What this rank lets others reach in a dynamic window; null in others. */
    private final AttachedMemory attached;

    private static final byte[] NOTHING = {};

    private Request[] completions = {};

    /** All ranks come here together. The part is shared memory if it lies in some, else a region of the device. */
    private Window(Endpoint parent, String call, Object buffer, Shared own, int unit) {
        this.name = parent.name() + ".window";
        this.host = parent.host();
        this.own = own;
        this.on = Communicators.make(parent, parent.group(), name, call);
        this.messages = new PointToPoint(on);
        this.rank = on.rank();
        on.markAsWindow();
        ElementType type = Buffers.type(buffer);
        long bytes = Buffers.length(buffer) * type.bytes();
        Object base = Buffers.base(buffer);
        this.memory = base instanceof MemorySegment segment ? segment : null;
        int key = -1;
        Shared shared = null;
        host.lock();
        try {
            host.confined.inWindow(base);
            SharedMemory sharing = host.device.memory();
            shared = !sharing.isMappable() && on.size() > 1 ? null : own != null ? own
                    : memory != null && !memory.isReadOnly() ? sharing.find(memory, 0, bytes) : null;
            this.control = shared == null ? null : sharing.allocate(MappedTarget.CONTROL_BYTES);
            if (shared == null) {
                boolean readOnly = buffer instanceof ByteBuffer b && b.isReadOnly()
                        || memory != null && memory.isReadOnly();
                int rights = readOnly ? RegionTable.READ : RegionTable.READ | RegionTable.WRITE;
                key = host.device.oneSided().regions().add(base, Buffers.start(buffer), bytes, type.code(), rights);
            }
        } catch (RuntimeException e) {
            throw host.translate(e, call);
        } finally {
            host.unlock();
        }
        this.parts = shared == null
                ? WindowParts.agree(on, bytes, unit, type, WindowParts.NOT_SHARED, 0, 0, key)
                : WindowParts.agree(on, bytes, unit, type, shared.id(),
                        memory.address() - shared.memory().address(), control.id(), key);
        this.access = new WindowAccess(on, name, parts);
        this.attributes = new Attributes(access, this);
        this.epochs = access.epochs();
        this.attached = null;
    }

    /** A window without memory, to which each rank attaches some. */
    private Window(Endpoint parent) {
        this.name = parent.name() + ".window";
        this.host = parent.host();
        this.own = null;
        this.control = null;
        this.memory = null;
        this.on = Communicators.make(parent, parent.group(), name, "dynamicWindow");
        this.messages = new PointToPoint(on);
        this.rank = on.rank();
        on.markAsWindow();
        this.attached = new AttachedMemory(host);
        this.parts = WindowParts.agree(on, AttachedMemory.SPACE, 1, ElementType.RAW, WindowParts.NOT_SHARED, 0, 0,
                attached.key());
        this.access = new WindowAccess(on, name, parts);
        this.attributes = new Attributes(access, this);
        this.epochs = access.epochs();
    }

    static Window dynamic(Communicator parent) {
        return new Window(parent.endpoint()).inherit(parent);
    }

    static Window over(Communicator parent, Object buffer, int unit) {
        parent.endpoint().typeOf(buffer);
        checkUnit(parent.endpoint(), "window", unit);
        return new Window(parent.endpoint(), "window", buffer, null, unit).inherit(parent);
    }

    static Window allocate(Communicator of, long bytes, int unit, String call) {
        Endpoint parent = of.endpoint();
        if (bytes < 0) {
            throw parent.error(ErrorClass.COUNT, call + ": argument bytes: " + bytes + " is below zero");
        }
        checkUnit(parent, call, unit);
        Host host = parent.host();
        Shared own;
        host.lock();
        try {
            own = host.device.memory().allocate(bytes);
            parent.session().windowMemory().add(own.id());
        } catch (RuntimeException e) {
            throw host.translate(e, call);
        } finally {
            host.unlock();
        }
        return new Window(parent, call, own.memory(), own, unit).inherit(of);
    }

    private static void checkUnit(Endpoint parent, String call, int unit) {
        if (unit < 1) {
            throw parent.error(
                    ErrorClass.ARGUMENT, call + ": argument displacementUnit: " + unit + " is below one");
        }
    }

    /** This rank's part, if it is memory and not an array; nobody's part but this rank's own may differ in size. */
    public MemorySegment memory() {
        access.checkUsable("memory");
        if (memory == null) {
            throw access.wrong(ErrorClass.WINDOW, "memory: this rank's part is an array");
        }
        return memory;
    }

    /** Another rank's part, to be used directly; only where it is memory that all can reach. */
    public MemorySegment shared(int of) {
        access.checkUsable("shared");
        access.checkRank("shared", of);
        if (!(access.target(of) instanceof MappedTarget mapped)) {
            throw access.wrong(ErrorClass.WINDOW,
                    "shared: the part of rank " + of + " is not memory that all can reach");
        }
        return mapped.memory();
    }

    /** Bytes of a rank's part; in a dynamic window, of the space in which parts are attached. */
    public long bytes(int of) {
        access.checkUsable("bytes");
        access.checkRank("bytes", of);
        return parts.bytes(of);
    }

    /**
     * Lets the others reach a buffer of this rank by a dynamic window, until it is detached or the window is freed.
     * Nobody else takes part: the program has to tell the others.
     *
     * @return the displacement of its first byte: the first that is attached begins at 0, others where there is room
     */
    public long attach(Object buffer) {
        return dynamic("attach").attach(access, buffer);
    }

    /** Ends {@link #attach}: accesses that come now are refused. */
    public void detach(Object buffer) {
        dynamic("detach").detach(access, buffer);
    }

    private AttachedMemory dynamic(String call) {
        access.checkUsable(call);
        if (attached == null) {
            throw access.wrong(ErrorClass.WINDOW, call + ": this is no dynamic window");
        }
        return attached;
    }

    /** How reports call it. */
    @Override
    public String name() {
        return name;
    }

    /** The ranks of this window. */
    public Group group() {
        return new Group(on.group());
    }

    // accesses

    /** Writes a buffer to a target. */
    public void put(Object origin, int to, long displacement) {
        put(origin, 0, on.lengthOf(origin), to, displacement);
    }

    public void put(Object origin, long offset, long count, int to, long displacement) {
        ElementType type = on.typeOf(origin);
        Target target = access.target("put", origin, type, offset, count, to, displacement);
        if (target != null) {
            target.put(Buffers.base(origin), Buffers.start(origin) + offset * type.bytes(), count * type.bytes(), type,
                    access.at(to, displacement), null);
        }
    }

    /** Reads from a target into a buffer. */
    public void get(Object into, int from, long displacement) {
        get(into, 0, on.lengthOf(into), from, displacement);
    }

    public void get(Object into, long offset, long count, int from, long displacement) {
        ElementType type = on.typeOf(into);
        Target target = access.target("get", into, type, offset, count, from, displacement);
        on.checkWritable(into);
        if (target != null) {
            target.get(Buffers.base(into), Buffers.start(into) + offset * type.bytes(), count * type.bytes(), type,
                    access.at(from, displacement), null);
        }
    }

    /** Combines a buffer with what is at a target. */
    public void accumulate(Object origin, int to, long displacement, Op op) {
        accumulate(origin, 0, on.lengthOf(origin), to, displacement, op);
    }

    public void accumulate(Object origin, long offset, long count, int to, long displacement, Op op) {
        Target target = access.target("accumulate", origin, offset, count, to, displacement);
        ElementType type = access.combined("accumulate", origin, to, Op.operator(op));
        if (target != null) {
            target.accumulate(Op.operator(op).reduction(), Buffers.base(origin), WindowAccess.start(origin, offset),
                    WindowAccess.bytes(origin, count), type, access.at(to, displacement), null);
        }
    }

    /** As {@link #accumulate}, and reads what was there before. */
    public void getAccumulate(Object origin, Object result, int to, long displacement, Op op) {
        getAccumulate(origin, 0, result, 0, on.lengthOf(origin), to, displacement, op);
    }

    public void getAccumulate(Object origin, long offset, Object result, long resultOffset, long count, int to,
            long displacement, Op op) {
        fetch("getAccumulate", origin, offset, result, resultOffset, count, to, displacement, op, false);
    }

    /** {@link #getAccumulate} of the first element of the buffers. */
    public void fetchAndOp(Object origin, Object result, int to, long displacement, Op op) {
        fetch("fetchAndOp", origin, 0, result, 0, 1, to, displacement, op, false);
    }

    /**
     * Replaces the element at a target by the first of {@code origin} if it equals the first of {@code expected}, and
     * reads what was there before. Whole numbers and {@code boolean}s only.
     */
    public void compareAndSwap(Object origin, Object expected, Object result, int to, long displacement) {
        String call = "compareAndSwap";
        Target target = access.target(call, origin, 0, 1, to, displacement);
        ElementType type = on.typeOf(origin);
        if (!Op.operator(Op.BAND).supports(type)) {
            throw access.wrong(ErrorClass.TYPE, call + " at rank " + to + ": argument origin: a "
                    + Buffers.describe(origin) + " does not hold whole numbers or booleans");
        }
        access.checkLike(call, "expected", origin, expected, 0, 1);
        access.checkLike(call, "result", origin, result, 0, 1);
        if (target != null) {
            target.compareAndSwap(WindowElements.first(expected), WindowElements.first(origin), result, 0, type,
                    access.at(to, displacement));
        }
    }

    // synchronisation: all together

    /** Ends the accesses of all ranks since the last fence and begins the next epoch. All ranks call it. */
    public void fence() {
        access.checkUsable("fence");
        epochs.checkIdle("fence");
        flushTargets("fence");
        meet();
        epochs.fence();
    }

    // synchronisation: a few with a few

    /** Lets these ranks reach this rank's part until {@link #await}. */
    public void post(Group origins) {
        access.checkUsable("post");
        access.checkGroup("post", ranksOf(origins));
        epochs.post(origins.ranks());
        VarHandle.fullFence();
        completions = new Request[origins.size()];
        for (int i = 0; i < completions.length; i++) {
            int origin = on.rankOf(origins.worldRank(i));
            completions[i] = new Request(on, "irecv", messages.irecv(NOTHING, 0, 0, origin, WindowTags.COMPLETE, false));
            messages.send(Mode.STANDARD, NOTHING, origin, WindowTags.POST);
        }
    }

    /** Waits until these ranks have posted, and begins accesses to them. */
    public void start(Group these) {
        access.checkUsable("start");
        access.checkGroup("start", ranksOf(these));
        epochs.start(these.ranks());
        for (int i = 0; i < these.size(); i++) {
            messages.receive(NOTHING, on.rankOf(these.worldRank(i)), WindowTags.POST);
        }
    }

    /** Ends the accesses begun by {@link #start}: they are done at their targets. */
    public void complete() {
        access.checkUsable("complete");
        RankSet these = epochs.started();
        for (int i = 0; i < these.size(); i++) {
            int to = on.rankOf(these.worldRank(i));
            access.target(to).flush("complete");
            messages.send(Mode.STANDARD, NOTHING, to, WindowTags.COMPLETE);
        }
        epochs.completed();
    }

    /** Waits until all ranks that were let in by {@link #post} have completed. */
    public void await() {
        access.checkUsable("await");
        epochs.checkPosted("await");
        Request.awaitAll(completions);
        exposureOver();
    }

    /** Whether all ranks that were let in by {@link #post} have completed; if so it counts as {@link #await}. */
    public boolean test() {
        access.checkUsable("test");
        epochs.checkPosted("test");
        if (!Request.testAll(completions)) {
            return false;
        }
        exposureOver();
        return true;
    }

    private void exposureOver() {
        completions = new Request[0];
        VarHandle.fullFence();
        epochs.awaited();
    }

    // synchronisation: the origin alone

    /** Begins accesses to a rank, together with others or alone. */
    public void lock(Lock how, int at) {
        access.checkUsable("lock");
        if (how == null) {
            throw access.wrong(ErrorClass.ARGUMENT, "lock: argument how is null");
        }
        access.checkRank("lock", at);
        epochs.lock(at, how == Lock.EXCLUSIVE);
        access.target(at).lock(how == Lock.EXCLUSIVE, "lock");
    }

    /** Ends accesses to a locked rank: they are done there. */
    public void unlock(int at) {
        access.checkUsable("unlock");
        access.checkRank("unlock", at);
        boolean exclusive = epochs.exclusive(at);
        try {
            access.target(at).flush("unlock");
        } finally {
            access.target(at).unlock(exclusive);
            epochs.unlocked(at);
        }
    }

    /** Begins accesses to all ranks, together with others. */
    public void lockAll() {
        access.checkUsable("lockAll");
        epochs.lockAll();
        for (int at = 0; at < on.size(); at++) {
            access.target(at).lock(false, "lockAll");
        }
    }

    /** Ends what {@link #lockAll} began: all accesses are done at their targets. */
    public void unlockAll() {
        access.checkUsable("unlockAll");
        epochs.checkAll();
        try {
            flushTargets("unlockAll");
        } finally {
            for (Target target : access.targets()) {
                target.unlock(false);
            }
            epochs.unlockedAll();
        }
    }

    /** Waits until all accesses to a locked rank are done there. */
    public void flush(int at) {
        checkFlush("flush", at);
        access.target(at).flush("flush");
    }

    /** Waits until all accesses to locked ranks are done there. */
    public void flushAll() {
        access.checkUsable("flushAll");
        epochs.checkLocked("flushAll", -1);
        flushTargets("flushAll");
    }

    /** Waits until the buffers of accesses to a locked rank may be used again; what was read is here. */
    public void flushLocal(int at) {
        checkFlush("flushLocal", at);
        access.target(at).flushLocal("flushLocal");
    }

    /** As {@link #flushLocal}, for all locked ranks. */
    public void flushLocalAll() {
        access.checkUsable("flushLocalAll");
        epochs.checkLocked("flushLocalAll", -1);
        for (Target target : access.targets()) {
            if (target != null) {
                target.flushLocal("flushLocalAll");
            }
        }
    }

    /** Makes this rank's own loads and stores and the accesses of others to its part see each other. */
    public void sync() {
        access.checkUsable("sync");
        VarHandle.fullFence();
        host.lock();
        try {
            host.progress();
        } catch (RuntimeException e) {
            throw host.translate(e, "sync");
        } finally {
            host.unlock();
        }
    }

    /** Ends the window when all ranks have come here and all accesses are done. All ranks call it. */
    public void free() {
        access.checkUsable("free");
        epochs.checkIdle("free");
        attributes.deleteAll();
        flushTargets("free");
        meet();
        for (Target target : access.targets()) {
            if (target != null) {
                target.close();
            }
        }
        host.lock();
        try {
            if (control != null) {
                host.device.memory().free(control);
            } else {
                host.device.oneSided().withdraw(parts.key(rank));
            }
            if (attached == null) {
                host.confined.outOfWindow(memory);
            } else {
                attached.detachAll();
            }
            if (own != null) {
                on.session().windowMemory().remove(own.id());
                host.device.memory().free(own);
            }
        } finally {
            host.unlock();
        }
        on.free();
        access.freed();
    }

    @Override
    public String toString() {
        return name + " (rank " + rank + " of " + on.size() + ")" + (access.isFreed() ? ", freed" : "");
    }

    // below the calls

    /** A call that returns a value waits for it. */
    private void finish(String call, int to) {
        if (to != Endpoint.NONE) {
            access.target(to).flushLocal(call);
        }
    }

    private void flushTargets(String call) {
        for (Target target : access.targets()) {
            if (target != null) {
                target.flush(call);
            }
        }
    }

    /** Returns when all ranks have come here, in as many steps as the number of ranks has bits. */
    private void meet() {
        VarHandle.fullFence();
        int size = on.size();
        for (int step = 1; step < size; step *= 2) {
            messages.sendReceive(NOTHING, 0, 0, (rank + step) % size, WindowTags.FENCE, NOTHING, 0, 0,
                    (rank + size - step) % size, WindowTags.FENCE);
        }
        VarHandle.fullFence();
    }

    private void checkFlush(String call, int at) {
        access.checkUsable(call);
        access.checkRank(call, at);
        epochs.checkLocked(call, at);
    }

    /** Combines a {@code long} with the one at a target, and returns what was there; waits for it. */
    public long fetchAndOp(long value, int to, long displacement, Op op) {
        long[] result = {0};
        fetchAndOp(new long[] {value}, result, to, displacement, op);
        finish("fetchAndOp", to);
        return result[0];
    }

    /** As above, for an {@code int}. */
    public int fetchAndOp(int value, int to, long displacement, Op op) {
        int[] result = {0};
        fetchAndOp(new int[] {value}, result, to, displacement, op);
        finish("fetchAndOp", to);
        return result[0];
    }

    /** As above, for a {@code double}. */
    public double fetchAndOp(double value, int to, long displacement, Op op) {
        double[] result = {0};
        fetchAndOp(new double[] {value}, result, to, displacement, op);
        finish("fetchAndOp", to);
        return result[0];
    }

    /** Replaces a {@code long} at a target if it equals the expected one; returns what was there. */
    public long compareAndSwap(long expected, long value, int to, long displacement) {
        long[] result = {0};
        compareAndSwap(new long[] {value}, new long[] {expected}, result, to, displacement);
        finish("compareAndSwap", to);
        return result[0];
    }

    /** As above, for an {@code int}. */
    public int compareAndSwap(int expected, int value, int to, long displacement) {
        int[] result = {0};
        compareAndSwap(new int[] {value}, new int[] {expected}, result, to, displacement);
        finish("compareAndSwap", to);
        return result[0];
    }

    /** Writes elements of a datatype to places at a target that another names. */
    public void put(Object origin, long offset, long count, Datatype type, int to, long displacement, long targetCount,
            Datatype targetType) {
        TypedAccess.put(access, "put", origin, offset, count, Datatype.layout(type), to, displacement, targetCount, Datatype.layout(targetType), false);
    }

    /** As {@link #put}; the request is done when the buffer may be used again. */
    public Request rput(Object origin, long offset, long count, Datatype type, int to, long displacement,
            long targetCount, Datatype targetType) {
        return started("rput", TypedAccess.put(
                access, "rput", origin, offset, count, Datatype.layout(type), to, displacement, targetCount, Datatype.layout(targetType), true));
    }

    /** Reads elements from places at a target that a datatype names. */
    public void get(Object into, long offset, long count, Datatype type, int from, long displacement, long targetCount,
            Datatype targetType) {
        TypedAccess.get(access, "get", into, offset, count, Datatype.layout(type), from, displacement, targetCount, Datatype.layout(targetType), false);
    }

    /** As {@link #get}; the request is done when the elements are here. */
    public Request rget(Object into, long offset, long count, Datatype type, int from, long displacement,
            long targetCount, Datatype targetType) {
        return started("rget", TypedAccess.get(
                access, "rget", into, offset, count, Datatype.layout(type), from, displacement, targetCount, Datatype.layout(targetType), true));
    }

    /** Combines elements with those at a target. */
    public void accumulate(Object origin, long offset, long count, Datatype type, int to, long displacement,
            long targetCount, Datatype targetType, Op op) {
        TypedAccess.accumulate(access, "accumulate", origin, offset, count, Datatype.layout(type), to, displacement, targetCount,
                Datatype.layout(targetType), Op.operator(op), false);
    }

    /** As {@link #accumulate}; the request is done when the buffer may be used again. */
    public Request raccumulate(Object origin, long offset, long count, Datatype type, int to, long displacement,
            long targetCount, Datatype targetType, Op op) {
        return started("raccumulate", TypedAccess.accumulate(access, "raccumulate", origin, offset, count, Datatype.layout(type), to,
                displacement, targetCount, Datatype.layout(targetType), Op.operator(op), true));
    }

    /** As {@link #accumulate}, and reads what was there before. With {@link Op#NO_OP} there is no origin. */
    public void getAccumulate(Object origin, long offset, long count, Datatype type, Object result, long resultOffset,
            long resultCount, Datatype resultType, int to, long displacement, long targetCount, Datatype targetType,
            Op op) {
        TypedAccess.fetch(access, "getAccumulate", origin, offset, count, Datatype.layout(type), result, resultOffset, resultCount,
                Datatype.layout(resultType), to, displacement, targetCount, Datatype.layout(targetType), Op.operator(op), false);
    }

    /** As {@link #getAccumulate}; the request is done when the result is here. */
    public Request rgetAccumulate(Object origin, long offset, long count, Datatype type, Object result,
            long resultOffset, long resultCount, Datatype resultType, int to, long displacement, long targetCount,
            Datatype targetType, Op op) {
        return started("rgetAccumulate", TypedAccess.fetch(access, "rgetAccumulate", origin, offset, count, Datatype.layout(type),
                result, resultOffset, resultCount, Datatype.layout(resultType), to, displacement, targetCount, Datatype.layout(targetType), Op.operator(op), true));
    }

    /**
     * Replaces the element at a target by one of a buffer if it equals an expected one, and reads what was there
     * before. The datatype is one of a single element, a whole number or {@code boolean}.
     */
    public void compareAndSwap(Object origin, long offset, Object expected, long expectedOffset, Object result,
            long resultOffset, Datatype type, int to, long displacement) {
        TypedAccess.compareAndSwap(access, origin, offset, expected, expectedOffset, result, resultOffset, Datatype.layout(type), to,
                displacement);
    }

    private Request started(String call, Operation operation) {
        return new Request(on, call, operation);
    }

    /** As {@link #put}; the request is done when the buffer may be used again. */
    public Request rput(Object origin, long offset, long count, int to, long displacement) {
        Target target = access.target("rput", origin, offset, count, to, displacement);
        Operation operation = null;
        if (target != null) {
            ElementType type = on.typeOf(origin);
            operation = target.begin(count * type.bytes());
            target.put(Buffers.base(origin), WindowAccess.start(origin, offset), count * type.bytes(), type,
                    access.at(to, displacement), operation);
        }
        return new Request(on, "rput", operation);
    }

    /** As {@link #get}; the request is done when the bytes are here. */
    public Request rget(Object into, long offset, long count, int from, long displacement) {
        Target target = access.target("rget", into, offset, count, from, displacement);
        on.checkWritable(into);
        Operation operation = null;
        if (target != null) {
            ElementType type = on.typeOf(into);
            operation = target.begin(count * type.bytes());
            target.get(Buffers.base(into), WindowAccess.start(into, offset), count * type.bytes(), type,
                    access.at(from, displacement), operation);
        }
        return new Request(on, "rget", operation);
    }

    /** As {@link #accumulate}; the request is done when the buffer may be used again. */
    public Request raccumulate(Object origin, long offset, long count, int to, long displacement, Op op) {
        Target target = access.target("raccumulate", origin, offset, count, to, displacement);
        ElementType type = access.combined("raccumulate", origin, to, Op.operator(op));
        Operation operation = null;
        if (target != null) {
            operation = target.begin(count * type.bytes());
            target.accumulate(Op.operator(op).reduction(), Buffers.base(origin), WindowAccess.start(origin, offset),
                    WindowAccess.bytes(origin, count), type, access.at(to, displacement), operation);
        }
        return new Request(on, "raccumulate", operation);
    }

    /** As {@link #getAccumulate}; the request is done when the result is here. */
    public Request rgetAccumulate(Object origin, long offset, Object result, long resultOffset, long count, int to,
            long displacement, Op op) {
        Operation operation =
                fetch("rgetAccumulate", origin, offset, result, resultOffset, count, to, displacement, op, true);
        return new Request(on, "rgetAccumulate", operation);
    }

    private Operation fetch(String call, Object origin, long offset, Object result, long resultOffset, long count,
            int to, long displacement, Op op, boolean request) {
        Target target = access.target(call, origin, offset, count, to, displacement);
        ElementType type = access.combined(call, origin, to, Op.operator(op));
        access.checkLike(call, "result", origin, result, resultOffset, count);
        if (target == null) {
            return null;
        }
        long bytes = WindowAccess.bytes(origin, count);
        Operation operation = request ? target.begin(bytes) : null;
        target.fetch(Op.operator(op).reduction(), Buffers.base(origin), WindowAccess.start(origin, offset),
                Buffers.base(result), WindowAccess.start(result, resultOffset), bytes, type,
                access.at(to, displacement), operation);
        return operation;
    }

    private Window inherit(Communicator parent) {
        errorHandler(parent.errorHandler());
        return this;
    }

    private static RankSet ranksOf(Group given) {
        return given == null ? null : given.ranks();
    }

    WindowAccess checks() {
        return access;
    }

    @Override
    public void errorHandler(ErrorHandler handler) {
        RankwireException.handle(access, this, handler);
        RankwireException.handle(on, this, handler);
        errorHandler = handler;
    }

    @Override
    public ErrorHandler errorHandler() {
        return errorHandler;
    }

    @Override
    public <T> Optional<T> attribute(AttributeKey<T> key) {
        return AttributeKey.get(attributes, key);
    }

    @Override
    public <T> void attribute(AttributeKey<T> key, T value) {
        attributes.set(AttributeKey.callbacks(key), value);
    }

    @Override
    public boolean removeAttribute(AttributeKey<?> key) {
        return attributes.remove(AttributeKey.callbacks(key));
    }
}
