package mpi;

import io.rankwire.CartesianCommunicator;
import io.rankwire.Communicator;
import io.rankwire.DistributedGraphCommunicator;
import io.rankwire.ErrorClass;
import io.rankwire.GraphCommunicator;
import io.rankwire.Intercommunicator;
import io.rankwire.RankwireException;
import io.rankwire.AnyCommunicator;
import java.util.Arrays;

/** The core communicator behind a {@link Comm}, with the checks and the error handling of its calls. */
final class CommHandle extends HandleState {
    /** The communicator of core; null before it is opened and after it is freed. */
    AnyCommunicator core;
    /** The same communicator if it has one group, else null. */
    Communicator intra;
    /** The same communicator if it has two groups, else null. */
    Intercommunicator inter;

    CommHandle(AnyCommunicator core, Errhandler errhandler) {
        super(errhandler);
        open(core);
    }

    void open(AnyCommunicator handle) {
        core = handle;
        intra = handle instanceof Communicator one ? one : null;
        inter = handle instanceof Intercommunicator two ? two : null;
    }

    /** Returns the group that {@link Comm#group} shows: of two groups the remote one. */
    Group peerGroup() {
        return core == null ? null : new Group(inter == null ? core.group() : inter.remoteGroup());
    }

    @Override
    AnyCommunicator core() {
        if (core == null) {
            throw new MPIException(MPI.ERR_COMM, MPI.isInitialized() && !MPI.isFinalized()
                    ? "the communicator is null" : "MPI is not initialized: call MPI.Init first");
        }
        return core;
    }

    Communicator intra() {
        core();
        if (intra == null) {
            throw new MPIException(MPI.ERR_COMM, "this call needs an intracommunicator");
        }
        return intra;
    }

    Intercommunicator inter() {
        core();
        if (inter == null) {
            throw new MPIException(MPI.ERR_COMM, "this call needs an intercommunicator");
        }
        return inter;
    }

    @Override
    MPIException translated(RuntimeException e) {
        MPIException error = e instanceof NullPointerException && core == null ? nullHandle() : MPIException.of(e);
        return error.placed(core == null ? -1 : core.rank());
    }

    private MPIException nullHandle() {
        try {
            core();
            throw new AssertionError("the handle is not null");
        } catch (MPIException e) {
            return e;
        }
    }

    /** As {@link #raised}, for calls whose only rank argument is the root. */
    MPIException raisedOfRoot(RuntimeException e) {
        return raised(e, ErrorClass.RANK, MPI.ERR_ROOT);
    }

    /** As {@link #raised}, with another error class of MPI for one class of core. */
    MPIException raised(RuntimeException e, ErrorClass from, int to) {
        return raised(e instanceof RankwireException ours ? MPIException.of(ours, from, to) : e);
    }

    int size() {
        try {
            return core().size();
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    int rank() {
        try {
            return core().rank();
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** Returns whether this rank is the root of a call. */
    boolean isRoot(int root) {
        core();
        return intra != null ? intra.rank() == root : root == MPI.ROOT;
    }

    /** Returns the number of ranks that data of a collective call goes to or comes from. */
    int peers() {
        core();
        return intra != null ? intra.size() : inter.remoteSize();
    }

    /** Returns one number for each peer; programs may pass longer arrays, or null. */
    int[] forEachPeer(int[] numbers) {
        return first(numbers, peers());
    }

    static int[] first(int[] numbers, int count) {
        return numbers == null || numbers.length <= count ? numbers : Arrays.copyOf(numbers, count);
    }

    /** Returns this rank if it is among the first ranks that a topology has places for. */
    int place(long places) {
        if (places > intra().size()) {
            throw new MPIException(MPI.ERR_TOPOLOGY, "map: " + places + " places are more than the " + intra.size()
                    + " ranks of the communicator");
        }
        return intra.rank() < places ? intra.rank() : MPI.UNDEFINED;
    }

    int topology() {
        core();
        if (intra instanceof CartesianCommunicator) {
            return MPI.CART;
        }
        return intra instanceof GraphCommunicator ? MPI.GRAPH
                : intra instanceof DistributedGraphCommunicator ? MPI.DIST_GRAPH : MPI.UNDEFINED;
    }

    int compare(CommHandle other) {
        core();
        other.core();
        if (intra != null && other.intra != null) {
            return Group.code(intra.compare(other.intra));
        }
        return inter == null || other.inter == null ? MPI.UNEQUAL : Group.code(inter.compare(other.inter));
    }

    void free() {
        if (core() == inter) {
            inter.free();
        } else {
            intra.free();
        }
        open(null);
    }

    void abort(int errorCode) {
        core();
        try {
            RankState.mine().world.abort(errorCode, null);
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    void rename(String text) {
        run(() -> core().name(text));
        name(text);
    }

    /** Returns the hints that are in force. */
    @Override
    Info info() {
        return get(() -> HintKeys.write(core().hints()));
    }

    /** Changes the hints that the info object has keys of; keys that are no hints of this library are ignored. */
    @Override
    void info(Info given) {
        if (given != null && !given.isNull()) {
            run(() -> core().hints(HintKeys.read(given, core().hints())));
        }
    }

    @Override
    Keyvals keys() {
        return RankState.mine().communicatorKeys;
    }

    @Override
    Object attribute(int keyval) {
        core();
        return switch (keyval) {
            case MPI.TAG_UB -> RankState.mine().world.maxTag();
            case MPI.HOST -> MPI.PROC_NULL;
            case MPI.IO -> MPI.ANY_SOURCE;
            case MPI.WTIME_IS_GLOBAL -> Boolean.TRUE;
            case MPI.APPNUM -> 0;
            case MPI.LASTUSEDCODE -> MPI.ERR_LASTCODE;
            case MPI.UNIVERSE_SIZE -> PerRank.COMM_WORLD().on.core().size();
            default -> Keyvals.isPredefined(keyval) ? null : core.attribute(keys().keyOfOld(keyval)).orElse(null);
        };
    }

    @Override
    public String toString() {
        return core == null ? "null communicator" : core.toString();
    }
}
