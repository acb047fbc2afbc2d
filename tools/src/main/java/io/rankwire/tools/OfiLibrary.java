package io.rankwire.tools;

import io.rankwire.fabric.NetworkFabric;
import io.rankwire.launch.Backends;
import io.rankwire.launch.Fabrics;
import io.rankwire.tools.options.UsageException;
import java.io.File;

/** The location of the classes of the fabric {@code ofi}, which only ranks that use it have on their class path. */
public final class OfiLibrary {
    /** The property that the script sets. */
    public static final String PROPERTY = "rankwire.ofi";

    private OfiLibrary() {}

    /** Where they are, or null if they are nowhere. */
    public static String find() {
        String path = System.getProperty(PROPERTY);
        if (path != null) {
            return new File(path).exists() ? path : null;
        }
        NetworkFabric here = Backends.find(Fabrics.OFI);
        return here == null ? null : Launch.locationOf(here.getClass());
    }

    /** Where they are for a job over this fabric; null if it does not need them. */
    static String of(String fabric) {
        if (!Fabrics.isOfi(fabric)) {
            return null;
        }
        String path = find();
        if (path == null) {
            String set = System.getProperty(PROPERTY);
            throw new UsageException("fabric " + fabric + " needs rankwire-ofi.jar, which is not where it should be"
                    + (set == null ? "" : ", at " + set) + "; build it by `mvn package`, or choose another fabric", 1);
        }
        return path;
    }
}
