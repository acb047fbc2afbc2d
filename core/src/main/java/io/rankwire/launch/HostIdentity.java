package io.rankwire.launch;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Identifies a host. Two ranks are on one host when the same kernel runs them, in the same namespaces of network
 * and processes, and when their directories for shared memory are on the same device.
 *
 * @param name for people
 * @param mark the same for all ranks of a host
 */
record HostIdentity(String name, String mark) {
    /**
     * The identity of this host.
     *
     * @param chosen a name that the user has chosen, which then is the mark too; else null
     */
    static HostIdentity here(String chosen) {
        if (chosen != null) {
            return new HostIdentity(chosen, "chosen " + chosen);
        }
        String boot = read("/proc/sys/kernel/random/boot_id", () -> nameOfSystem());
        return new HostIdentity(read("/proc/sys/kernel/hostname", () -> nameOfSystem()), String.join(" ", boot,
                namespace("net"), namespace("pid"), device(JobDirectory.root())));
    }

    private interface Text {
        String get();
    }

    private static String read(String file, Text otherwise) {
        try {
            return Files.readString(Path.of(file)).strip();
        } catch (IOException e) {
            return otherwise.get();
        }
    }

    private static String nameOfSystem() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    private static String namespace(String kind) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns", kind)).toString();
        } catch (IOException | UnsupportedOperationException e) {
            return "-";
        }
    }

    private static String device(Path directory) {
        try {
            return Files.getAttribute(directory, "unix:dev").toString();
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return directory.toString();
        }
    }
}
