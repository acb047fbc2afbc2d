package io.rankwire.tools.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What no message over a network can beat on this machine: programs that poll a socket each, in C and in Java. */
final class SocketFloors {
    private static final double LIMIT_SECONDS = 30;
    private static final int LEAST_MS = 5;
    private static final List<String> COMPILERS = List.of("cc", "gcc", "clang");
    private static final List<String> PROTOCOLS = List.of("tcp", "udp");

    private final Workbench bench;
    private final String milliseconds;
    /** Null if there is no C compiler. */
    private final Path program;
    private final String absent;

    SocketFloors(Workbench bench, Peers peers, double effort) throws IOException {
        this.bench = bench;
        this.milliseconds = Integer.toString((int) Math.max(LEAST_MS, 1000 * effort));
        Path compiler = COMPILERS.stream().map(peers::onPath).filter(each -> each != null).findFirst().orElse(null);
        Path made = bench.directory().resolve("socket");
        String failure = compiler == null ? "no C compiler on the PATH"
                : peers.build(compiler, made, List.of("socket.c"));
        program = failure == null ? made : null;
        absent = failure;
    }

    /** Half round trips in microseconds, in words. */
    String measure() throws IOException {
        Map<String, Double> c = new HashMap<>();
        for (String protocol : program == null ? List.<String>of() : PROTOCOLS) {
            c.putAll(run(List.of(program.toString(), protocol, milliseconds)));
        }
        Map<String, Double> java = run(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java", "-cp",
                Side.locationOf(SocketFloor.class), SocketFloor.class.getName(), milliseconds));
        List<String> parts = new ArrayList<>();
        for (String protocol : PROTOCOLS) {
            parts.add(protocol + " in C " + (program == null ? "-" : describe(c, protocol))
                    + ", in Java " + describe(java, protocol));
        }
        return "8 B half round trip of programs that poll a socket, us, median (best): " + String.join("; ", parts)
                + (absent == null ? "" : "; not in C: " + absent);
    }

    private static String describe(Map<String, Double> values, String protocol) {
        return String.format(Locale.ROOT, "%.2f (%.2f)", values.get(protocol + ".median"),
                values.get(protocol + ".best"));
    }

    private Map<String, Double> run(List<String> command) throws IOException {
        Workbench.Outcome outcome = bench.run(command, LIMIT_SECONDS);
        if (!outcome.ok()) {
            throw new IOException("cannot measure the floors of sockets: the program " + outcome.failure());
        }
        Map<String, Double> values = new HashMap<>();
        for (String line : outcome.lines()) {
            Point.Measured measured = Point.parse(line);
            if (measured != null) {
                values.put(measured.point().kind(), measured.value());
            }
        }
        return values;
    }
}
