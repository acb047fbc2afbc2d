package io.rankwire.tools.sim;

import io.rankwire.sim.Noise;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.sim.net.Topology;
import io.rankwire.sim.schedule.Driver;
import io.rankwire.sim.schedule.Load;
import io.rankwire.sim.schedule.LogGops;
import io.rankwire.sim.schedule.Outcome;
import io.rankwire.sim.schedule.Pattern;
import io.rankwire.sim.schedule.Routed;
import io.rankwire.sim.schedule.Setting;
import io.rankwire.sim.schedule.Uniform;
import io.rankwire.tools.options.Given;
import io.rankwire.tools.options.Option;
import io.rankwire.tools.options.Syntax;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** {@code rankwire sim schedule}: a collective of any number of ranks, without a program. */
public final class ScheduleCommand {
    /** Simulated programs have this one too. */
    public static final Option TOPOLOGY = Option.text("T", "--topology")
            .help("crossbar, torus[:XxYxZ] or fattree[:NODES_A_SWITCH]");

    private static final Option SCHEDULE = Option.text("", "SCHEDULE")
            .required("which schedule? Give barrier, allreduce, broadcast, allgather or alltoall")
            .help("barrier, allreduce, broadcast, allgather or alltoall; a number of bytes may follow: allreduce:64");
    private static final Option RANKS = Option.number("N", 1, 1 << 27, "-n", "-np", "--ranks").otherwise("1024")
            .help("the number of ranks, up to millions");
    private static final Option DRIVER = Option.choice("D", List.of("host", "device"), "--driver").otherwise("host")
            .help("what goes from step to step: hosts, or devices by themselves");
    private static final Option NOISE = Option.text("HZ:MS", "--noise")
            .help("stops of the hosts, such as 10:2.5; with :together behind it, of all at once");
    private static final Option SEED = Option.number("SEED", 1, Integer.MAX_VALUE, "--seed").otherwise("1")
            .onlyWith(NOISE).help("chooses the times of the noise");
    private static final Option CALLS = Option.number("N", 1, 1 << 20, "--calls").otherwise("1")
            .help("the number of calls, one after another");
    private static final Option THREADS = Option.number("N", 1, 64, "--threads").never(TOPOLOGY)
            .help("threads that simulate; default 2; the hash is the same for any number");

    public static final Syntax SYNTAX = new Syntax("sim schedule", "simulate a collective of up to millions of ranks",
            SCHEDULE, RANKS, DRIVER, TOPOLOGY, NOISE, SEED, CALLS, THREADS)
            .forms("sim schedule SCHEDULE[:BYTES] [-n N] [options]")
            .about("Simulates the steps of a collective call, without a program. With --topology messages go over links"
                    + " and switches; without it all pairs of ranks are equally far apart (LogGOPS).");

    private static final int PACKET = 4096;
    private static final int MOST_BYTES = 1 << 30;
    private static final double PS_PER_MS = 1e9;

    private final Given given;
    private final int ranks;
    private final String topology;
    private final int calls;

    private ScheduleCommand(Given given) {
        this.given = given;
        ranks = given.number(RANKS);
        topology = given.text(TOPOLOGY);
        calls = given.number(CALLS);
    }

    public static int run(Given given, PrintStream out) {
        try {
            new ScheduleCommand(given).run(out);
        } catch (IllegalArgumentException e) {
            throw given.wrong(e.getMessage());
        }
        return 0;
    }

    private void run(PrintStream out) {
        Setting setting = Setting.of(LogGops.DEFAULT, given.text(DRIVER).equals("device") ? Driver.DEVICE : Driver.HOST)
                .with(noise())
                .with(new Load(calls, 0, false));
        Pattern pattern = pattern();
        int threads = given.has(THREADS) ? given.number(THREADS)
                : Math.min(2, Runtime.getRuntime().availableProcessors());
        long begun = System.nanoTime();
        Outcome outcome = topology == null ? Uniform.run(pattern, setting, threads)
                : Routed.run(pattern, setting, Topology.parse(topology, ranks), LinkModel.DEFAULT, PACKET).outcome();
        double seconds = (System.nanoTime() - begun) / 1e9;
        out.printf(Locale.ROOT, "%s, %d ranks, %s%n", pattern.name(), ranks,
                topology == null ? "a uniform network" : topology);
        out.println(setting);
        out.printf(Locale.ROOT, "virtual time %.3f us%s%n", outcome.ps() / 1e6,
                calls == 1 ? "" : String.format(Locale.ROOT, ", %.3f us a call", outcome.ps() / 1e6 / calls));
        out.printf(Locale.ROOT, "%d events in %.2f s, %.2f million a second, hash %s%n", outcome.events(), seconds,
                outcome.events() / seconds / 1e6, outcome.hashText());
    }

    private Pattern pattern() {
        String[] parts = given.text(SCHEDULE).split(":", 2);
        int bytes = parts.length == 1 ? 8 : bytes(parts[1]);
        return switch (parts[0]) {
            case "barrier" -> Pattern.barrier(ranks);
            case "allreduce" -> Pattern.allreduce(ranks, bytes);
            case "broadcast" -> Pattern.broadcast(ranks, 0, bytes);
            case "allgather" -> Pattern.allgather(ranks, bytes);
            case "alltoall" -> Pattern.alltoall(ranks, bytes);
            default -> throw new IllegalArgumentException("schedule " + parts[0]
                    + " is none of barrier, allreduce, broadcast, allgather, alltoall, with :BYTES behind it or not");
        };
    }

    private static int bytes(String text) {
        try {
            int bytes = Integer.parseInt(text);
            if (bytes > 0 && bytes <= MOST_BYTES) {
                return bytes;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new IllegalArgumentException("SCHEDULE:BYTES needs a number from 1 to " + MOST_BYTES + ", not " + text);
    }

    private Noise noise() {
        if (!given.has(NOISE)) {
            return Noise.NONE;
        }
        String noise = given.text(NOISE);
        String[] parts = noise.split(":");
        boolean together = parts.length == 3 && parts[2].equals("together");
        if (parts.length == 2 || together) {
            try {
                double hertz = Double.parseDouble(parts[0]);
                return new Noise(Math.round(1e3 * PS_PER_MS / hertz),
                        Math.round(Double.parseDouble(parts[1]) * PS_PER_MS), together,
                        given.number(SEED));
            } catch (NumberFormatException e) {
                // Reported below.
            }
        }
        throw new IllegalArgumentException("option --noise: " + noise + " is not HERTZ:MILLISECONDS, such as 10:2.5,"
                + " with :together behind it or not");
    }
}
