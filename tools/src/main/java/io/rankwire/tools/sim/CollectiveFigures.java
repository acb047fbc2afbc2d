package io.rankwire.tools.sim;

import io.rankwire.sim.Noise;
import io.rankwire.sim.Picoseconds;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.sim.net.Torus;
import io.rankwire.sim.net.TreeModel;
import io.rankwire.sim.schedule.CombiningTree;
import io.rankwire.sim.schedule.Driver;
import io.rankwire.sim.schedule.Load;
import io.rankwire.sim.schedule.LogGops;
import io.rankwire.sim.schedule.Outcome;
import io.rankwire.sim.schedule.Pattern;
import io.rankwire.sim.schedule.Routed;
import io.rankwire.sim.schedule.Setting;
import io.rankwire.sim.schedule.Uniform;
import io.rankwire.tools.plot.Axis;
import io.rankwire.tools.plot.Panel;
import io.rankwire.tools.plot.Panel.Across;
import io.rankwire.tools.plot.Panel.Curve;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;

/** Collectives driven by hosts and by devices: by ranks, under noise, and on a network of their own. */
final class CollectiveFigures {
    private static final int FRAME = 4096;
    private static final long COMPUTE_PS = 5_000_000_000L;
    private static final Noise NOISE = new Noise(100_000_000_000L, 2_500_000_000L, false, 1);
    private static final LogGops COSTS = LogGops.DEFAULT;
    /** Where links bound what a node sends and receives, nothing else does. */
    static final LogGops ROUTED = new LogGops(1, COSTS.overheadPs(), 0, 0, 0, Long.MAX_VALUE);

    private final Extent extent;
    private long hash;
    private long events;

    private CollectiveFigures(Extent extent) {
        this.extent = extent;
    }

    static Figure byRanks(Extent extent) {
        return new CollectiveFigures(extent).byRanks();
    }

    static Figure underNoise(Extent extent) {
        return new CollectiveFigures(extent).underNoise();
    }

    static Figure onATree(Extent extent) {
        return new CollectiveFigures(extent).onATree();
    }

    private Figure byRanks() {
        List<Panel> panels = new ArrayList<>();
        panels.add(new Panel("Barrier", "µs", Across.RANKS, both(Pattern::barrier)));
        panels.add(new Panel("Allreduce of 4 KiB", "µs", Across.RANKS,
                both(ranks -> Pattern.allreduce(ranks, 4096))));
        Figure.Text text = new Figure.Text("4-collectives", "Collectives by ranks, driven by hosts and by devices",
                String.format(Locale.ROOT, "A barrier of %,d ranks takes %s µs driven by devices and %s µs driven by"
                        + " hosts. Both grow with the logarithm of the ranks: a round costs 2o + L = %s µs where hosts"
                        + " drive, and %s µs, little more than L, where devices do, so that the host's share is paid"
                        + " twice and not in every round.", panels.get(0).curves().get(0).values().lastKey(),
                        last(panels, 0), last(panels, 1),
                        round(panels, 1), round(panels, 0)),
                "collectives turned into work requests are executed by the adapter without the host.",
                Setting.of(COSTS, Driver.HOST) + "; or " + Driver.DEVICE + "; one event a message, " + events
                        + " events.", hash);
        return Figure.of(text, panels);
    }

    /** The last value of a curve of the first panel. */
    private static String last(List<Panel> panels, int curve) {
        return Figure.digits(last(panels.get(0).curves().get(curve)));
    }

    private static double last(Curve curve) {
        return curve.values().get(curve.values().lastKey());
    }

    /** What one round more costs: from one number of ranks to the next are two. */
    private static String round(List<Panel> panels, int curve) {
        SortedMap<Long, Double> values = panels.get(0).curves().get(curve).values();
        SortedMap<Long, Double> before = values.headMap(values.lastKey());
        return Figure.digits((values.get(values.lastKey()) - before.get(before.lastKey())) / 2);
    }

    private List<Curve> both(IntFunction<Pattern> patterns) {
        List<Curve> curves = new ArrayList<>();
        for (Driver driver : List.of(Driver.DEVICE, Driver.HOST)) {
            SortedMap<Long, Double> values = new TreeMap<>();
            for (int ranks = 16; ranks <= extent.ranks(); ranks *= 4) {
                Outcome outcome = Uniform.run(patterns.apply(ranks), Setting.of(COSTS, driver), extent.threads());
                values.put((long) ranks, noted(outcome).ps() / 1e6);
            }
            curves.add(new Curve(driver.device() ? "driven by devices" : "driven by hosts", driver.device(), values));
        }
        return curves;
    }

    private Outcome noted(Outcome outcome) {
        hash = Figure.mixed(hash, outcome.hash());
        events += outcome.events();
        return outcome;
    }

    private Figure underNoise() {
        List<Panel> panels = new ArrayList<>();
        Noise synchronised = new Noise(NOISE.periodPs(), NOISE.lengthPs(), true, NOISE.seed());
        for (Driver driver : List.of(Driver.HOST, Driver.DEVICE)) {
            List<Curve> curves = new ArrayList<>();
            curves.add(steps("no noise", driver, Noise.NONE, false));
            curves.add(steps("stops of all at once", driver, synchronised, false));
            curves.add(steps("each host its own", driver, NOISE, false));
            if (driver.device()) {
                curves.add(steps("each host its own, computing meanwhile", driver, NOISE, true));
            }
            panels.add(new Panel(driver.device() ? "Driven by devices" : "Driven by hosts", "µs a step", Across.RANKS,
                    curves));
        }
        Figure.Text text = new Figure.Text("5-noise", "Allreduce of 8 bytes under operating-system noise of 2.5 %",
                noisySteps(panels),
                "noise accumulates and becomes a major limit where hosts drive collectives; offloading eliminates this"
                        + ". Here it bounds it: a host in a stop cannot start.",
                COSTS + "; " + NOISE + "; or synchronised; devices: " + Picoseconds.text(Driver.DEVICE.entryPs())
                        + " an entry; " + extent.calls() + " steps.", hash);
        return Figure.of(text, panels);
    }

    private String noisySteps(List<Panel> panels) {
        List<Object> us = new ArrayList<>(List.of(panels.get(0).curves().get(0).values().lastKey()));
        panels.forEach(panel -> panel.curves().forEach(curve -> us.add(Figure.digits(last(curve)))));
        return String.format(Locale.ROOT, "A step is 5 ms of computing and an allreduce; drawn is what it takes beyond"
                + " the 5 ms. With %,d ranks and hosts that drive these are %s µs without noise, %s µs with stops of"
                + " all hosts at once, which cost their 2.5 %%, and %s µs with stops of each host's own, which meet"
                + " every allreduce of many ranks and are passed on from round to round. With devices that drive they"
                + " are %s, %s and %s µs: devices feel the stops at the start and the end alone, and less, %s µs, if"
                + " the hosts compute meanwhile.", us.toArray());
    }

    private Curve steps(String name, Driver driver, Noise noise, boolean overlap) {
        SortedMap<Long, Double> values = new TreeMap<>();
        Setting setting = Setting.of(COSTS, driver).with(noise)
                .with(new Load(extent.calls(), COMPUTE_PS, overlap));
        for (int ranks = 16; ranks <= extent.noisyRanks(); ranks *= 4) {
            Outcome outcome = noted(Uniform.run(Pattern.allreduce(ranks, 8), setting, extent.threads()));
            // Nothing is computed behind the last call, nor before the first.
            long computed = (overlap ? extent.calls() : extent.calls() - 1) * COMPUTE_PS;
            values.put((long) ranks, (outcome.ps() - computed) / 1e6 / extent.calls());
        }
        return new Curve(name, true, values);
    }

    private Figure onATree() {
        SortedMap<Long, Double> tree = new TreeMap<>();
        SortedMap<Long, Double> devices = new TreeMap<>();
        SortedMap<Long, Double> hosts = new TreeMap<>();
        for (int side = 2; side <= extent.side(); side *= 2) {
            int nodes = side * side * side;
            Setting host = Setting.of(ROUTED, Driver.HOST);
            tree.put((long) nodes,
                    noted(CombiningTree.barrier(nodes, TreeModel.DEFAULT, host)).ps() / 1e6);
            devices.put((long) nodes, onATorus(Pattern.barrier(nodes), Setting.of(ROUTED, Driver.DEVICE)));
            hosts.put((long) nodes, onATorus(Pattern.barrier(nodes), host));
        }
        Panel barriers = new Panel("Barrier", "µs", Across.RANKS, List.of(new Curve("combining tree", true, tree),
                new Curve("torus, driven by devices", true, devices),
                new Curve("torus, driven by hosts", false, hosts)));
        Panel vectors = vectors(64);
        Figure.Text text = new Figure.Text("6-combining-tree",
                "Barrier and allreduce on a combining tree and on a torus",
                shows(barriers, vectors),
                "a binary tree with an ALU in every adapter is optimal for collective operations.",
                "the same links for both, 100 ns a hop, 10 GB/s; hosts " + Picoseconds.text(ROUTED.overheadPs())
                        + "; devices " + Picoseconds.text(Driver.DEVICE.entryPs()) + " an entry; ALU "
                        + Picoseconds.text(TreeModel.DEFAULT.aluPs()) + " a packet of 256 bytes, and"
                        + " 10 GB/s; tori are cubes.", hash);
        return Figure.of(text, List.of(barriers, vectors));
    }

    private static String shows(Panel barriers, Panel vectors) {
        List<String> us = new ArrayList<>();
        barriers.curves().forEach(curve -> us.add(Figure.digits(last(curve))));
        vectors.curves().forEach(curve -> us.add(Figure.digits(last(curve))));
        SortedMap<Long, Double> tree = vectors.curves().get(0).values();
        long longest = tree.lastKey();
        long before = tree.headMap(longest).lastKey();
        return String.format(Locale.ROOT, "A barrier of %,d nodes takes %s µs on the tree, %s of it at the hosts; on a"
                + " torus %s µs driven by devices and %s µs by hosts. The tree needs a hop and an ALU a level, up and"
                + " down, and no host or device on the way; dissemination crosses the torus in every round. An"
                + " allreduce of %s over 64 nodes takes %s µs on the tree, through which long vectors stream at the"
                + " rate of its ALUs (%s GB/s); on the torus %s µs by doubling and %s µs by reduce-scatter and"
                + " allgather, which use more of it at once.", barriers.curves().get(0).values().lastKey(), us.get(0),
                Picoseconds.text(2 * ROUTED.overheadPs()), us.get(1), us.get(2), Axis.size(longest), us.get(3),
                Figure.digits((longest - before) / (tree.get(longest) - tree.get(before)) / 1e3), us.get(4), us.get(5));
    }

    private Panel vectors(int nodes) {
        SortedMap<Long, Double> tree = new TreeMap<>();
        SortedMap<Long, Double> doubling = new TreeMap<>();
        SortedMap<Long, Double> scattered = new TreeMap<>();
        Setting device = Setting.of(ROUTED, Driver.DEVICE);
        for (long bytes = 8; bytes <= Math.min(1 << 20, extent.bytes()); bytes *= 4) {
            Outcome combined = CombiningTree.allreduce(nodes, bytes, TreeModel.DEFAULT, device, Long::sum,
                    node -> node).outcome();
            tree.put(bytes, noted(combined).ps() / 1e6);
            doubling.put(bytes, onATorus(Pattern.allreduce(nodes, bytes), device));
            if (bytes / 8 >= nodes) {
                scattered.put(bytes, onATorus(Pattern.largeAllreduce(nodes, bytes / 8), device));
            }
        }
        return new Panel("Allreduce of " + nodes + " ranks", "µs", Across.SIZES, List.of(
                new Curve("combining tree", true, tree), new Curve("torus, doubling", true, doubling),
                new Curve("torus, scatter and gather", true, scattered)));
    }

    /** On a cube, driven as the setting says. */
    private double onATorus(Pattern pattern, Setting setting) {
        int side = (int) Math.round(Math.cbrt(pattern.ranks()));
        Torus torus = new Torus(side, side, side);
        return noted(Routed.run(pattern, setting, torus, LinkModel.DEFAULT, FRAME).outcome()).ps() / 1e6;
    }
}
