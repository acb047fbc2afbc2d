package mpi;

import io.rankwire.TypedMessages;

/** Calls of Open MPI that start other programs or meet them: not supported yet, each says so. */
abstract class Processes extends Topologies {
    Processes() {}

    Processes(TypedMessages core, Errhandler errhandler) {
        super(core, errhandler);
    }

    public static String openPort() throws MPIException {
        throw NotYet.processes("openPort");
    }

    public static String openPort(Info info) throws MPIException {
        throw NotYet.processes("openPort");
    }

    public static void closePort(String name) throws MPIException {
        throw NotYet.processes("closePort");
    }

    public final Intercomm accept(String port, int root) throws MPIException {
        throw NotYet.processes("accept");
    }

    public final Intercomm accept(String port, Info info, int root) throws MPIException {
        throw NotYet.processes("accept");
    }

    public final Intercomm connect(String port, int root) throws MPIException {
        throw NotYet.processes("connect");
    }

    public final Intercomm connect(String port, Info info, int root) throws MPIException {
        throw NotYet.processes("connect");
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
