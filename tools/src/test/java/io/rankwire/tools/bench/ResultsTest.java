package io.rankwire.tools.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultsTest {
    private static final Point LAT_8 = new Point("lat", 8, 0);
    private static final Point RATE_8 = new Point("rate", 8, 0);
    private static final Floors FLOORS = new Floors(120, Map.of(65536L, 18.25));

    private static Results sample() {
        Results results = new Results(List.of("openmpi", "mpich"));
        for (double value : new double[] {0.3, 0.2, 0.25}) {
            results.add("ours", LAT_8, value);
        }
        results.add("openmpi", LAT_8, 0.4);
        results.add("openmpi", LAT_8, 0.6);
        results.add("mpich", LAT_8, 0.5);
        results.add("ours", RATE_8, 10);
        results.add("ours", RATE_8, 20);
        results.add("openmpi", RATE_8, 5);
        results.add("openmpi", RATE_8, 4);
        results.add("mpich", RATE_8, 2);
        return results;
    }

    @Test
    void shouldTakeTheBestInItsDirectionAndTheMedian() {
        Results results = sample();
        assertEquals(0.2, results.best("ours", Work.LAT, LAT_8));
        assertEquals(0.25, results.median("ours", LAT_8));
        assertEquals(0.5, results.median("openmpi", LAT_8), 1e-12);
        assertEquals(20, results.best("ours", Work.RATE, RATE_8));
        assertEquals(15, results.median("ours", RATE_8));
        assertTrue(Double.isNaN(results.best("mpich", Work.LAT, new Point("lat", 64, 0))));
    }

    @Test
    void shouldBeBelowOneWhenOursIsBetterWhicheverWayThatIs() {
        Results results = sample();
        assertEquals(0.5, results.costRatio(Work.LAT, LAT_8, "openmpi"), 1e-12);
        assertEquals(0.4, results.costRatio(Work.LAT, LAT_8, "mpich"), 1e-12);
        assertEquals(0.25, results.costRatio(Work.RATE, RATE_8, "openmpi"), 1e-12);
        assertEquals(0.1, results.costRatio(Work.RATE, RATE_8, "mpich"), 1e-12);
        // Against the better of the two.
        assertEquals(0.5, results.costRatio(Work.LAT, LAT_8), 1e-12);
        assertEquals(0.25, results.costRatio(Work.RATE, RATE_8), 1e-12);
        assertEquals(2, Work.LAT.costRatio(4, 2));
        assertEquals(0.5, Work.RATE.costRatio(4, 2));
    }

    @Test
    void shouldCompareWithTheOtherPeerWhenOneHasNoValue() {
        Results results = sample();
        Point alone = new Point("lat", 64, 0);
        results.add("ours", alone, 1);
        assertTrue(Double.isNaN(results.costRatio(Work.LAT, alone)));
        results.add("mpich", alone, 4);
        assertEquals(0.25, results.costRatio(Work.LAT, alone));
    }

    @Test
    void shouldPrintATableWithAColumnForEachSide() {
        String[] lines = Tables.of(sample(), Work.LAT).split("\n");
        assertEquals("# Half round trip (us)", lines[0]);
        assertEquals("# Size          ours best  ours median  openmpi best  openmpi median   mpich best  mpich median"
                + "   cost_ratio", lines[1]);
        assertEquals("8                   0.200        0.250         0.400           0.500        0.500         0.500"
                + "        0.500", lines[2]);
    }

    @Test
    void shouldPrintDepthsBesideOursWithNoneAndADashForNoValue() {
        Results results = new Results(List.of("mpich"));
        results.add("ours", new Point("prq", 8, 0), 0.2);
        results.add("ours", new Point("prq", 8, 100_000), 0.25);
        results.add("mpich", new Point("prq", 8, 0), 1234.56);
        String[] lines = Tables.of(results, Work.PRQ).split("\n");
        String head = "# Depth +ours best +ours median +ours/depth 0 +mpich best +mpich median +cost_ratio";
        assertTrue(lines[1].matches(head), lines[1]);
        assertTrue(lines[2].matches("0 +0\\.200 +0\\.200 +1\\.000 +1234\\.6 +1234\\.6 +0\\.000"), lines[2]);
        assertTrue(lines[3].matches("100000 +0\\.250 +0\\.250 +1\\.250 +- +- +-"), lines[3]);
    }

    @Test
    void shouldWriteARowForEachPeerAndForTheFloors() {
        EnumSet<Work> works = EnumSet.of(Work.LAT, Work.RATE, Work.ALLOC);
        Results results = sample();
        results.add("ours", new Point("alloc.blocking", 8, 0), 0);
        assertEquals(
                """
                work,bytes,depth,ranks,unit,ours,peer,theirs,cost_ratio
                lat,8,0,2,us,0.2000,openmpi,0.4000,0.5000
                lat,8,0,2,us,0.2000,mpich,0.5000,0.4000
                rate,8,0,2,M/s,20.0000,openmpi,5.0000,0.2500
                rate,8,0,2,M/s,20.0000,mpich,2.0000,0.1000
                alloc.blocking,8,0,2,B/msg,0.0000,,,
                floor,8,0,2,us,0.2000,floor,0.1200,1.6667
                floor,65536,0,1,GB/s,,floor,18.2500,
                """,
                Csv.of(results, works, FLOORS));
    }

    @Test
    void shouldLeavePeerColumnsEmptyWithoutPeersOrValues() {
        Results alone = new Results(List.of());
        alone.add("ours", LAT_8, 0.5);
        assertTrue(Csv.of(alone, EnumSet.of(Work.LAT), FLOORS).contains("\nlat,8,0,2,us,0.5000,,,\n"));
        Results shy = new Results(List.of("mpich"));
        shy.add("ours", LAT_8, 0.5);
        assertTrue(Csv.of(shy, EnumSet.of(Work.LAT), FLOORS).contains("\nlat,8,0,2,us,0.5000,mpich,,\n"));
    }

    @Test
    void shouldReadTheLinesItsProgramsPrint() {
        assertEquals(new Point.Measured(LAT_8, 0.125), Point.parse(LAT_8.line(0.125)));
        assertEquals(new Point.Measured(LAT_8, 3), Point.parse("bench lat 8 0 3.000000"));
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
        assertEquals(new Floors(120, Map.of(65536L, 18.25)), moved.best(FLOORS));
        assertEquals("line hand-off 120.0 ns; copy 64 KiB 18.3 GB/s", FLOORS.describe());
    }
}
