package io.rankwire.tools;

import io.rankwire.tools.options.UsageException;
import java.io.File;

/**
 * The location of the classes of the {@code mpi} package, from a property that the script sets. In the jar that holds
 * all of Rankwire they are beside those of this one.
 */
final class MpiLibrary {
    private MpiLibrary() {}

    static String path() {
        String path = System.getProperty("rankwire.mpi");
        if (path == null && MpiLibrary.class.getResource("/mpi/MPI.class") != null) {
            return Launch.core();
        }
        if (path == null || !new File(path).exists()) {
            throw new UsageException("the mpi package is not where it should be"
                    + (path == null ? "" : ", at " + path) + "; build it by `mvn package`", 1);
        }
        return path;
    }
}
