package io.rankwire.tools;

import io.rankwire.Communicator;
import io.rankwire.Datatype;
import io.rankwire.Request;
import io.rankwire.Window;
import io.rankwire.World;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;

/** A program with datatypes that tests run as ranks. It checks its own results. */
final class TypedPrograms {
    private TypedPrograms() {}

    static String name(String program) {
        return TypedPrograms.class.getName() + "$" + program;
    }

    /** Boxes of random grids to the right neighbour, from arrays and shared memory, and into a window. */
    static final class Boxes {
        private static final int ROUNDS = 200;

        public static void main(String[] args) {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                for (int round = 0; round < ROUNDS; round++) {
                    exchange(world, all, new SplittableRandom(round), "round " + round);
                }
                window(all);
                if (all.rank() == 0) {
                    System.out.println("all is well");
                }
            }
        }

        private static void exchange(World world, Communicator all, SplittableRandom random, String about) {
            int most = random.nextInt(10) == 0 ? 160 : 30;
            int[] sizes = random.ints(3, 1, most).toArray();
            int[] subsizes = Arrays.stream(sizes).map(size -> 1 + random.nextInt(size)).toArray();
            int[] starts = new int[3];
            Arrays.setAll(starts, d -> random.nextInt(sizes[d] - subsizes[d] + 1));
            Datatype.Order order = random.nextBoolean() ? Datatype.Order.C : Datatype.Order.FORTRAN;
            Datatype box = Datatype.subarray(sizes, subsizes, starts, order, Datatype.DOUBLE);
            int cells = sizes[0] * sizes[1] * sizes[2];
            int left = (all.rank() + all.size() - 1) % all.size();
            double[] mine = new double[cells];
            Arrays.setAll(mine, i -> i + 1e7 * all.rank());
            double[] into = new double[cells];
            Arrays.fill(into, -1);
            boolean shared = random.nextBoolean();
            MemorySegment memory = shared ? world.allocate(8L * cells) : MemorySegment.ofArray(into);
            memory.fill((byte) 0);
            Request received = all.irecv(shared ? memory : into, 0, 1, box, left, 3);
            if (random.nextBoolean()) {
                all.send(mine, 0, 1, box, (all.rank() + 1) % all.size(), 3);
            } else {
                all.isend(mine, 0, 1, box, (all.rank() + 1) % all.size(), 3).await();
            }
            received.await();
            for (int i = 0; i < cells; i++) {
                double expected = inside(i, sizes, subsizes, starts, order) ? i + 1e7 * left : 0;
                double found = memory.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8L * i);
                if (found != expected) {
                    throw new IllegalStateException(about + ": " + box + ", cell " + i + ": " + found);
                }
            }
            if (shared) {
                world.free(memory);
            }
        }

        private static boolean inside(int cell, int[] sizes, int[] subsizes, int[] starts, Datatype.Order order) {
            int rest = cell;
            for (int i = 0; i < 3; i++) {
                int d = order == Datatype.Order.C ? 2 - i : i;
                int index = rest % sizes[d];
                rest /= sizes[d];
                if (index < starts[d] || index >= starts[d] + subsizes[d]) {
                    return false;
                }
            }
            return true;
        }

        private static void window(Communicator all) {
            int n = 300;
            for (Window window : new Window[] {all.allocateWindow(8L * n * n, 8), all.window(new long[n * n], 8)}) {
                Datatype column = Datatype.vector(n, 1, n, Datatype.LONG);
                long[] mine = new long[n];
                Arrays.setAll(mine, i -> i + 1000L * all.rank());
                int right = (all.rank() + 1) % all.size();
                int left = (all.rank() + all.size() - 1) % all.size();
                window.fence();
                window.put(mine, 0, n, Datatype.LONG, right, 7, 1, column);
                window.fence();
                long[] got = new long[n];
                window.get(got, 0, n, Datatype.LONG, all.rank(), 7, 1, column);
                window.fence();
                if (got[n - 1] != n - 1 + 1000L * left) {
                    throw new IllegalStateException("the column holds " + got[n - 1]);
                }
                window.free();
            }
        }
    }
}
