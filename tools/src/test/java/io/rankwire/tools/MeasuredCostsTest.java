package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.collective.Cost;
import io.rankwire.launch.RankMain;
import io.rankwire.tools.Command.Result;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file of measured costs, good and bad, from the launcher to the choices of the ranks. */
@Timeout(90)
class MeasuredCostsTest {
    private static final String CLASSES = Launch.locationOf(CollectivePrograms.class);
    private static final String GOOD = new MeasuredCosts(Cost.NEAR, Cost.CROWDED).text();
    private static final String LARGE = "rankwire: allreduce of 50000 × double, sum, on world of 3: ";

    @TempDir
    Path place;

    @TempDir
    Path jobs;

    private Path jar;

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
        List<String> line = new ArrayList<>(List.of(Command.java(), "-cp", classPath, "io.rankwire.tools.Main"));
        line.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().put("RANKWIRE_DIR", jobs.toString());
        builder.environment().put(MeasuredCosts.VARIABLE, "of another job");
        try (Command started = Command.start(builder)) {
            return started.result();
        }
    }

    private Result explained(String... more) throws Exception {
        List<String> line = new ArrayList<>(List.of("run", "-n", "3", "--explain"));
        line.addAll(List.of(more));
        line.addAll(List.of("-cp", CLASSES, CollectivePrograms.name("Everything")));
        Result result = command(line.toArray(new String[0]));
        assertEquals(0, result.status(), result.out() + result.err());
        assertEquals("all is well\n", result.out());
        return result;
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
        assertEquals(new MeasuredCosts(Cost.NEAR, Cost.CROWDED), read);
        assertEquals(Cost.CROWDED, MeasuredCosts.of(read, 1 << 16));
        assertEquals(Cost.NEAR, MeasuredCosts.of(read, 1));
        assertEquals(Cost.NEAR, MeasuredCosts.of(null, 1));
    }

    @Test
    void shouldRefuseWhatIsDamaged() {
        for (int length = 0; length < GOOD.length(); length++) {
            assertNull(MeasuredCosts.parse(GOOD.substring(0, length)), "cut to " + length);
        }
        assertNull(MeasuredCosts.parse(GOOD + GOOD));
        assertNull(MeasuredCosts.parse(GOOD.replace("costs 1", "costs 2")));
        assertNull(MeasuredCosts.parse(GOOD.replace("near", "far")));
        assertNull(MeasuredCosts.parse(GOOD.replace("\n", "\r\n")));
        assertNull(MeasuredCosts.parse(GOOD.replace(" 150000 ", " 1 ")));
        assertNull(MeasuredCosts.read(new File(place.toFile(), "missing")));
        assertNull(MeasuredCosts.read(place.toFile()));
        assertNull(MeasuredCosts.read(null));
    }

    @Test
    void shouldChooseByWhatIsInTheFile() throws Exception {
        Result estimated = explained();
        assertTrue(estimated.err().startsWith("rankwire: costs, estimated: round "), estimated.err());
        Cost dearRounds = new Cost(1e6, 100, 0.2, 0.1, 0.05, 1e6);
        Files.writeString(file(), new MeasuredCosts(dearRounds, dearRounds).text());
        Result dear = explained();
        assertTrue(dear.err().startsWith("rankwire: costs, measured: round 1.00 ms, message 100 ns, "), dear.err());
        assertTrue(dear.err().contains(LARGE + "recursive doubling, in pieces, about 3.36 ms (next best:"
                + " reduce-scatter and allgather, about 4."), dear.err());
        Cost dearBytes = new Cost(1000, 100, 10, 10, 0.05, 500);
        Files.writeString(file(), new MeasuredCosts(dearBytes, dearBytes).text());
        Result cheap = explained();
        assertTrue(cheap.err().contains(LARGE + "reduce-scatter and allgather, in pieces, about "), cheap.err());
        assertTrue(cheap.err().contains("(next best: recursive doubling, about 24.0 ms)"), cheap.err());
    }

    @Test
    void shouldPassOverABadFileAndTellTheDoctor() throws Exception {
        Files.writeString(file(), GOOD.replace(" 4000000 ", " 40000000000000 "));
        assertTrue(explained().err().startsWith("rankwire: costs, estimated: "));
        Result doctor = command("doctor");
        assertTrue(doctor.out().contains("the measured costs in " + file() + " are damaged"), doctor.out());
        assertTrue(doctor.out().contains("costs        estimated, near: round 150 ns"), doctor.out());
        Files.writeString(file(), GOOD);
        String well = command("doctor").out();
        String dated = "(?s).*costs        measured \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d, near: round .*";
        assertTrue(well.matches(dated), well);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--threads"})
    void shouldTellAllRanksTheSame(String how) throws Exception {
        Files.writeString(file(), GOOD);
        List<String> line = new ArrayList<>(List.of("run", "-n", "4"));
        if (!how.isEmpty()) {
            line.add(how);
        }
        line.addAll(List.of("-cp", CLASSES, CollectivePrograms.name("Told")));
        Result result = command(line.toArray(new String[0]));
        assertEquals(0, result.status(), result.err());
        Cost one = MeasuredCosts.of(MeasuredCosts.parse(GOOD), 4);
        assertEquals(List.of(one.text(), one.text(), one.text(), one.text()), result.lines());
    }

    @Test
    void shouldTakeCostsThatAreGivenAndRefuseOddOnes() throws Exception {
        Result given = explained("-x", MeasuredCosts.VARIABLE + "=" + new Cost(1e6, 100, 0.2, 0.1, 0.05, 1e6).text());
        assertTrue(given.err().startsWith("rankwire: costs, given: round 1.00 ms"), given.err());
        assertTrue(given.err().contains(LARGE + "recursive doubling"), given.err());
        Result odd = command("run", "-n", "2", "-x", MeasuredCosts.VARIABLE + "=1 2 3", "-cp", CLASSES,
                CollectivePrograms.name("Everything"));
        assertEquals(2, odd.status());
        assertEquals("rankwire: RANKWIRE_COST: \"1 2 3\" is not six plausible costs in picoseconds\n", odd.err());
    }

    /** How long it takes and whether it can be done depends on how busy the machine is; what is kept makes sense. */
    @Test
    void shouldMeasure() throws Exception {
        Result doctor = command("doctor", "--measure");
        assertEquals(0, doctor.status(), doctor.out() + doctor.err());
        if (doctor.out().contains("could not be measured")) {
            assertTrue(Files.notExists(file()), doctor.out());
        } else {
            MeasuredCosts kept = MeasuredCosts.read(file().toFile());
            assertTrue(doctor.out().contains(", near: " + kept.near().describe() + "\n"), doctor.out());
            assertTrue(doctor.out().contains(" crowded: " + kept.crowded().describe() + "\n"), doctor.out());
        }
    }
}
