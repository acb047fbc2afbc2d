package io.rankwire.tools;

import io.rankwire.World;
import io.rankwire.sim.program.Settings;
import io.rankwire.sim.program.SimulatedRanks;
import io.rankwire.tools.options.Given;
import io.rankwire.tools.options.Option;
import io.rankwire.tools.options.Syntax;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * {@code rankwire sim fit}: measures ping-pong, ring and allreduce between ranks of this machine, and finds the model
 * that predicts them best. The search changes one cost at a time, by smaller and smaller factors, and simulates the
 * same loops for each try. The model is judged by sizes that it was not fitted to.
 */
final class FitCommand {
    private static final Option FILE = Option.newFile("", "FILE")
            .help("where to write the model; without it, the model is printed");

    static final Syntax SYNTAX = new Syntax("sim fit", "find a model of this machine", FILE)
            .forms("sim fit [FILE]")
            .about("Measures ping-pong, ring and allreduce between two ranks of this machine for twelve seconds, and"
                    + " searches the model that predicts them best. `rankwire sim run --model FILE` takes it.");

    private static final int RANKS = 2;
    private static final int SIMULATED_TIMES = 2;
    private static final double LAST_FACTOR = 1.03;

    /** The costs that are searched for, in picoseconds: of a frame or a hop, or of 1,024 bytes. */
    private enum Part {
        LATENCY("link.latency", false),
        SEND("host.send", false),
        RECEIVE("host.receive", false),
        REQUEST("device.send", false),
        RESPOND("device.receive", false),
        COLLECTIVE("host.collective", false),
        BANDWIDTH("link.bandwidth", true),
        COPY("device.copy", true),
        COMBINE("device.combine", true);

        private final String key;
        private final boolean isRate;

        Part(String key, boolean isRate) {
            this.key = key;
            this.isRate = isRate;
        }

        Settings set(Settings settings, double ps) {
            return settings.with(key, isRate
                    ? Math.max(1, Math.round(1024e12 / ps)) + " B/s" : Math.max(1, Math.round(ps)) + " ps");
        }
    }

    private final FitRank.Case[] cases = FitRank.cases();
    private final FitRank.Case[] fitted =
            Arrays.stream(cases).filter(FitRank.Case::isFitted).toArray(FitRank.Case[]::new);
    private final double[] real;

    /** Null if there is none to show. */
    private StatusLine status;
    /** The best model so far; null before there is one. */
    private volatile Settings best;
    private volatile double least = Double.POSITIVE_INFINITY;

    /**
     * @param real nanoseconds, one for each case
     */
    FitCommand(double[] real) {
        this.real = real;
    }

    static int run(Given given) {
        try {
            FitCommand fit;
            Settings found;
            try (StatusLine status = StatusLine.open(System.out, System.err)) {
                status.doing("rankwire: measuring");
                double[] real = measured();
                if (real == null) {
                    System.err.println("rankwire: sim: the ranks that measure did not end well");
                    return 1;
                }
                fit = new FitCommand(real);
                fit.status = status;
                status.onInterrupt(fit::soFar);
                found = fit.search("2112 B", "4160 B", "8256 B", "16448 B");
            }
            fit.print(found, System.out);
            if (given.has(FILE)) {
                Files.writeString(Path.of(given.text(FILE)), found.text());
            } else {
                System.out.print("\n" + found.text());
            }
            return 0;
        } catch (IOException e) {
            System.err.println("rankwire: sim: cannot write the model: " + e);
            return 1;
        }
    }

    private static double[] measured() throws IOException {
        Path result = Files.createTempFile("rankwire", ".fit");
        result.toFile().deleteOnExit();
        try {
            int status = new RunCommand(RunOptions.parse("-n", Integer.toString(RANKS), "--timeout", "120", "-cp",
                    Launch.locationOf(FitRank.class), FitRank.class.getName(), result.toString())).run();
            List<String> lines = Files.readAllLines(result);
            return status != 0 ? null : lines.stream().mapToDouble(Double::parseDouble).toArray();
        } finally {
            Files.delete(result);
        }
    }

    /** What the model says of each case, in nanoseconds. */
    static double[] predicted(Settings settings) {
        return predicted(settings, FitRank.cases());
    }

    private static double[] predicted(Settings settings, FitRank.Case[] cases) {
        double[] times = new double[cases.length];
        SimulatedRanks.run(settings, RANKS, job -> {
            try (World world = World.join()) {
                for (int i = 0; i < cases.length; i++) {
                    double ns = FitRank.nanoseconds(world, cases[i], SIMULATED_TIMES);
                    if (job.rank() == 0) {
                        times[i] = ns;
                    }
                }
            }
        });
        return times;
    }

    /** Here ranks drive their devices themselves, and one core copies at each end; frames are of one of these sizes. */
    Settings search(String... frames) {
        Settings base = Settings.DEFAULT.with("device.offload", "no").with("device.requesters", "unlimited")
                .with("device.responders", "unlimited").with("node.copy", "unlimited").with("link.header", "16 B")
                .with("host.poll", "1 ns");
        for (int i = 0; i < frames.length; i++) {
            String frame = frames[i];
            Settings framed = base.with("device.frame", frame);
            double[] costs = start();
            double error = error(settings(framed, costs));
            keep(settings(framed, costs), error);
            for (double factor = 2; factor > LAST_FACTOR; ) {
                double before = error;
                for (int part = 0; part < costs.length; part++) {
                    error = improve(framed, costs, part, factor, error);
                    keep(settings(framed, costs), error);
                    if (status != null) {
                        status.doing(String.format(Locale.ROOT, "rankwire: frames of %s, %d of %d, steps of %.2f, mean"
                                + " error %.1f %%", frame, i + 1, frames.length, factor, 100 * error));
                    }
                }
                factor = error > 0.995 * before ? Math.sqrt(factor) : factor;
            }
        }
        return best;
    }

    private void keep(Settings found, double error) {
        if (error < least) {
            best = found;
            least = error;
        }
    }

    /** What an interrupted search prints. */
    String soFar() {
        Settings found = best;
        return found == null ? "" : String.format(Locale.ROOT,
                "# interrupted: the best model so far, mean error %.1f %% of the sizes fitted%n", 100 * least)
                + found.text().stripTrailing();
    }

    /** A sixth of a small message's time for each of its parts, and what the largest takes for each byte. */
    private double[] start() {
        double[] costs = new double[Part.values().length];
        Arrays.fill(costs, real[0] * 1_000 / 6);
        int last = 0;
        while (last + 1 < cases.length && cases[last + 1].kind().equals(cases[0].kind())) {
            last++;
        }
        double perKib = real[last] * 1_000 * 1024 / cases[last].bytes();
        costs[Part.BANDWIDTH.ordinal()] = perKib;
        costs[Part.COPY.ordinal()] = perKib / 2;
        costs[Part.COMBINE.ordinal()] = perKib;
        return costs;
    }

    private static Settings settings(Settings base, double[] costs) {
        Settings all = base;
        for (Part part : Part.values()) {
            all = part.set(all, costs[part.ordinal()]);
        }
        return all;
    }

    private double improve(Settings base, double[] costs, int part, double factor, double error) {
        double kept = costs[part];
        double best = error;
        double found = kept;
        for (double tried : new double[] {kept * factor, kept / factor}) {
            costs[part] = tried;
            double now = error(settings(base, costs));
            if (now < best) {
                best = now;
                found = tried;
            }
        }
        costs[part] = found;
        return best;
    }

    /** The mean of how far the predictions are off, each as a factor; large ones do not count more than they are. */
    private double error(Settings settings) {
        double[] times = predicted(settings, fitted);
        double sum = 0;
        for (int i = 0; i < times.length; i++) {
            sum += Math.abs(Math.log(times[i] / real[i]));
        }
        return sum / times.length;
    }

    private void print(Settings found, PrintStream out) {
        double[] times = predicted(found);
        out.println("loop          bytes      real µs  predicted µs   error");
        for (int i = 0; i < times.length; i++) {
            if (i > 0 && cases[i - 1].isFitted() && !cases[i].isFitted()) {
                out.println("sizes that the model was not fitted to:");
            }
            out.printf(Locale.ROOT, "%-10s %8d %12.3f %13.3f %6.1f %%%n", cases[i].kind(), cases[i].bytes(),
                    real[i] / 1e3, times[i] / 1e3, 100 * (times[i] / real[i] - 1));
        }
        double[] seen = errors(times, true);
        double[] other = errors(times, false);
        out.printf(Locale.ROOT, "median error %.1f %%, largest %.1f %%; of the sizes fitted %.1f %% and %.1f %%%n",
                100 * median(other), 100 * other[other.length - 1], 100 * median(seen), 100 * seen[seen.length - 1]);
    }

    /** How far off the predictions are, the smallest first: of the sizes that were fitted, or of the others. */
    double[] errors(double[] times, boolean ofFitted) {
        return IntStream.range(0, times.length).filter(i -> cases[i].isFitted() == ofFitted)
                .mapToDouble(i -> Math.abs(times[i] / real[i] - 1)).sorted().toArray();
    }

    static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
