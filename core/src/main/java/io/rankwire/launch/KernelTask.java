package io.rankwire.launch;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A thread of this process as the kernel sees it.
 *
 * @param asleep whether it waits for something other than a processor
 * @param switches how often it has been taken off a processor: it cannot run and sleep again without being counted
 */
record KernelTask(boolean asleep, long switches) {
    private static final Path TASKS = Path.of("/proc/self/task");

    /** All threads of this process by their ids; none where the system does not show them. */
    static Map<Long, KernelTask> all() {
        Map<Long, KernelTask> all = new HashMap<>();
        File[] tasks = TASKS.toFile().listFiles();
        try {
            for (File task : tasks == null ? new File[0] : tasks) {
                all.put(Long.valueOf(task.getName()), read(task.toPath().resolve("status")));
            }
            return all;
        } catch (IOException | NumberFormatException e) {
            // A thread has just ended, or this is no Linux.
            return Map.of();
        }
    }

    /** Whether a thread has slept from the first look to the second without a break. */
    static boolean slept(KernelTask first, KernelTask second) {
        return first.asleep && second.asleep && first.switches == second.switches;
    }

    private static KernelTask read(Path status) throws IOException {
        boolean asleep = false;
        long switches = 0;
        int found = 0;
        for (String line : Files.readAllLines(status, StandardCharsets.ISO_8859_1)) {
            if (line.startsWith("State:")) {
                asleep = line.substring(6).strip().startsWith("S");
                found++;
            } else if (line.startsWith("voluntary_ctxt_switches:") || line.startsWith("nonvoluntary_ctxt_switches:")) {
                switches += Long.parseLong(line.substring(line.indexOf(':') + 1).strip());
                found++;
            }
        }
        if (found != 3) {
            throw new IOException(status + " does not show state and context switches");
        }
        return new KernelTask(asleep, switches);
    }
}
