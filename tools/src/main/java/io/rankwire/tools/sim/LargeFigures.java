package io.rankwire.tools.sim;

import io.rankwire.device.DeviceConfig;
import io.rankwire.device.DeviceConfig.Large;
import io.rankwire.sim.DeviceModel;
import io.rankwire.sim.SimFabric.Ways;
import io.rankwire.sim.net.FatTree;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.sim.net.Topology;
import io.rankwire.sim.net.Torus;
import io.rankwire.tools.plot.Panel;
import io.rankwire.tools.plot.Panel.Across;
import io.rankwire.tools.plot.Panel.Curve;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** Large messages between real devices over simulated networks: ways to send them, and ways through the network. */
final class LargeFigures {
    private static final int FRAME = 8192;
    /** What a chunk of a large message carries, and takes on a link. */
    private static final int CHUNK = 8128;
    private static final int CHUNK_ON_LINK = CHUNK + 48 + 16 + 32;
    private static final int MIDDLE = 256 << 10;
    /** From here on a large message is long. */
    private static final int FAR = 512 << 10;
    private static final DeviceModel DEVICE = new DeviceModel(50_000, 64, 50_000, 32, 51_200, 1 << 18, FRAME, true);
    private static final LinkModel LINKS = LinkModel.DEFAULT;
    private static final DeviceConfig CONFIG = DeviceConfig.DEFAULT.withUnexpectedBytes(1L << 34);
    private static final String PARAMETERS = "links of 100 ns a hop and 10 GB/s, 16 slots; devices of 50 ns a frame,"
            + " 20 GB/s of copying at each end, frames of 8 KiB; processors that copy 5 GB/s; torus 8 x 8 x 8 over 8"
            + " hops, fat tree of 256 nodes, 16 a switch, over 4 hops; the eighth message of each size.";

    private final Extent extent;
    private long hash;

    private LargeFigures(Extent extent) {
        this.extent = extent;
    }

    static Figure protocols(Extent extent) {
        return new LargeFigures(extent).protocols();
    }

    static Figure paths(Extent extent) {
        return new LargeFigures(extent).paths();
    }

    private Figure protocols() {
        List<Panel> times = new ArrayList<>();
        List<Panel> ratios = new ArrayList<>();
        for (Net net : nets()) {
            List<Curve> curves = new ArrayList<>();
            for (Large large : List.of(Large.EAGER, Large.RENDEZVOUS, Large.TWO_ENDED)) {
                curves.add(new Curve(large.name().toLowerCase(Locale.ROOT).replace('_', '-'), true,
                        times(net, large, Ways.ONE)));
            }
            SortedMap<Long, Double> bound = bound(curves.get(2).values());
            List<Curve> relative = new ArrayList<>();
            for (Curve curve : curves) {
                SortedMap<Long, Double> values = new TreeMap<>();
                curve.values().forEach((bytes, us) -> values.put(bytes, us / bound.get(bytes)));
                relative.add(new Curve(curve.name(), true, values));
            }
            curves.add(new Curve("latency + size / bandwidth", false, bound));
            times.add(new Panel(net.name, "µs", Across.SIZES, curves));
            ratios.add(new Panel(net.name + ", of latency + size / bandwidth", "times", Across.SIZES, relative));
        }
        times.addAll(ratios);
        Figure.Text text = new Figure.Text("2-large-messages", "One message, receive posted: three ways to send it",
                "A rendezvous pays a round trip before the first byte; two-ended transfers hide it behind bytes that go"
                        + " ahead. Those come by memory FIFO, and the target's processor copies them; the rest is put"
                        + " to its place. " + middle(times.getFirst()) + " Two-ended transfers take up to "
                        + worst(ratios, 0) + " times latency + size / bandwidth"
                        + (extent.bytes() < FAR ? "." : ", from 512 KiB on up to " + worst(ratios, FAR) + " times."),
                "the low latency of a memory-FIFO operation and the bandwidth of a direct put in one transfer.",
                PARAMETERS + " Latency is that of 8 bytes, bandwidth that of full frames on a link.", hash);
        return Figure.of(text, times);
    }

    /** What a message takes that the sender's device has sent ahead by the time of the answer, if that is the way. */
    private String middle(Panel panel) {
        long bytes = Math.min(MIDDLE, extent.bytes());
        List<String> us = panel.curves().stream().map(curve -> Figure.digits(curve.values().get(bytes))).toList();
        return bytes / 1024 + " KiB over the torus take " + us.get(0) + " µs eager, " + us.get(1)
                + " by rendezvous and " + us.get(2) + " two-ended.";
    }

    /** The largest of the two-ended ratios from a size on. */
    private static String worst(List<Panel> ratios, long from) {
        double worst = 0;
        for (Panel panel : ratios) {
            for (double ratio : panel.curves().get(2).values().tailMap(from).values()) {
                worst = Math.max(worst, ratio);
            }
        }
        return String.format(Locale.ROOT, "%.3f", worst);
    }

    private Figure paths() {
        Net torus = nets().get(0);
        List<Curve> curves = new ArrayList<>();
        curves.add(new Curve("both ends by one path", true, times(torus, Large.TWO_ENDED, Ways.ONE)));
        curves.add(new Curve("ends by disjoint paths", true, times(torus, Large.TWO_ENDED, Ways.APART)));
        curves.add(new Curve("late end by both in turn", true, times(torus, Large.TWO_ENDED, Ways.IN_TURN)));
        List<Curve> rates = new ArrayList<>();
        for (Curve curve : curves) {
            SortedMap<Long, Double> values = new TreeMap<>();
            curve.values().tailMap(1L << 10).forEach((bytes, us) -> values.put(bytes, bytes / us / 1000));
            rates.add(new Curve(curve.name(), true, values));
        }
        long largest = curves.get(0).values().lastKey();
        String saved = String.format(Locale.ROOT, "%.1f µs",
                curves.get(0).values().get(largest) - curves.get(1).values().get(largest));
        Figure.Text text = new Figure.Text("3-disjoint-paths", "Two-ended transfers over disjoint paths of a torus",
                "The early end is over about when the answer comes, so a path of its own for each end saves what is"
                        + " left of the early one (" + saved + ") and no more; with the late end by both paths in turn"
                        + " the longest message runs at " + Figure.digits(rates.get(2).values().get(largest))
                        + " GB/s over links of 10, by one path at " + Figure.digits(rates.get(0).values().get(largest))
                        + ".",
                "the early part goes by memory FIFO, the rest by direct put from the other end; six links a node.",
                PARAMETERS, hash);
        return Figure.of(text, List.of(new Panel("Time of a message", "µs", Across.SIZES, curves),
                new Panel("The same as a rate", "GB/s", Across.SIZES, rates)));
    }

    /** From node 0 to this one. */
    private record Net(String name, Topology topology, int to) {}

    private static List<Net> nets() {
        Torus torus = new Torus(8, 8, 8);
        return List.of(new Net("Torus", torus, torus.at(4, 4, 0)), new Net("Fat tree", new FatTree(256, 16), 20));
    }

    private SortedMap<Long, Double> times(Net net, Large large, Ways ways) {
        SortedMap<Long, Double> times = new TreeMap<>();
        for (int bytes = 8; bytes <= extent.bytes(); bytes *= 2) {
            PointToPoint.Result result = PointToPoint.run(net.topology, LINKS, DEVICE,
                    CONFIG.withLarge(large, 64L << 20), ways, 0, net.to, bytes);
            hash = Figure.mixed(hash, result.hash());
            times.put((long) bytes, result.ps() / 1e6);
        }
        return times;
    }

    private static SortedMap<Long, Double> bound(SortedMap<Long, Double> times) {
        double latencyUs = times.get(times.firstKey());
        double usPerByte = LINKS.psPerKib() / 1024.0 * CHUNK_ON_LINK / CHUNK / 1e6;
        SortedMap<Long, Double> bound = new TreeMap<>();
        for (long bytes : times.keySet()) {
            bound.put(bytes, latencyUs + (bytes - times.firstKey()) * usPerByte);
        }
        return bound;
    }
}
