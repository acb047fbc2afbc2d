package io.rankwire.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * One process, distinguished from a later one with the same number by its start time, and from one in another container
 * by its process namespace.
 */
record ProcessIdentity(long pid, long start, String namespace) {
    static ProcessIdentity current() {
        return of(ProcessHandle.current().pid());
    }

    /** Another process of this namespace. */
    static ProcessIdentity of(long pid) {
        return new ProcessIdentity(pid, startOf(pid), ownNamespace());
    }

    static ProcessIdentity parse(String text) {
        String[] parts = text.strip().split(" ");
        if (parts.length != 3) {
            throw new IllegalArgumentException("not a process identity: " + text);
        }
        return new ProcessIdentity(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2]);
    }

    /** Whether it surely runs no more; a process of another namespace cannot be judged from here. */
    boolean isDead() {
        return namespace.equals(ownNamespace()) && startOf(pid) != start;
    }

    /** Whether a process of this namespace runs, as it did when it was looked for. */
    boolean isAlive() {
        return start != 0 && !isDead();
    }

    @Override
    public String toString() {
        return String.join(" ", Long.toString(pid), Long.toString(start), namespace);
    }

    /** Some number that differs between successive processes of one id; 0 when there is no such process. */
    private static long startOf(long pid) {
        Path stat = Path.of("/proc", Long.toString(pid), "stat");
        try {
            String line = new String(Files.readAllBytes(stat), StandardCharsets.ISO_8859_1);
            // The name, in parentheses, may hold blanks; field 22 is the 20th after it.
            int from = line.lastIndexOf(')') + 2;
            if (line.charAt(from) == 'Z') {
                return 0;
            }
            for (int field = 3; field < 22; field++) {
                from = line.indexOf(' ', from) + 1;
            }
            return Long.parseLong(line, from, line.indexOf(' ', from), 10);
        } catch (IOException e) {
            if (Files.exists(Path.of("/proc/self/stat"))) {
                return 0;
            }
        }
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().startInstant())
                .map(Instant::getEpochSecond)
                .orElse(0L);
    }

    private static String ownNamespace() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
        } catch (IOException | UnsupportedOperationException e) {
            return "-";
        }
    }
}
