package mpi;

/** A request that can be started over and over. */
public final class Prequest extends Request {
    /** Starts what core cannot start twice: objects are other bytes each time. */
    @FunctionalInterface
    interface Starter {
        Request start();
    }

    /** Null for one with a starter. */
    private final io.rankwire.Request persistent;
    private final Starter starter;
    private boolean freed;

    Prequest(CommHandle on, io.rankwire.Request persistent) {
        super(on, null, null);
        this.persistent = persistent;
        this.starter = null;
    }

    Prequest(CommHandle on, Starter starter) {
        super(on, null, null);
        this.persistent = null;
        this.starter = starter;
    }

    public void start() throws MPIException {
        try {
            if (freed || isActive()) {
                throw new MPIException(MPI.ERR_REQUEST, freed ? "start of a request that was freed"
                        : "start of a request that is under way");
            }
            if (persistent != null) {
                persistent.start();
                core = persistent;
            } else {
                take(starter.start());
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

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

    public void Start() throws MPIException {
        start();
    }

    public static void Startall(Prequest[] array_of_request) throws MPIException {
        startAll(array_of_request);
    }
}
