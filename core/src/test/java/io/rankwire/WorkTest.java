package io.rankwire;

import static io.rankwire.Ranks.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rankwire.device.work.Place;
import io.rankwire.device.work.WorkProgram;
import io.rankwire.memory.Rand;
import io.rankwire.type.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work programs through the public API. */
@Timeout(300)
final class WorkTest {
    /** Rank 1 sends a row; rank 0 adds it to a column of a matrix, and a box of the grid to another. */
    @Test
    void shouldCalculateOnColumnsAndBoxes() {
        Ranks.run(2, world -> {
            Communicator all = world.communicator();
            Work work = all.work();
            WorkProgram program = work.program();
            int row = program.buffer(8 * 4);
            if (all.rank() == 1) {
                work.bind(program, row, new double[] {1, 2, 3, 4});
                program.queue(false).send(work.peer(0), row, 0, 32, ElementType.DOUBLE, program.counter());
                work.start(program, 1).await();
                return;
            }
            double[] matrix = new double[4 * 5];
            Arrays.setAll(matrix, i -> 100 * i);
            work.bind(program, row, matrix, 2, 4, Datatype.resized(0, 8 * 5, Datatype.DOUBLE));
            double[] grid = new double[3 * 3 * 3];
            Arrays.setAll(grid, i -> i);
            Datatype box = Datatype.subarray(new int[] {3, 3, 3}, new int[] {1, 2, 2}, new int[] {1, 0, 1},
                    Datatype.Order.C, Datatype.DOUBLE);
            int corner = program.buffer(8 * 4);
            work.bind(program, corner, grid, 0, 1, box);
            int came = program.buffer(8 * 4);
            work.bind(program, came, new double[4]);
            int add = work.combination(program, Op.SUM, double.class);
            int arrived = program.counter();
            program.queue(false).receive(work.peer(1), came, 0, 32, ElementType.DOUBLE, arrived).await(arrived, 1)
                    .calc(add, List.of(new Place(row, 0), new Place(came, 0)),
                            List.of(new Place(row, 0), new Place(corner, 0)), 32, ElementType.DOUBLE, arrived);
            work.start(program, 1).await();
            for (int i = 0; i < 4; i++) {
                assertEquals(100 * (5 * i + 2) + i + 1, matrix[5 * i + 2]);
            }
            int[] places = {10, 11, 13, 14};
            for (int i = 0; i < places.length; i++) {
                assertEquals(matrix[5 * i + 2], grid[places[i]]);
            }
            assertEquals(300, matrix[3]);
            assertEquals(12, grid[12]);
        });
    }

    /** Random strides and memory of every kind, compared with a loop. */
    @Test
    void shouldCalculateOnStridedVectorsAsALoopDoes() {
        Ranks.run(1, world -> {
            for (long seed = 1; seed <= 300; seed++) {
                strided(world.communicator(), seed);
            }
        });
    }

    private static void strided(Communicator all, long seed) {
        Rand rand = new Rand(seed);
        int count = 1 + rand.below(seed % 10 == 0 ? 3000 : 40);
        int[] block = {1 + rand.below(3), 1 + rand.below(3)};
        int[] stride = {block[0] + rand.below(4), block[1] + rand.below(4)};
        // Both have the same number of elements: one has as many blocks as the other needs.
        int elements = count * block[0] * block[1];
        boolean operandFirst = rand.below(2) == 0;
        try (Arena arena = Arena.ofConfined()) {
            long[][] model = new long[2][];
            Object[] memory = new Object[2];
            Work work = all.work();
            WorkProgram program = work.program();
            int[] buffers = new int[2];
            for (int side = 0; side < 2; side++) {
                int blocks = elements / block[side];
                int length = blocks * stride[side] + 3;
                model[side] = new long[length];
                int scale = side + 2;
                Arrays.setAll(model[side], i -> scale * i + 1L);
                if (rand.below(2) == 0) {
                    memory[side] = model[side].clone();
                } else {
                    MemorySegment segment = arena.allocate(8L * length);
                    MemorySegment.copy(model[side], 0, segment, ValueLayout.JAVA_LONG, 0, length);
                    memory[side] = segment;
                }
                buffers[side] = program.buffer(8L * elements);
                long offset = memory[side] instanceof MemorySegment ? 16 : 2;
                work.bind(program, buffers[side], memory[side], offset, 1,
                        Datatype.vector(blocks, block[side], stride[side], Datatype.LONG));
            }
            int op = work.combination(program, Op.ofLongs("minus", false, (a, b) -> a - b), long.class);
            program.queue(false).calc(op, buffers[0], 0, buffers[1], 0, 8L * elements, operandFirst);
            work.start(program, 1).await();
            for (int i = 0; i < elements; i++) {
                int to = 2 + i / block[0] * stride[0] + i % block[0];
                int from = 2 + i / block[1] * stride[1] + i % block[1];
                model[0][to] = operandFirst ? model[1][from] - model[0][to] : model[0][to] - model[1][from];
            }
            for (int side = 0; side < 2; side++) {
                long[] seen = memory[side] instanceof MemorySegment segment
                        ? segment.toArray(ValueLayout.JAVA_LONG) : (long[]) memory[side];
                assertArrayEquals(model[side], seen, "seed " + seed + ", buffer " + side);
            }
        }
    }

    @Test
    void shouldRefuseProgramsWhoseMemoryDoesNotFit() {
        Ranks.run(1, world -> {
            Communicator all = world.communicator();
            Work work = all.work();
            WorkProgram program = work.program();
            int buffer = program.buffer(16);
            program.queue(false).send(0, buffer, 0, 12, ElementType.LONG, program.counter());
            assertFails(ErrorClass.COUNT, () -> work.bind(program, buffer, new long[1]),
                    "rank 0: bind: buffer 0 of the program has 16 bytes, the memory only 8");
            assertFails(ErrorClass.ARGUMENT, () -> work.start(program, 1),
                    "work program refused: entry 0 of queue 0 uses buffer 0, which is not bound");
            work.bind(program, buffer, new long[2]);
            assertFails(ErrorClass.ARGUMENT, () -> work.start(program, 1),
                    "12 bytes at 0 of buffer 0 are no whole elements of long", "WorkTest.java:");
        });
    }
}
