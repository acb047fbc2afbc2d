package io.rankwire.tools;

import static io.rankwire.tools.Programs.check;

import io.rankwire.CartesianCommunicator;
import io.rankwire.Communicator;
import io.rankwire.Datatype;
import io.rankwire.Op;
import io.rankwire.Request;
import io.rankwire.World;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Programs with collectives of datatypes that tests run as ranks. Each checks its own results. */
final class TypedCollectivePrograms {
    private TypedCollectivePrograms() {}

    static String name(String program) {
        return TypedCollectivePrograms.class.getName() + "$" + program;
    }

    /** A matrix in rows over all ranks becomes its transpose, by one call; small and large, in arrays and memory. */
    static final class Transpose {
        public static void main(String[] args) {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                for (int each : new int[] {1, 7, 160}) {
                    double[] rows = new double[each * each * all.size()];
                    transpose(all, each, rows, new double[rows.length]);
                    MemorySegment in = world.allocate(8L * rows.length);
                    transpose(all, each, in, world.allocate(8L * rows.length));
                    sums(all, each);
                }
                if (all.rank() == 0) {
                    System.out.println("all is well");
                }
            }
        }

        private static double cell(int row, int column) {
            return row * 10_000.0 + column;
        }

        private static void transpose(Communicator all, int each, Object in, Object out) {
            int n = each * all.size();
            MemorySegment from = in instanceof double[] array ? MemorySegment.ofArray(array) : (MemorySegment) in;
            MemorySegment to = out instanceof double[] array ? MemorySegment.ofArray(array) : (MemorySegment) out;
            for (int i = 0; i < each * n; i++) {
                from.setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, i, cell(all.rank() * each + i / n, i % n));
            }
            Datatype column = Datatype.resized(0, 8, Datatype.vector(each, 1, n, Datatype.DOUBLE));
            Datatype square = Datatype.resized(0, 8L * each, Datatype.vector(each, each, n, Datatype.DOUBLE));
            for (int form = 0; form < 4; form++) {
                to.fill((byte) 0);
                int[] counts = new int[all.size()];
                int[] places = new int[all.size()];
                Arrays.fill(counts, each);
                Arrays.setAll(places, i -> i * each);
                int[] ones = new int[all.size()];
                Arrays.fill(ones, 1);
                long[] bytes = new long[all.size()];
                Arrays.setAll(bytes, i -> 8L * i * each);
                Datatype[] columns = new Datatype[all.size()];
                Arrays.fill(columns, column);
                Datatype[] squares = new Datatype[all.size()];
                Arrays.fill(squares, square);
                switch (form) {
                    case 0 -> all.alltoall(in, 0, each, column, out, 0, 1, square);
                    case 1 -> all.ialltoallv(in, 0, counts, places, column, out, 0, ones, order(all), square).await();
                    case 2 -> {
                        Request request =
                                all.alltoallwInit(in, counts, bytes, columns, out, ones, bytes, squares);
                        request.start();
                        request.await();
                        request.start();
                        request.await();
                    }
                    default -> {
                        for (int root = 0; root < all.size(); root++) {
                            all.gatherv(in, 8L / unit(in) * root * each, each, column, out, 0, ones, order(all),
                                    square, root);
                        }
                    }
                }
                for (int i = 0; i < each * n; i++) {
                    check(to.getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, i)
                            == cell(i % n, all.rank() * each + i / n), "form " + form + ", " + each + ", cell " + i);
                }
            }
        }

        /** Bytes that offsets are in. */
        private static int unit(Object buffer) {
            return buffer instanceof double[] ? 8 : 1;
        }

        private static int[] order(Communicator all) {
            int[] order = new int[all.size()];
            Arrays.setAll(order, i -> i);
            return order;
        }

        private static void sums(Communicator all, int each) {
            int n = 30 * each;
            Datatype second = Datatype.resized(0, 16, Datatype.DOUBLE);
            double[] in = new double[2 * n];
            Arrays.setAll(in, i -> all.rank() + i);
            double[] out = new double[2 * n];
            Arrays.fill(out, -1);
            all.allreduce(in, 0, n, second, out, 1, n, second, Op.SUM);
            double[] scanned = new double[n];
            all.scan(in, 0, n, second, scanned, 0, n, Datatype.DOUBLE, Op.SUM);
            int size = all.size();
            for (int i = 0; i < n; i++) {
                check(out[2 * i] == -1, "a gap was written");
                check(out[2 * i + 1] == size * (size - 1) / 2.0 + 2.0 * i * size, "allreduce");
                int before = all.rank() + 1;
                check(scanned[i] == before * (before - 1) / 2.0 + 2.0 * i * before, "scan");
            }
        }
    }

    /** A plate with a border of one cell, on a grid that is closed in one dimension: columns and rows by one call. */
    static final class Borders {
        public static void main(String[] args) {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                int[] dims = CartesianCommunicator.balanced(all.size(), 0, 0);
                CartesianCommunicator grid = all.cartesian(dims, new boolean[] {false, true}).orElseThrow();
                for (int n : new int[] {2, 40, 1500}) {
                    exchange(grid, n, new double[(n + 2) * (n + 2)]);
                    exchange(grid, n, world.allocate(8L * (n + 2) * (n + 2)));
                }
                if (all.rank() == 0) {
                    System.out.println("all is well");
                }
            }
        }

        private static double cell(int rank, int row, int column) {
            return rank * 1e8 + row * 10_000.0 + column;
        }

        private static void exchange(CartesianCommunicator grid, int n, Object plate) {
            int width = n + 2;
            MemorySegment cells =
                    plate instanceof double[] array ? MemorySegment.ofArray(array) : (MemorySegment) plate;
            for (int i = 0; i < width * width; i++) {
                cells.setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, i, -1);
            }
            for (int i = 0; i < n * n; i++) {
                cells.setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, (i / n + 1) * width + i % n + 1,
                        cell(grid.rank(), i / n, i % n));
            }
            Datatype row = Datatype.contiguous(n, Datatype.DOUBLE);
            Datatype column = Datatype.vector(n, 1, width, Datatype.DOUBLE);
            Datatype[] types = {row, row, column, column};
            int[] ones = {1, 1, 1, 1};
            long[] inner = {at(width, 1, 1), at(width, n, 1), at(width, 1, 1), at(width, 1, n)};
            long[] border = {at(width, 0, 1), at(width, n + 1, 1), at(width, 1, 0), at(width, 1, n + 1)};
            Request request = grid.neighbourAlltoallwInit(plate, ones, inner, types, plate, ones, border, types);
            for (int step = 0; step < 3; step++) {
                request.start();
                request.await();
            }
            CartesianCommunicator.Shift down = grid.shift(0, 1);
            CartesianCommunicator.Shift right = grid.shift(1, 1);
            for (int i = 0; i < n; i++) {
                check(cells, width, 0, i + 1, down.source(), n - 1, i);
                check(cells, width, n + 1, i + 1, down.dest(), 0, i);
                check(cells, width, i + 1, 0, right.source(), i, n - 1);
                check(cells, width, i + 1, n + 1, right.dest(), i, 0);
            }
        }

        private static long at(int width, int row, int column) {
            return 8L * (row * width + column);
        }

        private static void check(
                MemorySegment cells, int width, int row, int column, int from, int theirRow, int theirColumn) {
            double expected = from == Communicator.NONE ? -1 : cell(from, theirRow, theirColumn);
            double found = cells.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at(width, row, column));
            Programs.check(
                    found == expected, "cell " + row + ", " + column + ": " + found + " for " + expected);
        }
    }
}
