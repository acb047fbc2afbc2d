package io.rankwire.sim.program;

import io.rankwire.launch.Aborted;
import io.rankwire.launch.DeadlockWatch;
import io.rankwire.launch.ProgramProcess;
import io.rankwire.launch.ThreadRanks;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Main class of a process that simulates a job. The arguments are whether to tag output ({@code tag} or {@code plain}),
 * a file with the settings, the user's main class and its arguments. The launcher that started it watches over the
 * board as it does for real ranks; a deadlock is proven here and only reported there.
 */
public final class SimMain {
    /** The property that says how many runs may be tried to see all choices; without it there is one, and no choice. */
    public static final String EXPLORE = "rankwire.sim.explore";
    /** The property that says which choices to repeat. */
    public static final String CHOICES = "rankwire.sim.choices";
    /** The property that says which faults there are, by their seed. */
    public static final String FAULTS = "rankwire.sim.faults";
    /** The property that says which ranks are killed, and when; blank for what the seed says. */
    public static final String KILL = "rankwire.sim.kill";
    /** The property that says how many ranks wait to replace others. */
    public static final String SPARES = "rankwire.sim.spares";

    /**
     * The property that says which other job runs beside the first, with the number of the job behind it: the number of
     * its ranks, its class path, its main class and its arguments, with {@link #BETWEEN} between them.
     */
    public static final String BESIDE = "rankwire.sim.beside.";
    /** Stands between the parts of {@link #BESIDE}. */
    public static final String BETWEEN = "\u001f";

    private static final double PS_PER_MS = 1e9;

    private final Settings settings;
    private final ProgramProcess process;
    /** By job. */
    private final int[] sizes;
    private final ProgramProcess[] programs;
    private final PrintStream err;
    private SimulatedRanks ranks;
    private boolean reported;

    private SimMain(Settings settings, ProgramProcess process, List<String[]> beside, PrintStream err) {
        this.settings = settings;
        this.process = process;
        this.err = err;
        sizes = new int[1 + beside.size()];
        programs = new ProgramProcess[sizes.length];
        sizes[0] = process.board().worldSize();
        programs[0] = process;
        for (int job = 1; job < sizes.length; job++) {
            String[] parts = beside.get(job - 1);
            sizes[job] = Integer.parseInt(parts[0]);
            sizes[0] -= sizes[job];
            programs[job] = process.beside(parts[1], parts[2], Arrays.copyOfRange(parts, 3, parts.length));
        }
    }

    public static void main(String[] args) throws IOException {
        Settings settings = Settings.DEFAULT.read(Files.readString(Path.of(args[1])), args[1]);
        PrintStream err = System.err;
        List<String[]> beside = new ArrayList<>();
        for (String each; (each = System.getProperty(BESIDE + (beside.size() + 2))) != null;) {
            beside.add(each.split(BETWEEN, -1));
        }
        ProgramProcess process = ProgramProcess.start(
                args[0].equals("tag"), args[2], Arrays.copyOfRange(args, 3, args.length), true,
                beside.stream().mapToInt(parts -> Integer.parseInt(parts[0])).toArray());
        Integer explore = Integer.getInteger(EXPLORE);
        if (explore != null) {
            System.exit(explore(settings, process, explore, err));
        }
        new SimMain(settings, process, beside, err).run();
    }

    private static int explore(Settings settings, ProgramProcess process, int most, PrintStream err) {
        process.keep();
        Exploration exploration = new Exploration(settings, process.size());
        exploration.run(most, process::run, process::taken);
        err.print(exploration.report());
        err.flush();
        return exploration.status();
    }

    private void run() {
        String choices = System.getProperty(CHOICES);
        ArrivalOrder order = choices == null ? null : new ArrivalOrder(Exploration.choices(choices));
        Adversity adversity = adversity();
        if (adversity != null && adversity.isAny()) {
            err.print("rankwire: " + adversity.drawn() + System.lineSeparator());
            err.flush();
        }
        ThreadRanks.Body[] bodies = new ThreadRanks.Body[sizes.length];
        Arrays.setAll(bodies, job -> programs[job]::run);
        ranks = new SimulatedRanks(
                settings, process.board(), sizes, Integer.getInteger(SPARES, 0), order, adversity, bodies, this::fail,
                this::declared, this::deadlock);
        process.atExit(this::exits);
        try {
            ranks.run();
        } catch (Aborted | IllegalStateException e) {
            process.fail(Math.max(0, ranks.running()), e);
        }
        report();
        Map.Entry<Integer, Throwable> first = goesOn() ? ranks.firstOfAll() : null;
        if (first != null) {
            System.exit(ProgramProcess.status(first.getValue()));
        }
    }

    private boolean goesOn() {
        return process.board().failures().goesOn();
    }

    private Adversity adversity() {
        Long seed = Long.getLong(FAULTS);
        String kill = System.getProperty(KILL);
        return seed == null && kill == null && !goesOn() ? null
                : new Adversity(seed, kill, settings, process.board().worldSize(), process.size());
    }

    /** Prints how a rank has died that the others go on without. */
    private void declared(int rank, Throwable how) {
        if (goesOn()) {
            process.finishOutput();
            err.print("rankwire: " + ProgramProcess.story(rank, sizes[0], how,
                    ranks.isAnyLeft() ? "; the job goes on without it" : "; no rank is left"));
            err.flush();
        }
    }

    private void fail(int place, Throwable thrown) {
        report();
        process.fail(place, thrown, ProgramProcess.status(thrown));
    }

    private void deadlock() {
        report();
        if (ranks.killed() >= 0) {
            process.fail(ranks.killed(), new Aborted(ranks.whatKillingDid(), SimulatedLauncher.KILLED_STATUS));
        }
        System.exit(DeadlockWatch.EXIT_STATUS);
    }

    /** The place of the rank that has ended the process from inside the program, or -1. */
    private int exits() {
        if (reported || !ranks.runningIsInside("java.lang.Runtime", "exit")) {
            return -1;
        }
        report();
        return ranks.running();
    }

    private synchronized void report() {
        reported = true;
        process.finishOutput();
        StringJoiner times = new StringJoiner(", ");
        for (int job = 0; job < sizes.length; job++) {
            String name = sizes.length == 1 ? "" : " in job " + (job + 1) + " (" + programs[job].mainClass() + ")";
            times.add(String.format(
                    Locale.ROOT, "%.6f ms of %d ranks%s", ranks.timePs(job) / PS_PER_MS, sizes[job], name));
        }
        err.print(String.format(Locale.ROOT, "rankwire: simulated %s%s on %s, seed %d%s: %d events, hash %016x%n",
                times, settings.fabric() == Fabric.DEVICE ? "" : " over " + Units.name(settings.fabric()),
                settings.topologyFor(Arrays.stream(sizes).max().orElseThrow()), settings.seed(), ranks.faults(),
                ranks.events(), ranks.hash()));
        err.flush();
    }
}
