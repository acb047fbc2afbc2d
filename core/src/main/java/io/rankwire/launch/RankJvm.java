package io.rankwire.launch;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The options with which a JVM is started that runs a rank. */
public final class RankJvm {
    private RankJvm() {}

    /** The command of the JVM that runs this process. */
    public static String java() {
        return System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
    }

    /**
     * The first options.
     *
     * @param given what the user gives besides
     */
    public static List<String> flags(List<String> given) {
        List<String> flags = new ArrayList<>();
        if (!choosesCollector(given)) {
            flags.add("-XX:+UseParallelGC");
        }
        // A thread that cannot be started is an exception in the program, which is enough.
        flags.add("-Xlog:os+thread=off");
        // For copies between processes by system call, and to reach rings without the checks of a segment.
        flags.add("--enable-native-access=ALL-UNNAMED");
        return flags;
    }

    /**
     * Removes what a JVM that was killed has left: the file by which commands such as {@code jps} find it. A JVM that
     * lives still has it.
     */
    public static void clear(long pid) {
        Path file = Path.of("/tmp", "hsperfdata_".concat(System.getProperty("user.name")), Long.toString(pid));
        try {
            if (Files.exists(file) && ProcessHandle.of(pid).isEmpty()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            // The next JVM of this user removes it.
        }
    }

    private static boolean choosesCollector(List<String> given) {
        for (String option : given) {
            if (option.startsWith("-XX:+Use") && option.endsWith("GC")) {
                return true;
            }
        }
        return false;
    }

    /**
     * More options where more ranks than processors are on a host. The compilers of all ranks then compete with the
     * starts of the others, so methods are compiled after three times as many calls. The archive of classes is mapped
     * where it was made for, and not at a random place, so that ranks share its memory. Both together save a quarter
     * of the processor time of a start.
     */
    public static List<String> flagsAmong(int ranks) {
        return ranks <= Runtime.getRuntime().availableProcessors() ? List.of() : List.of(
                "-XX:CompileThresholdScaling=3", "-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0");
    }
}
