package mpi;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.AnyCommunicator;

/**
 * Calls of Open MPI that start other programs or meet them. Parts of one job meet at ports; to start others, and to
 * meet other jobs, is not supported yet, and each call says so.
 */
abstract class Processes extends Topologies {
    Processes() {}

    Processes(AnyCommunicator core, Errhandler errhandler) {
        super(core, errhandler);
    }

    public static String openPort() throws MPIException {
        try {
            PerRank.COMM_WORLD().core();
            return RankState.mine().world.openPort();
        } catch (RuntimeException e) {
            throw MPI.failed(e);
        }
    }

    public static String openPort(Info info) throws MPIException {
        return openPort();
    }

    public static void closePort(String name) throws MPIException {
        try {
            PerRank.COMM_WORLD().core();
            RankState.mine().world.closePort(name);
        } catch (RuntimeException e) {
            throw raisedOfPort(PerRank.COMM_WORLD(), e);
        }
    }

    /** Meets a part of this job that connects. */
    public final Intercomm accept(String port, int root) throws MPIException {
        try {
            return new Intercomm(intra().accept(port, root), getErrhandler());
        } catch (RuntimeException e) {
            throw raisedOfPort(this, e);
        }
    }

    public final Intercomm accept(String port, Info info, int root) throws MPIException {
        return accept(port, root);
    }

    /** Meets a part of this job that accepts. */
    public final Intercomm connect(String port, int root) throws MPIException {
        try {
            return new Intercomm(intra().connect(port, root), getErrhandler());
        } catch (RuntimeException e) {
            throw raisedOfPort(this, e);
        }
    }

    public final Intercomm connect(String port, Info info, int root) throws MPIException {
        return connect(port, root);
    }

    private static MPIException raisedOfPort(CommHandle on, RuntimeException e) {
        return on.raised(e instanceof RankwireException ours
                ? MPIException.of(ours, ErrorClass.ARGUMENT, MPI.ERR_PORT) : e);
    }

    public static void publishName(String service, String port) throws MPIException {
        throw NotYet.processes("publishName");
    }

    public static void publishName(String service, Info info, String port) throws MPIException {
        throw NotYet.processes("publishName");
    }

    public static void unpublishName(String service, String port) throws MPIException {
        throw NotYet.processes("unpublishName");
    }

    public static void unpublishName(String service, Info info, String port) throws MPIException {
        throw NotYet.processes("unpublishName");
    }

    public static String lookupName(String service) throws MPIException {
        throw NotYet.processes("lookupName");
    }

    public static String lookupName(String service, Info info) throws MPIException {
        throw NotYet.processes("lookupName");
    }

    public final Intercomm spawn(String command, String[] argv, int maxprocs, Info info, int root, int[] errcodes)
            throws MPIException {
        throw NotYet.processes("spawn");
    }

    public final Intercomm spawnMultiple(
            String[] commands, String[][] argv, int[] maxprocs, Info[] info, int root, int[] errcodes)
            throws MPIException {
        throw NotYet.processes("spawnMultiple");
    }
}
