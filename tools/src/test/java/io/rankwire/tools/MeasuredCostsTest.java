package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.collective.Cost;
import io.rankwire.fabric.Geometry;
import io.rankwire.launch.Fabrics;
import io.rankwire.launch.RankMain;
import io.rankwire.tools.Command.Result;
import io.rankwire.tools.CostConditions.State;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file of measured costs, good and bad, from the launcher to the choices of the ranks. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class MeasuredCostsTest {
    private static final String CLASSES = Launch.locationOf(CollectivePrograms.class);
    private static final long DAY_MS = 86_400_000;
    private static final Geometry SMALLER = new Geometry(2048, 1 << 20);
    private static final String GOOD = costs(State.CALM, 0, 0, CostConditions.thisMachine()).text();
    private static final String LARGE = "rankwire: allreduce of 50000 × double, sum, on world of 3: ";

    @TempDir
    Path place;

    @TempDir
    Path jobs;

    private Path jar;

    /** The estimates, measured two days ago. */
    private static MeasuredCosts costs(State state, long triedMs, int tries, String machine) {
        long measured = System.currentTimeMillis() - 2 * DAY_MS;
        return new MeasuredCosts(Cost.NEAR, Cost.CROWDED, SMALLER, new CostConditions(state, measured, 31, 112,
                triedMs == 0 ? measured : triedMs, tries, machine));
    }

    private static MeasuredCosts measured(Cost cost) {
        return new MeasuredCosts(cost, cost, SMALLER, MeasuredCosts.parse(GOOD).conditions());
    }

    /** Costs are kept for a jar; in a build that has made none yet this makes one. */
    @BeforeEach
    void makeAJar() throws Exception {
        jar = place.resolve("core.jar");
        Path core = Path.of(Launch.locationOf(RankMain.class));
        if (Files.isRegularFile(core)) {
            Files.copy(core, jar);
        } else {
            int status = ToolProvider.findFirst("jar").orElseThrow()
                    .run(System.out, System.err, "cf", jar.toString(), "-C", core.toString(), ".");
            assertEquals(0, status);
        }
    }

    private Result command(String... args) throws Exception {
        String classPath = Launch.locationOf(Main.class) + File.pathSeparator + jar;
        List<String> line = new ArrayList<>(List.of(Command.java()));
        line.addAll(List.of(Command.LIGHT.split(" ")));
        line.addAll(List.of("-cp", classPath, "io.rankwire.tools.Main"));
        line.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().put("RANKWIRE_DIR", jobs.toString());
        builder.environment().put(MeasuredCosts.VARIABLE, "of another job");
        try (Command started = Command.start(builder)) {
            return started.result();
        }
    }

    private Result explained(String... more) throws Exception {
        List<String> line = new ArrayList<>(List.of("run", "-n", "3", "--explain", "--jvm", Command.LIGHT));
        line.addAll(List.of(more));
        line.addAll(List.of("-cp", CLASSES, CollectivePrograms.name("Everything")));
        Result result = command(line.toArray(new String[0]));
        assertEquals(0, result.status(), result.out() + result.err());
        assertEquals("all is well\n", result.out());
        return result;
    }

    /** What the doctor prints of costs. */
    private static String described(MeasuredCosts costs) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        Doctor.describe(costs, new PrintStream(text, true, StandardCharsets.UTF_8));
        return text.toString(StandardCharsets.UTF_8);
    }

    /** Where the launcher looks for it. */
    private Path file() throws Exception {
        String host = Files.exists(Path.of("/proc/sys/kernel/hostname"))
                ? Files.readString(Path.of("/proc/sys/kernel/hostname")).strip().replaceAll("[^a-zA-Z0-9]", "_")
                : "host";
        return place.resolve("rankwire-" + ClassArchive.contents(jar.toFile()) + "-" + host + ".costs");
    }

    @Test
    void shouldReadWhatItWrote() {
        MeasuredCosts read = MeasuredCosts.parse(GOOD);
        assertEquals(GOOD, read.text());
        assertEquals(Cost.NEAR, read.near());
        assertEquals(Cost.CROWDED, MeasuredCosts.of(read, 1 << 16));
        assertEquals(Cost.NEAR, MeasuredCosts.of(read, 1));
        assertEquals(Cost.NEAR, MeasuredCosts.of(null, 1));
        assertEquals(SMALLER, read.geometry());
    }

    @Test
    void shouldRefuseWhatIsDamaged() {
        for (int length = 0; length < GOOD.length(); length++) {
            assertNull(MeasuredCosts.parse(GOOD.substring(0, length)), "cut to " + length);
        }
        assertNull(MeasuredCosts.parse(GOOD + GOOD));
        assertNull(MeasuredCosts.parse(GOOD.replace("costs 3", "costs 2")));
        assertNull(MeasuredCosts.parse(GOOD.replace("near", "far")));
        assertNull(MeasuredCosts.parse(GOOD.replace("\n", "\r\n")));
        assertNull(MeasuredCosts.parse(GOOD.replace(" 150000 ", " 1 ")));
        assertNull(MeasuredCosts.parse(GOOD.replace("geometry 2048 ", "geometry 20480 ")));
        assertNull(MeasuredCosts.parse(GOOD.replaceFirst("geometry .*\n", "")));
        assertNull(MeasuredCosts.parse(GOOD.replace("CALM", "QUIET")));
        assertNull(MeasuredCosts.parse(GOOD.replaceFirst("measured \\d+", "measured soon")));
        assertNull(MeasuredCosts.parse(GOOD.replaceFirst("(tried \\d+) 0", "$1 99")));
        assertNull(MeasuredCosts.read(new File(place.toFile(), "missing")));
        assertNull(MeasuredCosts.read(place.toFile()));
        assertNull(MeasuredCosts.read(null));
    }

    @Test
    void shouldChooseByWhatIsInTheFile() throws Exception {
        Result estimated = explained();
        assertTrue(estimated.err().startsWith("rankwire: costs, estimated: round "), estimated.err());
        Cost dearRounds = new Cost(1e6, 100, 0.2, 0.1, 0.05, 1.1e6);
        Files.writeString(file(), measured(dearRounds).text());
        Result dear = explained();
        assertTrue(dear.err().startsWith("rankwire: costs, measured: round 1.00 ms, message 100 ns, "), dear.err());
        assertTrue(dear.err().contains(LARGE + "recursive doubling, in pieces, about 3.36 ms;"
                + " other candidates: shared memory 4.46 ms, reduce-scatter and allgather 4."), dear.err());
        Cost dearBytes = new Cost(1000, 100, 10, 10, 0.05, 500);
        Files.writeString(file(), measured(dearBytes).text());
        Result cheap = explained();
        assertTrue(cheap.err().contains(LARGE + "shared memory, about "), cheap.err());
        assertTrue(cheap.err().contains("recursive doubling 24.0 ms; if not blocking: reduce-scatter and allgather"),
                cheap.err());
    }

    @Test
    void shouldPassOverABadFileAndTellTheDoctor() throws Exception {
        Files.writeString(file(), GOOD.replace(" 4000000 ", " 40000000000000 "));
        assertTrue(explained().err().startsWith("rankwire: costs, estimated: "));
        Result doctor = command("doctor");
        assertTrue(doctor.out().contains("the measured costs in " + file() + " are damaged"), doctor.out());
        assertTrue(doctor.out().contains("costs        estimated, near: round 150 ns"), doctor.out());
        assertTrue(doctor.out().contains("geometry     default: ring 64 KiB a pair, payloads up to 1024 bytes in it;"
                + " slab 512 KiB a rank, chunks of 16 KiB; messages up to 16360 bytes are sent at once\n"),
                doctor.out());
        String well = described(MeasuredCosts.parse(GOOD));
        String dated = "(?s).*costs        measured \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d, near: round .*";
        assertTrue(well.matches(dated), well);
        String sizes = "(?s).*geometry     measured \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d, calm: ring 64 KiB a pair,"
                + " payloads up to 2048 bytes in it; slab 1024 KiB a rank, .*";
        assertTrue(well.matches(sizes), well);
        String calm = "the machine was calm: other work took 0.03 of a processor, a typical turn took 112 % of a quick"
                + " one\n             on " + CostConditions.thisMachine() + ", build of ";
        assertTrue(well.contains(calm), well);
        assertTrue(well.contains("kept until the processor, the JDK or the build changes\n"), well);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--threads"})
    void shouldTellAllRanksTheSame(String how) throws Exception {
        Files.writeString(file(), GOOD);
        List<String> line = new ArrayList<>(List.of("run", "-n", "4", "--jvm", Command.LIGHT));
        if (!how.isEmpty()) {
            line.add(how);
        }
        line.addAll(List.of("-cp", CLASSES, CollectivePrograms.name("Told")));
        Result result = command(line.toArray(new String[0]));
        assertEquals(0, result.status(), result.err());
        String one = MeasuredCosts.of(MeasuredCosts.parse(GOOD), 4).text() + "; " + SMALLER.text();
        assertEquals(List.of(one, one, one, one), result.lines());
    }

    @Test
    void shouldTakeCostsThatAreGivenAndRefuseOddOnes() throws Exception {
        Result given = explained("-x", MeasuredCosts.VARIABLE + "=" + new Cost(1e6, 100, 0.2, 0.1, 0.05, 1.1e6).text());
        assertTrue(given.err().startsWith("rankwire: costs, given: round 1.00 ms"), given.err());
        assertTrue(given.err().contains(LARGE + "recursive doubling"), given.err());
        Result odd = command("run", "-n", "2", "-x", MeasuredCosts.VARIABLE + "=1 2 3", "-cp", CLASSES,
                CollectivePrograms.name("Everything"));
        assertEquals(2, odd.status());
        assertEquals("rankwire: RANKWIRE_COST: \"1 2 3\" is not six plausible costs in picoseconds\n", odd.err());
        Result sizes = command("run", "-n", "2", "-x", Fabrics.GEOMETRY + "=4096 524288", "--jvm", Command.LIGHT, "-cp",
                CLASSES, CollectivePrograms.name("Told"));
        assertEquals(0, sizes.status(), sizes.err());
        assertTrue(sizes.out().endsWith("; 4096 524288\n"), sizes.out());
        Result none = command("run", "-n", "2", "-x", Fabrics.GEOMETRY + "=4096", "-cp", CLASSES,
                CollectivePrograms.name("Told"));
        assertEquals(2, none.status());
        assertEquals("rankwire: RANKWIRE_GEOMETRY: \"4096\" is not two plausible sizes in bytes\n", none.err());
    }

    @Test
    void shouldSayThatCostsOfABusyOrOfAnotherMachineAreMeasuredAgain() throws Exception {
        long now = System.currentTimeMillis();
        String busy = described(costs(State.BUSY, now, 5, CostConditions.thisMachine()));
        assertTrue(busy.contains(" the machine was busy: other work took 0.03 of a processor"), busy);
        assertTrue(busy.matches("(?s).*measured again by a job that starts after .* while the load is at most .*"),
                busy);
        String other = described(costs(State.CALM, now, 5, "9 x Other, Java 7"));
        assertTrue(other.contains("on 9 x Other, Java 7, build of "), other);
        assertTrue(other.contains("now on " + CostConditions.thisMachine() + "\n"), other);
        assertTrue(other.contains("measured again by a job that starts after"), other);
        // Not before two hours or so from now: a job leaves them alone.
        Files.writeString(file(), costs(State.FAILED, now, 5, CostConditions.thisMachine()).text());
        String failed = described(MeasuredCosts.read(file().toFile()));
        assertTrue(failed.contains("costs        estimated, near: "), failed);
        assertTrue(failed.contains(" in vain: the machine was too busy\n"), failed);
        assertTrue(explained().err().startsWith("rankwire: costs, estimated: "));
    }

    @Test
    void shouldMeasureAgainOnlyWhatIsToBeAndWhenItIsTime() throws Exception {
        File file = place.resolve("some.costs").toFile();
        String here = CostConditions.thisMachine();
        long now = System.currentTimeMillis();
        MeasuredCosts[] kept = {costs(State.CALM, 0, 0, here), costs(State.BUSY, now, 1, here),
            costs(State.BUSY, now - DAY_MS, 9, here), costs(State.FAILED, now, 1, here)};
        for (MeasuredCosts each : kept) {
            Files.writeString(file.toPath(), each.text());
            MeasuredCosts.again(file, 0);
            assertEquals(each.text(), Files.readString(file.toPath()));
        }
        String busy = costs(State.BUSY, 0, 1, here).text();
        Files.writeString(file.toPath(), busy);
        MeasuredCosts.again(file, CostConditions.calmLoad() + 0.1);
        assertEquals(busy, Files.readString(file.toPath()));
    }

    @Test
    void shouldChooseSizesThatAreClearlyFaster() {
        double[] alike = {1, 2, 4};
        double[] slabs = {10, 10, 10, 10};
        assertEquals(Geometry.DEFAULT, GeometryRank.best(alike, alike, slabs));
        double[] little = {0.96, 1.93, 3.9};
        assertEquals(Geometry.DEFAULT, GeometryRank.best(alike, little, new double[] {9.6, 10, 11, 9.7}));
        assertEquals(Geometry.DEFAULT, GeometryRank.best(little, alike, slabs));
        double[] much = {0.9, 1.8, 3};
        assertEquals(new Geometry(512, 2 << 20), GeometryRank.best(alike, much, new double[] {9.4, 10, 11, 9.3}));
        assertEquals(new Geometry(4096, 256 << 10), GeometryRank.best(much, alike, new double[] {5, 10, 6, 20}));
        assertEquals(new Geometry(2048, 1 << 20),
                GeometryRank.best(new double[] {1, 1.8, 5}, alike, new double[] {9, 10, 8, 12}));
        // A longer payload alone is no reason: those between would go the slower way.
        assertEquals(Geometry.DEFAULT, GeometryRank.best(new double[] {1, 2, 3}, alike, slabs));
    }

    @Test
    void shouldNoticeOtherWork() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            others.add(Thread.ofPlatform().daemon().start(() -> {
                while (!over.get()) {
                    Thread.onSpinWait();
                }
            }));
        }
        File file = place.resolve("some.costs").toFile();
        long now = System.currentTimeMillis();
        Files.writeString(file.toPath(), costs(State.BUSY, 0, 1, "9 x Other, Java 7").text());
        try {
            MeasuredCosts.again(file, 0);
        } finally {
            over.set(true);
            for (Thread other : others) {
                other.join();
            }
        }
        CostConditions after = MeasuredCosts.read(file).conditions();
        assertTrue(after.areToBeMeasuredAgain(), after.toString());
        assertTrue(after.triedMs() >= now, after.toString());
        assertEquals(2, after.tries());
        assertEquals(1_200_000, after.nextTryMs() - after.triedMs());
        // So busy that nothing could be measured, what there was stays.
        assertTrue(after.state() == State.BUSY || after.machine().startsWith("9 x Other"), after.toString());
    }

    /** How long it takes and whether it can be done depends on how busy the machine is; what is kept makes sense. */
    @Test
    void shouldMeasure() throws Exception {
        Result doctor = command("doctor", "--measure");
        assertEquals(0, doctor.status(), doctor.out() + doctor.err());
        if (doctor.out().contains("could not be measured")) {
            assertEquals(State.FAILED, MeasuredCosts.read(file().toFile()).conditions().state(), doctor.out());
        } else {
            MeasuredCosts kept = MeasuredCosts.read(file().toFile());
            assertEquals(kept.conditions().state() == State.CALM ? 0 : 1, kept.conditions().tries());
            assertTrue(doctor.out().contains(", near: " + kept.near().describe() + "\n"), doctor.out());
            assertTrue(doctor.out().contains(" crowded: " + kept.crowded().describe() + "\n"), doctor.out());
            assertTrue(doctor.out().contains("payloads up to " + kept.geometry().mostInRing() + " bytes in it; slab "
                    + kept.geometry().slabBytes() / 1024 + " KiB"), doctor.out());
        }
    }
}
