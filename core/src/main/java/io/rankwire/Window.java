package io.rankwire;

import io.rankwire.device.onesided.RegionTable;
import io.rankwire.fabric.Shared;
import io.rankwire.fabric.SharedMemory;
import io.rankwire.type.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

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
public final class Window extends WindowRequests {
    /** Who may hold a lock together. */
    public enum Lock {
        /** Any number of ranks at a time. */
        SHARED,
        /** One rank alone. */
        EXCLUSIVE
    }

    private static final int FENCE = 1;
    static final int POST = 2;
    static final int COMPLETE = 3;
    private static final byte[] NOTHING = {};

    private final String name;
    private final Communicator on;
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
    private Request[] completions = {};

    /** All ranks come here together. The part is shared memory if it lies in some, else a region of the device. */
    private Window(Communicator parent, String call, Object buffer, Shared own, int unit) {
        this.name = parent.name() + ".window";
        this.host = parent.host();
        this.own = own;
        this.on = parent.world().contexts().make(parent, parent.group(), name, call);
        this.rank = on.rank();
        on.isOfWindow();
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
        errorHandler(parent.errorHandler());
        on.errorHandler((inner, error) -> errorHandler().failed(this, error));
        this.epochs = access.epochs();
        this.attached = null;
    }

    /** A window without memory, to which each rank attaches some. */
    private Window(Communicator parent) {
        this.name = parent.name() + ".window";
        this.host = parent.host();
        this.own = null;
        this.control = null;
        this.memory = null;
        this.on = parent.world().contexts().make(parent, parent.group(), name, "dynamicWindow");
        this.rank = on.rank();
        on.isOfWindow();
        this.attached = new AttachedMemory(host);
        this.parts = WindowParts.agree(on, AttachedMemory.SPACE, 1, ElementType.RAW, WindowParts.NOT_SHARED, 0, 0,
                attached.key());
        this.access = new WindowAccess(on, name, parts);
        errorHandler(parent.errorHandler());
        on.errorHandler((inner, error) -> errorHandler().failed(this, error));
        this.epochs = access.epochs();
    }

    static Window dynamic(Communicator parent) {
        return new Window(parent);
    }

    static Window over(Communicator parent, Object buffer, int unit) {
        parent.typeOf(buffer);
        checkUnit(parent, "window", unit);
        return new Window(parent, "window", buffer, null, unit);
    }

    static Window allocate(Communicator parent, long bytes, int unit, String call) {
        if (bytes < 0) {
            throw parent.error(ErrorClass.COUNT, call + ": argument bytes: " + bytes + " is below zero");
        }
        checkUnit(parent, call, unit);
        Host host = parent.host();
        Shared own;
        host.lock();
        try {
            own = host.device.memory().allocate(bytes);
            parent.world().windowMemory().add(own.id());
        } catch (RuntimeException e) {
            throw host.translate(e, call);
        } finally {
            host.unlock();
        }
        return new Window(parent, call, own.memory(), own, unit);
    }

    private static void checkUnit(Communicator parent, String call, int unit) {
        if (unit < 1) {
            throw parent.error(
                    ErrorClass.ARGUMENT, call + ": argument displacementUnit: " + unit + " is below one");
        }
    }

    /** This rank's part, if it is memory and not an array; nobody's part but this rank's own may differ in size. */
    public MemorySegment memory() {
        access.checkUsable("memory");
        if (memory == null) {
            throw access.error(ErrorClass.WINDOW, "memory: this rank's part is an array");
        }
        return memory;
    }

    /** Another rank's part, to be used directly; only where it is memory that all can reach. */
    public MemorySegment shared(int of) {
        access.checkUsable("shared");
        access.checkRank("shared", of);
        if (!(access.target(of) instanceof MappedTarget mapped)) {
            throw access.error(ErrorClass.WINDOW,
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
        return dynamic("attach").attach(this, buffer);
    }

    /** Ends {@link #attach}: accesses that come now are refused. */
    public void detach(Object buffer) {
        dynamic("detach").detach(this, buffer);
    }

    private AttachedMemory dynamic(String call) {
        access.checkUsable(call);
        if (attached == null) {
            throw access.error(ErrorClass.WINDOW, call + ": this is no dynamic window");
        }
        return attached;
    }

    /** How reports call it. */
    @Override
    public String name() {
        return name;
    }

    @Override
    World world() {
        return on.world();
    }

    @Override
    Communicator on() {
        return on;
    }

    @Override
    WindowAccess access() {
        return access;
    }

    @Override
    void checkUsable() {
        access.checkUsable("attribute");
    }

    /** The ranks of this window. */
    public Group group() {
        return on.group();
    }

    // accesses

    /** Writes a buffer to a target. */
    public void put(Object origin, int to, long displacement) {
        put(origin, 0, all(origin), to, displacement);
    }

    public void put(Object origin, long offset, long count, int to, long displacement) {
        ElementType type = typeOf(origin);
        Target target = access.target("put", origin, type, offset, count, to, displacement);
        if (target != null) {
            target.put(Buffers.base(origin), Buffers.start(origin) + offset * type.bytes(), count * type.bytes(), type,
                    access.at(to, displacement), null);
        }
    }

    /** Reads from a target into a buffer. */
    public void get(Object into, int from, long displacement) {
        get(into, 0, all(into), from, displacement);
    }

    public void get(Object into, long offset, long count, int from, long displacement) {
        ElementType type = typeOf(into);
        Target target = access.target("get", into, type, offset, count, from, displacement);
        checkWritable(into);
        if (target != null) {
            target.get(Buffers.base(into), Buffers.start(into) + offset * type.bytes(), count * type.bytes(), type,
                    access.at(from, displacement), null);
        }
    }

    /** Combines a buffer with what is at a target. */
    public void accumulate(Object origin, int to, long displacement, Op op) {
        accumulate(origin, 0, all(origin), to, displacement, op);
    }

    public void accumulate(Object origin, long offset, long count, int to, long displacement, Op op) {
        Target target = access.target("accumulate", origin, offset, count, to, displacement);
        ElementType type = access.combined("accumulate", origin, to, op);
        if (target != null) {
            target.accumulate(op.reduction(), Buffers.base(origin), WindowAccess.start(origin, offset),
                    WindowAccess.bytes(origin, count), type, access.at(to, displacement), null);
        }
    }

    /** As {@link #accumulate}, and reads what was there before. */
    public void getAccumulate(Object origin, Object result, int to, long displacement, Op op) {
        getAccumulate(origin, 0, result, 0, all(origin), to, displacement, op);
    }

    public void getAccumulate(Object origin, long offset, Object result, long resultOffset, long count, int to,
            long displacement, Op op) {
        fetch("getAccumulate", origin, offset, result, resultOffset, count, to, displacement, op, false);
    }

    /** {@link #getAccumulate} of the first element of the buffers. */
    @Override
    public void fetchAndOp(Object origin, Object result, int to, long displacement, Op op) {
        fetch("fetchAndOp", origin, 0, result, 0, 1, to, displacement, op, false);
    }

    /**
     * Replaces the element at a target by the first of {@code origin} if it equals the first of {@code expected}, and
     * reads what was there before. Whole numbers and {@code boolean}s only.
     */
    @Override
    public void compareAndSwap(Object origin, Object expected, Object result, int to, long displacement) {
        String call = "compareAndSwap";
        Target target = access.target(call, origin, 0, 1, to, displacement);
        ElementType type = typeOf(origin);
        if (!Op.BAND.supports(type)) {
            throw access.error(ErrorClass.TYPE, call + " at rank " + to + ": argument origin: a "
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

    @Override
    int rank() {
        return rank;
    }

    /** Lets these ranks reach this rank's part until {@link #await}. */
    public void post(Group origins) {
        access.checkUsable("post");
        access.checkGroup("post", origins);
        epochs.post(origins);
        VarHandle.fullFence();
        completions = new Request[origins.size()];
        for (int i = 0; i < completions.length; i++) {
            int origin = on.rankOf(origins.worldRank(i));
            completions[i] = on.irecv(NOTHING, origin, COMPLETE);
            on.send(NOTHING, origin, POST);
        }
    }

    /** Waits until these ranks have posted, and begins accesses to them. */
    public void start(Group these) {
        access.checkUsable("start");
        access.checkGroup("start", these);
        epochs.start(these);
        for (int i = 0; i < these.size(); i++) {
            on.receive(NOTHING, on.rankOf(these.worldRank(i)), POST);
        }
    }

    /** Ends the accesses begun by {@link #start}: they are done at their targets. */
    public void complete() {
        access.checkUsable("complete");
        Group these = epochs.started();
        for (int i = 0; i < these.size(); i++) {
            int to = on.rankOf(these.worldRank(i));
            access.target(to).flush("complete");
            on.send(NOTHING, to, COMPLETE);
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
            throw access.error(ErrorClass.ARGUMENT, "lock: argument how is null");
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
        deleteAttributes();
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
                on.world().windowMemory().remove(own.id());
                host.device.memory().free(own);
            }
        } finally {
            host.unlock();
        }
        on.world().contexts().free(on);
        access.freed();
    }

    @Override
    public String toString() {
        return name + " (rank " + rank + " of " + on.size() + ")" + (access.isFreed() ? ", freed" : "");
    }

    // below the calls

    /** A call that returns a value waits for it. */
    @Override
    void finish(String call, int to) {
        if (to != Communicator.NONE) {
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
            on.sendReceive(NOTHING, (rank + step) % size, FENCE, NOTHING, (rank + size - step) % size, FENCE);
        }
        VarHandle.fullFence();
    }

    private long all(Object buffer) {
        typeOf(buffer);
        return Buffers.length(buffer);
    }

    private void checkFlush(String call, int at) {
        access.checkUsable(call);
        access.checkRank(call, at);
        epochs.checkLocked(call, at);
    }
}
