package io.rankwire;

import static io.rankwire.Worlds.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rankwire.memory.Rand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
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
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            Work work = all.work();
            if (all.rank() == 1) {
                work.queue().send(0, work.buffer(new double[] {1, 2, 3, 4}), work.counter());
                work.start(1).await();
                return;
            }
            double[] matrix = new double[4 * 5];
            Arrays.setAll(matrix, i -> 100 * i);
            WorkBuffer column = work.buffer(matrix, 2, 4, Datatype.resized(0, 8 * 5, Datatype.DOUBLE));
            double[] grid = new double[3 * 3 * 3];
            Arrays.setAll(grid, i -> i);
            Datatype box = Datatype.subarray(new int[] {3, 3, 3}, new int[] {1, 2, 2}, new int[] {1, 0, 1},
                    Datatype.Order.C, Datatype.DOUBLE);
            WorkBuffer corner = work.buffer(grid, 0, 1, box);
            WorkBuffer came = work.buffer(new double[4]);
            int arrived = work.counter();
            work.queue().receive(1, came, arrived).await(arrived, 1)
                    .combine(Op.SUM, List.of(column, came), List.of(column, corner), arrived);
            work.start(1).await();
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
        Worlds.run(1, world -> {
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
            WorkBuffer[] buffers = new WorkBuffer[2];
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
                long offset = memory[side] instanceof MemorySegment ? 16 : 2;
                buffers[side] = work.buffer(memory[side], offset, 1,
                        Datatype.vector(blocks, block[side], stride[side], Datatype.LONG));
                assertEquals(elements, buffers[side].length());
            }
            work.queue().combine(
                    Op.ofLongs("minus", false, (a, b) -> a - b), buffers[0], buffers[1], operandFirst);
            work.start(1).await();
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

    /** Ranks of a program are those of its communicator, in which the last rank of the world is the first. */
    @Test
    void shouldMeanRanksOfTheCommunicator() {
        Worlds.run(3, world -> {
            Communicator all = world.communicator().split(0, 2 - world.communicator().rank()).orElseThrow();
            Work work = all.work();
            int[] came = {-1, -1, -1};
            WorkBuffer row = work.buffer(came);
            int sent = work.counter();
            int arrived = work.counter();
            WorkBuffer mine = work.buffer(new int[] {10 * all.rank()});
            WorkQueue queue = work.queue();
            for (int rank = 0; rank < 3; rank++) {
                queue.send(rank, mine, sent).receive(rank, row.slice(rank, 1), arrived);
            }
            queue.await(sent, 3).await(arrived, 3);
            work.start(4).await();
            assertArrayEquals(new int[] {0, 10, 20}, came);
            all.free();
        });
    }

    /** Each kind of message, between two ranks, in several runs with other memory each time. */
    @Test
    void shouldSendEachKindOfMessageInEachRun() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            int other = 1 - all.rank();
            Work work = all.work();
            int sent = work.counter();
            int arrived = work.counter();
            int named = work.counter();
            long[] out = {1, 2, 3, 4};
            WorkBuffer from = work.buffer(out);
            WorkBuffer into = work.buffer(new long[4]);
            WorkBuffer letter = work.buffer(new long[1]);
            WorkBuffer answer = work.buffer(new long[1]);
            WorkQueue receives = work.disabledQueue();
            receives.receive(other, into, arrived)
                    .receiveCombine(other, into.slice(0, 2), from.slice(2, 2), Op.PROD, false, arrived);
            work.queue().enable(receives).send(other, from, sent).await(arrived, 1)
                    .enable(receives, receives.size()).sendConfirmed(other, into.slice(1, 2), sent).await(arrived, 2)
                    .copy(into.slice(0, 1), letter).sendNaming(other, named, letter, sent)
                    .receiveNamed(other, answer).await(named, 1).await(sent, 3);
            for (int run = 1; run <= 3; run++) {
                long[] got = new long[4];
                long[] reply = new long[1];
                into.bind(got);
                answer.bind(reply);
                work.start(run).await();
                assertArrayEquals(new long[] {6, 12, 3, 4}, got, "run " + run);
                assertEquals(6, reply[0]);
            }
        });
    }

    /** Rank 1 passes a message from rank 0 on to rank 2, and never holds the whole of it. */
    @Test
    void shouldPipeALongMessageThrough() {
        int length = 10_000;
        Worlds.run(3, world -> {
            Communicator all = world.communicator();
            Work work = all.work();
            int done = work.counter();
            int chunks = (length + 999) / 1000;
            int[] message = new int[length];
            WorkBuffer whole = work.buffer(message);
            WorkQueue queue = work.queue();
            if (all.rank() == 1) {
                queue.pipe(0, 2, work.buffer(new int[4 * 1000]), 1000, 4, length, done);
            }
            for (int chunk = 0; chunk < chunks && all.rank() != 1; chunk++) {
                WorkBuffer part = whole.slice(1000L * chunk, 1000);
                if (all.rank() == 0) {
                    queue.send(1, part, done);
                } else {
                    queue.receive(1, part, done);
                }
            }
            queue.await(done, chunks);
            if (all.rank() == 0) {
                Arrays.setAll(message, i -> 3 * i);
            }
            work.start(2).await();
            for (int i = 0; i < length && all.rank() == 2; i++) {
                assertEquals(3 * i, message[i]);
            }
        });
    }

    @Test
    void shouldRefuseWhatCannotBeRight() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            Work work = all.work();
            WorkBuffer longs = work.buffer(new long[2]);
            WorkBuffer doubles = work.buffer(new double[2]);
            WorkBuffer raw = work.buffer(ByteBuffer.allocate(16).asReadOnlyBuffer());
            WorkQueue queue = work.queue();
            assertFails(ErrorClass.ARGUMENT, () -> queue.await(0, 1),
                    "rank 0: await: argument counter: 0 is not a counter of the program, which has 0");
            int counter = work.counter();
            assertFails(ErrorClass.RANK, () -> queue.send(1, longs, counter),
                    "rank 0: send: argument dest: 1 is not a rank of world, which has 1", "WorkTest.java:");
            assertFails(ErrorClass.ARGUMENT, () -> queue.receive(0, null, counter), "argument into is null");
            assertFails(ErrorClass.ARGUMENT, () -> queue.copy(longs, all.work().buffer(new long[2])),
                    "argument to is a buffer of another program");
            assertFails(ErrorClass.BUFFER, () -> queue.receive(0, raw, counter),
                    "argument into: its memory is read-only");
            assertFails(ErrorClass.TYPE, () -> queue.copy(longs, doubles), "argument from is of long, to of double");
            assertFails(ErrorClass.COUNT, () -> queue.copy(longs, longs.slice(0, 1)),
                    "argument from has 16 bytes, to has 8");
            assertFails(ErrorClass.COUNT, () -> longs.slice(1, 2), "do not fit a buffer of length 2");
            assertFails(ErrorClass.TYPE, () -> queue.combine(Op.BAND, doubles, doubles), "does not combine double");
            assertFails(ErrorClass.ARGUMENT, () -> queue.enable(all.work().queue()),
                    "argument other is a queue of another program");
            assertFails(ErrorClass.COUNT, () -> longs.bind(new long[1]),
                    "rank 0: bind: argument memory has 1 elements, the buffer 2");
            assertFails(ErrorClass.TYPE, () -> longs.bind(new int[2]), "argument memory is of int, the buffer of long");
            assertFails(ErrorClass.TAG, () -> work.start(-1), "argument tag: -1 is below zero");
        });
    }

    @Test
    void shouldRefuseProgramsThatCannotEndAndChangesOfStartedOnes() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            Work endless = all.work();
            endless.queue().await(endless.counter(), 1);
            assertFails(ErrorClass.ARGUMENT, () -> endless.start(1),
                    "work program refused: entry 0 of queue 0 waits for 1 of counter 0", "WorkTest.java:");
            Work work = all.work();
            int counter = work.counter();
            WorkBuffer into = work.buffer(new long[1]);
            work.queue().receive(0, into, counter).await(counter, 1);
            Request run = work.start(1);
            assertFails(ErrorClass.ARGUMENT, () -> work.start(1), "work program refused: the program is running");
            assertFails(ErrorClass.ARGUMENT, () -> into.bind(new long[1]), "bind: the program is running");
            assertFails(ErrorClass.ARGUMENT, work::counter, "the program was posted and cannot be changed");
            all.send(new long[] {5}, 0, 1);
            run.await();
        });
    }
}
