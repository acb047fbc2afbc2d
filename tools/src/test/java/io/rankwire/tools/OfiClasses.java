package io.rankwire.tools;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the build of the module ofi is, which tests use without depending on it. */
final class OfiClasses {
    private static final String SERVICES = "META-INF/services/io.rankwire.fabric.NetworkFabric";
    private static final boolean HAS_LIBRARY = hasLibrary();

    private OfiClasses() {}

    /** The classes; skips the test if they, or the library, are not there. */
    static String usable() {
        assumeTrue(HAS_LIBRARY, "skipped: needs libfabric.so.1 (Debian package libfabric1)");
        String place = find();
        assumeTrue(place != null, "skipped: needs the module ofi, built before this one");
        return place;
    }

    /** Null if it was not built. */
    private static String find() {
        String given = System.getProperty("rankwire.test.ofi");
        if (given != null) {
            return given;
        }
        Path classes = Path.of("..", "ofi", "target", "classes").toAbsolutePath().normalize();
        return Files.exists(classes.resolve(SERVICES)) ? classes.toString() : null;
    }

    private static boolean hasLibrary() {
        try {
            Process process = new ProcessBuilder("/sbin/ldconfig", "-p")
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .contains("libfabric.so.1 ");
        } catch (IOException e) {
            return false;
        }
    }
}
