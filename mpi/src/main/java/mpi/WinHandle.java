package mpi;

import io.rankwire.AttributeKey;
import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.Window;
import io.rankwire.World;
import java.nio.Buffer;

/** What a window is, and what becomes of its errors. */
abstract class WinHandle extends Erring implements Freeable {
    /** What calls are made on; null when there is none any more. */
    private Window core;
    /** This rank's part; null if it has no memory of its own, as in a dynamic window. */
    private final Buffer base;
    private final int bytes;
    private final int unit;
    private Errhandler errhandler;
    private String name = "";
    private Info info;
    /** This process in the communicator. */
    private final int rank;

    /**
     * @param bytes of this rank's part
     * @param unit bytes that others count displacements in
     */
    WinHandle(Window core, Buffer base, int bytes, int unit, Info info, Comm comm) {
        this.core = core;
        this.base = base;
        this.bytes = bytes;
        this.unit = unit;
        setInfo(info);
        this.errhandler = comm.getErrhandler();
        this.rank = comm.getRank();
    }

    final Window core() {
        if (core == null) {
            throw new MPIException(MPI.ERR_WIN, "the window was freed");
        }
        return core;
    }

    @Override
    final MPIException raised(RuntimeException e) {
        MPIException told = e instanceof RankwireException ours
                ? MPIException.of(ours, ErrorClass.CLOSED, MPI.ERR_WIN) : MPIException.of(e);
        told.placed(rank);
        World world = errhandler.isFatal() ? RankState.mine().world : null;
        if (world != null) {
            world.fail(told);
        }
        return told;
    }

    public final Group getGroup() throws MPIException {
        try {
            return new Group(core().group());
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    @Override
    public final void free() throws MPIException {
        try {
            core().free();
            core = null;
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final String getName() throws MPIException {
        return name;
    }

    public final void setName(String name) throws MPIException {
        if (name == null) {
            throw raised(new MPIException(MPI.ERR_ARG, "setName: argument name is null"));
        }
        this.name = name;
    }

    public final Info getInfo() throws MPIException {
        return info.dup();
    }

    public final void setInfo(Info info) throws MPIException {
        this.info = info == null || info.isNull() ? new Info() : info.dup();
    }

    /** Whether the program has promised something when it made the window. */
    final boolean promises(String key) {
        return "true".equals(info.get(key));
    }

    public final void setErrhandler(Errhandler errhandler) throws MPIException {
        if (errhandler == null) {
            throw raised(new MPIException(MPI.ERR_ARG, "setErrhandler: argument errhandler is null"));
        }
        this.errhandler = errhandler;
    }

    public final Errhandler getErrhandler() throws MPIException {
        return errhandler;
    }

    /** Has the handler deal with an error that the program tells of. */
    public final void callErrhandler(int errorCode) throws MPIException {
        raised(new MPIException(errorCode, "error " + errorCode + " told by the program"));
    }

    public static int createKeyval() throws MPIException {
        return RankState.mine().windowKeys.make();
    }

    public static void freeKeyval(int keyval) throws MPIException {
        RankState.mine().windowKeys.free(keyval);
    }

    public final void setAttr(int keyval, Object value) throws MPIException {
        try {
            AttributeKey<Object> key = RankState.mine().windowKeys.key(keyval);
            core().attribute(key, value);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** The value, or null. {@link MPI#WIN_BASE} is this rank's part, a buffer; the others are bytes. */
    public final Object getAttr(int keyval) throws MPIException {
        try {
            core();
            switch (keyval) {
                case MPI.WIN_BASE:
                    return base;
                case MPI.WIN_SIZE:
                    return bytes;
                case MPI.WIN_DISP_UNIT:
                    return unit;
                default:
                    return core.attribute(RankState.mine().windowKeys.key(keyval)).orElse(null);
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final void deleteAttr(int keyval) throws MPIException {
        try {
            AttributeKey<Object> key = RankState.mine().windowKeys.key(keyval);
            core().removeAttribute(key);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    @Override
    public String toString() {
        return core == null ? "null window" : core.toString();
    }
}
