package io.rankwire.tools.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {
    @Test
    void shouldMeasureTheSameOnBothSidesAndWarmOursUpBefore() {
        for (boolean quick : new boolean[] {true, false}) {
            List<Cell> ours = new Plan(quick, 1).cells(Work.LAT, true);
            List<Cell> theirs = new Plan(quick, 1).cells(Work.LAT, false);
            assertEquals(2 * Plan.SIZES.length, ours.size());
            assertEquals(theirs, ours.subList(Plan.SIZES.length, ours.size()));
            for (int i = 0; i < Plan.SIZES.length; i++) {
                assertEquals(Plan.SIZES[i], ours.get(i).bytes());
                assertEquals(Plan.SIZES[i], theirs.get(i).bytes());
                assertEquals(0, ours.get(i).iterations());
                assertTrue(theirs.get(i).warmup() > 0 && theirs.get(i).iterations() > theirs.get(i).warmup());
            }
        }
    }

    @Test
    void shouldSparePeersTheDeepestQueueWhenQuick() {
        for (Work work : List.of(Work.PRQ, Work.UEQ)) {
            assertEquals(List.of(0, 1000, 10_000, 100_000), depths(new Plan(true, 1).cells(work, true)));
            assertEquals(List.of(0, 1000, 10_000), depths(new Plan(true, 1).cells(work, false)));
            assertEquals(List.of(0, 1000, 10_000, 100_000), depths(new Plan(false, 1).cells(work, false)));
        }
    }

    private static List<Integer> depths(List<Cell> cells) {
        return cells.stream().filter(cell -> cell.iterations() > 0).map(Cell::depth).toList();
    }

    @Test
    void shouldHandCellsOverAsWords() {
        Cell cell = new Cell(2048, 7, 100, 1000);
        assertEquals("2048:7:100:1000", cell.toString());
        assertEquals(cell, Cell.parse(cell.toString()));
    }

    @Test
    void shouldSpreadTheChangingWordsOverTheMessage() {
        for (int bytes : Plan.SIZES) {
            int words = BenchRank.words(bytes);
            int last = (words - 1) * BenchRank.stride(bytes);
            assertTrue(words == 0 || last + 8 <= bytes, "size " + bytes);
            assertTrue(words < 2 || last + 8 > bytes - 64, "size " + bytes);
        }
        assertEquals(List.of(0, 1, 2, 8), List.of(BenchRank.words(0), BenchRank.words(8), BenchRank.words(64),
                BenchRank.words(2048)));
    }
}
