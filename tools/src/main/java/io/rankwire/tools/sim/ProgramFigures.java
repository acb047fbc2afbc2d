package io.rankwire.tools.sim;

import io.rankwire.CartesianCommunicator;
import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.World;
import io.rankwire.sim.program.Settings;
import io.rankwire.sim.program.SimulatedRanks;
import io.rankwire.tools.plot.Axis;
import io.rankwire.tools.plot.Panel;
import io.rankwire.tools.plot.Panel.Across;
import io.rankwire.tools.plot.Panel.Curve;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** Whole programs on machines that have more than one network, more than one path, or a shape that a grid can fit. */
final class ProgramFigures {
    /** All runs have one, so that the costs of the model decide between algorithms. */
    private static final String TREE = "tree = yes\n";
    /** A tree that no call would choose. */
    private static final String NO_TREE = TREE + "tree.latency = 1 s\n";
    private static final String SLOW = "link.bandwidth = 1 GB/s\n";
    private static final int CALLS = 4;
    private static final String PARAMETERS = "the default model: links of 100 ns a hop and 10 GB/s, devices of 50 ns a"
            + " frame and 20 GB/s, hosts of 200 ns at each end of a call";

    private final Extent extent;
    private long hash;

    private ProgramFigures(Extent extent) {
        this.extent = extent;
    }

    static Figure tree(Extent extent) {
        return new ProgramFigures(extent).tree();
    }

    static Figure paths(Extent extent) {
        return new ProgramFigures(extent).paths();
    }

    static Figure reordered(Extent extent) {
        return new ProgramFigures(extent).reordered();
    }

    /** Prepares what a rank then does several times. */
    @FunctionalInterface
    private interface Program {
        Runnable begin(World world, Communicator all);
    }

    /** Runs a program on a machine; the time of one of its calls, in microseconds, on the last rank to end. */
    private double us(String model, int ranks, Program program) {
        long[] took = new long[ranks];
        SimulatedRanks run = SimulatedRanks.run(Settings.DEFAULT.read(model, "figure"), ranks, job -> {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                Runnable call = program.begin(world, all);
                all.barrier();
                call.run();
                long begun = world.time();
                for (int i = 0; i < CALLS; i++) {
                    call.run();
                }
                took[all.rank()] = world.time() - begun;
            }
        });
        hash = Figure.mixed(hash, run.hash());
        return Arrays.stream(took).max().orElseThrow() / 1e3 / CALLS;
    }

    private static Program allreduce(int bytes) {
        return (world, all) -> {
            long[] in = new long[bytes / Long.BYTES];
            long[] out = new long[in.length];
            return () -> all.allreduce(in, out, Op.SUM);
        };
    }

    private Figure tree() {
        List<Curve> byRanks = new ArrayList<>();
        List<Curve> bySizes = new ArrayList<>();
        int few = extent.side() > 4 ? 64 : 8;
        int most = Math.min(256, extent.side() * extent.side() * extent.side());
        for (String[] each : new String[][] {{"with the tree", TREE}, {"messages, devices drive", NO_TREE},
                {"messages, hosts drive", NO_TREE + "device.offload = no\n"}}) {
            String model = "topology = torus\n" + each[1];
            SortedMap<Long, Double> times = new TreeMap<>();
            for (int ranks = 4; ranks <= most; ranks *= 4) {
                times.put((long) ranks, us(model, ranks, allreduce(8)));
            }
            byRanks.add(new Curve(each[0], byRanks.isEmpty(), times));
            SortedMap<Long, Double> sizes = new TreeMap<>();
            for (int bytes = 8; bytes <= Math.min(1 << 17, extent.bytes()); bytes *= 4) {
                sizes.put((long) bytes, us(model, few, allreduce(bytes)));
            }
            bySizes.add(new Curve(each[0], bySizes.isEmpty(), sizes));
        }
        SortedMap<Long, Double> with = bySizes.get(0).values();
        SortedMap<Long, Double> without = bySizes.get(1).values();
        long best = with.firstKey();
        for (long bytes : with.keySet()) {
            best = without.get(bytes) / with.get(bytes) > without.get(best) / with.get(best) ? bytes : best;
        }
        String shows = String.format(Locale.ROOT, "An allreduce of 8 bytes of a program of %d ranks takes %s µs on the"
                + " tree, by messages %s µs where devices drive and %s µs where hosts do. Of %d ranks"
                + " the tree gains most at %s, %s µs against %s µs of messages; at %s messages are as fast, %s µs"
                + " against %s µs.", most, last(byRanks, 0), last(byRanks, 1),
                last(byRanks, 2), few, Axis.size(best), Figure.digits(with.get(best)), Figure.digits(without.get(best)),
                Axis.size(with.lastKey()), last(bySizes, 1), last(bySizes, 0));
        Figure.Text text = new Figure.Text("9-tree-in-programs", "Allreduce of programs on nodes with a combining tree",
                shows, "a tree network provides low latency for collective operations beside a torus for messages.",
                PARAMETERS + "; tree of 100 ns a hop, 10 GB/s, 20 ns to combine a packet of 256 bytes; tori close to"
                        + " cubes; " + CALLS + " calls one after another, without a barrier between them.", hash);
        return Figure.of(text, List.of(new Panel("Allreduce of 8 bytes", "µs", Across.RANKS, byRanks),
                new Panel("Allreduce of " + few + " ranks", "µs", Across.SIZES, bySizes)));
    }

    private static String last(List<Curve> curves, int which) {
        SortedMap<Long, Double> values = curves.get(which).values();
        return Figure.digits(values.get(values.lastKey()));
    }

    /** Messages to a node two dimensions away and back, between one pair or of all ranks at once. */
    private static Program shift(int bytes, boolean alone, int side) {
        return (world, all) -> {
            byte[] out = new byte[bytes];
            byte[] in = new byte[bytes];
            int half = side / 2;
            int[] at = world.coordinates(all.rank());
            int to = (at[0] + half) % side + side * ((at[1] + half) % side + side * at[2]);
            int peer = at[0] == 0 && at[1] == 0 && at[2] == 0 || all.rank() == half * (1 + side) ? to : -1;
            int sender = alone ? peer : to;
            return () -> {
                if (sender < 0) {
                    return;
                }
                if (!alone) {
                    all.sendReceive(out, to, 1, in, to, 1);
                } else if (all.rank() == 0) {
                    all.send(out, to, 1);
                    all.receive(in, to, 1);
                } else {
                    all.receive(in, to, 1);
                    all.send(out, to, 1);
                }
            };
        };
    }

    private Figure paths() {
        List<Panel> panels = new ArrayList<>();
        for (boolean alone : new boolean[] {true, false}) {
            List<Curve> curves = new ArrayList<>();
            for (String[] each : new String[][] {{"both ends by one path", "one"}, {"ends by disjoint paths", "apart"},
                    {"late end by both in turn", "in-turn"}}) {
                SortedMap<Long, Double> rates = new TreeMap<>();
                for (int bytes = 1 << 12; bytes <= Math.min(1 << 20, extent.bytes()); bytes *= 4) {
                    double us = us("topology = torus:4x4x1\nnode.ways = " + each[1] + "\n" + TREE, 16,
                            shift(bytes, alone, 4));
                    rates.put((long) bytes, (alone ? 2 : 1) * bytes / us / 1e3);
                }
                curves.add(new Curve(each[0], !each[1].equals("one"), rates));
            }
            panels.add(new Panel(alone ? "One pair, ping-pong" : "All 16 ranks at once", "GB/s", Across.SIZES, curves));
        }
        List<Curve> pair = panels.get(0).curves();
        List<Curve> all = panels.get(1).curves();
        Figure.Text text = new Figure.Text("10-paths-in-programs", "Long messages of programs over disjoint paths",
                "A program's messages of " + Axis.size(pair.get(0).values().lastKey()) + " run at " + last(pair, 0)
                        + " GB/s by one path, at " + last(pair, 1) + " GB/s with a path for each end and at "
                        + last(pair, 2) + " GB/s with the late end by both in turn. If all ranks send at once, "
                        + last(all, 0) + ", " + last(all, 1) + " and " + last(all, 2) + " GB/s are left to each.",
                "the early part and the rest of a transfer go at the same time; a node has six links.",
                PARAMETERS + "; torus of 4 x 4, each rank and the one two nodes away in both dimensions.", hash);
        return Figure.of(text, panels);
    }

    private static Program halo(int bytes, int[] dims, boolean reorder) {
        return (world, all) -> {
            boolean[] periods = new boolean[dims.length];
            Arrays.fill(periods, true);
            CartesianCommunicator grid = all.cartesian(dims, periods, reorder).orElseThrow();
            byte[] given = new byte[2 * dims.length * bytes];
            byte[] got = new byte[given.length];
            return () -> grid.neighbourAlltoall(given, got);
        };
    }

    private Figure reordered() {
        boolean full = extent.side() > 4;
        List<Panel> panels = new ArrayList<>();
        panels.add(halo(full ? "torus:8x4x4" : "torus:4x2x2", 1, full ? new int[] {8, 4, 4} : new int[] {4, 2, 2}));
        panels.add(halo(full ? "mesh:4x4x2" : "mesh:2x2x2", 4, full ? new int[] {16, 8} : new int[] {8, 4}));
        panels.add(halo(full ? "fattree:4,4" : "fattree:2,2", 4, full ? new int[] {8, 16} : new int[] {4, 8}));
        List<String> us = new ArrayList<>();
        panels.forEach(panel -> us.add(last(panel.curves(), 0) + " to " + last(panel.curves(), 1)));
        Figure.Text text = new Figure.Text("11-reordered-grids",
                "Halo exchange on a grid, ranks in order and reordered",
                "Reordering takes an exchange of " + Axis.size(panels.get(0).curves().get(0).values().lastKey())
                        + " with each neighbour from " + us.get(0) + " µs on a torus, from " + us.get(1)
                        + " µs on a mesh with four ranks a node and from " + us.get(2) + " µs on a fat tree.",
                "a torus lends itself to messages between neighbours; each node is addressed by its coordinates.",
                PARAMETERS.replace("model: links", "model with slower links,").replace("10 GB/s", "1 GB/s")
                        + "; grids are periodic in all dimensions.", hash);
        return Figure.of(text, panels);
    }

    private Panel halo(String topology, int perNode, int[] dims) {
        List<Curve> curves = new ArrayList<>();
        int ranks = Arrays.stream(dims).reduce(1, (a, b) -> a * b);
        for (boolean reorder : new boolean[] {false, true}) {
            SortedMap<Long, Double> times = new TreeMap<>();
            for (int bytes = 128; bytes <= 1 << 15; bytes *= 16) {
                String model = "topology = " + topology + "\nranks-per-node = " + perNode + "\n" + SLOW + TREE;
                times.put((long) bytes, us(model, ranks, halo(bytes, dims, reorder)));
            }
            curves.add(new Curve(reorder ? "reordered" : "in their order", reorder, times));
        }
        String grid = Arrays.toString(dims).replaceAll("[\\[\\] ]", "").replace(",", " × ");
        return new Panel("Grid of " + grid + ", " + topology.replace(":", " ") + ", " + perNode + " a node", "µs",
                Across.SIZES, curves);
    }
}
