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
import java.io.PrintStream;
import java.util.Locale;

/** {@code rankwire sim --schedule}: a collective of any number of ranks, without a program. */
public final class ScheduleCommand {
    private static final int PACKET = 4096;
    private static final double PS_PER_MS = 1e9;

    private String schedule;
    private int ranks = 1 << 10;
    private boolean device;
    private String topology;
    private String noise;
    private long seed = 1;
    private int calls = 1;
    private int threads = Math.min(2, Runtime.getRuntime().availableProcessors());

    private ScheduleCommand() {}

    /**
     * @param words {@code --schedule} among them, and nothing but options with values
     * @throws IllegalArgumentException with what is wrong
     */
    public static int run(String[] words, PrintStream out) {
        ScheduleCommand command = new ScheduleCommand();
        for (int i = 0; i < words.length; i++) {
            int equals = words[i].startsWith("--") ? words[i].indexOf('=') : -1;
            String name = equals < 0 ? words[i] : words[i].substring(0, equals);
            if (equals < 0 && i + 1 == words.length) {
                throw new IllegalArgumentException("option " + name + " needs a value");
            }
            command.set(name, equals < 0 ? words[++i] : words[i].substring(equals + 1));
        }
        command.run(out);
        return 0;
    }

    private void set(String name, String value) {
        switch (name) {
            case "--schedule" -> schedule = value;
            case "-n", "-np", "--ranks" -> ranks = number(name, value, 1 << 27);
            case "--driver" -> {
                if (!value.equals("host") && !value.equals("device")) {
                    throw new IllegalArgumentException("option --driver is host or device, not " + value);
                }
                device = value.equals("device");
            }
            case "--topology" -> topology = value;
            case "--noise" -> noise = value;
            case "--seed" -> seed = number(name, value, Integer.MAX_VALUE);
            case "--calls" -> calls = number(name, value, 1 << 20);
            case "--threads" -> threads = number(name, value, 64);
            default -> throw new IllegalArgumentException("option " + name + " has no meaning with --schedule");
        }
    }

    private static int number(String name, String value, int most) {
        try {
            int number = Integer.parseInt(value);
            if (number > 0 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw new IllegalArgumentException("option " + name + ": " + value + " is no number from 1 to " + most);
    }

    private void run(PrintStream out) {
        Setting setting = Setting.of(LogGops.DEFAULT, device ? Driver.DEVICE : Driver.HOST).with(noise())
                .with(new Load(calls, 0, false));
        Pattern pattern = pattern();
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
        String[] parts = schedule.split(":", 2);
        int bytes = parts.length == 1 ? 8 : number("--schedule", parts[1], 1 << 30);
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

    private Noise noise() {
        if (noise == null) {
            return Noise.NONE;
        }
        String[] parts = noise.split(":");
        boolean together = parts.length == 3 && parts[2].equals("together");
        if (parts.length == 2 || together) {
            try {
                double hertz = Double.parseDouble(parts[0]);
                return new Noise(Math.round(1e3 * PS_PER_MS / hertz),
                        Math.round(Double.parseDouble(parts[1]) * PS_PER_MS), together, seed);
            } catch (NumberFormatException e) {
                // Told below.
            }
        }
        throw new IllegalArgumentException("option --noise: " + noise + " is not HERTZ:MILLISECONDS, such as 10:2.5,"
                + " with :together behind it or not");
    }
}
