package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Accesses to windows with datatypes on either side, over mapped memory and over arrays. */
@Timeout(300)
final class TypedWindowTest {
    private static final int ROUNDS = 600;
    private static final int CELLS = 8192;

    private static Window window(Communicator all, boolean mapped) {
        return mapped ? all.allocateWindow(CELLS * 4L, 4) : all.window(new int[CELLS], 4);
    }

    /** Rank 0 makes all accesses to rank 1; a plain array has the expected contents. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldAccessAsRandomDatatypesSay(boolean mapped) {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            Window window = window(all, mapped);
            window.fence();
            window.put(new int[CELLS], all.rank(), 0);
            window.fence();
            if (all.rank() == 0) {
                window.lock(Window.Lock.EXCLUSIVE, 1);
                int[] model = new int[CELLS];
                for (int round = 0; round < ROUNDS; round++) {
                    access(window, new SplittableRandom(round), model, "round " + round);
                }
                window.unlock(1);
            }
            window.fence();
            window.free();
        });
    }

    private static void access(Window window, SplittableRandom random, int[] model, String about) {
        TypeModel one = TypeModel.homogeneous(random, Datatype.INT);
        int count = random.nextInt(4);
        TypeModel there = one.times(count);
        if (there.overlaps()) {
            return;
        }
        int place = (int) -Math.min(0, there.low()) / 4 + random.nextInt(10);
        int elements = there.bytes().length / 4;
        // At this side the same elements are two cells apart, at the end of an array.
        Datatype here = Datatype.vector(elements, 1, 2, Datatype.INT);
        int[] origin = random.ints(2 * elements + 3).toArray();
        int[] before = model.clone();
        switch (random.nextInt(7)) {
            case 0 -> {
                window.put(origin, 3, 1, here, 1, place, count, one.type());
                for (int i = 0; i < elements; i++) {
                    model[place + (int) there.bytes()[4 * i] / 4] = origin[3 + 2 * i];
                }
            }
            case 1 -> {
                window.accumulate(origin, 3, 1, here, 1, place, count, one.type(), Op.SUM);
                for (int i = 0; i < elements; i++) {
                    model[place + (int) there.bytes()[4 * i] / 4] += origin[3 + 2 * i];
                }
            }
            case 2 -> {
                window.rput(origin, 3, 1, here, 1, place, count, one.type()).await();
                for (int i = 0; i < elements; i++) {
                    model[place + (int) there.bytes()[4 * i] / 4] = origin[3 + 2 * i];
                }
            }
            case 3 -> {
                window.raccumulate(origin, 3, 1, here, 1, place, count, one.type(), Op.BXOR).await();
                for (int i = 0; i < elements; i++) {
                    model[place + (int) there.bytes()[4 * i] / 4] ^= origin[3 + 2 * i];
                }
            }
            case 4 -> {
                int[] found = new int[elements];
                window.rget(found, 0, elements, Datatype.INT, 1, place, count, one.type()).await();
                assertArrayEquals(elementsAt(before, there, place, elements), found, about);
            }
            case 5 -> {
                int[] found = new int[elements + 1];
                Op op = random.nextBoolean() ? Op.SUM : Op.NO_OP;
                window.rgetAccumulate(origin, 3, 1, here, found, 1, elements, Datatype.INT, 1, place, count,
                        one.type(), op).await();
                assertArrayEquals(elementsAt(before, there, place, elements),
                        Arrays.copyOfRange(found, 1, elements + 1), about);
                for (int i = 0; op == Op.SUM && i < elements; i++) {
                    model[place + (int) there.bytes()[4 * i] / 4] += origin[3 + 2 * i];
                }
            }
            default -> {
                int[] expected = origin.clone();
                for (int i = 0; i < elements; i++) {
                    expected[3 + 2 * i] = before[place + (int) there.bytes()[4 * i] / 4];
                }
                window.get(origin, 3, 1, here, 1, place, count, one.type());
                window.flush(1);
                assertArrayEquals(expected, origin, about);
            }
        }
        window.flush(1);
        int[] now = new int[CELLS];
        window.get(now, 1, 0);
        window.flush(1);
        assertArrayEquals(model, now, about);
    }

    private static int[] elementsAt(int[] cells, TypeModel there, int place, int elements) {
        int[] found = new int[elements];
        Arrays.setAll(found, i -> cells[place + (int) there.bytes()[4 * i] / 4]);
        return found;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldSwapElementsOfDatatypes(boolean mapped) {
        Worlds.run(3, world -> {
            Communicator all = world.communicator();
            Window window = window(all, mapped);
            MemorySegment values = MemorySegment.ofArray(new int[] {all.rank(), all.rank() + 1});
            MemorySegment found = MemorySegment.ofArray(new int[] {-1});
            window.lockAll();
            // Each rank in turn finds the values of the previous rank.
            for (int turn = 0; turn < all.size(); turn++) {
                all.barrier();
                if (turn == all.rank()) {
                    window.compareAndSwap(values, 4, values, 0, found, 0, Datatype.INT, 0, 7);
                    window.flush(0);
                    assertEquals(turn, found.get(ValueLayout.JAVA_INT, 0));
                }
            }
            window.unlockAll();
            Worlds.assertFails(ErrorClass.WINDOW,
                    () -> window.compareAndSwap(values, 4, values, 0, found, 0, Datatype.INT, 0, 7), "compareAndSwap");
            window.fence();
            Worlds.assertFails(ErrorClass.TYPE,
                    () -> window.compareAndSwap(values, 4, values, 0, found, 0, Datatype.FLOAT, 0, 7),
                    "whole number");
            window.fence();
            window.free();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldMoveLargeColumns(boolean mapped) {
        int n = 700;
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            Window window = mapped ? all.allocateWindow(8L * n * n, 8) : all.window(new double[n * n], 8);
            Datatype column = Datatype.vector(n, 1, n, Datatype.DOUBLE);
            double[] mine = new double[n];
            Arrays.setAll(mine, i -> i + 1000.0 * all.rank());
            window.fence();
            window.put(mine, 0, n, Datatype.DOUBLE, 1 - all.rank(), 5, 1, column);
            window.fence();
            double[] got = new double[n];
            window.get(got, 0, n, Datatype.DOUBLE, all.rank(), 5, 1, column);
            window.fence();
            double[] expected = new double[n];
            Arrays.setAll(expected, i -> i + 1000.0 * (1 - all.rank()));
            assertArrayEquals(expected, got);
            window.free();
        });
    }

    @Test
    void shouldSayWhatIsWrong() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            Window window = window(all, false);
            Datatype pairs = Datatype.vector(3, 2, 4, Datatype.INT);
            int[] data = new int[CELLS];
            Worlds.assertFails(ErrorClass.WINDOW, () -> window.put(data, 0, 6, Datatype.INT, 0, 0, 1, pairs), "put");
            window.fence();
            Worlds.assertFails(ErrorClass.TYPE, () -> window.put(data, 0, 5, Datatype.INT, 0, 0, 1, pairs),
                    "put at rank 0", "5 × int is 5 int", "1 × vector(3, 2, 4) of int is 6 int");
            Worlds.assertFails(ErrorClass.DISPLACEMENT,
                    () -> window.put(data, 0, 6, Datatype.INT, 0, CELLS - 9, 1, pairs), "bytes 0 to 40");
            Datatype back = Datatype.vector(3, 2, -4, Datatype.INT);
            Worlds.assertFails(ErrorClass.DISPLACEMENT, () -> window.get(data, 0, 6, Datatype.INT, 0, 7, 1, back),
                    "bytes -32 to 8");
            Datatype odd = Datatype.hvector(3, 2, 10, Datatype.INT);
            Worlds.assertFails(ErrorClass.DISPLACEMENT, () -> window.get(data, 0, 6, Datatype.INT, 0, 7, 1, odd),
                    "whole elements of int");
            Datatype twice = Datatype.vector(3, 2, 1, Datatype.INT);
            Worlds.assertFails(ErrorClass.TYPE, () -> window.put(data, 0, 6, Datatype.INT, 0, 0, 1, twice),
                    "names a byte twice");
            Worlds.assertFails(ErrorClass.TYPE, () -> window.put(MemorySegment.ofArray(new double[3]), 0, 3,
                    Datatype.DOUBLE, 0, 0, 3, Datatype.DOUBLE), "of double", "that rank's part of int");
            Worlds.assertFails(ErrorClass.ARGUMENT,
                    () -> window.accumulate(data, 0, 6, Datatype.INT, 0, 0, 1, pairs, null), "op is null");
            window.put(data, 0, 6, Datatype.INT, Communicator.NONE, 0, 1, pairs);
            window.put(data, 0, 0, pairs, 0, 0, 0, Datatype.INT);
            window.fence();
            window.free();
        });
    }
}
