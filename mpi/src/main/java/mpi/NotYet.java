package mpi;

/** Errors of calls that exist so that programs compile, but are not supported yet. */
final class NotYet {
    private NotYet() {}

    static MPIException processes(String call) {
        return unsupported(call, "a running job cannot start or meet other processes");
    }

    static MPIException files(String call) {
        return unsupported(call, "there are no files that all ranks share; use java.nio");
    }

    private static MPIException unsupported(String call, String what) {
        return MPI.failed(new MPIException(MPI.ERR_UNSUPPORTED_OPERATION, call + ": not supported yet: " + what));
    }
}
