package mpi;

import io.rankwire.Communicator;
import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.World;
import io.rankwire.launch.RankLocal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The state of this package for one rank. Ranks that are processes, or have a class loader of their own, have one state
 * each; ranks of a simulation share the classes, and {@link #mine} returns the state of the calling rank.
 */
final class RankState {
    private static final RankLocal<RankState> OF_RANK = new RankLocal<>(RankState.class) {
        @Override
        protected RankState first() {
            return new RankState();
        }
    };

    /** Set by launchers that stand in for those of another library. */
    private static final String DIALECT = "RANKWIRE_DIALECT";
    /** Rank, size and device, which the launcher of MPJ Express puts before a program's own arguments. */
    private static final int PREPENDED = 3;

    /** The world that this rank has joined; null while it is not initialized. */
    World world;
    boolean finalized;
    private Thread initializer;
    private byte[] attached;
    private ByteBuffer attachedBuffer;
    /** Requests that were freed while active; its monitor guards it. */
    private final List<Request> left = new ArrayList<>();

    final Intracomm all = new Intracomm();
    final Intracomm self = new Intracomm();
    final Group emptyGroup = new Group(Group.EMPTY);
    final Status emptyStatus = Status.empty();
    private Info environment;

    final Keyvals communicatorKeys = new Keyvals();
    final Keyvals datatypeKeys = new Keyvals();
    final Keyvals windowKeys = new Keyvals();
    /** Names of the predefined types. */
    final Map<Datatype, String> typeNames = new HashMap<>();
    final Map<Datatype, Map<Integer, Object>> typeAttributes = new HashMap<>();
    /** The number of datatypes that this rank has made. */
    int typesMade;

    private RankState() {}

    static RankState mine() {
        return OF_RANK.get();
    }

    Info environment() {
        if (environment == null) {
            environment = Info.environment();
        }
        return environment;
    }

    /** Joins the job and returns the program's own arguments. */
    String[] init(String[] args) {
        if (world != null) {
            throw MPI.failed(new MPIException(MPI.ERR_OTHER, "Init: MPI is initialized already"));
        }
        try {
            return begin(World.join(), args);
        } catch (RankwireException | IllegalStateException e) {
            throw new MPIException(e);
        }
    }

    /** Begins in a world that this rank has joined, and which others may have revoked already if this rank is new. */
    String[] begin(World joined, String[] args) {
        world = joined;
        String dialect = System.getenv(DIALECT);
        Communicator core = world.communicator();
        environment().processes(core.size());
        Errhandler handler = "openmpi".equals(dialect) ? MPI.ERRORS_ARE_FATAL : MPI.ERRORS_RETURN;
        all.open(core, handler);
        all.on.name("MPI_COMM_WORLD");
        self.open(world.self(), handler);
        self.on.name("MPI_COMM_SELF");
        emptyGroup.open(core.group().include());
        initializer = Thread.currentThread();
        finalized = false;
        boolean strips = "mpj".equals(dialect) && args != null && args.length >= PREPENDED
                && args[0].equals(Integer.toString(core.rank())) && args[1].equals(Integer.toString(core.size()));
        return strips ? Arrays.copyOfRange(args, PREPENDED, args.length) : args;
    }

    /** Leaves the job. */
    void finish() {
        check();
        try {
            endLeft();
            attached = null;
            attachedBuffer = null;
            world.close();
        } catch (RankwireException e) {
            throw MPI.failed(e);
        } finally {
            world = null;
            finalized = true;
            all.open(null, MPI.ERRORS_RETURN);
            self.open(null, MPI.ERRORS_RETURN);
            emptyGroup.open(null);
        }
    }

    private void check() {
        if (world == null) {
            throw MPI.failed(new MPIException(MPI.ERR_OTHER, finalized ? "MPI is finalized: call MPI.Init again"
                    : "MPI is not initialized: call MPI.Init first"));
        }
    }

    boolean isMainThread() {
        check();
        return Thread.currentThread() == initializer;
    }

    boolean isReplacement() {
        check();
        return world.isReplacement();
    }

    /** Keeps a request that was freed while active: a send continues, and {@link #finish} waits for it. */
    void leave(Request request) {
        synchronized (left) {
            left.removeIf(Request::isComplete);
            left.add(request);
        }
    }

    /** Waits for freed sends and cancels freed receives, which the program cannot wait for. */
    private void endLeft() {
        synchronized (left) {
            for (Request request : left) {
                if (request.isReceive() && !request.isComplete()) {
                    request.cancel();
                }
                completeLeft(request);
            }
            left.clear();
        }
    }

    /** A rank that has died since then, or a revocation, is no error of the call that ends the world. */
    private static void completeLeft(Request request) {
        try {
            request.complete();
        } catch (RankwireException e) {
            if (e.errorClass() != ErrorClass.PEER && e.errorClass() != ErrorClass.REVOKED) {
                throw e;
            }
        }
    }

    /** Keeps a buffer for buffered sends until {@link #detach}; they do not need it. */
    void attach(byte[] buffer) {
        check();
        if (buffer == null || attached != null || attachedBuffer != null) {
            throw MPI.failed(new MPIException(MPI.ERR_BUFFER, buffer == null
                    ? "attachBuffer: argument buffer is null" : "attachBuffer: there is a buffer already"));
        }
        attached = buffer;
    }

    void attach(ByteBuffer buffer) {
        check();
        attachedBuffer = buffer;
    }

    /** Returns the array that was attached; null if there is none. */
    byte[] detach() {
        check();
        byte[] buffer = attached;
        attached = null;
        attachedBuffer = null;
        return buffer;
    }
}
