package mpi;

import io.rankwire.AttributeKey;
import io.rankwire.CartesianCommunicator;
import io.rankwire.Communicator;
import io.rankwire.DistributedGraphCommunicator;
import io.rankwire.GraphCommunicator;
import io.rankwire.Intercommunicator;
import io.rankwire.AnyCommunicator;
import io.rankwire.World;

/** What a communicator is, in both dialects, and what becomes of its errors. */
abstract class CommHandle extends Erring {
    /** What calls are made on; null when there is none, or no more. */
    AnyCommunicator core;
    /** The same, if it is one group. */
    Communicator intra;
    /** The same, if it is two. */
    Intercommunicator inter;

    /** As {@link #getGroup}; of two groups the other one, as in MPJ Express. It outlives the communicator. */
    public Group group;

    private Errhandler errhandler = MPI.ERRORS_RETURN;
    private String name = "";
    private Info info;

    CommHandle() {}

    final void open(AnyCommunicator handle, Errhandler handler) {
        core = handle;
        intra = handle instanceof Communicator one ? one : null;
        inter = handle instanceof Intercommunicator two ? two : null;
        errhandler = handler;
        group = handle == null ? null : new Group(inter == null ? handle.group() : inter.remoteGroup());
    }

    /** What calls without a hot path use; one that is null says so. */
    final AnyCommunicator core() {
        if (core == null) {
            throw new MPIException(MPI.ERR_COMM, MPI.isInitialized() && !MPI.isFinalized()
                    ? "the communicator is null" : "MPI is not initialized: call MPI.Init first");
        }
        return core;
    }

    final Communicator intra() {
        core();
        if (intra == null) {
            throw new MPIException(MPI.ERR_COMM, "this call needs an intracommunicator");
        }
        return intra;
    }

    final Intercommunicator inter() {
        core();
        if (inter == null) {
            throw new MPIException(MPI.ERR_COMM, "this call needs an intercommunicator");
        }
        return inter;
    }

    @Override
    final MPIException raised(RuntimeException e) {
        MPIException told = e instanceof NullPointerException && core == null ? nullHandle() : MPIException.of(e);
        told.placed(core == null ? -1 : core.rank());
        World world = errhandler.isFatal() ? RankState.mine().world : null;
        if (world != null) {
            world.fail(told);
        }
        return told;
    }

    private MPIException nullHandle() {
        try {
            core();
            throw new AssertionError("the handle is not null");
        } catch (MPIException told) {
            return told;
        }
    }

    // Open MPI

    public final int getSize() throws MPIException {
        try {
            return core().size();
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final int getRank() throws MPIException {
        try {
            return core().rank();
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final Group getGroup() throws MPIException {
        try {
            return new Group(core().group());
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final boolean isNull() {
        return core == null;
    }

    public final boolean isInter() throws MPIException {
        try {
            return core() == inter;
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final int getTopology() throws MPIException {
        try {
            core();
        } catch (RuntimeException e) {
            throw raised(e);
        }
        if (intra instanceof CartesianCommunicator) {
            return MPI.CART;
        }
        return intra instanceof GraphCommunicator ? MPI.GRAPH
                : intra instanceof DistributedGraphCommunicator ? MPI.DIST_GRAPH : MPI.UNDEFINED;
    }

    public final void setName(String name) throws MPIException {
        try {
            core().name(name);
            this.name = name;
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final String getName() throws MPIException {
        return name;
    }

    final void label(String label) {
        name = label;
    }

    public final void setInfo(Info info) throws MPIException {
        this.info = info == null || info.isNull() ? null : info.dup();
    }

    public final Info getInfo() throws MPIException {
        return info == null ? new Info() : info.dup();
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
    public void callErrhandler(int errorCode) throws MPIException {
        raised(new MPIException(errorCode, "error " + errorCode + " told by the program"));
    }

    /** Ends the job; its status is the error code. */
    public final void abort(int errorcode) throws MPIException {
        core();
        try {
            RankState.mine().world.abort(errorcode, null);
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    public static int createKeyval() throws MPIException {
        return RankState.mine().communicatorKeys.make();
    }

    public static void freeKeyval(int keyval) throws MPIException {
        RankState.mine().communicatorKeys.free(keyval);
    }

    public final void setAttr(int keyval, Object value) throws MPIException {
        try {
            AttributeKey<Object> key = RankState.mine().communicatorKeys.key(keyval);
            core().attribute(key, value);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** The value, or null. */
    public final Object getAttr(int keyval) throws MPIException {
        try {
            core();
            if (keyval >= 0 && keyval < Keyvals.FIRST) {
                return predefined(keyval);
            }
            return core.attribute(RankState.mine().communicatorKeys.keyOfOld(keyval)).orElse(null);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    private Object predefined(int keyval) {
        return switch (keyval) {
            case MPI.TAG_UB -> Integer.MAX_VALUE;
            case MPI.HOST -> MPI.PROC_NULL;
            case MPI.IO -> MPI.ANY_SOURCE;
            case MPI.WTIME_IS_GLOBAL -> Boolean.TRUE;
            case MPI.APPNUM -> 0;
            case MPI.LASTUSEDCODE -> MPI.ERR_LASTCODE;
            case MPI.UNIVERSE_SIZE -> PerRank.COMM_WORLD().core().size();
            default -> null;
        };
    }

    public final void deleteAttr(int keyval) throws MPIException {
        try {
            AttributeKey<Object> key = RankState.mine().communicatorKeys.key(keyval);
            core().removeAttribute(key);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    // mpiJava

    public final int Size() throws MPIException {
        return getSize();
    }

    public final int Rank() throws MPIException {
        return getRank();
    }

    public final Group Group() throws MPIException {
        return getGroup();
    }

    public final boolean Test_inter() throws MPIException {
        return isInter();
    }

    public final int Topo_test() throws MPIException {
        return getTopology();
    }

    public final void Abort(int errorcode) throws MPIException {
        abort(errorcode);
    }

    public final void Errhandler_set(Errhandler errhandler) throws MPIException {
        setErrhandler(errhandler);
    }

    public final Errhandler Errhandler_get() throws MPIException {
        return getErrhandler();
    }

    public final void Attr_put(int keyval, Object value) throws MPIException {
        setAttr(keyval, value);
    }

    public final Object Attr_get(int keyval) throws MPIException {
        return getAttr(keyval);
    }

    public final void Attr_delete(int keyval) throws MPIException {
        deleteAttr(keyval);
    }

    @Override
    public String toString() {
        return core == null ? "null communicator" : core.toString();
    }
}
