package io.rankwire.tools.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** What the numbers were taken on. */
final class Machine {
    private Machine() {}

    static String describe(List<Side> sides) {
        int cores = Runtime.getRuntime().availableProcessors();
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        StringBuilder text = new StringBuilder(processor());
        text.append(", ").append(cores).append(cores == 1 ? " core, " : " cores, ");
        text.append(System.getProperty("os.name")).append(' ').append(System.getProperty("os.version"));
        text.append(", JDK ").append(System.getProperty("java.runtime.version"));
        for (Side side : sides) {
            text.append(", ").append(side.isOurs() ? "rankwire" : side.name()).append(' ').append(side.version());
        }
        if (load >= 0) {
            text.append(String.format(Locale.ROOT, ", load %.2f", load));
        }
        return text.toString();
    }

    private static String processor() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/cpuinfo"))) {
                if (line.startsWith("model name")) {
                    return line.substring(line.indexOf(':') + 1).strip();
                }
            }
        } catch (IOException e) {
            // Not on Linux.
        }
        return System.getProperty("os.arch");
    }
}
