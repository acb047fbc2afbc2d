package mpi;

/** The version of the MPI standard that calls follow. */
public final class Version {
    private final int version;
    private final int subVersion;

    Version(int version, int subVersion) {
        this.version = version;
        this.subVersion = subVersion;
    }

    /** Returns the version. */
    public int getVersion() {
        return version;
    }

    /** Returns the subversion. */
    public int getSubVersion() {
        return subVersion;
    }

    @Override
    public String toString() {
        return version + "." + subVersion;
    }
}
