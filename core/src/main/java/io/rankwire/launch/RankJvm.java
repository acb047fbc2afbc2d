package io.rankwire.launch;

import java.io.File;
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
        // No statistics file in the temporary directory, which a killed rank would leave behind.
        flags.add("-XX:-UsePerfData");
        // A thread that cannot be started is an exception in the program, which is enough.
        flags.add("-Xlog:os+thread=off");
        // For copies between processes by system call, and to reach rings without the checks of a segment.
        flags.add("--enable-native-access=ALL-UNNAMED");
        return flags;
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
