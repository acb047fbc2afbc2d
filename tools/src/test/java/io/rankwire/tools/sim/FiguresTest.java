package io.rankwire.tools.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.DeviceConfig;
import io.rankwire.device.DeviceConfig.Large;
import io.rankwire.sim.DeviceModel;
import io.rankwire.sim.SimFabric.Ways;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.sim.net.Torus;
import io.rankwire.tools.options.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

class FiguresTest {
    private static final DeviceConfig CONFIG = DeviceConfig.DEFAULT.withUnexpectedBytes(1L << 34);
    private static final DeviceModel DEVICE = new DeviceModel(50_000, 64, 50_000, 32, 51_200, 1 << 18, 8192, true);
    private static final Torus TORUS = new Torus(8, 8, 1);

    private static Map<String, String> written(Path folder, Extent extent) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Figures.write(folder, extent, new PrintStream(out, true));
        assertEquals(11, out.toString().lines().filter(line -> line.contains("Trace hash")).count());
        Map<String, String> texts = new HashMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                texts.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return texts;
    }

    @Test
    void shouldWriteADrawingAndATableEachTheSameEveryTime(@TempDir Path folder) throws Exception {
        Map<String, String> first = written(folder.resolve("one"), Extent.SMALL);
        assertEquals(22, first.size());
        assertEquals(first, written(folder.resolve("two"), Extent.SMALL));
        Extent small = Extent.SMALL;
        Extent threads = new Extent(small.ranks(), small.noisyRanks(), small.side(), small.bytes(), small.depth(),
                small.calls(), small.heat(), 2);
        assertEquals(first, written(folder.resolve("three"), threads));
        for (Map.Entry<String, String> each : first.entrySet()) {
            for (String told : List.of("Claimed: ", "Parameters: ", "Trace hash: ")) {
                assertTrue(each.getValue().contains(told), each.getKey() + ": " + told);
            }
            if (each.getKey().endsWith(".svg")) {
                Document svg = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                        .parse(folder.resolve("one").resolve(each.getKey()).toFile());
                boolean heat = each.getKey().startsWith("7");
                assertTrue(svg.getElementsByTagName(heat ? "rect" : "polyline").getLength() > 2, each.getKey());
            } else {
                assertTrue(each.getValue().lines().filter(line -> !line.startsWith("#")).count() > 5, each.getKey());
            }
        }
    }

    /** Figures 4, 5, 9 and 11 take long at their full extent, so they are not among these. */
    @Test
    void shouldShowWhatTheDocumentSays() throws IOException {
        String document = Files.readString(Path.of("..", "docs", "SIM-figures.md")).replaceAll("\\s+", " ");
        for (Function<Extent, Figure> each : List.<Function<Extent, Figure>>of(MatchFigure::make,
                LargeFigures::protocols, LargeFigures::paths, CollectiveFigures::onATree, HeatFigure::make,
                SplitFigure::make, ProgramFigures::paths)) {
            Figure figure = each.apply(Extent.FULL);
            String hash = figure.hashLine().substring("Trace hash: ".length());
            assertTrue(document.contains("`" + hash + "`"), figure.name() + " has the hash " + hash);
            String shows = figure.csv().lines().skip(1).findFirst().orElseThrow().substring(2);
            assertTrue(document.contains(shows), figure.name() + " shows: " + shows);
        }
    }

    private static PointToPoint.Result message(Large large, Ways ways, int bytes) {
        return PointToPoint.run(TORUS, LinkModel.DEFAULT, DEVICE, CONFIG.withLarge(large, 64L << 20), ways, 0,
                TORUS.at(4, 4, 0), bytes);
    }

    /** Latency of eight bytes, bandwidth of full frames: 8,128 bytes of content in 8,224 on the link. */
    @Test
    void shouldSendTwoEndedMessagesAtLatencyAndBandwidth() {
        int bytes = 1 << 20;
        double bound = message(Large.TWO_ENDED, Ways.ONE, 8).ps() + bytes * 100.0 * 8224 / 8128;
        double twoEnded = message(Large.TWO_ENDED, Ways.ONE, bytes).ps();
        assertTrue(twoEnded < 1.02 * bound, twoEnded / bound + "");
        double rendezvous = message(Large.RENDEZVOUS, Ways.ONE, 1 << 18).ps();
        assertTrue(rendezvous > 1.05 * message(Large.TWO_ENDED, Ways.ONE, 1 << 18).ps());
        double eager = message(Large.EAGER, Ways.ONE, 1 << 18).ps();
        assertTrue(eager > (1 << 18) * 200.0, "the target's processor copies 5 GB/s: " + eager);
        assertTrue(eager > 1.9 * message(Large.TWO_ENDED, Ways.ONE, 1 << 18).ps());
    }

    @Test
    void shouldCarryTheEndsOfAMessageByDisjointPaths() {
        PointToPoint.Result one = message(Large.TWO_ENDED, Ways.ONE, 1 << 20);
        PointToPoint.Result apart = message(Large.TWO_ENDED, Ways.APART, 1 << 20);
        PointToPoint.Result both = message(Large.TWO_ENDED, Ways.IN_TURN, 1 << 20);
        assertTrue(apart.ps() < one.ps(), apart + ", " + one);
        assertTrue(both.ps() < 0.55 * one.ps(), both + ", " + one);
        assertNotEquals(one.hash(), apart.hash());
        assertEquals(apart, message(Large.TWO_ENDED, Ways.APART, 1 << 20));
    }

    private static String scheduled(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertEquals(0, ScheduleCommand.run(ScheduleCommand.SYNTAX.parse(words),
                new PrintStream(out, true, StandardCharsets.UTF_8)));
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldRunASchedule() {
        String one = scheduled("barrier", "-n", "16", "--threads=1");
        assertTrue(one.contains("virtual time 22.000 us\n") && one.contains("64 events"), one);
        String two = scheduled("--ranks", "16", "--threads", "2", "barrier");
        assertEquals(one.substring(one.indexOf("hash")), two.substring(two.indexOf("hash")));
        String noisy = scheduled("allreduce:64", "-n", "100", "--driver", "device", "--noise", "10:2.5:together",
                "--calls", "3", "--topology", "torus");
        assertTrue(noisy.contains("synchronised") && noisy.contains("us a call"), noisy);
        for (String wrong : List.of("--noise=10", "--driver=x", "--ranks=0", "--other=1", "--seed=1", "word")) {
            assertThrows(UsageException.class, () -> scheduled("barrier", wrong));
        }
        for (String wrong : List.of("none", "barrier:x", "barrier:0")) {
            assertThrows(UsageException.class, () -> scheduled(wrong));
        }
        assertThrows(UsageException.class, () -> scheduled());
    }
}
