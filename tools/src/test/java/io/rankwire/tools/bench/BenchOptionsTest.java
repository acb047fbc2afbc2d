package io.rankwire.tools.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.options.UsageException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchOptionsTest {
    private static BenchOptions options(String... words) {
        return new BenchOptions(BenchOptions.SYNTAX.parse(words));
    }

    @Test
    void shouldMeasureTheUsualAgainstNobodyByDefault() {
        BenchOptions options = options();
        assertEquals(EnumSet.complementOf(EnumSet.of(Work.BIBW, Work.ACTIVE, Work.COLL, Work.DEATHS, Work.CURVE,
                Work.WARM)), options.works);
        assertEquals(List.of(), options.against);
        assertEquals(5, options.rounds);
        assertFalse(options.quick);
    }

    @Test
    void shouldTakeEveryOptionInBothForms(@TempDir Path folder) {
        String csv = folder.resolve("b.csv").toString();
        BenchOptions apart = options(
                "--only", "lat, rate", "--against", "mpich,openmpi,mpich", "--csv", csv, "--quick", "--rounds", "7");
        BenchOptions joined = options(
                "--only=rate,lat", "--against=mpich,openmpi", "--csv=" + csv, "--quick", "--rounds=7");
        for (BenchOptions options : List.of(apart, joined)) {
            assertEquals(Set.of(Work.LAT, Work.RATE), options.works);
            assertEquals(List.of("mpich", "openmpi"), options.against);
            assertEquals(csv, options.csv.toString());
            assertTrue(options.quick);
            assertEquals(7, options.rounds);
        }
        assertEquals(3, options("--quick").rounds);
        assertEquals(EnumSet.allOf(Work.class), options(
                "--only=lat,rate,bw,bibw,overlap,rma,active,prq,ueq,start,alloc,coll,deaths,curve,warm,floor").works);
        String plot = folder.resolve("b.svg").toString();
        assertEquals(plot, options("--plot", plot).plot.toString());
        assertEquals(List.of(2, 4, 8), options("--only", "coll", "--ranks", "8,2, 4,2").ranks);
        assertTrue(options("--spread").spread && options("--cold").cold && !options().spread && !options().cold);
        assertEquals("tcp", options("--fabric", "tcp").fabric);
        assertEquals("udp", options("--fabric", "udp").fabric);
        assertEquals("ofi:tcp;ofi_rxm", options("--fabric", "ofi:tcp;ofi_rxm").fabric);
        assertEquals("auto", options().fabric);
        BenchOptions compared = options("--quick", "--baseline", folder.toString());
        assertEquals(folder.toAbsolutePath(), compared.baseline);
        assertEquals(5, compared.rounds);
        assertEquals(BenchOptions.MAIN, compared.works);
        BenchOptions goingOn = options("--quick", "--on-failure", "continue");
        assertTrue(goingOn.goesOn && goingOn.isComparison() && !options("--on-failure=end").isComparison());
        assertEquals(5, goingOn.rounds);
        assertEquals(BenchOptions.MAIN, goingOn.works);
    }

    @Test
    void shouldNameWhatIsWrong(@TempDir Path folder) {
        assertWrong("\"lat,speed\"", "--only", "lat,speed");
        assertWrong("\"\"", "--only", "");
        assertWrong("\"lam\"", "--against", "lam");
        assertWrong("needs a value", "--rounds");
        assertWrong("not 0", "--rounds", "0");
        assertWrong("not many", "--rounds=many");
        assertWrong("takes no value", "--quick=yes");
        assertWrong("unknown option --fast", "--fast");
        assertWrong("takes no word lat", "lat");
        assertWrong("--plot: cannot write", "--plot", folder.toString());
        assertWrong("--against does not go with --only floor", "--only", "floor", "--against", "mpich");
        assertWrong("none of them", "--only", "rate,prq", "--plot", folder.resolve("b.svg").toString());
        assertWrong("--spread does not go with --only floor", "--only", "floor", "--spread");
        assertWrong("--against does not go with --only warm", "--only", "warm", "--against", "mpich");
        assertWrong("--cold is for lat and coll", "--only", "rate,warm", "--cold");
        assertWrong("--ranks needs --only coll", "--only", "lat", "--ranks", "2");
        assertWrong("--ranks needs --only coll", "--ranks", "2");
        for (String bad : List.of("", "1", "2,,4", "65", "two", "2,9999")) {
            assertWrong("--ranks needs numbers from 2 to 64, separated by commas, not \"" + bad + "\"",
                    "--only", "coll", "--ranks", bad);
        }
        String before = folder.toString();
        assertWrong("at least 5 --rounds, not 4", "--baseline", before, "--rounds", "4");
        assertWrong("--baseline does not go with --only start", "--baseline", before, "--only", "lat,start");
        assertWrong("--against", "--baseline", before, "--against", "mpich");
        assertWrong("--against", "--on-failure", "continue", "--against", "mpich");
        assertWrong("--baseline", "--on-failure", "continue", "--baseline", before);
        assertWrong("at least 5 --rounds, not 4", "--on-failure", "continue", "--rounds", "4");
        assertWrong("--on-failure does not go with --only deaths", "--on-failure", "continue", "--only", "deaths");
        assertWrong("is no directory", "--baseline", folder.resolve("nowhere").toString());
        assertWrong("--csv: cannot write", "--csv", folder.toString());
        assertWrong("cannot write", "--csv", folder.resolve("nowhere").resolve("b.csv").toString());
    }

    private static void assertWrong(String what, String... words) {
        String message = assertThrows(UsageException.class, () -> options(words)).getMessage();
        assertTrue(message.contains(what) && message.contains("rankwire bench --help"), message);
    }

    @Test
    void shouldDocumentEveryWorkPeerAndColumn() {
        String help = BenchOptions.SYNTAX.help();
        for (Work work : Work.values()) {
            assertTrue(help.contains("\n" + " ".repeat(26) + work.label), work.label);
        }
        BenchOptions.PEERS.forEach(peer -> assertTrue(help.contains(peer)));
        assertTrue(help.contains(Csv.HEAD));
    }
}
