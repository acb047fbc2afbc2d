package io.rankwire.tools.hosts;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Lists of hosts, files of them, and what Slurm says of an allocation. */
public final class HostListFuzz {
    private HostListFuzz() {}

    public static List<byte[]> samples() {
        return List.of("a:2, b.c-d,[fd00::1]:2,me@e:1".getBytes(StandardCharsets.UTF_8),
                "# all\n\na slots=4 max_slots=8  # big\nb:8\nc\n\td slots=1 ".getBytes(StandardCharsets.UTF_8),
                "n[001-003,7],gpu07,r[1-2]n[3-4]\n2(x4),1".getBytes(StandardCharsets.UTF_8));
    }

    public static void fuzzerTestOneInput(byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        List<String> lines = text.lines().toList();
        check(() -> HostList.ofList(text));
        check(() -> HostList.ofFile(lines));
        check(() -> HostList.ofSlurm(lines.isEmpty() ? "" : lines.getFirst(), lines.size() > 1 ? lines.get(1) : null));
    }

    private interface Reading {
        List<HostList.Host> read();
    }

    private static void check(Reading reading) {
        try {
            for (HostList.Host host : reading.read()) {
                if (host.slots() < 0 || host.name().isEmpty() || host.name().startsWith("-")) {
                    throw new AssertionError(host.toString());
                }
            }
        } catch (IllegalArgumentException e) {
            // This is how a list is refused that makes no sense.
            if (e.getMessage() == null || e instanceof NumberFormatException) {
                throw e;
            }
        }
    }
}
