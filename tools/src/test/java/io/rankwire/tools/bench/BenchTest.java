package io.rankwire.tools.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rankwire.World;
import io.rankwire.tools.Main;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command from end to end with real processes, and next to no effort. */
@Timeout(600)
class BenchTest {
    private static final double EFFORT = 0.00001;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private String run(String... words) {
        int status = Bench.run(new BenchOptions(BenchOptions.SYNTAX.parse(words)), EFFORT,
                new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8));
        String text = out.toString(StandardCharsets.UTF_8);
        assertEquals(0, status, () -> text + err.toString(StandardCharsets.UTF_8));
        return text;
    }

    @Test
    void shouldMeasureEveryWorkOfOursAlone(@TempDir Path folder) throws IOException {
        Path csv = folder.resolve("b.csv");
        String text = run("--quick", "--rounds", "1", "--csv", csv.toString());
        assertTrue(text.contains("# Half round trip (us)") && text.contains("# Message rate"), text);
        assertTrue(text.contains("Floors at start: line hand-off") && text.contains("Floors at end"), text);
        String told = err.toString(StandardCharsets.UTF_8);
        String round = "round 1 of 1, floor \\d+ ns: lat rate bw overlap rma prq ueq start alloc, ";
        assertTrue(told.matches("(?s).*" + round + ".*"), told);
        assertTrue(text.contains("# Line hand-off before each round, ns: "), text);
        List<String> rows = Files.readAllLines(csv);
        assertEquals(Csv.HEAD + ",hand_off_min_ns,hand_off_max_ns", rows.get(0));
        for (int bytes : Plan.SIZES) {
            assertRow(rows, "lat," + bytes + ",0,2,us,[\\d.]+,,,");
        }
        if (Runtime.getRuntime().availableProcessors() >= Side.RANKS) {
            assertTrue(text.matches("(?s).*# Size +ours median +ours best +hand-off\n.*"), text);
            String row = "lat,8,0,2,us,[\\d.]+,,,(,[\\d.]+){2}";
            assertTrue(rows.stream().anyMatch(each -> each.matches(row)), rows::toString);
        }
        assertRow(rows, "rate,8,0,2,M/s,[\\d.]+,,,");
        for (int bytes : Plan.STREAM_SIZES) {
            assertRow(rows, "bw," + bytes + ",0,2,MB/s,[\\d.]+,,,");
        }
        for (int bytes : Plan.OVERLAP_SIZES) {
            assertRow(rows, "overlap.(send|receive|both)," + bytes + ",0,2,%,[\\d.]+,,,");
        }
        for (int depth : Plan.DEPTHS) {
            assertRow(rows, "prq,8," + depth + ",2,us,[\\d.]+,,,");
            assertRow(rows, "ueq,8," + depth + ",2,us,[\\d.]+,,,");
        }
        assertRow(rows, "start,0,0,2,s,[\\d.]+,,,");
        assertRow(rows, "alloc.blocking,8,0,2,B/msg,[\\d.]+,,,");
        assertRow(rows, "alloc.persistent,8,0,2,B/msg,[\\d.]+,,,");
        assertRow(rows, "floor,8,0,2,us,[\\d.]+,floor,[\\d.]+,[\\d.]+");
        assertRow(rows, "floor,16777216,0,1,GB/s,,floor,[\\d.]+,");
    }

    @Test
    void shouldMeasurePeersBesideOurs(@TempDir Path folder) throws IOException {
        List<String> peers = BenchOptions.PEERS.stream().filter(BenchTest::isInstalled).toList();
        if (peers.size() < BenchOptions.PEERS.size()) {
            System.out.println("skipped: needs Open MPI/MPICH; found " + peers);
        }
        assumeTrue(!peers.isEmpty(), "needs Open MPI/MPICH");
        Path csv = folder.resolve("b.csv");
        String against = "--against=" + String.join(",", peers);
        Path plot = folder.resolve("b.svg");
        String text = run("--only=lat,rate,bw,bibw,overlap,rma", against, "--quick", "--rounds=1", "--csv=" + csv,
                "--plot=" + plot);
        PanelsTest.parse(Files.readString(plot));
        List<String> rows = Files.readAllLines(csv);
        for (String peer : peers) {
            assertTrue(text.contains(peer + " best") && text.contains("cost_ratio"), text);
            assertRow(rows, "lat,2097152,0,2,us,[\\d.]+," + peer + ",[\\d.]+,[\\d.]+");
            assertRow(rows, "rate,8,0,2,M/s,[\\d.]+," + peer + ",[\\d.]+,[\\d.]+");
            assertRow(rows, "bw,1048576,0,2,MB/s,[\\d.]+," + peer + ",[\\d.]+,[\\d.]+");
            assertRow(rows, "bibw,4096,0,2,MB/s,[\\d.]+," + peer + ",[\\d.]+,[\\d.]+");
            for (String part : List.of("send", "receive", "both")) {
                assertRow(rows, "overlap." + part + ",65536,0,2,%,[\\d.]+," + peer + ",[\\d.]+,[\\d.]+");
            }
            assertRow(rows, "rma.put,65536,0,2,us,[\\d.]+," + peer + ",[\\d.]+,[\\d.]+");
            assertRow(rows, "rma.get,8,0,2,us,[\\d.]+," + peer + ",[\\d.]+,[\\d.]+");
            assertRow(rows, "rma.rate,8,0,2,M/s,[\\d.]+," + peer + ",[\\d.]+,[\\d.]+");
            assertRow(rows, "lat.alloc,2097152,0,2,us,[\\d.]+," + peer + ",[\\d.]+,[\\d.]+");
        }
    }

    @Test
    void shouldMeasureCollectiveCallsWithTwoRanksAndMore(@TempDir Path folder) throws IOException {
        Path csv = folder.resolve("b.csv");
        boolean held = isInstalled("openmpi");
        run("--only=coll", held ? "--against=openmpi" : "--quick", "--rounds=1", "--csv=" + csv);
        List<String> rows = Files.readAllLines(csv);
        String theirs = held ? "openmpi,[\\d.]+,[\\d.]+" : ",,";
        for (String call : List.of("barrier,0,0,2", "bcast,8,0,2", "bcast.alloc,2097152,0,2", "reduce,32768,0,2",
                "allreduce,8,0,2", "allreduce.alloc,2097152,0,2", "allgather,4096,0,2", "alltoall,262144,0,2",
                "barrier.x4,0,0,4", "allreduce.x4,32768,0,4", "bcast.x8,8,0,8", "allreduce.x8,8,0,8")) {
            assertRow(rows, "coll." + call + ",us,[\\d.]+," + theirs);
        }
        assertRow(rows, "coll.persistent,8,0,2,B/msg,[\\d.]+,.*");
        assertRow(rows, "coll.overlap.(one|both),1048576,0,2,%,[\\d.]+,.*");
    }

    @Test
    void shouldMeasureOneCurveForEachProtocolAndActiveMessages(@TempDir Path folder) throws IOException {
        Path csv = folder.resolve("b.csv");
        run("--only=curve,active", "--quick", "--rounds=1", "--csv=" + csv);
        List<String> rows = Files.readAllLines(csv);
        assertRow(rows, "active.(plain|handled),1024,0,2,us,[\\d.]+,,,");
        assertRow(rows, "active.heap,8,0,2,B/msg,[\\d.]+,,,");
        for (String kind : Work.CURVE.ours) {
            assertRow(rows, kind + ",1024,0,2,us,[\\d.]+,,,");
            assertRow(rows, kind + ",4194304,0,2,us,[\\d.]+,,,");
        }
    }

    @Test
    void shouldMeasureDeathsOfRanks(@TempDir Path folder) throws IOException {
        Path csv = folder.resolve("b.csv");
        String text = run("--only=deaths", "--quick", "--rounds=1", "--csv=" + csv);
        assertTrue(text.contains(" ours worst"), text);
        List<String> rows = Files.readAllLines(csv);
        for (String job : List.of("deaths.agree", "deaths.agree.x8")) {
            assertRow(rows, job + ",0,0,[28],us,[\\d.]+,,,");
            assertRow(rows, job + ".barrier,0,0,[28],us,[\\d.]+,,,");
            assertRow(rows, job + ".ratio,0,0,[28],ratio,[\\d.]+,,,");
        }
        for (String job : List.of("waiting", "waiting.x8", "computing.x8", "spare.x8")) {
            for (String part : List.of("noticed", "shrunk", "replaced")) {
                assertRow(rows, "deaths." + job + "." + part + ",0,0,[28],ms,[\\d.]+,,,");
            }
        }
    }

    @Test
    void shouldCompareJobsThatGoOn(@TempDir Path folder) throws IOException {
        Path csv = folder.resolve("b.csv");
        String text = run("--on-failure=continue", "--only=rate", "--csv=" + csv);
        assertTrue(text.contains("# ratio: jobs that go on when a rank fails (after) against jobs that end"), text);
        assertRow(Files.readAllLines(csv), "rate,8,0,2,M/s,[\\d.]+,before,[\\d.]+,[\\d.]+");
    }

    @Test
    void shouldMeasureFirstCallsAndWarmUpAndShowTheSpread(@TempDir Path folder) throws IOException {
        Path csv = folder.resolve("b.csv");
        String text = run("--only=lat,warm", "--cold", "--spread", "--quick", "--rounds=1", "--csv=" + csv);
        assertTrue(text.contains(" ours cold ") && text.contains(" upper_quartile "), text);
        List<String> rows = Files.readAllLines(csv);
        assertEquals(Csv.HEAD + ",min,lower_quartile,median,upper_quartile,max,hand_off_min_ns,hand_off_max_ns",
                rows.get(0));
        String spread = "(,[\\d.]+){5}";
        for (int bytes : new int[] {0, 8, 2097152}) {
            assertRow(rows, "lat.cold," + bytes + ",0,2,us,[\\d.]+,,," + spread);
        }
        assertRow(rows, "lat.alloc.cold,8192,0,2,us,[\\d.]+,,," + spread);
        assertRow(rows, "warm.first,8,0,2,us,[\\d.]+,,," + spread);
        for (String loop : List.of("lat,8", "large,32768", "allreduce,8")) {
            assertRow(rows, "warm." + loop + ",0,2,s,.*");
            assertRow(rows, "warm." + loop.replace(",", ".steady,") + ",0,2,us,[\\d.]+,,," + spread);
        }
    }

    @Test
    void shouldMeasureEveryCallWithAnyNumberOfRanks(@TempDir Path folder) throws IOException {
        Path csv = folder.resolve("b.csv");
        run("--only=coll", "--ranks=3", "--quick", "--rounds=1", "--csv=" + csv);
        List<String> rows = Files.readAllLines(csv);
        String values = ",0,3,us,[\\d.]+,,,";
        assertRow(rows, "coll.barrier.x3,0" + values);
        for (String call : List.of("bcast", "reduce", "allreduce", "allgather", "alltoall")) {
            for (int bytes : Plan.CALL_SIZES) {
                assertRow(rows, "coll." + call + ".x3," + bytes + values);
            }
        }
    }

    @Test
    void shouldCompareTwoBuilds(@TempDir Path folder) throws Exception {
        List<Path> links = new ArrayList<>();
        for (Class<?> type : List.of(World.class, Main.class)) {
            String module = type == World.class ? "core" : "tools";
            Path built = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
            Path target = Files.createDirectories(folder.resolve(module).resolve("target"));
            String name = Files.isDirectory(built) ? "classes" : "rankwire-" + module + "-0.jar";
            links.add(Files.createSymbolicLink(target.resolve(name), built));
        }
        Path csv = folder.resolve("b.csv");
        String text = run("--baseline=" + folder, "--only=rate", "--csv=" + csv);
        String row = "8( +[\\d.]+){3}( +[\\d-]+\\*?)?( +worse)?";
        assertTrue(text.matches("(?s).*# Size +before +after +ratio( +hand-off)?\n" + row + "\n.*"), text);
        assertTrue(text.matches("(?s).*\n# [01] of 1 rows are more than 3 % worse than before\n.*"), text);
        assertRow(Files.readAllLines(csv), "rate,8,0,2,M/s,[\\d.]+,before,[\\d.]+,[\\d.]+");
        Path empty = Files.createDirectory(folder.resolve("empty"));
        int status = Bench.run(new BenchOptions(BenchOptions.SYNTAX.parse("--baseline", empty.toString())), EFFORT,
                new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8));
        assertEquals(1, status);
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("has no rankwire-core-*.jar"));
        for (Path link : links) {
            Files.delete(link);
        }
    }

    private static boolean isInstalled(String peer) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(each -> Files.isExecutable(Path.of(each).resolve("mpicc." + peer)));
    }

    private static void assertRow(List<String> rows, String pattern) {
        String whole = pattern + "(,[\\d.]*){2}";
        assertTrue(rows.stream().anyMatch(row -> row.matches(whole)), () -> whole + " not in " + rows);
    }
}
