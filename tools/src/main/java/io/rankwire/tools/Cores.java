package io.rankwire.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The processors of this machine that this process may use, in cores. */
final class Cores {
    private Cores() {}

    /** The processors of each core, separated by commas. */
    static List<String> ofThisProcess() {
        Map<String, String> cores = new LinkedHashMap<>();
        for (int processor : allowed()) {
            cores.merge(siblings(processor), Integer.toString(processor), (some, next) -> some + "," + next);
        }
        return new ArrayList<>(cores.values());
    }

    private static List<Integer> allowed() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith("Cpus_allowed_list:")) {
                    return parse(line.substring(line.indexOf(':') + 1).strip());
                }
            }
        } catch (IOException e) {
            // As on systems without that file.
        }
        return parse("0-" + (Runtime.getRuntime().availableProcessors() - 1));
    }

    /** Reads {@code 0-3,8}. */
    static List<Integer> parse(String list) {
        List<Integer> numbers = new ArrayList<>();
        for (String each : list.split(",")) {
            String[] ends = each.split("-");
            int last = Integer.parseInt(ends[ends.length - 1]);
            for (int number = Integer.parseInt(ends[0]); number <= last; number++) {
                numbers.add(number);
            }
        }
        return numbers;
    }

    /** What is the same for all processors of a core. */
    private static String siblings(int processor) {
        try {
            return Files.readString(Path.of("/sys/devices/system/cpu/cpu" + processor
                    + "/topology/thread_siblings_list"));
        } catch (IOException e) {
            return Integer.toString(processor);
        }
    }
}
