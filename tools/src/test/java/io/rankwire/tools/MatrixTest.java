package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import io.rankwire.tools.Command.Result;
import io.rankwire.tools.MatrixProgram.Cell;
import io.rankwire.tools.MatrixRow.Phase;
import io.rankwire.tools.MatrixRow.Promise;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The matrix of docs/FAILURES.md: every call that needs another rank, on every fabric of one host, with a rank that is
 * killed before it, when the others begin it, in its middle and at its end. Some cells are chosen by a seed;
 * {@code -Drankwire.test.matrix=all} is for all of them, and a pattern of row names for these.
 */
@Timeout(value = 3, unit = TimeUnit.HOURS)
class MatrixTest {
    private static final String MATRIX = System.getProperty("rankwire.test.matrix", "some");
    private static final long SEED = Long.getLong("rankwire.test.seed", 1);
    private static final String FABRICS = System.getProperty("rankwire.test.fabrics", "threads,shm,tcp,udp");
    private static final int CELLS_OF_A_FABRIC = 8;
    /** Each cell takes one rank away, and the last one has four. */
    private static final int RANKS = 11;
    private static final int LEAST = 4;
    private static final int PATIENCE_SECONDS = Integer.getInteger("rankwire.test.patience", 120);

    @TempDir
    Path place;

    /** The cells of a job. */
    record Batch(String fabric, List<Cell> cells) {
        @Override
        public String toString() {
            return fabric + ", " + cells.size() + " cells";
        }
    }

    static Stream<Batch> batches() {
        List<Batch> all = new ArrayList<>();
        Rand random = new Rand(SEED);
        for (String fabric : FABRICS.split(",")) {
            List<Cell> cells = new ArrayList<>();
            List<Cell> last = new ArrayList<>();
            for (MatrixRow row : MatrixRow.all()) {
                for (Phase phase : Phase.values()) {
                    Cell cell = new Cell(row.name(), phase, random.nextLong() >>> 1);
                    boolean chosen = MATRIX.equals("some") || MATRIX.equals("all")
                            || Pattern.matches(MATRIX, row.name());
                    if (chosen) {
                        (row.promise() == Promise.CLOSES ? last : cells).add(cell);
                    }
                }
            }
            for (int i = cells.size(); i > 1; i--) {
                cells.add(cells.remove(random.below(i)));
            }
            if (MATRIX.equals("some")) {
                cells = cells.subList(0, CELLS_OF_A_FABRIC);
                last = new ArrayList<>(List.of(last.get(random.below(last.size()))));
            }
            // A cell that ends the world is the last one of its job.
            int most = RANKS - LEAST + 1;
            for (int from = 0; from < cells.size() || !last.isEmpty(); from += most) {
                List<Cell> some = new ArrayList<>(cells.subList(Math.min(from, cells.size()),
                        Math.min(cells.size(), from + most)));
                if (!last.isEmpty()) {
                    some.add(last.removeFirst());
                }
                all.add(new Batch(fabric, some));
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("batches")
    void shouldEndEachCellAsPromised(Batch batch) throws Exception {
        Path jobs = Files.createDirectory(place.resolve("jobs"));
        Path files = Files.createDirectory(place.resolve("files"));
        Files.write(files.resolve("cells"), batch.cells.stream().map(Cell::toString).toList());
        CellBoard board = CellBoard.open(files.resolve("board"), batch.cells.size());
        boolean threads = batch.fabric.equals("threads");
        List<String> line = new ArrayList<>(List.of("run", "-n", "" + RANKS, "--on-failure=continue", "--jvm",
                Command.LIGHT));
        line.addAll(threads ? List.of("--threads") : List.of("--fabric", batch.fabric));
        line.addAll(List.of("-cp", Launch.locationOf(Programs.class), MatrixProgram.class.getName(), files.toString(),
                batch.fabric));
        try (Command job = Command.start(jobs, line.toArray(String[]::new))) {
            int seen = -1;
            long since = System.nanoTime();
            while (job.isAlive()) {
                Thread.sleep(20);
                if (board.cell() != seen) {
                    seen = board.cell();
                    since = System.nanoTime();
                }
                if (System.nanoTime() - since > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                    String story = "cell " + batch.fabric + "\t" + batch.cells.get(Math.max(0, seen)) + "\thangs\n"
                            + Command.run(jobs, "queues").out() + Command.run(jobs, "stack").out();
                    System.out.println(story);
                    throw new AssertionError(story);
                }
            }
            Result result = job.result();
            report(batch, board);
            System.out.print(result.out());
            String story = batch.fabric + " " + batch.cells + "\n" + result.out() + result.err();
            assertEquals(0, result.status(), story);
            assertEquals("", result.out(), story);
            int size = RANKS;
            int deaths = 0;
            for (int i = 0; i < batch.cells.size(); i++) {
                Cell cell = batch.cells.get(i);
                boolean replaces = MatrixRow.named(cell.row()).promise() == Promise.REPLACES;
                size -= replaces ? 0 : 1;
                deaths += replaces && cell.phase().ordinal() >= Phase.MIDDLE.ordinal() ? 2 : 1;
                assertTrue(board.results(i) >= size, story);
            }
            assertEquals(deaths, result.err().lines().filter(each -> each.contains("failed: it ")).count(), story);
        }
        assertTrue(Command.isEmpty(jobs), "files left");
    }

    private static void report(Batch batch, CellBoard board) {
        for (int i = 0; i < batch.cells.size(); i++) {
            Cell cell = batch.cells.get(i);
            System.out.printf("cell\t%s\t%s\t%s\t%d\t%d us%n", batch.fabric, cell.row(), cell.phase(), cell.seed(),
                    board.microseconds(i));
        }
    }
}
