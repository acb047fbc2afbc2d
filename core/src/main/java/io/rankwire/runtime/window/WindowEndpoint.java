package io.rankwire.runtime.window;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.onesided.RegionTable;
import io.rankwire.device.work.RemotePart;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.Shared;
import io.rankwire.fabric.SharedMemory;
import io.rankwire.runtime.Buffers;
import io.rankwire.runtime.CallChecks;
import io.rankwire.runtime.CallSite;
import io.rankwire.runtime.Communicators;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Host;
import io.rankwire.runtime.Survivors;
import io.rankwire.type.ElementType;
import java.lang.foreign.MemorySegment;

/**
 * One window as this rank sees it: the part of each rank and the way to it. {@link PlainAccess} and {@link TypedAccess}
 * make accesses, {@link Synchronisation} begins and ends the epochs in which they are allowed.
 */
public final class WindowEndpoint extends CallChecks {
    private static final int NO_KEY = -1;

    private final Endpoint on;
    private final Host host;
    private final String name;
    private final Part[] parts;
    /** The ways in use; null where none was needed yet. */
    private final Target[] targets;
    private final PlainAccess access;
    private final Synchronisation synchronisation;
    /** This rank's part; null if it is an array, or the window is dynamic. */
    private final MemorySegment memory;
    /** Memory of this rank that ends with the window, or null. */
    private final Shared own;
    /** The words of {@link MappedTarget} for this rank's part; null if others reach the part by frames. */
    private final Shared control;
    /** What this rank lets others reach in a dynamic window; null in others. */
    private final AttachedMemory attached;
    /** Null if the job ends with the first death. */
    private final Survivors survivors;
    private volatile boolean freed;
    /** Whether accesses end with an error, because the window was freed or revoked. */
    private volatile boolean refused;

    private WindowEndpoint(Endpoint on, String name, Part[] parts, MemorySegment memory, Shared own, Shared control,
            AttachedMemory attached) {
        super(on.session(), on.rank());
        this.on = on;
        this.host = on.host();
        this.name = name;
        this.parts = parts;
        this.targets = new Target[on.size()];
        this.memory = memory;
        this.own = own;
        this.control = control;
        this.attached = attached;
        Epochs epochs = new Epochs(this, on.size(), host.counts);
        this.access = new PlainAccess(this, on, parts, epochs);
        this.synchronisation = new Synchronisation(this, on, epochs);
        this.survivors = on.session().survivors();
        on.members().onDeath(this::died);
        on.members().onRevocation(() -> refused = true);
    }

    /** {@link #reach} may open the way to the same rank at this moment. */
    private synchronized void died(PeerLost cause) {
        int of = on.rankOf(cause.rank());
        targets[of] = new DeadTarget(this, of, cause);
    }

    // making: all ranks call each of these together

    /** A window over a buffer of each rank. */
    public static WindowEndpoint over(Endpoint parent, Object buffer, int unit) {
        parent.typeOf(buffer);
        checkUnit(parent, "window", unit);
        return make(parent, "window", buffer, null, unit);
    }

    /** A window over new memory of each rank. */
    public static WindowEndpoint allocate(Endpoint parent, long bytes, int unit, String call) {
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
        try {
            return make(parent, call, own.memory(), own, unit);
        } catch (RuntimeException e) {
            giveUp(e, () -> end(parent, own));
            throw e;
        }
    }

    /** Frees memory that a window has allocated. */
    private static void end(Endpoint on, Shared own) {
        Host host = on.host();
        host.lock();
        try {
            on.session().windowMemory().remove(own.id());
            host.device.remote().free(own);
        } finally {
            host.unlock();
        }
    }

    /** A window without memory, to which each rank attaches some. */
    public static WindowEndpoint dynamic(Endpoint parent) {
        String name = nameIn(parent);
        Endpoint on = communicator(parent, name, "dynamicWindow");
        AttachedMemory attached = new AttachedMemory(on.host());
        Part own = new Part(AttachedMemory.SPACE, 1, ElementType.RAW, Part.NOT_SHARED, 0, 0, attached.key());
        try {
            return new WindowEndpoint(on, name, Part.agree(on, own, "dynamicWindow"), null, null, null, attached);
        } catch (RuntimeException e) {
            giveUp(e, () -> leave(on, null, null, own.key()));
            throw e;
        }
    }

    private static WindowEndpoint make(Endpoint parent, String call, Object buffer, Shared own, int unit) {
        String name = nameIn(parent);
        Endpoint on = communicator(parent, name, call);
        Object base = Buffers.base(buffer);
        MemorySegment memory = base instanceof MemorySegment segment ? segment : null;
        Opened opened;
        try {
            opened = open(on, call, buffer, own, unit);
        } catch (RuntimeException e) {
            giveUp(e, () -> leave(on, null, null, NO_KEY));
            throw e;
        }
        try {
            return new WindowEndpoint(on, name, Part.agree(on, opened.part, call), memory, own, opened.control, null);
        } catch (RuntimeException e) {
            giveUp(e, () -> leave(on, base, opened.control, opened.part.key()));
            throw e;
        }
    }

    /** This rank's part of a window that is being made, and the words of its lock, or null. */
    private record Opened(Part part, Shared control) {}

    /** A part is shared memory if it lies in some, else a region of the device. */
    private static Opened open(Endpoint on, String call, Object buffer, Shared own, int unit) {
        Host host = on.host();
        ElementType type = Buffers.type(buffer);
        long bytes = Buffers.length(buffer) * type.bytes();
        Object base = Buffers.base(buffer);
        MemorySegment memory = base instanceof MemorySegment segment ? segment : null;
        Shared shared;
        Shared control = null;
        int key = NO_KEY;
        boolean isIn = false;
        host.lock();
        try {
            SharedMemory sharing = host.device.memory();
            shared = !sharing.isMappable() && on.size() > 1 && !isReachedByNetwork(on) ? null : own != null ? own
                    : memory != null && !memory.isReadOnly() ? sharing.find(memory, 0, bytes) : null;
            host.confined.inWindow(base);
            isIn = true;
            // One rank that can only send frames makes the owner's device the judge of locks and elements for all.
            if (shared != null && (on.size() == 1 || on.sharesMemory())) {
                control = sharing.allocate(MappedTarget.controlBytes(on.size()));
            } else {
                key = host.device.oneSided().regions().add(
                        base, Buffers.start(buffer), bytes, type.code(), rights(buffer));
            }
        } catch (RuntimeException e) {
            if (isIn) {
                host.confined.outOfWindow(base);
            }
            throw host.translate(e, call);
        } finally {
            host.unlock();
        }
        return new Opened(shared == null
                ? new Part(bytes, unit, type, Part.NOT_SHARED, 0, 0, key)
                : new Part(bytes, unit, type, shared.id(), memory.address() - shared.memory().address(),
                        control == null ? Part.NOT_SHARED : control.id(), key), control);
    }

    /** Ends what a window has that is not made because of an exception. */
    private static void giveUp(RuntimeException why, Runnable end) {
        try {
            end.run();
        } catch (RuntimeException e) {
            if (e != why) {
                why.addSuppressed(e);
            }
        }
    }

    /**
     * A window is not made here. In a job that goes on, members for which it was made cannot use it.
     *
     * @param base the memory of the part; null if it was not opened
     */
    private static void leave(Endpoint on, Object base, Shared control, int key) {
        Host host = on.host();
        host.lock();
        try {
            if (base != null) {
                host.confined.outOfWindow(base);
            }
            close(host, control, key);
        } finally {
            host.unlock();
        }
        if (on.session().goesOn()) {
            if (!on.members().isInterrupted()) {
                on.session().consensus().revoke(on);
            }
            on.free();
        }
    }

    /** Others reach the part no more; the caller has the lock. */
    private static void close(Host host, Shared control, int key) {
        if (control != null) {
            host.device.memory().free(control);
        } else if (key != NO_KEY) {
            host.device.oneSided().withdraw(key);
        }
    }

    private static boolean isReachedByNetwork(Endpoint on) {
        boolean isReached = false;
        for (int rank = 0; !isReached && rank < on.size(); rank++) {
            isReached = on.host().device.remote().reaches(on.group().worldRank(rank));
        }
        return isReached;
    }

    private static String nameIn(Endpoint parent) {
        return parent.name() + ".window";
    }

    private static Endpoint communicator(Endpoint parent, String name, String call) {
        Endpoint on = Communicators.make(parent, parent.group(), name, call);
        on.meanings(Synchronisation.MEANINGS);
        on.members().together(Synchronisation.FENCE);
        on.members().revokedWith(parent);
        return on;
    }

    private static void checkUnit(Endpoint parent, String call, int unit) {
        if (unit < 1) {
            throw parent.error(ErrorClass.ARGUMENT, call + ": argument displacementUnit: " + unit + " is below one");
        }
    }

    /** What others may do with a buffer. */
    static int rights(Object buffer) {
        return Buffers.isReadOnly(buffer) ? RegionTable.READ : RegionTable.READ | RegionTable.WRITE;
    }

    // what it is made of

    /** The communicator by which the ranks of the window synchronise. */
    public Endpoint communicator() {
        return on;
    }

    public PlainAccess access() {
        return access;
    }

    public Synchronisation synchronisation() {
        return synchronisation;
    }

    @Override
    public String name() {
        return name;
    }

    /** This rank's part. */
    public MemorySegment memory() {
        checkThere("memory");
        if (memory == null) {
            throw wrong(ErrorClass.WINDOW, "memory: this rank's part is an array");
        }
        return memory;
    }

    /** Another rank's part as memory of this process. */
    public MemorySegment shared(int of) {
        checkThere("shared");
        checkRank("shared", of);
        MemorySegment there = target(of).memory();
        if (there == null) {
            throw wrong(ErrorClass.WINDOW, "shared: the part of rank " + of
                    + " is not memory that all can reach, or that rank is on another host");
        }
        return there;
    }

    /** The bytes of a rank's part. */
    public long bytes(int of) {
        checkThere("bytes");
        checkRank("bytes", of);
        return parts[of].bytes();
    }

    /** Lets others reach a buffer, and returns its displacement. */
    public long attach(Object buffer) {
        return attached("attach").attach(this, buffer);
    }

    public void detach(Object buffer) {
        attached("detach").detach(this, buffer);
    }

    private AttachedMemory attached(String call) {
        checkThere(call);
        if (attached == null) {
            throw wrong(ErrorClass.WINDOW, call + ": this is no dynamic window");
        }
        return attached;
    }

    private void meetOrLeave() {
        if (!on.members().isInterrupted()) {
            try {
                synchronisation.meet("free");
                return;
            } catch (RankwireException e) {
                if (!on.members().isInterrupted()) {
                    throw e;
                }
            }
        }
        synchronisation.leave();
    }

    /** Ends the window; all ranks call it, and none is in an epoch. Where a rank is dead, each frees by itself. */
    public void free() {
        try {
            withoutHandler(() -> on.withoutHandler(this::meetOrLeave));
        } catch (RankwireException e) {
            throw failed(e);
        }
        for (Target target : targets) {
            if (target != null) {
                target.close();
            }
        }
        host.lock();
        try {
            close(host, control, parts[rank()].key());
            if (attached == null) {
                host.confined.outOfWindow(memory);
            } else {
                attached.detachAll();
            }
        } finally {
            host.unlock();
        }
        if (own != null) {
            end(on, own);
        }
        on.free();
        freed = true;
        refused = true;
        synchronisation.epochClosed();
    }

    // below the calls

    int worldRank(int of) {
        return on.group().worldRank(of);
    }

    /** Takes in deaths: accesses to mapped memory make no other call that would learn of one. */
    void look() {
        if (survivors != null && survivors.hasNews()) {
            on.members().look();
        }
    }

    /** Whether a rank of the window is known to be dead. */
    boolean isDead(int of) {
        return on.members().isDead(worldRank(of));
    }

    boolean isRevoked() {
        return on.members().isRevoked();
    }

    /** The error of a call on a window that was revoked with its communicator, or that has dead ranks. */
    RankwireException interruption(String call) {
        RankwireException error;
        host.lock();
        try {
            error = on.members().interruption(call);
        } finally {
            host.unlock();
        }
        return raised(error);
    }

    int size() {
        return targets.length;
    }

    Target[] targets() {
        look();
        return targets;
    }

    /** The way to a rank's part. */
    Target target(int of) {
        look();
        return accessed(of);
    }

    /** The same for an access. {@link Epochs#access} takes in deaths from time to time, since each look costs time. */
    Target accessed(int of) {
        Target target = targets[of];
        return target != null ? target : reach(of);
    }

    /** The error of a call that needs a rank which is dead. */
    RankwireException lost(String what, PeerLost cause) {
        host.lock();
        try {
            return raised(host.lost(what, cause));
        } finally {
            host.unlock();
        }
    }

    /** Opens the way without a monitor, since an action of the program may run meanwhile. */
    private Target reach(int of) {
        Target made = open(of, parts[of]);
        synchronized (this) {
            if (targets[of] == null) {
                targets[of] = made;
            }
            return targets[of];
        }
    }

    private Target open(int of, Part part) {
        boolean mapped = part.isShared() && host.device.memory().reaches(worldRank(of));
        MemorySegment there = !mapped ? null
                : map(of, part.sharedId()).asSlice(part.sharedOffset(), part.bytes());
        if (mapped && part.hasControl()) {
            return new MappedTarget(this, host, of, there, map(of, part.controlId()));
        }
        FramedTarget framed = new FramedTarget(this, host, of, on.context(), part.key());
        if (mapped) {
            return new NearTarget(host, new MappedTarget(this, host, of, there, null), framed);
        }
        return part.isShared() && host.device.remote().reaches(worldRank(of))
                ? new RemoteTarget(framed, part.sharedId(), part.sharedOffset()) : framed;
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
            throw gone("access", of);
        }
        return mapped;
    }

    /** The error of an access to memory that its owner has freed. */
    RankwireException gone(String call, int of) {
        String what = call + ": the memory of rank " + of + " is gone: it was freed before the window";
        boolean isAlone;
        host.lock();
        try {
            isAlone = isInterruptedSoon(what);
        } catch (RuntimeException e) {
            throw host.translate(e, call);
        } finally {
            host.unlock();
        }
        return isAlone ? interruption(call + " at rank " + of) : wrong(ErrorClass.WINDOW, what);
    }

    /**
     * Whether a rank may have freed its part alone, because a member is dead or the window was revoked. This rank may
     * be about to learn of that, and waits some time for it. The caller has the lock.
     *
     * @param what shows that the part is gone
     */
    public boolean isInterruptedSoon(String what) {
        return on.members().isInterruptedSoon(what + ", on " + name);
    }

    /** A rank's part, for a work program. */
    public RemotePart part(int of) {
        checkUsable("target");
        checkRank("target", of);
        return new ProgramPart(this, synchronisation.epochs(), of, worldRank(of), parts[of].key(), target(of));
    }

    public boolean isFreed() {
        return freed;
    }

    // checks

    /** An error of a call on the window, which {@code what} names. */
    public RankwireException wrong(ErrorClass errorClass, String what) {
        return raised(new RankwireException(errorClass, "rank " + rank() + ": " + name + ": " + what
                + CallSite.find()));
    }

    /** An argument that must not be null. */
    public <T> T given(String call, String argument, T value) {
        if (value == null) {
            checkUsable(call);
            throw wrong(ErrorClass.ARGUMENT, call + ": argument " + argument + " is null");
        }
        return value;
    }

    @Override
    public void checkUsable() {
        checkThere("attribute");
    }

    /** For calls that need no other rank. */
    void checkThere(String call) {
        on.checkOpen();
        if (freed) {
            throw wrong(ErrorClass.WINDOW, call + ": the window was freed");
        }
    }

    /** For accesses, and for what makes them possible. */
    void checkUsable(String call) {
        on.checkOpen();
        if (refused) {
            checkThere(call);
            throw interruption(call);
        }
    }

    void checkRank(String call, int of) {
        if (of < 0 || of >= targets.length) {
            throw wrong(ErrorClass.RANK, call + ": argument rank: " + of + " is not a rank of the window, which has "
                    + targets.length);
        }
    }

    @Override
    public String toString() {
        return name + " (rank " + rank() + " of " + on.size() + ")" + (freed ? ", freed" : "");
    }
}
