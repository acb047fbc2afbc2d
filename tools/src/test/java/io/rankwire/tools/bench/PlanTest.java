package io.rankwire.tools.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {
    @Test
    void shouldMeasureTheSameOnBothSidesAndWarmOursUpBefore() {
        for (boolean quick : new boolean[] {true, false}) {
            List<Cell> ours = new Plan(quick, 1).cells(Work.LAT, "lat", true);
            List<Cell> theirs = new Plan(quick, 1).cells(Work.LAT, "lat", false);
            assertEquals(2 * Plan.SIZES.length, ours.size());
            assertEquals(theirs, ours.subList(Plan.SIZES.length, ours.size()));
            for (int i = 0; i < Plan.SIZES.length; i++) {
                // Ending with the size that is measured first.
                assertEquals(Plan.SIZES[i], ours.get(Plan.SIZES.length - 1 - i).bytes());
                assertEquals(Plan.SIZES[i], theirs.get(i).bytes());
                assertEquals(0, ours.get(i).iterations());
                assertTrue(theirs.get(i).warmup() > 0 && theirs.get(i).iterations() > theirs.get(i).warmup());
            }
        }
    }

    @Test
    void shouldSparePeersTheDeepestQueueWhenQuick() {
        for (Work work : List.of(Work.PRQ, Work.UEQ)) {
            assertEquals(List.of(0, 1000, 10_000, 100_000), depths(new Plan(true, 1).cells(work, work.label, true)));
            assertEquals(List.of(0, 1000, 10_000), depths(new Plan(true, 1).cells(work, work.label, false)));
            assertEquals(List.of(0, 1000, 10_000, 100_000), depths(new Plan(false, 1).cells(work, work.label, false)));
        }
    }

    private static List<Integer> depths(List<Cell> cells) {
        return cells.stream().filter(cell -> cell.iterations() > 0).map(Cell::depth).toList();
    }

    @Test
    void shouldMeasureAllocatedMemoryAtLargeSizesOnly() {
        List<Integer> sizes = sizes(new Plan(true, 1).cells(Work.LAT, "lat.alloc", false));
        assertEquals(List.of(8192, 32768, 131072, 524288, 1048576, 2097152), sizes);
    }

    @Test
    void shouldMeasureStreamsAndCurvesAtTheSameSizesOnBothSides() {
        for (boolean ours : new boolean[] {true, false}) {
            Plan plan = new Plan(false, 1);
            assertEquals(List.of(4096, 65536, 1048576), sizes(plan.cells(Work.BW, "bw", ours)));
            assertEquals(List.of(4096, 65536, 1048576), sizes(plan.cells(Work.BIBW, "bibw", ours)));
            assertEquals(List.of(65536, 1048576), sizes(plan.cells(Work.OVERLAP, "overlap", ours)));
            List<Integer> curve = sizes(plan.cells(Work.CURVE, "curve.eager", ours));
            assertEquals(13, curve.size());
            assertEquals(1024, curve.get(0));
            assertEquals(4 << 20, curve.get(12));
        }
    }

    private static List<Integer> sizes(List<Cell> cells) {
        return cells.stream().filter(cell -> cell.iterations() > 0).map(Cell::bytes).toList();
    }

    @Test
    void shouldRunOursOnceForEachProtocolAndAPeerOnce() {
        Side ours = Side.ours();
        for (String kind : Work.CURVE.ours) {
            List<String> command = ours.command(Work.CURVE, kind, List.of(new Cell(1024, 0, 5, 10)));
            int at = command.indexOf("run");
            List<String> setting = List.of("--jvm", "-Drankwire.large=" + kind.substring("curve.".length()));
            assertEquals(setting, command.subList(at + 1, at + 3));
            assertEquals(List.of(kind, "1024:0:5:10"), command.subList(command.size() - 2, command.size()));
        }
        assertEquals(3, Work.CURVE.ours.size());
        assertEquals(List.of("curve"), Work.CURVE.theirs());
        Side peer = new Side("mpich", "1", List.of("mpiexec", "program"), List.of(), false);
        assertEquals(List.of("mpiexec", "program", "curve"), peer.command(Work.CURVE, "curve", List.of()));
    }

    @Test
    void shouldUseTheSameProviderOnAllSidesThatCan() {
        List<String> plain = List.of("launch", "-n", "2", "program");
        Side open = new Side("openmpi", "4", plain, plain, true).over("ofi:net");
        assertEquals("4, ofi:net", open.version());
        assertEquals(List.of("launch", "--mca", "pml", "cm", "--mca", "mtl", "ofi", "--mca",
                "mtl_ofi_provider_include", "net", "-n", "2", "program"), open.loops());
        Side other = new Side("mpich", "4", plain, plain, true).over("ofi:tcp;ofi_rxm");
        assertEquals("tcp;ofi_rxm", other.loops().get(other.loops().indexOf("FI_PROVIDER") + 1));
        Side without = new Side("mpich", "4", plain, plain, false).over("ofi:net");
        assertEquals("4, tcp since it is not built for libfabric", without.version());
        assertEquals("tcp", without.loops().get(without.loops().indexOf("FI_PROVIDER") + 1));
        assertTrue(Side.ours().over("ofi:net").loops().containsAll(List.of("--fabric", "ofi:net")));
    }

    @Test
    void shouldPrintOursBesidePingPong() {
        Samples latencies = new Samples();
        Samples rates = new Samples();
        Results results = new Results(List.of());
        results.add(Results.OURS, 1, new Point("lat", 8, 0), 5.5);
        results.add(Results.OURS, 1, new Point("lat", 1 << 20, 0), 262.144);
        results.add(Results.OURS, 1, new Point("lat.alloc", 1 << 20, 0), 131.072);
        assertEquals(List.of(), PingPongFloors.beside(results, latencies, rates));
        latencies.add(0, 5.5);
        latencies.add(0, 5);
        rates.add(0, 4000);
        rates.add(0, 5000);
        assertEquals(List.of("8 B half round trip: 5.50 us, fi_pingpong 5.00 to 5.50 us, ratio 1.00 to 1.10",
                "1 MiB there and back: 4.00 GB/s, fi_pingpong 4.00 to 5.00 GB/s, ratio 0.80 to 1.00",
                "1 MiB there and back, allocated: 8.00 GB/s, fi_pingpong 4.00 to 5.00 GB/s, ratio 1.60 to 2.00"),
                PingPongFloors.beside(results, latencies, rates));
        assertEquals(List.of(), PingPongFloors.beside(new Results(List.of()), latencies, rates));
    }

    @Test
    void shouldReadWhatPingPongPrints() {
        assertArrayEquals(new double[] {1.5, 5.33}, PingPongFloors.parse(List.of(
                "bytes   #sent   #ack     total       time     MB/sec    usec/xfer   Mxfers/sec",
                "8       4k      =4k      62k         0.04s      1.50       5.33       0.19")));
        assertArrayEquals(new double[] {5084.1, 206.25}, PingPongFloors.parse(List.of(
                "1m      400     =400     800m        0.17s   5084.10     206.25       0.00")));
        assertNull(PingPongFloors.parse(List.of("failed to connect: Connection refused")));
    }

    @Test
    void shouldStartAsManyRanksAsAKindOfCallHas() {
        Side peer = new Side("openmpi", "1", List.of("mpirun", "-n", "2", "program"), List.of(), true);
        assertEquals(List.of("-n", "2", "program", "coll.barrier"),
                last(4, peer.command(Work.COLL, "coll.barrier", List.of())));
        assertEquals(List.of("-n", "8", "program", "coll.barrier.x8"),
                last(4, peer.command(Work.COLL, "coll.barrier.x8", List.of())));
        List<String> ours = Side.ours().command(Work.COLL, "coll.bcast.x4", List.of());
        assertEquals("4", ours.get(ours.indexOf("-n") + 1));
        for (String kind : Work.COLL.ours) {
            boolean measured = !new Plan(true, 1).cells(Work.COLL, kind, true).isEmpty();
            assertTrue(measured, kind);
        }
        assertFalse(Work.COLL.theirs().contains("coll.persistent"));
    }

    @Test
    void shouldMeasureEveryCallAtEverySizeWithTheNumbersOfRanksGiven() {
        Plan plan = new Plan(true, 1, List.of(4, 2));
        List<String> kinds = plan.kinds(Work.COLL, true);
        assertEquals(kinds, plan.kinds(Work.COLL, false));
        assertEquals(12, kinds.size());
        assertEquals("coll.barrier.x2", kinds.get(0));
        assertEquals("coll.alltoall.x4", kinds.get(11));
        for (String kind : kinds) {
            assertEquals(kinds.indexOf(kind) < 6 ? 2 : 4, Work.COLL.ranks(kind));
            List<Integer> sizes = sizes(plan.cells(Work.COLL, kind, true));
            assertEquals(kind.contains("barrier") ? 1 : Plan.CALL_SIZES.length, sizes.size());
            assertEquals(sizes, sizes(plan.cells(Work.COLL, kind, false)));
        }
        assertEquals(Work.LAT.ours, plan.kinds(Work.LAT, true));
        assertEquals(4, Work.COLL.ranks("coll.bcast.x4.cold"));
    }

    @Test
    void shouldMeasureFirstCallsWithoutWarmUp() {
        List<Cell> cells = new Plan(true, 1).coldCells(Work.LAT, "lat");
        assertEquals(Plan.SIZES.length, cells.size());
        assertTrue(cells.stream().allMatch(cell -> cell.warmup() == 0 && cell.iterations() == 50));
        assertTrue(Work.COLL.hasCold("coll.bcast.x4") && !Work.COLL.hasCold("coll.overlap"));
        assertFalse(Work.RATE.hasCold("rate"));
    }

    private static List<String> last(int count, List<String> words) {
        return words.subList(words.size() - count, words.size());
    }

    @Test
    void shouldStampAndCheckMemoryOnTheHeapAndOutsideAlike() {
        try (Arena arena = Arena.ofConfined()) {
            for (int bytes : Plan.SIZES) {
                int count = Block.words(bytes);
                int step = Block.stride(bytes);
                for (Block block : List.of(Block.of(new byte[bytes + 16]), Block.of(arena.allocate(bytes + 16)))) {
                    block.stamp(16, count, step, 48);
                    assertTrue(block.isStamped(16, count, step, 48));
                    assertEquals(count == 0, block.isStamped(16, count, step, 49), "size " + bytes);
                    if (count > 0) {
                        int last = 16 + (count - 1) * step;
                        block.word(last, 1);
                        assertFalse(block.isStamped(16, count, step, 48), "size " + bytes);
                    }
                }
            }
        }
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
            int words = Block.words(bytes);
            int last = (words - 1) * Block.stride(bytes);
            assertTrue(words == 0 || last + 8 <= bytes, "size " + bytes);
            assertTrue(words < 2 || last + 8 > bytes - 64, "size " + bytes);
        }
        assertEquals(List.of(0, 1, 2, 8), List.of(Block.words(0), Block.words(8), Block.words(64),
                Block.words(2048)));
    }
}
