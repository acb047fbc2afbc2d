package io.rankwire.tools.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ResultsTest {
    private static final Point LAT_8 = new Point("lat", 8, 0);
    private static final Point RATE_8 = new Point("rate", 8, 0);
    private static final Floors FLOORS = new Floors(120, Map.of(65536L, 18.25));

    private static Results sample() {
        Results results = new Results(List.of("openmpi", "mpich"));
        add(results, "ours", LAT_8, 0.3, 0.2, 0.25);
        add(results, "openmpi", LAT_8, 0.4, 0.6);
        add(results, "mpich", LAT_8, 0.625);
        add(results, "ours", RATE_8, 10, 20);
        add(results, "openmpi", RATE_8, 5, 4);
        add(results, "mpich", RATE_8, 3);
        return results;
    }

    /** One value a round. */
    private static void add(Results results, String side, Point point, double... values) {
        for (int i = 0; i < values.length; i++) {
            results.add(side, i + 1, point, values[i]);
        }
    }

    @Test
    void shouldTakeTheBestInItsDirectionAndTheMedian() {
        Results results = sample();
        assertEquals(0.2, results.best("ours", Work.LAT, LAT_8));
        assertEquals(0.25, results.median("ours", Work.LAT, LAT_8));
        assertEquals(0.5, results.median("openmpi", Work.LAT, LAT_8), 1e-12);
        assertEquals(20, results.best("ours", Work.RATE, RATE_8));
        assertEquals(15, results.median("ours", Work.RATE, RATE_8));
        assertTrue(Double.isNaN(results.best("mpich", Work.LAT, new Point("lat", 64, 0))));
        assertTrue(Double.isNaN(results.median("mpich", Work.LAT, new Point("lat", 64, 0))));
    }

    @Test
    void shouldCompareMediansAndBeBelowOneWhenOursIsBetterWhicheverWayThatIs() {
        Results results = sample();
        assertEquals(0.5, results.costRatio(Work.LAT, LAT_8, "openmpi"), 1e-12);
        assertEquals(0.4, results.costRatio(Work.LAT, LAT_8, "mpich"), 1e-12);
        assertEquals(0.3, results.costRatio(Work.RATE, RATE_8, "openmpi"), 1e-12);
        assertEquals(0.2, results.costRatio(Work.RATE, RATE_8, "mpich"), 1e-12);
        // Against the better of the two.
        assertEquals(0.5, results.costRatio(Work.LAT, LAT_8), 1e-12);
        assertEquals(0.3, results.costRatio(Work.RATE, RATE_8), 1e-12);
    }

    @Test
    void shouldLeaveOutValuesAroundWhichTheHandOffWasAnother() {
        Results results = new Results(List.of("openmpi"));
        add(results, "ours", LAT_8, 0.1, 0.4, 0.12, 0.11);
        add(results, "openmpi", LAT_8, 0.2, 0.22, 0.9, 0.21);
        add(results, "ours", RATE_8, 10, 20, 30, 40);
        add(results, "openmpi", RATE_8, 5, 4, 6, 7);
        double[] ours = {50, 250, 55, 60};
        double[] theirs = {55, 60, 260, 50};
        double[] unsteady = {250, 255, 50, 250};
        for (int i = 0; i < ours.length; i++) {
            results.addHandOff("ours", i + 1, LAT_8, 52);
            results.addHandOff("ours", i + 1, LAT_8, ours[i]);
            results.addHandOff("openmpi", i + 1, LAT_8, theirs[i]);
            results.addHandOff("ours", i + 1, RATE_8, unsteady[i]);
            results.addHandOff("openmpi", i + 1, RATE_8, 54);
        }
        Results alike = results.alike();
        assertEquals(0.11, alike.median("ours", Work.LAT, LAT_8), 1e-12);
        assertEquals(0.21, alike.median("openmpi", Work.LAT, LAT_8), 1e-12);
        assertFalse(alike.handOffs(Work.LAT, List.of(LAT_8), List.of("openmpi")).haveChanged());
        // Ours has one value at the usual hand-off only, so all values of that row stay.
        assertEquals(25, alike.median("ours", Work.RATE, RATE_8), 1e-12);
        assertTrue(alike.handOffs(Work.RATE, List.of(RATE_8), List.of("openmpi")).haveChanged());
        assertEquals(14, alike.count());
        assertEquals(sample().count(), sample().alike().count());
    }

    @Test
    void shouldTurnEveryMeasureIntoACost() {
        assertEquals(2, Work.LAT.measure("lat").costRatio(4, 2));
        assertEquals(0.5, Work.BW.measure("bw").costRatio(4, 2));
        assertEquals(0.5, Work.BIBW.measure("bibw").costRatio(4, 2));
        assertEquals(2, Work.RMA.measure("rma.put").costRatio(4, 2));
        assertEquals(0.5, Work.RMA.measure("rma.rate").costRatio(4, 2));
        Measure hidden = Work.OVERLAP.measure("overlap.send");
        assertEquals(0.5, hidden.costRatio(95, 90), 1e-12);
        assertEquals(10, hidden.costRatio(0, 90), 1e-12);
        // What is not hidden counts as a hundredth at least, so that all hidden is comparable too.
        assertEquals(0.1, hidden.costRatio(100, 90), 1e-12);
        assertEquals(1, hidden.costRatio(100, 99.5), 1e-12);
        assertEquals(100, hidden.costRatio(0, 100), 1e-12);
        for (Measure measure : Measure.values()) {
            assertTrue(Double.isNaN(measure.costRatio(1, Double.NaN)), measure.unit);
            assertTrue(Double.isNaN(measure.costRatio(Double.NaN, 1)), measure.unit);
        }
    }

    @Test
    void shouldCompareWithTheOtherPeerWhenOneHasNoValue() {
        Results results = sample();
        Point alone = new Point("lat", 64, 0);
        add(results, "ours", alone, 1);
        assertTrue(Double.isNaN(results.costRatio(Work.LAT, alone)));
        add(results, "mpich", alone, 4);
        assertEquals(0.25, results.costRatio(Work.LAT, alone));
    }

    @Test
    void shouldForgetTheRoundsThatAreLeftOut() {
        Results kept = sample().without(Set.of(1));
        assertEquals(0.225, kept.median("ours", Work.LAT, LAT_8), 1e-12);
        assertEquals(20, kept.median("ours", Work.RATE, RATE_8));
        assertTrue(Double.isNaN(kept.median("mpich", Work.LAT, LAT_8)));
        assertEquals(0.375, kept.costRatio(Work.LAT, LAT_8), 1e-12);
    }

    @Test
    void shouldPrintATableWithAColumnForEachSide() {
        String[] lines = Tables.of(sample(), Work.LAT, false).split("\n");
        assertEquals("# Half round trip (us)", lines[0]);
        assertEquals("# Size            ours median    ours best  openmpi median  openmpi best"
                + "  mpich median   mpich best   cost_ratio", lines[1]);
        assertEquals("8                       0.250        0.200           0.500         0.400"
                + "         0.625        0.625        0.500", lines[2]);
    }

    @Test
    void shouldPrintDepthsBesideOursWithNoneAndADashForNoValue() {
        Results results = new Results(List.of("mpich"));
        add(results, "ours", new Point("prq", 8, 0), 0.2);
        add(results, "ours", new Point("prq", 8, 100_000), 0.25);
        add(results, "mpich", new Point("prq", 8, 0), 1234.56);
        String[] lines = Tables.of(results, Work.PRQ, false).split("\n");
        String head = "# Depth +ours median +ours best +ours/depth 0 +mpich median +mpich best +cost_ratio";
        assertTrue(lines[1].matches(head), lines[1]);
        assertTrue(lines[2].matches("0 +0\\.200 +0\\.200 +1\\.000 +1234\\.6 +1234\\.6 +0\\.000"), lines[2]);
        assertTrue(lines[3].matches("100000 +0\\.250 +0\\.250 +1\\.250 +- +- +-"), lines[3]);
    }

    @Test
    void shouldPrintATableForEachUnitOfAWork() {
        Results results = new Results(List.of("mpich"));
        add(results, "ours", new Point("rma.put", 8, 0), 0.2);
        add(results, "ours", new Point("rma.put", 65536, 0), 4);
        add(results, "mpich", new Point("rma.rate", 8, 0), 100);
        String text = Tables.of(results, Work.RMA, false);
        assertTrue(text.contains("# One-sided, flushed (us)\n") && text.contains("\nput 8 "), text);
        assertTrue(text.contains("\nput 65536 "), text);
        assertTrue(text.indexOf("(M/s)\n") < text.indexOf("\nrate 8 "), text);
    }

    @Test
    void shouldPrintProtocolsSideBySideAndHoldEachAgainstThePeers() {
        Results results = new Results(List.of("mpich"));
        add(results, "ours", new Point("curve.eager", 1024, 0), 1);
        add(results, "ours", new Point("curve.eager", 2048, 0), 2);
        add(results, "ours", new Point("curve.twoended", 1024, 0), 1.5);
        add(results, "mpich", new Point("curve", 1024, 0), 4);
        String[] lines = Tables.of(results, Work.CURVE, false).split("\n");
        assertTrue(lines[1].matches("# Size +eager +rendezvous +twoended +mpich"), lines[1]);
        assertTrue(lines[2].matches("1024 +1\\.000 +- +1\\.500 +4\\.000"), lines[2]);
        assertTrue(lines[3].matches("2048 +2\\.000 +- +- +-"), lines[3]);
        String csv = Csv.of(results, EnumSet.of(Work.CURVE), FLOORS, false);
        assertTrue(csv.contains("curve.eager,1024,0,2,us,1.0000,mpich,4.0000,0.2500,,\n"), csv);
        assertTrue(csv.contains("curve.twoended,1024,0,2,us,1.5000,mpich,4.0000,0.3750,,\n"), csv);
        assertFalse(csv.contains("\ncurve,"), csv);
        handOffs(results, "ours", new Point("curve.eager", 1024, 0), 50);
        handOffs(results, "ours", new Point("curve.twoended", 1024, 0), 250);
        lines = Tables.of(results, Work.CURVE, false).split("\n");
        assertTrue(lines[1].endsWith(" hand-off"), lines[1]);
        assertTrue(lines[2].matches("1024 .* 50-250\\*"), lines[2]);
    }

    @Test
    void shouldWriteARowForEachPeerAndForTheFloors() {
        EnumSet<Work> works = EnumSet.of(Work.LAT, Work.RATE, Work.ALLOC);
        Results results = sample();
        add(results, "ours", new Point("alloc.blocking", 8, 0), 0);
        assertEquals(
                """
                work,bytes,depth,ranks,unit,ours,peer,theirs,cost_ratio,hand_off_min_ns,hand_off_max_ns
                lat,8,0,2,us,0.2500,openmpi,0.5000,0.5000,,
                lat,8,0,2,us,0.2500,mpich,0.6250,0.4000,,
                rate,8,0,2,M/s,15.0000,openmpi,4.5000,0.3000,,
                rate,8,0,2,M/s,15.0000,mpich,3.0000,0.2000,,
                alloc.blocking,8,0,2,B/msg,0.0000,,,,,
                floor,8,0,2,us,0.2500,floor,0.1200,2.0833,,
                floor,65536,0,1,GB/s,,floor,18.2500,,,
                """,
                Csv.of(results, works, FLOORS, false));
    }

    @Test
    void shouldLeavePeerColumnsEmptyWithoutPeersOrValues() {
        Results alone = new Results(List.of());
        add(alone, "ours", LAT_8, 0.5);
        assertTrue(Csv.of(alone, EnumSet.of(Work.LAT), FLOORS, false).contains("\nlat,8,0,2,us,0.5000,,,,,\n"));
        Results shy = new Results(List.of("mpich"));
        add(shy, "ours", LAT_8, 0.5);
        assertTrue(Csv.of(shy, EnumSet.of(Work.LAT), FLOORS, false).contains("\nlat,8,0,2,us,0.5000,mpich,,,,\n"));
    }

    @Test
    void shouldShowTheSpreadOfOursInTablesAndAsLastColumns() {
        Results results = new Results(List.of("mpich"));
        add(results, "ours", LAT_8, 5, 1, 2, 4, 3);
        add(results, "mpich", LAT_8, 6);
        String[] lines = Tables.of(results, Work.LAT, true).split("\n");
        assertTrue(lines[1].matches(".* cost_ratio +min +lower_quartile +median +upper_quartile +max"), lines[1]);
        assertTrue(lines[2].matches("8 .* 0\\.500 +1\\.000 +2\\.000 +3\\.000 +4\\.000 +5\\.000"), lines[2]);
        assertEquals(
                """
                work,bytes,depth,ranks,unit,ours,peer,theirs,cost_ratio,min,lower_quartile,median,upper_quartile,max,\
                hand_off_min_ns,hand_off_max_ns
                lat,8,0,2,us,3.0000,mpich,6.0000,0.5000,1.0000,2.0000,3.0000,4.0000,5.0000,,
                floor,8,0,2,us,3.0000,floor,0.1200,25.0000,,,,,,,
                floor,65536,0,1,GB/s,,floor,18.2500,,,,,,,,
                """,
                Csv.of(results, EnumSet.of(Work.LAT), FLOORS, true));
    }

    private static void handOffs(Results results, String side, Point point, double... values) {
        for (int i = 0; i < values.length; i++) {
            results.addHandOff(side, i + 1, point, values[i]);
        }
    }

    @Test
    void shouldShowTheHandOffOfEachRowAndMarkThoseWhereItChanged() {
        Results results = new Results(List.of("mpich"));
        Point steady = new Point("lat", 64, 0);
        for (Point point : List.of(LAT_8, steady)) {
            add(results, "ours", point, 1, 1, 1);
            add(results, "mpich", point, 2);
        }
        add(results, "ours", new Point("lat", 512, 0), 1);
        handOffs(results, "ours", LAT_8, 54, 50, 52);
        handOffs(results, "mpich", LAT_8, 60, 263);
        handOffs(results, "ours", steady, 54, 80, 55);
        for (boolean spread : new boolean[] {false, true}) {
            String[] lines = Tables.of(results, Work.LAT, spread).split("\n");
            assertTrue(lines[1].endsWith(" hand-off"), lines[1]);
            assertTrue(lines[2].matches("8 .* 50-263\\*"), lines[2]);
            assertTrue(lines[3].matches("64 .* 55"), lines[3]);
            assertTrue(lines[4].matches("512 .* -"), lines[4]);
        }
        assertEquals("1 of 3 rows were measured while the line hand-off changed by more than a factor of 1.5 (*): their"
                + " values may not be comparable", Tables.changed(results, EnumSet.of(Work.LAT)));
        String csv = Csv.of(results, EnumSet.of(Work.LAT), FLOORS, false);
        assertTrue(csv.contains("lat,8,0,2,us,1.0000,mpich,2.0000,0.5000,50.0000,263.0000\n"), csv);
        // The round that was another machine is left out.
        Results kept = results.without(Set.of(2));
        assertTrue(Tables.of(kept, Work.LAT, false).split("\n")[2].matches("8 .* 54"));
        assertEquals("", Tables.changed(kept, EnumSet.of(Work.LAT)));
        assertFalse(Tables.of(sample(), Work.LAT, false).contains("hand-off"));
    }

    @Test
    void shouldShowFirstCallsBesideTheOthers() {
        Results results = sample();
        add(results, "ours", LAT_8.cold(), 20);
        add(results, "mpich", LAT_8.cold(), 10);
        String[] lines = Tables.of(results, Work.LAT, false).split("\n");
        assertEquals(3, lines.length);
        assertTrue(lines[1].matches("# Size +ours median +ours best +ours cold +openmpi .* cold_ratio"), lines[1]);
        assertTrue(lines[2].matches("8 +0\\.250 +0\\.200 +20\\.000 .* - .* 10\\.000 +0\\.500 +2\\.000"), lines[2]);
        String csv = Csv.of(results, EnumSet.of(Work.LAT), FLOORS, false);
        assertTrue(csv.contains("lat.cold,8,0,2,us,20.0000,mpich,10.0000,2.0000,,\n"), csv);
    }

    @Test
    void shouldMarkWhatIsWorseThanBefore() {
        Results results = new Results(List.of("before"));
        add(results, "before", LAT_8, 1);
        add(results, "ours", LAT_8, 1.04);
        add(results, "before", RATE_8, 10);
        add(results, "ours", RATE_8, 9.8);
        add(results, "before", new Point("curve.eager", 1024, 0), 1);
        add(results, "ours", new Point("curve.eager", 1024, 0), 2);
        String[] lines = Tables.of(results, Work.LAT, false).split("\n");
        assertTrue(lines[1].matches("# Size +before +after +ratio"), lines[1]);
        assertTrue(lines[2].matches("8 +1\\.000 +1\\.040 +1\\.040 +worse"), lines[2]);
        assertTrue(Tables.of(results, Work.RATE, false).endsWith(" 1.020\n\n"), Tables.of(results, Work.RATE, false));
        String curve = Tables.of(results, Work.CURVE, false);
        assertTrue(curve.matches("(?s).*\neager 1024 +1\\.000 +2\\.000 +2\\.000 +worse\n.*"), curve);
        assertEquals("2 of 3 rows are more than 3 % worse than before",
                Tables.worse(results, EnumSet.of(Work.LAT, Work.RATE, Work.CURVE)));
    }

    @Test
    void shouldFindWhenALoopIsSteady() {
        WarmUp warmUp = new WarmUp();
        assertTrue(Double.isNaN(warmUp.seconds()) && Double.isNaN(warmUp.steadyNs()));
        for (int i = 0; i < 100; i++) {
            // A slice of two pieces; one fast slice early on, and slow ones now and then later.
            long callNs = i == 5 ? 100 : i < 20 ? 1000 : i % 10 == 0 ? 400 : 140;
            for (int piece = 0; piece < 2; piece++) {
                long from = i * 10_000_000L + piece * 5_000_000L;
                warmUp.add(from, from + 5_000_000, callNs * 50, 50);
            }
        }
        assertEquals(140, warmUp.steadyNs());
        assertEquals(0.21, warmUp.seconds());
    }

    @Test
    void shouldReadTheLinesItsProgramsPrint() {
        assertEquals(new Point.Measured(LAT_8, 0.125, List.of()), Point.parse(LAT_8.line(0.125)));
        assertEquals(new Point.Measured(LAT_8, 3, List.of()), Point.parse("bench lat 8 0 3.000000"));
        assertEquals(new Point.Measured(LAT_8, 3, List.of(54.0, 263.5)), Point.parse(LAT_8.line(3, 54, 263.5)));
        assertEquals(new Point.Measured(LAT_8, 3, List.of(54.0)), Point.parse(LAT_8.line(3, Double.NaN, 54)));
        assertNull(Point.parse("bench lat 8 0 3 54 x"));
        assertNull(Point.parse("bench lat 8 0 3 54 55 56"));
        assertNull(Point.parse("lat 8 0 3"));
        assertNull(Point.parse("bench lat 8 0"));
        assertNull(Point.parse("bench lat 8 x 3"));
    }

    @Test
    void shouldTellWhenAFloorMovedByMoreThanATenth() {
        Floors steady = new Floors(131, Map.of(65536L, 16.7));
        assertEquals(List.of(), steady.movedSince(FLOORS));
        Floors moved = new Floors(133, Map.of(65536L, 10.0));
        assertEquals(2, moved.movedSince(FLOORS).size());
        assertEquals(2, FLOORS.movedSince(moved).size());
        assertEquals(new Floors(125, Map.of(65536L, 18.25)), moved.with(125, FLOORS));
        assertEquals(new Floors(120, Map.of(65536L, 18.25)), moved.with(Double.NaN, FLOORS));
        assertEquals("line hand-off 120.0 ns; copy 64 KiB 18.3 GB/s", FLOORS.describe());
    }
}
