package mpi;

/** A persistent request: it can be started again and again. */
public final class Prequest extends Request {
    /** Starts an operation that core cannot start twice: objects are encoded anew each time. */
    @FunctionalInterface
    interface Starter {
        Request start();
    }

    /** Null if there is a starter. */
    private final io.rankwire.Request persistent;
    private final Starter starter;
    private boolean freed;

    Prequest(HandleState on, io.rankwire.Request persistent) {
        super(on, null);
        this.persistent = persistent;
        this.starter = null;
    }

    Prequest(HandleState on, Starter starter) {
        super(on, null);
        this.persistent = null;
        this.starter = starter;
    }

    /** Starts the operation (MPI_Start). */
    public void start() throws MPIException {
        try {
            if (freed || isActive()) {
                throw new MPIException(MPI.ERR_REQUEST, freed ? "start of a request that was freed"
                        : "start of a request that is under way");
            }
            if (persistent != null) {
                core = startInCore();
            } else {
                take(starter.start());
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    io.rankwire.Request startInCore() {
        persistent.start();
        return persistent;
    }

    /** Starts several operations (MPI_Startall). */
    public static void startAll(Prequest[] requests) throws MPIException {
        for (Prequest request : requests) {
            request.start();
        }
    }

    @Override
    public boolean isNull() {
        return freed;
    }

    @Override
    public void free() throws MPIException {
        super.free();
        freed = true;
    }

    /** As {@link #start}. */
    public void Start() throws MPIException {
        start();
    }

    /** As {@link #startAll}. */
    public static void Startall(Prequest[] array_of_request) throws MPIException {
        startAll(array_of_request);
    }
}
