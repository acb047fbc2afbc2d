package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Collectives with datatypes in all forms, compared with a model of bytes: random elements, layouts, counts and places,
 * which differ between ranks and between send and receive side. Whole buffers are compared: gaps must not change.
 */
@Timeout(300)
final class TypedCollectivesTest {
    private static final int MOST = 9;
    private static final int ROUNDS = 12;

    /** A round of a test: everything that is random in it follows from its seed. */
    private record Round(Communicator all, int seed) {
        int rank() {
            return all.rank();
        }

        int size() {
            return all.size();
        }

        /** The random choices that all ranks share. */
        SplittableRandom shared() {
            return new SplittableRandom(seed);
        }

        SplittableRandom of(int rank, int side) {
            return new SplittableRandom(seed * 1000L + rank * 10 + side);
        }

        int root() {
            return seed % size();
        }

        int sixths() {
            return List.of(0, 1, 1, 2, 30).get(shared().nextInt(5));
        }

        List<Datatype> elements() {
            return TypedBlocks.elements(shared());
        }

        TypedBlocks row(int rank, int side, int number) {
            return TypedBlocks.row(of(rank, side), elements(), number, sixths());
        }

        /** The length of the block from one rank to another. */
        int length(int from, int to) {
            return new SplittableRandom(seed * 77L + from * 100 + to).nextInt(4);
        }

        TypedBlocks scattered(int rank, int side, IntFunction<Integer> length) {
            int[] lengths = new int[size()];
            Arrays.setAll(lengths, length::apply);
            return TypedBlocks.scattered(of(rank, side), elements(), lengths);
        }

        /** Makes the call in the form of this round. */
        void call(Runnable blocking, Supplier<Request> immediate, Supplier<Request> persistent, boolean twice) {
            switch (seed % 3) {
                case 0 -> blocking.run();
                case 1 -> immediate.get().await();
                default -> {
                    Request request = persistent.get();
                    for (int i = 0; i < (twice ? 2 : 1); i++) {
                        request.start();
                        request.await();
                    }
                }
            }
        }

        void check(String what, TypedBlocks expected, TypedBlocks found) {
            Worlds.assertSame(expected.bytes(), found.bytes(),
                    () -> what + ", seed " + seed + ", rank " + rank() + " of " + size() + ", " + elements());
        }
    }

    private interface Body {
        void run(Round round);
    }

    private static void everywhere(Body body) {
        for (int ranks = 1; ranks <= MOST; ranks++) {
            Worlds.run(ranks, world -> {
                for (int seed = 0; seed < ROUNDS; seed++) {
                    body.run(new Round(world.communicator(), seed));
                }
            });
        }
    }

    @Test
    void shouldBroadcast() {
        everywhere(round -> {
            TypedBlocks mine = round.row(round.rank(), 0, 1);
            TypedBlocks expected = round.row(round.rank(), 0, 1);
            int root = round.root();
            expected.set(0, round.row(root, 0, 1).get(0));
            Communicator all = round.all;
            round.call(() -> all.broadcast(mine.buffer, mine.offset, mine.count(), mine.type(), root),
                    () -> all.ibroadcast(mine.buffer, mine.offset, mine.count(), mine.type(), root),
                    () -> all.broadcastInit(mine.buffer, mine.offset, mine.count(), mine.type(), root), true);
            round.check("broadcast", expected, mine);
        });
    }

    @Test
    void shouldGather() {
        everywhere(round -> {
            Communicator all = round.all;
            int root = round.root();
            boolean here = round.rank() == root;
            boolean inPlace = here && round.seed % 2 == 0;
            TypedBlocks in = round.row(round.rank(), 0, 1);
            TypedBlocks out = round.row(round.rank(), 1, round.size());
            TypedBlocks expected = round.row(round.rank(), 1, round.size());
            for (int i = 0; here && i < round.size(); i++) {
                if (i != root || !inPlace) {
                    expected.set(i, round.row(i, 0, 1).get(0));
                }
            }
            Object from = inPlace ? Communicator.IN_PLACE : in.buffer;
            Object to = here ? out.buffer : null;
            round.call(
                    () -> all.gather(from, in.offset, in.count(), in.type(), to, out.offset, out.count(), out.type(),
                            root),
                    () -> all.igather(from, in.offset, in.count(), in.type(), to, out.offset, out.count(), out.type(),
                            root),
                    () -> all.gatherInit(from, in.offset, in.count(), in.type(), to, out.offset, out.count(),
                            out.type(), root), true);
            round.check("gather", expected, out);
        });
    }

    @Test
    void shouldScatter() {
        everywhere(round -> {
            Communicator all = round.all;
            int root = round.root();
            boolean here = round.rank() == root;
            boolean inPlace = here && round.seed % 2 == 0;
            TypedBlocks in = round.row(round.rank(), 0, round.size());
            TypedBlocks out = round.row(round.rank(), 1, 1);
            TypedBlocks expected = round.row(round.rank(), 1, 1);
            if (!inPlace) {
                expected.set(0, round.row(root, 0, round.size()).get(round.rank()));
            }
            Object from = here ? in.buffer : null;
            Object to = inPlace ? Communicator.IN_PLACE : out.buffer;
            round.call(
                    () -> all.scatter(from, in.offset, in.count(), in.type(), to, out.offset, out.count(), out.type(),
                            root),
                    () -> all.iscatter(from, in.offset, in.count(), in.type(), to, out.offset, out.count(),
                            out.type(), root),
                    () -> all.scatterInit(from, in.offset, in.count(), in.type(), to, out.offset, out.count(),
                            out.type(), root), true);
            round.check("scatter", expected, out);
        });
    }

    @Test
    void shouldAllgather() {
        everywhere(round -> {
            Communicator all = round.all;
            boolean inPlace = round.seed % 4 == 0;
            TypedBlocks in = round.row(round.rank(), 0, 1);
            TypedBlocks out = round.row(round.rank(), 1, round.size());
            TypedBlocks expected = round.row(round.rank(), 1, round.size());
            for (int i = 0; i < round.size(); i++) {
                expected.set(i, inPlace ? round.row(i, 1, round.size()).get(i) : round.row(i, 0, 1).get(0));
            }
            Object from = inPlace ? Communicator.IN_PLACE : in.buffer;
            round.call(
                    () -> all.allgather(from, in.offset, in.count(), in.type(), out.buffer, out.offset, out.count(),
                            out.type()),
                    () -> all.iallgather(from, in.offset, in.count(), in.type(), out.buffer, out.offset, out.count(),
                            out.type()),
                    () -> all.allgatherInit(from, in.offset, in.count(), in.type(), out.buffer, out.offset,
                            out.count(), out.type()), true);
            round.check("allgather", expected, out);
        });
    }

    @Test
    void shouldAlltoall() {
        everywhere(round -> {
            Communicator all = round.all;
            boolean inPlace = round.seed % 4 == 0;
            TypedBlocks in = round.row(round.rank(), 0, round.size());
            TypedBlocks out = round.row(round.rank(), 1, round.size());
            TypedBlocks expected = round.row(round.rank(), 1, round.size());
            for (int i = 0; i < round.size(); i++) {
                expected.set(i, round.row(i, inPlace ? 1 : 0, round.size()).get(round.rank()));
            }
            Object from = inPlace ? Communicator.IN_PLACE : in.buffer;
            round.call(
                    () -> all.alltoall(from, in.offset, in.count(), in.type(), out.buffer, out.offset, out.count(),
                            out.type()),
                    () -> all.ialltoall(from, in.offset, in.count(), in.type(), out.buffer, out.offset, out.count(),
                            out.type()),
                    () -> all.alltoallInit(from, in.offset, in.count(), in.type(), out.buffer, out.offset,
                            out.count(), out.type()), !inPlace);
            round.check("alltoall", expected, out);
        });
    }

    @Test
    void shouldGatherBlocksOfDifferentLengths() {
        everywhere(round -> {
            Communicator all = round.all;
            int root = round.root();
            boolean here = round.rank() == root;
            boolean inPlace = here && round.seed % 2 == 0;
            TypedBlocks in = TypedBlocks.row(round.of(round.rank(), 0), round.elements(), 1,
                    round.length(round.rank(), 0));
            TypedBlocks out = round.scattered(round.rank(), 1, i -> round.length(i, 0));
            TypedBlocks expected = round.scattered(round.rank(), 1, i -> round.length(i, 0));
            for (int i = 0; here && i < round.size(); i++) {
                if (i != root || !inPlace) {
                    expected.set(i, TypedBlocks.row(round.of(i, 0), round.elements(), 1, round.length(i, 0)).get(0));
                }
            }
            Object from = inPlace ? Communicator.IN_PLACE : in.buffer;
            Object to = here ? out.buffer : null;
            round.call(
                    () -> all.gatherv(from, in.offset, in.count(), in.type(), to, out.offset, out.counts,
                            out.displacements, out.type(), root),
                    () -> all.igatherv(from, in.offset, in.count(), in.type(), to, out.offset, out.counts,
                            out.displacements, out.type(), root),
                    () -> all.gathervInit(from, in.offset, in.count(), in.type(), to, out.offset, out.counts,
                            out.displacements, out.type(), root), true);
            round.check("gatherv", expected, out);
        });
    }

    @Test
    void shouldScatterBlocksOfDifferentLengths() {
        everywhere(round -> {
            Communicator all = round.all;
            int root = round.root();
            boolean here = round.rank() == root;
            boolean inPlace = here && round.seed % 2 == 0;
            TypedBlocks in = round.scattered(round.rank(), 1, i -> round.length(i, 0));
            int own = round.length(round.rank(), 0);
            TypedBlocks out = TypedBlocks.row(round.of(round.rank(), 0), round.elements(), 1, own);
            TypedBlocks expected = TypedBlocks.row(round.of(round.rank(), 0), round.elements(), 1, own);
            if (!inPlace) {
                expected.set(0, round.scattered(root, 1, i -> round.length(i, 0)).get(round.rank()));
            }
            Object from = here ? in.buffer : null;
            Object to = inPlace ? Communicator.IN_PLACE : out.buffer;
            round.call(
                    () -> all.scatterv(from, in.offset, in.counts, in.displacements, in.type(), to, out.offset,
                            out.count(), out.type(), root),
                    () -> all.iscatterv(from, in.offset, in.counts, in.displacements, in.type(), to, out.offset,
                            out.count(), out.type(), root),
                    () -> all.scattervInit(from, in.offset, in.counts, in.displacements, in.type(), to, out.offset,
                            out.count(), out.type(), root), true);
            round.check("scatterv", expected, out);
        });
    }

    @Test
    void shouldAllgatherBlocksOfDifferentLengths() {
        everywhere(round -> {
            Communicator all = round.all;
            boolean inPlace = round.seed % 4 == 0;
            IntFunction<Integer> length = i -> round.length(i, 0);
            TypedBlocks in = TypedBlocks.row(round.of(round.rank(), 0), round.elements(), 1,
                    length.apply(round.rank()));
            TypedBlocks out = round.scattered(round.rank(), 1, length);
            TypedBlocks expected = round.scattered(round.rank(), 1, length);
            for (int i = 0; i < round.size(); i++) {
                expected.set(i, inPlace ? round.scattered(i, 1, length).get(i)
                        : TypedBlocks.row(round.of(i, 0), round.elements(), 1, length.apply(i)).get(0));
            }
            Object from = inPlace ? Communicator.IN_PLACE : in.buffer;
            round.call(
                    () -> all.allgatherv(from, in.offset, in.count(), in.type(), out.buffer, out.offset, out.counts,
                            out.displacements, out.type()),
                    () -> all.iallgatherv(from, in.offset, in.count(), in.type(), out.buffer, out.offset, out.counts,
                            out.displacements, out.type()),
                    () -> all.allgathervInit(from, in.offset, in.count(), in.type(), out.buffer, out.offset,
                            out.counts, out.displacements, out.type()), true);
            round.check("allgatherv", expected, out);
        });
    }

    @Test
    void shouldAlltoallBlocksOfDifferentLengths() {
        everywhere(round -> {
            Communicator all = round.all;
            boolean inPlace = round.seed % 4 == 0;
            TypedBlocks in = sent(round, round.rank());
            TypedBlocks out = received(round, round.rank(), inPlace);
            TypedBlocks expected = received(round, round.rank(), inPlace);
            for (int i = 0; i < round.size(); i++) {
                expected.set(i, inPlace ? received(round, i, true).get(round.rank())
                        : sent(round, i).get(round.rank()));
            }
            Object from = inPlace ? Communicator.IN_PLACE : in.buffer;
            round.call(
                    () -> all.alltoallv(from, in.offset, in.counts, in.displacements, in.type(), out.buffer,
                            out.offset, out.counts, out.displacements, out.type()),
                    () -> all.ialltoallv(from, in.offset, in.counts, in.displacements, in.type(), out.buffer,
                            out.offset, out.counts, out.displacements, out.type()),
                    () -> all.alltoallvInit(from, in.offset, in.counts, in.displacements, in.type(), out.buffer,
                            out.offset, out.counts, out.displacements, out.type()), !inPlace);
            round.check("alltoallv", expected, out);
        });
    }

    private static TypedBlocks sent(Round round, int rank) {
        return round.scattered(rank, 0, to -> round.length(rank, to));
    }

    /** In place, both directions between two ranks have the same length. */
    private static TypedBlocks received(Round round, int rank, boolean symmetric) {
        return round.scattered(rank, 1, from -> symmetric
                ? round.length(Math.min(rank, from), Math.max(rank, from)) : round.length(from, rank));
    }

    @Test
    void shouldAlltoallWithADatatypeForEachBlock() {
        everywhere(round -> {
            Communicator all = round.all;
            boolean inPlace = round.seed % 4 == 0;
            ManyTypes in = manyTypes(round, round.rank(), 0, false);
            ManyTypes out = manyTypes(round, round.rank(), 1, inPlace);
            ManyTypes expected = manyTypes(round, round.rank(), 1, inPlace);
            for (int i = 0; i < round.size(); i++) {
                expected.set(i, manyTypes(round, i, inPlace ? 1 : 0, inPlace).get(round.rank()));
            }
            Object from = inPlace ? Communicator.IN_PLACE : in.buffer;
            round.call(
                    () -> all.alltoallw(from, in.counts, in.displacements, in.types, out.buffer, out.counts,
                            out.displacements, out.types),
                    () -> all.ialltoallw(from, in.counts, in.displacements, in.types, out.buffer, out.counts,
                            out.displacements, out.types),
                    () -> all.alltoallwInit(from, in.counts, in.displacements, in.types, out.buffer, out.counts,
                            out.displacements, out.types), !inPlace);
            Worlds.assertSame(expected.expected(), out.found(),
                    () -> "alltoallw, seed " + round.seed + ", rank " + round.rank() + " of " + round.size());
        });
    }

    private static ManyTypes manyTypes(Round round, int rank, int side, boolean symmetric) {
        TypedBlocks[] blocks = new TypedBlocks[round.size()];
        for (int peer = 0; peer < blocks.length; peer++) {
            int from = symmetric ? Math.min(rank, peer) : side == 0 ? rank : peer;
            int to = symmetric ? Math.max(rank, peer) : side == 0 ? peer : rank;
            List<Datatype> elements = TypedBlocks.elements(new SplittableRandom(round.seed * 55L + from * 10 + to));
            int length = round.length(from, to) * (from == 2 || to == 2 ? 40 : 1);
            blocks[peer] = TypedBlocks.row(round.of(rank * 10 + peer, side), elements, 1, length);
        }
        return new ManyTypes(round.of(rank, side), blocks);
    }

    /** One rank may describe its elements with a datatype while another does not. */
    @Test
    void shouldMeetCallsWithoutDatatypes() {
        for (int ranks = 1; ranks <= MOST; ranks++) {
            Worlds.run(ranks, world -> {
                Communicator all = world.communicator();
                int size = all.size();
                for (int n : new int[] {3, 5000}) {
                    double[] matrix = new double[2 * n];
                    Arrays.setAll(matrix, i -> all.rank() + i / 2);
                    double[] row = new double[n];
                    Arrays.setAll(row, i -> all.rank() + i);
                    Datatype column = Datatype.vector(n, 1, 2, Datatype.DOUBLE);
                    double[] whole = new double[n * size];
                    double[] sum = new double[n];
                    int[] counts = new int[size];
                    int[] offsets = new int[size];
                    int[] ones = new int[size];
                    Arrays.fill(counts, n);
                    Arrays.fill(ones, 1);
                    Arrays.setAll(offsets, i -> i * n);
                    double[] everywhere = new double[n * size];
                    if (all.rank() % 2 == 0) {
                        all.allgather(matrix, 0, 1, column, whole, 0, n, Datatype.DOUBLE);
                        all.allreduce(matrix, 0, 1, column, sum, 0, n, Datatype.DOUBLE, Op.SUM);
                        all.alltoallv(matrix, 0, ones, new int[size], column, everywhere, 0, counts, offsets,
                                Datatype.DOUBLE);
                    } else {
                        all.allgather(row, whole);
                        all.allreduce(row, sum, Op.SUM);
                        all.alltoallv(row, counts, new int[size], everywhere, counts, offsets);
                    }
                    for (int i = 0; i < n * size; i++) {
                        assertEquals(i / n + i % n, whole[i], "allgather");
                        assertEquals(i / n + i % n, everywhere[i], "alltoallv");
                        assertEquals(size * (size - 1) / 2.0 + size * (i % n), sum[i % n], "allreduce");
                    }
                }
            });
        }
    }
}
