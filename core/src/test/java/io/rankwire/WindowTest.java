package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.runtime.Buffers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each call and each kind of synchronisation, over mapped memory and over arrays, which are accessed by frames. */
@Timeout(300)
class WindowTest {
    /** The number of longs in each rank's part. */
    static final int LONGS = 20_000;

    static Stream<Arguments> worlds() {
        return Stream.of(1, 2, 3, 4).flatMap(n -> Stream.of(true, false).map(mapped -> Arguments.of(n, mapped)));
    }

    /** A window of longs, and access to this rank's part. */
    static final class Part {
        final Window window;
        private final long[] array;

        Part(World world, boolean mapped) {
            array = mapped ? null : new long[LONGS];
            window = mapped
                    ? world.communicator().allocateWindow(8L * LONGS, 8)
                    : world.communicator().window(array, 8);
        }

        long get(int i) {
            return array != null ? array[i] : window.memory().get(ValueLayout.JAVA_LONG, 8L * i);
        }

        void set(int i, long value) {
            if (array != null) {
                array[i] = value;
            } else {
                window.memory().set(ValueLayout.JAVA_LONG, 8L * i, value);
            }
        }
    }

    private static long[] row(int count, long start) {
        long[] row = new long[count];
        Arrays.setAll(row, i -> start + i);
        return row;
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void shouldPutAndGetBetweenFences(int ranks, boolean mapped) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            Part part = new Part(world, mapped);
            int right = Worlds.next(all);
            part.window.fence();
            part.window.put(row(LONGS, 1000L * all.rank()), right, 0);
            part.window.fence();
            for (int i = 0; i < LONGS; i++) {
                assertEquals(1000L * Worlds.previous(all) + i, part.get(i));
            }
            long[] got = new long[LONGS];
            part.window.get(got, 10, 5, right, 100);
            part.window.fence();
            for (int i = 0; i < 5; i++) {
                assertEquals(1000L * all.rank() + 100 + i, got[10 + i]);
            }
            assertEquals(0, got[9] + got[15]);
            part.window.free();
        });
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void shouldAccumulateFromAllRanks(int ranks, boolean mapped) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            Part part = new Part(world, mapped);
            part.window.fence();
            for (int rank = 0; rank < ranks; rank++) {
                part.window.accumulate(row(LONGS, 1), rank, 0, Op.SUM);
                part.window.accumulate(new long[] {all.rank()}, rank, LONGS - 1, Op.MAX);
            }
            part.window.fence();
            for (int i = 0; i < LONGS; i++) {
                assertEquals(ranks * (1L + i), part.get(i));
            }
            part.window.free();
        });
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void shouldFetchWhatWasThere(int ranks, boolean mapped) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            Part part = new Part(world, mapped);
            Window window = part.window;
            window.lockAll();
            long sum = 0;
            for (int i = 0; i < 50; i++) {
                sum += window.fetchAndOp(1L, 0, 3, Op.SUM);
            }
            long[] result = new long[3];
            window.getAccumulate(row(3, 5), result, all.rank(), 10, Op.REPLACE);
            window.flush(all.rank());
            assertArrayEquals(new long[3], result);
            window.getAccumulate(row(3, 1), 1, result, 1, 2, all.rank(), 11, Op.NO_OP);
            window.fetchAndOp(new long[] {4}, result, all.rank(), 10, Op.BXOR);
            window.flushLocal(all.rank());
            assertArrayEquals(new long[] {5, 6, 7}, result);
            assertEquals(5 ^ 4, window.fetchAndOp(0L, all.rank(), 10, Op.NO_OP));
            window.unlockAll();
            window.fence();
            long[] sums = {sum};
            window.accumulate(sums, 0, 4, Op.SUM);
            window.fence();
            if (all.rank() == 0) {
                long tickets = 50L * ranks;
                assertEquals(tickets, part.get(3));
                assertEquals(tickets * (tickets - 1) / 2, part.get(4), "every number was given once");
            }
            window.free();
        });
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void shouldCompareAndSwap(int ranks, boolean mapped) {
        Worlds.run(ranks, world -> {
            Part part = new Part(world, mapped);
            Window window = part.window;
            window.lockAll();
            for (int i = 0; i < 20; i++) {
                long seen = 0;
                for (long was = -1; was != seen; ) {
                    seen = was < 0 ? 0 : was;
                    was = window.compareAndSwap(seen, seen + 1, 0, 7);
                }
            }
            window.unlockAll();
            window.fence();
            if (world.communicator().rank() == 0) {
                assertEquals(20L * ranks, part.get(7));
            }
            window.free();
        });
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void shouldLockAloneAndTogether(int ranks, boolean mapped) {
        Worlds.run(ranks, world -> {
            Part part = new Part(world, mapped);
            Window window = part.window;
            long[] value = new long[1];
            for (int i = 0; i < 30; i++) {
                window.lock(Window.Lock.EXCLUSIVE, 0);
                window.get(value, 0, 5);
                window.flush(0);
                value[0]++;
                window.put(value, 0, 5);
                window.unlock(0);
                window.lock(Window.Lock.SHARED, 0);
                window.get(value, 0, 5);
                window.flushLocalAll();
                window.flushAll();
                window.unlock(0);
                assertTrue(value[0] > i, "at " + i + " only " + value[0]);
            }
            window.fence();
            if (world.communicator().rank() == 0) {
                assertEquals(30L * ranks, part.get(5));
            }
            window.free();
        });
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void shouldSynchroniseAFewWithAFew(int ranks, boolean mapped) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            Part part = new Part(world, mapped);
            Window window = part.window;
            Group right = all.group().include(Worlds.next(all));
            Group left = all.group().include(Worlds.previous(all));
            for (int round = 1; round <= 20; round++) {
                window.post(left);
                window.start(right);
                window.put(new long[] {100L * round + all.rank()}, Worlds.next(all), 9);
                window.complete();
                if (round % 2 == 0) {
                    window.await();
                } else {
                    while (!window.test()) {
                        Thread.onSpinWait();
                    }
                }
                assertEquals(100L * round + Worlds.previous(all), part.get(9));
            }
            window.post(Group.of());
            window.start(Group.of());
            window.complete();
            window.await();
            window.free();
        });
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void shouldTellWhenRequestsAreDone(int ranks, boolean mapped) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            Part part = new Part(world, mapped);
            Window window = part.window;
            int right = Worlds.next(all);
            window.lockAll();
            long[] data = row(LONGS, 3);
            Request.awaitAll(window.rput(data, 0, LONGS, right, 0));
            window.flush(right);
            long[] got = new long[LONGS];
            Request get = window.rget(got, 0, LONGS, right, 0);
            while (!get.test()) {
                Thread.onSpinWait();
            }
            get.await();
            assertArrayEquals(data, got);
            window.raccumulate(data, 0, LONGS, right, 0, Op.SUM).await();
            window.rgetAccumulate(data, 0, got, 0, LONGS, right, 0, Op.NO_OP).await();
            for (int i = 0; i < LONGS; i++) {
                assertEquals(2 * data[i], got[i]);
            }
            window.unlockAll();
            window.free();
        });
    }

    @Test
    void shouldSeeThePartsOfOthersDirectly() {
        Worlds.assumeOneHost();
        Worlds.run(3, world -> {
            Communicator all = world.communicator();
            Window window = all.sharedWindow(all.rank() == 1 ? 0 : 64, 1);
            assertEquals(0, window.bytes(1));
            MemorySegment last = window.shared(2);
            assertEquals(64, last.byteSize());
            assertEquals(64, window.shared(0).byteSize());
            assertEquals(0, window.shared(1).byteSize());
            last.set(ValueLayout.JAVA_BYTE, all.rank(), (byte) (1 + all.rank()));
            window.fence();
            for (int rank = 0; rank < 3; rank++) {
                assertEquals(1 + rank, last.get(ValueLayout.JAVA_BYTE, rank));
            }
            window.sync();
            window.free();
        });
    }

    /** The target computes and makes no call; only mapped memory is accessible then. */
    @Test
    void shouldReachATargetThatDoesNotHelp() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            Window window = all.allocateWindow(64, 8);
            if (all.rank() == 0) {
                window.lock(Window.Lock.EXCLUSIVE, 1);
                window.put(new long[] {11}, 1, 1);
                window.accumulate(new long[] {5}, 1, 1, Op.SUM);
                window.unlock(1);
            } else {
                while ((long) ValueLayout.JAVA_LONG.varHandle().getVolatile(window.memory(), 8L) != 16) {
                    Thread.onSpinWait();
                }
            }
            window.free();
        });
    }

    @Test
    void shouldTakeEveryKindOfBuffer() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            int other = 1 - all.rank();
            Object[] parts = {
                new byte[16], new boolean[16], new char[16], new short[16], new int[16], new long[16], new float[16],
                new double[16], ByteBuffer.allocate(40).position(8).limit(24), ByteBuffer.allocateDirect(16),
                MemorySegment.ofArray(new int[8]), Arena.ofAuto().allocate(32),
                world.allocate(64).asSlice(16, 32), world.allocate(32).asByteBuffer()
            };
            for (Object part : parts) {
                Window window = all.window(part, 1);
                byte[] data = {1, 1, 0, 1, 0, 0, 0, 1};
                window.fence();
                window.put(ByteBuffer.wrap(data), other, 8);
                window.fence();
                byte[] got = new byte[8];
                window.get(MemorySegment.ofArray(got), other, 8);
                window.fence();
                assertArrayEquals(data, got, Buffers.describe(part));
                Object like = part.getClass().isArray() ? part : new byte[4];
                window.accumulate(like, 0, 1, other, 0, Op.REPLACE);
                window.free();
            }
        });
    }

    @Test
    void shouldCombineEveryTypeOnBothSides() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            int other = 1 - all.rank();
            Object[] parts = {new byte[4], new boolean[4], new char[4], new short[4], new int[4], new long[4],
                new float[4], new double[4]};
            for (Object part : parts) {
                boolean truth = part instanceof boolean[];
                Object one = Array.newInstance(part.getClass().componentType(), 2);
                if (truth) {
                    ((boolean[]) one)[1] = true;
                } else {
                    set(one, 1, 1);
                }
                Op op = truth ? Op.LOR : Op.SUM;
                Window framed = all.window(part, 1);
                Window mapped = all.allocateWindow(64, 1);
                for (Window window : new Window[] {framed, mapped}) {
                    window.fence();
                    int size = Buffers.type(part).bytes();
                    window.accumulate(one, 1, 1, other, 2L * size, op);
                    window.accumulate(one, 1, 1, other, 2L * size, op);
                    window.fence();
                    Object got = Array.newInstance(part.getClass().componentType(), 1);
                    window.get(got, other, 2L * size);
                    window.fence();
                    String seen = String.valueOf(Array.get(got, 0));
                    assertTrue(truth ? seen.equals("true") : seen.equals("2") || seen.equals("2.0")
                            || seen.equals("\u0002"), Buffers.describe(part) + " has " + seen);
                    window.free();
                }
            }
        });
    }

    private static void set(Object array, int i, int value) {
        switch (array) {
            case byte[] a -> a[i] = (byte) value;
            case char[] a -> a[i] = (char) value;
            case short[] a -> a[i] = (short) value;
            case int[] a -> a[i] = value;
            case long[] a -> a[i] = value;
            case float[] a -> a[i] = value;
            default -> ((double[]) array)[i] = value;
        }
    }

    @Test
    void shouldReachMoreThanTwoGibibytes() {
        long bytes = (2L << 30) + 4096;
        Worlds.run(1, world -> {
            MemorySegment big;
            try {
                big = world.allocate(bytes);
            } catch (RankwireException e) {
                System.out.println("skipped: " + e.getMessage());
                return;
            }
            Window window = world.communicator().window(big, 8);
            window.lockAll();
            window.put(new long[] {42}, 0, bytes / 8 - 1);
            window.unlockAll();
            assertEquals(42, big.get(ValueLayout.JAVA_LONG, bytes - 8));
            window.free();
            world.free(big);
        });
    }

    @Test
    void shouldKeepWindowsOfPartsOfTheWorldApart() {
        Worlds.run(4, world -> {
            Communicator half = world.communicator().split(world.communicator().rank() % 2, 0).orElseThrow();
            for (int round = 0; round < 3; round++) {
                Window one = half.allocateWindow(8, 8);
                Window two = half.window(new long[1], 8);
                one.fence();
                two.fence();
                one.put(new long[] {round}, 1 - half.rank(), 0);
                two.put(new long[] {-round}, 1 - half.rank(), 0);
                two.fence();
                one.fence();
                assertEquals(round, one.memory().get(ValueLayout.JAVA_LONG, 0));
                assertFalse(one.toString().contains("freed"));
                one.free();
                two.free();
                assertTrue(one.toString().contains("freed"));
            }
            half.free();
        });
    }
}
