package mpi;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.Window;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteOrder;

/** The core window behind a {@link Win}, with this rank's memory, the checks and the error handling of its calls. */
final class WinHandle extends HandleState {
    private static final int ASSERTIONS = MPI.MODE_NOCHECK | MPI.MODE_NOPRECEDE | MPI.MODE_NOPUT | MPI.MODE_NOSTORE
            | MPI.MODE_NOSUCCEED;

    /** The window of core; null after it is freed. */
    private Window core;
    /** This rank's part; null in a dynamic window. */
    private final Buffer base;
    private final int bytes;
    private final int unit;
    /** This process in the communicator. */
    private final int rank;

    /**
     * @param bytes the size of this rank's part
     * @param unit the size of a displacement unit in bytes
     */
    private WinHandle(Window core, Buffer base, int bytes, int unit, Info info, CommHandle comm) {
        super(comm.errhandler());
        this.core = core;
        this.base = base;
        this.bytes = bytes;
        this.unit = unit;
        this.rank = comm.rank();
        info(info);
    }

    static WinHandle over(Buffer base, int size, int dispUnit, Info info, CommHandle comm) {
        Window core = comm.get(() -> comm.intra().window(part(base, size), bytes(base, dispUnit)));
        return new WinHandle(core, base, bytes(base, Math.min(size, base.capacity())), bytes(base, dispUnit), info,
                comm);
    }

    /** Uses the buffer if it is large enough, else new memory. */
    static WinHandle allocated(int size, int dispUnit, Info info, CommHandle comm, Buffer base, int flavor) {
        if (flavor != Win.FLAVOR_PRIVATE && flavor != Win.FLAVOR_SHARED) {
            throw comm.raised(new MPIException(MPI.ERR_ARG, "Win: argument flavor: " + flavor));
        }
        if (base.capacity() >= size) {
            return over(base, size, dispUnit, info, comm);
        }
        Window core = comm.get(() -> comm.intra().allocateWindow(bytes(base, size), bytes(base, dispUnit)));
        return new WinHandle(core, core.memory().asByteBuffer().order(ByteOrder.nativeOrder()), bytes(base, size),
                bytes(base, dispUnit), info, comm);
    }

    static WinHandle dynamic(Info info, CommHandle comm) {
        return new WinHandle(comm.get(() -> comm.intra().dynamicWindow()), null, 0, 1, info, comm);
    }

    private static int bytes(Buffer base, int elements) {
        return Math.multiplyExact(elements, Memory.elementBytes(base));
    }

    /** Returns the memory of the first elements of a buffer. */
    static MemorySegment part(Buffer base, int size) {
        if (base == null || size < 0) {
            throw new MPIException(base == null ? MPI.ERR_BASE : MPI.ERR_SIZE, base == null ? "argument base is null"
                    : "argument size: " + size + " is below zero");
        }
        return MemorySegment.ofBuffer(base.duplicate().clear())
                .asSlice(0, bytes(base, Math.min(size, base.capacity())));
    }

    @Override
    Window core() {
        if (core == null) {
            throw new MPIException(MPI.ERR_WIN, "the window was freed");
        }
        return core;
    }

    /** As {@link #core}, for a call with an assertion. */
    Window core(int assertion) {
        if ((assertion & ~ASSERTIONS) != 0) {
            throw new MPIException(MPI.ERR_ASSERT, "argument assertion: " + assertion + " has unknown bits");
        }
        return core();
    }

    /** As {@link #core(int)}, for a call that locks. */
    Window lockable(int assertion) {
        if (promises("no_locks")) {
            throw new MPIException(MPI.ERR_RMA_SYNC, "lock: the window was made with no_locks");
        }
        return core(assertion);
    }

    static Window.Lock lock(int lockType) {
        return switch (lockType) {
            case MPI.LOCK_EXCLUSIVE -> Window.Lock.EXCLUSIVE;
            case MPI.LOCK_SHARED -> Window.Lock.SHARED;
            default -> throw new MPIException(MPI.ERR_LOCKTYPE, "lock: argument lockType: " + lockType);
        };
    }

    void free() {
        core().free();
        core = null;
    }

    @Override
    MPIException translated(RuntimeException e) {
        MPIException error = e instanceof RankwireException ours
                ? MPIException.of(ours, ErrorClass.CLOSED, MPI.ERR_WIN) : MPIException.of(e);
        return error.placed(rank);
    }

    @Override
    Keyvals keys() {
        return RankState.mine().windowKeys;
    }

    @Override
    Object attribute(int keyval) {
        core();
        return switch (keyval) {
            case MPI.WIN_BASE -> base;
            case MPI.WIN_SIZE -> bytes;
            case MPI.WIN_DISP_UNIT -> unit;
            default -> core.attribute(keys().key(keyval)).orElse(null);
        };
    }

    @Override
    public String toString() {
        return core == null ? "null window" : core.toString();
    }
}
