package io.rankwire.tools.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the program fi_pingpong of libfabric shows for a provider on this machine. */
final class PingPongFloors {
    private static final double LIMIT_SECONDS = 30;
    private static final String PROGRAM = "fi_pingpong";
    private static final int ROUNDS = 4000;
    private static final int LONG_ROUNDS = 400;
    private static final int LEAST_ROUNDS = 20;
    private static final int LONG_BYTES = 1 << 20;
    /**
     * The server may not listen yet when the client comes. Threads of the provider sockets would wait for milliseconds
     * where cores are few, unless they are asked not to.
     */
    private static final String SCRIPT = """
            export FI_SOCKETS_PE_WAITTIME=0
            "$1" -p "$2" -e rdm -S "$3" -I "$4" -B "$5" > /dev/null 2>&1 &
            server=$!
            for i in 1 2 3 4 5 6 7 8 9 10; do
                "$1" -p "$2" -e rdm -S "$3" -I "$4" -P "$5" 127.0.0.1 2> /dev/null && exit 0
                sleep 0.2
            done
            kill "$server"
            exit 1
            """;
    /** Bytes, sent, acknowledged, total, time, MB/s, us a transfer. */
    private static final Pattern RESULT = Pattern.compile("(?:\\S+\\s+){4}\\S+s\\s+([\\d.]+)\\s+([\\d.]+)\\s.*");

    private final Workbench bench;
    private final Path program;
    private final String provider;
    private final double effort;
    /** Half round trips of 8 bytes in us, and rates of 1 MiB in MB/s. */
    private final Samples latencies = new Samples();
    private final Samples rates = new Samples();

    PingPongFloors(Workbench bench, Peers peers, String provider, double effort) {
        this.bench = bench;
        this.program = peers.onPath(PROGRAM);
        this.provider = provider;
        this.effort = effort;
    }

    /** The half round trip of 8 bytes and the rate of 1 MiB there and back, in words. */
    String measure() throws IOException {
        if (program == null || provider == null) {
            return "no " + PROGRAM + ": " + (program == null ? "it is not on the PATH (Debian package libfabric-bin)"
                    : "which provider is used is not known, name one");
        }
        double[] few = run(Long.BYTES, ROUNDS);
        double[] many = run(LONG_BYTES, LONG_ROUNDS);
        if (few != null) {
            latencies.add(0, few[1]);
        }
        if (many != null) {
            rates.add(0, many[0]);
        }
        return PROGRAM + " -p " + provider + ": " + (few == null ? "8 B -"
                : String.format(Locale.ROOT, "8 B half round trip %.2f us", few[1]))
                + (many == null ? ", 1 MiB -" : String.format(Locale.ROOT, ", 1 MiB %.2f GB/s", many[0] / 1000));
    }

    /** Lines with the medians of ours beside what it showed. */
    List<String> beside(Results ours) {
        return beside(ours, latencies, rates);
    }

    /**
     * @param latencies its half round trips of 8 bytes, us
     * @param rates its MB/s of 1 MiB there and back
     */
    static List<String> beside(Results ours, Samples latencies, Samples rates) {
        List<String> lines = new ArrayList<>();
        double us = ours.median(Results.OURS, Work.LAT, new Point(Work.LAT.label, Long.BYTES, 0));
        add(lines, "8 B half round trip", us, "us", latencies, 1);
        for (String kind : Work.LAT.ours) {
            double longUs = ours.median(Results.OURS, Work.LAT, new Point(kind, LONG_BYTES, 0));
            add(lines, "1 MiB there and back" + (kind.equals(Work.LAT.label) ? "" : ", allocated"),
                    LONG_BYTES / longUs / 1000, "GB/s", rates, 1000);
        }
        return lines;
    }

    /** The least and the most that it showed: one run of it may have been disturbed, and would flatter ours. */
    private static void add(List<String> lines, String what, double ours, String unit, Samples its, double per) {
        double least = its.best(true) / per;
        double most = its.best(false) / per;
        if (!Double.isNaN(ours / least)) {
            lines.add(String.format(Locale.ROOT, "%s: %.2f %s, %s %.2f to %.2f %s, ratio %.2f to %.2f", what, ours,
                    unit, PROGRAM, least, most, unit, ours / most, ours / least));
        }
    }

    /** MB/s and microseconds; null if the program fails. */
    private double[] run(int bytes, int rounds) throws IOException {
        String port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = Integer.toString(free.getLocalPort());
        }
        Workbench.Outcome outcome = bench.run(List.of("/bin/sh", "-c", SCRIPT, "sh", program.toString(), provider,
                Integer.toString(bytes), Integer.toString((int) Math.max(LEAST_ROUNDS, rounds * effort)), port),
                LIMIT_SECONDS);
        return outcome.ok() ? parse(outcome.lines()) : null;
    }

    static double[] parse(List<String> lines) {
        for (String line : lines) {
            Matcher result = RESULT.matcher(line.strip());
            if (result.matches()) {
                return new double[] {Double.parseDouble(result.group(1)), Double.parseDouble(result.group(2))};
            }
        }
        return null;
    }
}
