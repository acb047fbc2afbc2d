package mpi;

import io.rankwire.Window;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteOrder;

/**
 * Memory of all ranks of a communicator that each can read, write and change. Sizes and displacement units are counted
 * in elements of the buffer that a rank gives.
 */
public final class Win extends WinAccess {
    public static final int WIN_NULL = 0;
    public static final int FLAVOR_PRIVATE = 0;
    public static final int FLAVOR_SHARED = 1;

    private static final int ASSERTIONS = MPI.MODE_NOCHECK | MPI.MODE_NOPRECEDE | MPI.MODE_NOPUT | MPI.MODE_NOSTORE
            | MPI.MODE_NOSUCCEED;

    /** Over a buffer of the program's own, as far as it goes if it is too short; all ranks call it. */
    public Win(Buffer base, int size, int dispUnit, Info info, Comm comm) throws MPIException {
        super(made(base, size, dispUnit, comm), base, bytes(base, Math.min(size, base.capacity())),
                bytes(base, dispUnit), info, comm);
    }

    /**
     * Over the buffer if it is large enough, else over new memory, which {@link MPI#WIN_BASE} is then. All ranks call
     * it.
     *
     * @param flavor {@link #FLAVOR_PRIVATE} or {@link #FLAVOR_SHARED}
     */
    public Win(int size, int dispUnit, Info info, Comm comm, Buffer base, int flavor) throws MPIException {
        this(allocated(size, dispUnit, comm, base, flavor), size, dispUnit, info, comm, base);
    }

    /** Over nothing so far: see {@link #attach}. All ranks call it. */
    public Win(Info info, Comm comm) throws MPIException {
        super(dynamic(comm), null, 0, 1, info, comm);
    }

    private Win(Window core, int size, int dispUnit, Info info, Comm comm, Buffer base) {
        super(core, base.capacity() < size ? allocatedMemory(core) : base, bytes(base, size), bytes(base, dispUnit),
                info, comm);
    }

    private static Buffer allocatedMemory(Window core) {
        return core.memory().asByteBuffer().order(ByteOrder.nativeOrder());
    }

    private static int bytes(Buffer base, int elements) {
        return Math.multiplyExact(elements, Memory.elementBytes(base));
    }

    private static Window made(Buffer base, int size, int dispUnit, Comm comm) {
        try {
            return comm.intra().window(part(base, size), bytes(base, dispUnit));
        } catch (RuntimeException e) {
            throw comm.raised(e);
        }
    }

    private static Window allocated(int size, int dispUnit, Comm comm, Buffer base, int flavor) {
        try {
            if (flavor != FLAVOR_PRIVATE && flavor != FLAVOR_SHARED) {
                throw new MPIException(MPI.ERR_ARG, "Win: argument flavor: " + flavor);
            }
            return base.capacity() >= size ? made(base, size, dispUnit, comm)
                    : comm.intra().allocateWindow(bytes(base, size), bytes(base, dispUnit));
        } catch (RuntimeException e) {
            throw comm.raised(e);
        }
    }

    private static Window dynamic(Comm comm) {
        try {
            return comm.intra().dynamicWindow();
        } catch (RuntimeException e) {
            throw comm.raised(e);
        }
    }

    /** The first elements of a buffer. */
    private static MemorySegment part(Buffer base, int size) {
        if (base == null || size < 0) {
            throw new MPIException(base == null ? MPI.ERR_BASE : MPI.ERR_SIZE, base == null ? "argument base is null"
                    : "argument size: " + size + " is below zero");
        }
        return MemorySegment.ofBuffer(base.duplicate().clear())
                .asSlice(0, bytes(base, Math.min(size, base.capacity())));
    }

    /**
     * Lets others reach a buffer by a window that was made over nothing. Displacements are in bytes: the first buffer
     * that a rank attaches begins at 0, another at the next multiple of 64 where it has room.
     */
    public void attach(Buffer base, int size) throws MPIException {
        try {
            core().attach(part(base, size));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public void detach(Buffer base) throws MPIException {
        try {
            core().detach(part(base, 0));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** Ends all accesses since the last one, and begins others. Assertions are not needed. */
    public void fence(int assertion) throws MPIException {
        try {
            check(assertion);
            core().fence();
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public void start(Group group, int assertion) throws MPIException {
        try {
            check(assertion);
            core().start(Group.core(group));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public void complete() throws MPIException {
        try {
            core().complete();
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public void post(Group group, int assertion) throws MPIException {
        try {
            check(assertion);
            core().post(Group.core(group));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** Waits until all that were let in by {@link #post} have completed. */
    public void waitFor() throws MPIException {
        try {
            core().await();
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public boolean test() throws MPIException {
        try {
            return core().test();
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public void lock(int lockType, int rank, int assertion) throws MPIException {
        try {
            checkLocks();
            check(assertion);
            if (lockType != MPI.LOCK_EXCLUSIVE && lockType != MPI.LOCK_SHARED) {
                throw new MPIException(MPI.ERR_LOCKTYPE, "lock: argument lockType: " + lockType);
            }
            core().lock(lockType == MPI.LOCK_EXCLUSIVE ? Window.Lock.EXCLUSIVE : Window.Lock.SHARED, rank);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public void unlock(int rank) throws MPIException {
        try {
            core().unlock(rank);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public void lockAll(int assertion) throws MPIException {
        try {
            checkLocks();
            check(assertion);
            core().lockAll();
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public void unlockAll() throws MPIException {
        try {
            core().unlockAll();
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public void sync() throws MPIException {
        try {
            core().sync();
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public void flush(int targetRank) throws MPIException {
        try {
            core().flush(targetRank);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public void flushAll() throws MPIException {
        try {
            core().flushAll();
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public void flushLocal(int targetRank) throws MPIException {
        try {
            core().flushLocal(targetRank);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public void flushLocalAll() throws MPIException {
        try {
            core().flushLocalAll();
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    private void checkLocks() {
        if (promises("no_locks")) {
            throw new MPIException(MPI.ERR_RMA_SYNC, "lock: the window was made with no_locks");
        }
    }

    private static void check(int assertion) {
        if ((assertion & ~ASSERTIONS) != 0) {
            throw new MPIException(MPI.ERR_ASSERT, "argument assertion: " + assertion + " has unknown bits");
        }
    }
}
