package io.rankwire.fabric.ofi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much memory this process may lock: networks that register memory need some, and fail in odd ways without. */
final class LockedMemory {
    private LockedMemory() {}

    /** As in {@code locked memory is limited to 8388608 bytes (ulimit -l)}. */
    static String text() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
                if (line.startsWith("Max locked memory")) {
                    String limit = line.substring("Max locked memory".length()).strip().split("\\s+")[0];
                    return limit.equals("unlimited") ? "locked memory is not limited"
                            : "locked memory is limited to " + limit + " bytes (ulimit -l)";
                }
            }
        } catch (IOException e) {
            // Said below.
        }
        return "the limit of locked memory is not known";
    }
}
