package mpi;

/** Calls that are here so that programs compile, and that nothing is behind so far. */
final class NotYet {
    private NotYet() {}

    static MPIException processes(String call) {
        return told(call, "a running job cannot start or meet other processes");
    }

    static MPIException files(String call) {
        return told(call, "there are no files that all ranks share; use java.nio");
    }

    private static MPIException told(String call, String what) {
        return MPI.failed(new MPIException(MPI.ERR_UNSUPPORTED_OPERATION, call + ": not supported yet: " + what));
    }
}
