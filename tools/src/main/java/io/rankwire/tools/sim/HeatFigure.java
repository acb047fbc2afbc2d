package io.rankwire.tools.sim;

import io.rankwire.memory.Rand;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.sim.net.Torus;
import io.rankwire.sim.schedule.Driver;
import io.rankwire.sim.schedule.LogGops;
import io.rankwire.sim.schedule.Pattern;
import io.rankwire.sim.schedule.Routed;
import io.rankwire.sim.schedule.Setting;
import io.rankwire.tools.plot.HeatMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** How busy the links of a torus are under three patterns. */
final class HeatFigure {
    private static final int FRAME = 4096;
    private static final long FACE = 1 << 16;
    private static final long BLOCK = 2048;
    /** A message every half microsecond, which is what the links can take of an all-to-all. */
    private static final Setting SETTING =
            Setting.of(new LogGops(1, 1_500_000, 500_000, 0, 0, Long.MAX_VALUE), Driver.DEVICE);

    private HeatFigure() {}

    static Figure make(Extent extent) {
        Torus torus = new Torus(extent.heat()[0], extent.heat()[1], extent.heat()[2]);
        List<HeatMap.Field> fields = new ArrayList<>();
        StringBuilder rows = new StringBuilder("pattern,direction,x,y,z,busy_us,share\n");
        long hash = 0;
        List<Routed.Traffic> all = new ArrayList<>();
        String[] names = {"Halo", "Halo, ranks placed at random", "All-to-all"};
        Pattern[] patterns = {Pattern.halo(torus, FACE), Pattern.halo(torus, FACE, shuffled(torus.nodes())),
            Pattern.alltoall(torus.nodes(), BLOCK)};
        for (int i = 0; i < patterns.length; i++) {
            Routed.Traffic traffic = Routed.run(patterns[i], SETTING, torus, LinkModel.DEFAULT, FRAME);
            all.add(traffic);
            hash = Figure.mixed(hash, traffic.outcome().hash());
            add(fields, names[i], torus, traffic);
            list(rows, names[i], torus, traffic);
        }
        Figure.Text text = new Figure.Text("7-link-load", "Load of the links of a " + torus,
                shows(torus, all),
                "a torus is optimal for point-to-point operations, a tree inefficient for them.",
                "faces of 64 KiB, blocks of 2 KiB, packets of 4 KiB, links of 10 GB/s; " + SETTING.driver()
                        + ", a message every 500 ns at most. A field is a link that goes up in x, y or z; x across,"
                        + " y down, a block for each z.",
                hash);
        return new Figure(text.name(), HeatMap.of(text.title(), text.texts(), fields), text.comments() + rows);
    }

    private static String shows(Torus torus, List<Routed.Traffic> all) {
        double[] us = all.stream().mapToDouble(traffic -> traffic.outcome().ps() / 1e6).toArray();
        return String.format(Locale.ROOT, "Neighbours that are neighbours in the torus use every link alike and each"
                + " message one link: %s µs. The same exchange between ranks placed at random takes %s µs, %s times as"
                + " long; its busiest link is busy for %.0f %% of that, its idlest for %.0f %%. All-to-all loads the"
                + " longest side most, up to %.0f %%, since messages cross a quarter of each side on average.",
                Figure.digits(us[0]), Figure.digits(us[1]), Figure.digits(us[1] / us[0]),
                100 * shares(torus, all.get(1)).max().orElseThrow(),
                100 * shares(torus, all.get(1)).min().orElseThrow(),
                100 * shares(torus, all.get(2)).max().orElseThrow());
    }

    private static DoubleStream shares(Torus torus, Routed.Traffic traffic) {
        return IntStream.range(0, torus.links()).mapToDouble(link -> share(traffic, link));
    }

    private static int[] shuffled(int nodes) {
        Rand rand = new Rand(1);
        int[] places = new int[nodes];
        for (int i = 0; i < nodes; i++) {
            int j = rand.below(i + 1);
            places[i] = places[j];
            places[j] = i;
        }
        return places;
    }

    private static void add(List<HeatMap.Field> fields, String name, Torus torus, Routed.Traffic traffic) {
        for (int dimension = 0; dimension < 3; dimension++) {
            double[][] shares = new double[torus.side(1) * torus.side(2)][torus.side(0)];
            for (int node = 0; node < torus.nodes(); node++) {
                int row = torus.place(node, 1) + torus.side(1) * torus.place(node, 2);
                shares[row][torus.place(node, 0)] = share(traffic, link(node, 2 * dimension));
            }
            fields.add(new HeatMap.Field(name + ", " + "xyz".charAt(dimension), "x", "y, by z", shares,
                    torus.side(1)));
        }
    }

    private static int link(int node, int direction) {
        return 6 * node + direction;
    }

    private static double share(Routed.Traffic traffic, int link) {
        return (double) traffic.busyPs()[link] / traffic.outcome().ps();
    }

    private static void list(StringBuilder rows, String name, Torus torus, Routed.Traffic traffic) {
        for (int link = 0; link < torus.links(); link++) {
            int node = link / 6;
            int direction = torus.direction(link);
            rows.append(String.format(Locale.ROOT, "%s,%s%s,%d,%d,%d,%.6f,%.4f%n", Figure.quoted(name),
                    "xyz".charAt(direction / 2), direction % 2 == 0 ? "+" : "-", torus.place(node, 0),
                    torus.place(node, 1), torus.place(node, 2), traffic.busyPs()[link] / 1e6, share(traffic, link)));
        }
    }
}
