package io.rankwire.tools.bench;

import io.rankwire.launch.Fabrics;
import io.rankwire.tools.DoctorFabric;
import io.rankwire.tools.MeasuredCosts;
import io.rankwire.tools.StatusLine;
import io.rankwire.tools.options.Given;
import io.rankwire.tools.options.Syntax;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** {@code rankwire bench}: measures, compares and prints. */
public final class Bench {
    public static final Syntax SYNTAX = BenchOptions.SYNTAX;

    private final BenchOptions options;
    private final Plan plan;
    private final Workbench bench;
    private final PrintStream out;
    private final PrintStream err;
    private final StatusLine status;
    private final List<Side> sides = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    /** Side and kind that hung once; trying again would take as long in every round. */
    private final Set<String> hung = new HashSet<>();
    /** For a peer whose ranks outnumbered the processors and hung: that number of ranks. */
    private final Map<String, Integer> most = new HashMap<>();
    /** The number of rounds, without those that are repeated. */
    private final int wanted;
    private final Rounds rounds;
    private Results results;
    private Floors before;
    /** The floors of a network, or null. */
    private SocketFloors sockets;
    /** The floors of libfabric, or null. */
    private PingPongFloors pingPong;
    private boolean failed;
    /** What the status line says, without the program that runs. */
    private String doing;
    /** Rounds that are complete, and the notes on them. */
    private int complete;
    private int completeNotes;
    private boolean printed;

    private Bench(BenchOptions options, Plan plan, Workbench bench, PrintStream out, PrintStream err) {
        this.options = options;
        this.plan = plan;
        this.bench = bench;
        this.out = out;
        this.err = err;
        this.status = StatusLine.open(out, err);
        // Tests look at what is printed, not at numbers.
        this.wanted = plan.effort() < 1 ? Math.min(options.rounds, 2) : options.rounds;
        this.rounds = new Rounds(options.isComparison() ? 1.5 : 2);
    }

    /** The command; returns its exit status: 0, or 1 when ours could not be measured. */
    public static int run(Given given) {
        return run(new BenchOptions(given), 1, System.out, System.err);
    }

    /** Tests make less effort. */
    static int run(BenchOptions options, double effort, PrintStream out, PrintStream err) {
        try (Workbench bench = Workbench.open()) {
            Bench all = new Bench(options, new Plan(options.quick, effort, options.ranks), bench, out, err);
            try (all.status) {
                return all.run();
            }
        } catch (IOException e) {
            err.println("rankwire: bench: " + e.getMessage());
            return 1;
        }
    }

    private int run() throws IOException {
        sides.add(Side.ours());
        List<String> missing = findPeers();
        String fabric = options.fabric.equals(Fabrics.OFI) ? DoctorFabric.withBestProvider() : options.fabric;
        if (!fabric.equals(Fabrics.AUTO)) {
            sides.replaceAll(side -> side.over(fabric));
        }
        if (plan.effort() < 1) {
            // The optimising compiler would take longer than all else.
            sides.replaceAll(side -> side.with("--jvm", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"));
        }
        List<String> peers = sides.stream().filter(side -> !side.isOurs()).map(Side::name).toList();
        results = new Results(peers);
        status.println("# " + Machine.describe(sides));
        missing.forEach(line -> status.println("# " + line));
        status.doing("rankwire: bench: floors");
        before = Floors.measure(bench, plan.effort());
        status.println("# Floors at start: " + before.describe());
        if (MeasuredCosts.areEstimates()) {
            status.println("# What messages cost here is estimated, so collective calls may use a slow algorithm:"
                    + " `rankwire doctor --measure` measures it");
        }
        if (!fabric.equals(Fabrics.AUTO)) {
            Peers peersOnPath = new Peers(bench, System.getenv("PATH"));
            sockets = new SocketFloors(bench, peersOnPath, plan.effort());
            pingPong = Fabrics.isOfi(fabric) ? new PingPongFloors(bench, peersOnPath, Fabrics.provider(fabric),
                    plan.effort()) : null;
            printNetworkFloors("start");
        }
        if (!options.areFloorsAlone()) {
            status.println("# " + plan.describe(wanted, options.works));
            bench.onInterrupt(this::interrupted);
            for (int round = 1; isWanted(round); round++) {
                round(round);
            }
        }
        status.doing("rankwire: bench: floors");
        Floors after = Floors.measure(bench, plan.effort());
        printNetworkFloors("end");
        synchronized (this) {
            status.close();
            print(rounds, results, notes, after);
        }
        return failed ? 1 : 0;
    }

    private void printNetworkFloors(String when) throws IOException {
        if (sockets != null) {
            status.println("# Floors at " + when + ": " + sockets.measure());
        }
        if (pingPong != null) {
            status.println("# Floors at " + when + ": " + pingPong.measure());
        }
    }

    /** When builds are compared, rounds of another machine are repeated, but not for ever. */
    private boolean isWanted(int round) {
        return round <= wanted || options.isComparison() && plan.effort() == 1 && round <= 2 * wanted
                && round <= wanted + rounds.apart().size();
    }

    /** The complete rounds, or what the first one has so far. */
    private synchronized void interrupted() {
        if (printed) {
            return;
        }
        status.close();
        if (results.isEmpty()) {
            out.println("# Interrupted in round 1 of " + wanted + ", before anything was measured");
            out.flush();
            return;
        }
        boolean partly = complete == 0;
        out.println("# Interrupted in round " + (complete + 1) + " of " + wanted + ": below is "
                + (partly ? "what it had measured" : complete == 1 ? "the round before" : "the " + complete
                + " rounds before"));
        try {
            print(partly ? rounds : rounds.first(complete), partly ? results : results.without(Set.of(complete + 1)),
                    notes.subList(0, completeNotes), null);
        } catch (IOException e) {
            err.println("rankwire: bench: " + e.getMessage());
        }
    }

    private List<String> findPeers() throws IOException {
        List<String> missing = new ArrayList<>();
        if (options.baseline != null) {
            sides.add(Side.before(options.baseline));
        }
        if (options.goesOn) {
            sides.add(sides.getFirst().named(Results.BEFORE));
            sides.set(0, sides.getFirst().with(Work.GOES_ON));
        }
        Peers peers = new Peers(bench, System.getenv("PATH"));
        for (String name : options.against) {
            status.note("rankwire: bench: preparing " + name);
            Peers.Found found = peers.find(name);
            if (found.side() != null) {
                sides.add(found.side());
            } else {
                missing.add(name + " is " + found.absent());
            }
        }
        return missing;
    }

    private void round(int round) throws IOException {
        long start = System.nanoTime();
        double lineNs = Floors.lineNs(bench, plan.effort());
        synchronized (this) {
            rounds.add(lineNs);
        }
        String name = "round " + round + " of " + Math.max(round, wanted);
        StringBuilder works = new StringBuilder();
        int noted = notes.size();
        for (Work work : options.works) {
            if (work == Work.FLOOR) {
                continue;
            }
            works.append(' ').append(work.label);
            doing = "rankwire: bench: " + name + ": " + work.label;
            status.doing(doing);
            measure(round, work);
        }
        synchronized (this) {
            complete = round;
            completeNotes = notes.size();
        }
        status.note(String.format(Locale.ROOT, "rankwire: bench: %s, floor %.0f ns:%s, %.0f s", name, lineNs, works,
                (System.nanoTime() - start) / 1e9));
        for (String note : notes.subList(noted, notes.size())) {
            status.note("rankwire: bench: " + note);
        }
    }

    /** Peers come after ours, one after the other; two builds take turns, and each is first in every other round. */
    private void measure(int round, Work work) throws IOException {
        if (options.isComparison()) {
            for (String kind : plan.kinds(work, true)) {
                for (Side side : round % 2 == 0 ? sides : sides.reversed()) {
                    measure(round, side, work, kind);
                }
            }
            return;
        }
        for (Side side : sides) {
            for (String kind : plan.kinds(work, side.isOurs())) {
                measure(round, side, work, kind);
            }
        }
    }

    private void measure(int round, Side side, Work work, String kind) throws IOException {
        int ranks = work.ranks(kind);
        if (hung.contains(side.name() + kind) || ranks > most.getOrDefault(side.name(), ranks)) {
            return;
        }
        boolean crowded = !side.isRankwire() && ranks > Runtime.getRuntime().availableProcessors();
        double limit = crowded ? plan.crowdedSeconds() : plan.limitSeconds();
        status.doing(doing + (kind.equals(work.label) ? "" : " " + kind) + ", " + side.name());
        int times = work == Work.START ? Plan.STARTS_PER_ROUND : 1;
        for (int i = 0; i < times; i++) {
            List<String> command = work == Work.START
                    ? side.empty()
                    : side.command(work, kind, plan.cells(work, kind, side.isRankwire()));
            Workbench.Outcome outcome = bench.run(command, limit);
            take(round, side, work, outcome, false);
            if (hasFailed(round, side, kind, outcome)) {
                if (outcome.seconds() >= limit) {
                    hung.add(side.name() + kind);
                    if (crowded) {
                        most.merge(side.name(), ranks, Math::min);
                    }
                }
                return;
            }
        }
        for (Cell cell : options.cold && work.hasCold(kind) ? plan.coldCells(work, kind) : List.<Cell>of()) {
            Workbench.Outcome outcome = bench.run(side.command(work, kind, List.of(cell)), limit);
            take(round, side, work, outcome, true);
            if (hasFailed(round, side, kind + " " + cell.bytes() + " cold", outcome)) {
                return;
            }
        }
    }

    private boolean hasFailed(int round, Side side, String what, Workbench.Outcome outcome) {
        if (!outcome.ok()) {
            note(side.name() + ", " + what + ", round " + round + ": the program " + outcome.failure());
            failed |= side.isOurs();
        }
        return !outcome.ok();
    }

    private synchronized void note(String note) {
        notes.add(note);
    }

    /** What a program printed before it failed was measured all the same. */
    private synchronized void take(int round, Side side, Work work, Workbench.Outcome outcome, boolean cold) {
        if (work == Work.START) {
            if (outcome.ok()) {
                results.add(side.name(), round, new Point(work.label, 0, 0), outcome.seconds());
            }
            return;
        }
        for (String line : outcome.lines()) {
            Point.Measured measured = Point.parse(line);
            if (measured != null) {
                Point point = cold ? measured.point().cold() : measured.point();
                results.add(side.name(), round, point, measured.value());
                for (double ns : measured.handOffs()) {
                    results.addHandOff(side.name(), round, point, ns);
                }
            }
        }
    }

    /** @param after the floors at the end; null when it was interrupted */
    private void print(Rounds over, Results measured, List<String> noted, Floors after) throws IOException {
        printed = true;
        Results counted = measured.without(over.leftOut());
        Results kept = counted.alike();
        if (!options.areFloorsAlone()) {
            out.println("# " + over.describe());
        }
        if (kept.count() != counted.count()) {
            out.println("# Left out since the line hand-off before or after was not as usual: "
                    + (counted.count() - kept.count()) + " of " + counted.count() + " values");
        }
        if (kept.peers().isEmpty()) {
            out.println();
        } else if (kept.isCompared()) {
            out.println("# ratio: " + (options.goesOn ? "jobs that go on when a rank fails (after) against jobs that"
                    + " end then (before)" : "this build (after) against the other one (before)")
                    + ", medians of the rounds; below 1 " + (options.goesOn ? "jobs that go on are" : "this build is")
                    + " better\n");
        } else {
            out.println("# cost_ratio: against the better peer, medians of the rounds; below 1 ours is better\n");
        }
        for (Work work : options.works) {
            if (work != Work.FLOOR) {
                out.print(Tables.of(kept, work, options.spread));
            }
        }
        if (kept.isCompared()) {
            out.println("# " + Tables.worse(kept, options.works));
        }
        String changed = Tables.changed(kept, options.works);
        if (!changed.isEmpty()) {
            out.println("# " + changed);
        }
        for (String note : noted) {
            out.println("# " + note);
        }
        Floors floors = before.with(over.lineNs(), after == null ? before : after);
        double ours = kept.median(Results.OURS, Work.LAT, new Point(Work.LAT.label, 8, 0));
        if (after != null) {
            out.println("# Floors at end: " + after.describe());
        }
        if (!Double.isNaN(ours)) {
            out.println("# Our 8-byte half round trip is " + Tables.number(ours * 1000 / floors.lineNs())
                    + " times the line hand-off, medians of the rounds");
        }
        for (String line : pingPong == null ? List.<String>of() : pingPong.beside(kept)) {
            out.println("# " + line);
        }
        for (String moved : floorsMoved(after)) {
            out.println("# A floor moved by more than a tenth, so the machine was not steady: " + moved);
        }
        if (options.csv != null) {
            write(options.csv, Csv.of(kept, options.works, floors, options.spread));
        }
        if (options.plot != null) {
            write(options.plot, Panels.plot(
                    Panels.of(kept, options.works), Machine.describe(sides), LocalDateTime.now()));
        }
        out.flush();
    }

    private List<String> floorsMoved(Floors after) {
        return after == null ? List.of() : after.movedSince(before);
    }

    private void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
        out.println("# Written to " + file);
    }
}
