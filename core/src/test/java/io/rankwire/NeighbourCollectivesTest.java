package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Collectives of neighbours on random grids and graphs, plain and with datatypes, against a list of all edges. */
@Timeout(300)
final class NeighbourCollectivesTest {
    private static final int MOST = 9;

    /** The origin of a block: a rank, and the index of the receiver among its destinations. */
    private record From(int peer, int slot) {}

    /** A topology that every rank knows: the destinations of each rank, and the origin of each source's block. */
    private record Edges(TopologyCommunicator on, int[][] destinations, From[][] sources, int seed) {
        int rank() {
            return on.rank();
        }

        int out(int rank) {
            return destinations[rank].length;
        }

        int in(int rank) {
            return sources[rank].length;
        }

        List<Datatype> elements() {
            return TypedBlocks.elements(new SplittableRandom(seed));
        }

        SplittableRandom random(int rank, int side) {
            return new SplittableRandom(seed * 1000L + rank * 10 + side);
        }

        int length(int from, int slot) {
            return new SplittableRandom(seed * 99L + from * 20 + slot).nextInt(3) * (slot == 1 ? 20 : 1);
        }

        /** The length of the block from a source; beyond a border, of a block that never arrives. */
        int coming(int rank, int source) {
            From from = sources[rank][source];
            return from == null ? 1 : length(from.peer, from.slot);
        }

        TypedBlocks scattered(int rank, int side, int number, IntUnaryOperator length) {
            int[] lengths = new int[number];
            Arrays.setAll(lengths, length);
            return TypedBlocks.scattered(random(rank, side), elements(), lengths);
        }

        void call(Runnable blocking, Supplier<Request> immediate, Supplier<Request> persistent) {
            switch (seed % 3) {
                case 0 -> blocking.run();
                case 1 -> immediate.get().await();
                default -> {
                    Request request = persistent.get();
                    for (int i = 0; i < 2; i++) {
                        request.start();
                        request.await();
                    }
                }
            }
        }

        String about(String call) {
            return call + ", seed " + seed + ", rank " + rank() + " of " + on.size() + ", " + on.name();
        }
    }

    /** Pairs the first edge between two ranks at one end with the first at the other end, and so on. */
    private static From[][] paired(int[][] sources, int[][] destinations) {
        From[][] from = new From[sources.length][];
        for (int rank = 0; rank < sources.length; rank++) {
            from[rank] = new From[sources[rank].length];
            int[] seen = new int[sources.length];
            for (int i = 0; i < sources[rank].length; i++) {
                int peer = sources[rank][i];
                int left = seen[peer]++;
                for (int slot = 0; slot < destinations[peer].length && left >= 0; slot++) {
                    if (destinations[peer][slot] == rank && left-- == 0) {
                        from[rank][i] = new From(peer, slot);
                    }
                }
            }
        }
        return from;
    }

    private static Edges grid(Communicator all, SplittableRandom random, int seed) {
        int[] dims = new int[random.nextInt(4)];
        int left = all.size();
        for (int d = 0; d < dims.length; d++) {
            dims[d] = 1 + random.nextInt(left);
            left /= dims[d];
        }
        boolean[] periods = new boolean[dims.length];
        for (int d = 0; d < dims.length; d++) {
            periods[d] = random.nextBoolean();
        }
        CartesianCommunicator on = all.cartesian(dims, periods).orElse(null);
        if (on == null) {
            return null;
        }
        int[][] destinations = new int[on.size()][2 * dims.length];
        From[][] sources = new From[on.size()][2 * dims.length];
        for (int rank = 0; rank < on.size(); rank++) {
            for (int i = 0; i < 2 * dims.length; i++) {
                int[] place = on.coordinates(rank);
                place[i / 2] += i % 2 == 0 ? -1 : 1;
                boolean off = !periods[i / 2] && (place[i / 2] < 0 || place[i / 2] >= dims[i / 2]);
                destinations[rank][i] = off ? Communicator.NONE : on.rankAt(place);
                sources[rank][i] = off ? null : new From(on.rankAt(place), i % 2 == 0 ? i + 1 : i - 1);
            }
        }
        return new Edges(on, destinations, sources, seed);
    }

    private static void add(List<List<Integer>> lists, SplittableRandom random, int to, int value) {
        lists.get(to).add(random.nextInt(lists.get(to).size() + 1), value);
    }

    private static List<List<Integer>> lists(int size) {
        List<List<Integer>> lists = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            lists.add(new ArrayList<>());
        }
        return lists;
    }

    private static int[][] arrays(List<List<Integer>> lists) {
        return lists.stream().map(list -> list.stream().mapToInt(i -> i).toArray()).toArray(int[][]::new);
    }

    /** Edges in both directions, some of them twice, some from a rank to itself. */
    private static Edges graph(Communicator all, SplittableRandom random, int seed) {
        int nodes = 1 + random.nextInt(all.size());
        List<List<Integer>> lists = lists(nodes);
        for (int i = random.nextInt(2 * nodes + 1); i > 0; i--) {
            int a = random.nextInt(nodes);
            int b = random.nextInt(nodes);
            add(lists, random, a, b);
            if (a != b) {
                add(lists, random, b, a);
            }
        }
        int[][] neighbours = arrays(lists);
        return all.graph(neighbours).map(on -> new Edges(on, neighbours, paired(neighbours, neighbours), seed))
                .orElse(null);
    }

    private static Edges directed(Communicator all, SplittableRandom random, int seed) {
        int size = all.size();
        List<List<Integer>> in = lists(size);
        List<List<Integer>> out = lists(size);
        for (int i = random.nextInt(3 * size + 1); i > 0; i--) {
            int from = random.nextInt(size);
            int to = random.nextInt(size);
            add(out, random, from, to);
            add(in, random, to, from);
        }
        int[][] sources = arrays(in);
        int[][] destinations = arrays(out);
        DistributedGraphCommunicator on = all.adjacentGraph(sources[all.rank()], destinations[all.rank()]);
        return new Edges(on, destinations, paired(sources, destinations), seed);
    }

    private interface Body {
        void run(Edges edges);
    }

    private static void everywhere(Body body) {
        for (int ranks = 1; ranks <= MOST; ranks++) {
            Worlds.run(ranks, world -> {
                Communicator all = world.communicator();
                for (int seed = 0; seed < 18; seed++) {
                    SplittableRandom random = new SplittableRandom(seed * 31L + all.size());
                    Edges edges = switch (seed / 3 % 3) {
                        case 0 -> grid(all, random, seed);
                        case 1 -> graph(all, random, seed);
                        default -> directed(all, random, seed);
                    };
                    if (edges != null) {
                        body.run(edges);
                        edges.on.free();
                    }
                }
            });
        }
    }

    private static int value(int rank, int i) {
        return rank * 1_000_000 + i;
    }

    @Test
    void shouldExchangeBlocksOfOneLength() {
        everywhere(edges -> {
            TopologyCommunicator on = edges.on;
            int rank = edges.rank();
            for (int n : new int[] {0, 1, 7, 4000}) {
                int[] one = new int[n];
                Arrays.setAll(one, i -> value(rank, i));
                int[] many = new int[n * edges.out(rank)];
                Arrays.setAll(many, i -> value(rank, i));
                int[] gathered = new int[n * edges.in(rank)];
                Arrays.fill(gathered, -1);
                int[] turned = gathered.clone();
                int[] allGathered = gathered.clone();
                int[] allTurned = gathered.clone();
                for (int i = 0; i < allTurned.length; i++) {
                    From from = edges.sources[rank][i / n];
                    if (from != null) {
                        allGathered[i] = value(from.peer, i % n);
                        allTurned[i] = value(from.peer, from.slot * n + i % n);
                    }
                }
                if (edges.in(rank) == 0 || edges.out(rank) > 0) {
                    edges.call(() -> on.neighbourAllgather(one, gathered), () -> on.ineighbourAllgather(one, gathered),
                            () -> on.neighbourAllgatherInit(one, 0, gathered, 0, n));
                } else {
                    edges.call(() -> on.neighbourAllgather(null, gathered),
                            () -> on.ineighbourAllgather(null, gathered),
                            () -> on.neighbourAllgatherInit(null, 0, gathered, 0, n));
                }
                edges.call(() -> on.neighbourAlltoall(many, turned), () -> on.ineighbourAlltoall(many, turned),
                        () -> on.neighbourAlltoallInit(many, 0, turned, 0, n));
                assertArrayEquals(allGathered, gathered, () -> edges.about("neighbourAllgather"));
                assertArrayEquals(allTurned, turned, () -> edges.about("neighbourAlltoall"));
            }
        });
    }

    @Test
    void shouldExchangeBlocksOfDifferentLengths() {
        everywhere(edges -> {
            TopologyCommunicator on = edges.on;
            int rank = edges.rank();
            int[] outCounts = new int[edges.out(rank)];
            Arrays.setAll(outCounts, i -> edges.length(rank, i));
            int[] outOffsets = starts(outCounts);
            int[] inCounts = new int[edges.in(rank)];
            Arrays.setAll(inCounts, i -> edges.coming(rank, i));
            int[] inOffsets = starts(inCounts);
            int[] from = new int[Arrays.stream(outCounts).sum()];
            Arrays.setAll(from, i -> value(rank, i));
            int[] to = new int[Arrays.stream(inCounts).sum()];
            int[] expected = to.clone();
            int[] gatherCounts = new int[edges.in(rank)];
            Arrays.setAll(gatherCounts, i -> edges.sources[rank][i] == null ? 1 : edges.sources[rank][i].peer + 2);
            int[] gatherOffsets = starts(gatherCounts);
            int[] one = new int[rank + 3];
            Arrays.setAll(one, i -> value(rank, i));
            int[] gathered = new int[Arrays.stream(gatherCounts).sum()];
            int[] allGathered = gathered.clone();
            for (int i = 0; i < edges.in(rank); i++) {
                From source = edges.sources[rank][i];
                for (int k = 0; source != null && k < inCounts[i]; k++) {
                    int[] theirs = new int[edges.out(source.peer)];
                    Arrays.setAll(theirs, slot -> edges.length(source.peer, slot));
                    expected[inOffsets[i] + k] = value(source.peer, starts(theirs)[source.slot] + k);
                }
                for (int k = 0; source != null && k < gatherCounts[i]; k++) {
                    allGathered[gatherOffsets[i] + k] = value(source.peer, k + 1);
                }
            }
            edges.call(() -> on.neighbourAlltoallv(from, outCounts, outOffsets, to, inCounts, inOffsets),
                    () -> on.ineighbourAlltoallv(from, outCounts, outOffsets, to, inCounts, inOffsets),
                    () -> on.neighbourAlltoallvInit(from, outCounts, outOffsets, to, inCounts, inOffsets));
            edges.call(() -> on.neighbourAllgatherv(one, 1, rank + 2, gathered, gatherCounts, gatherOffsets),
                    () -> on.ineighbourAllgatherv(one, 1, rank + 2, gathered, gatherCounts, gatherOffsets),
                    () -> on.neighbourAllgathervInit(one, 1, rank + 2, gathered, gatherCounts, gatherOffsets));
            assertArrayEquals(expected, to, () -> edges.about("neighbourAlltoallv"));
            assertArrayEquals(allGathered, gathered, () -> edges.about("neighbourAllgatherv"));
        });
    }

    private static int[] starts(int[] counts) {
        int[] starts = new int[counts.length];
        for (int i = 1; i < counts.length; i++) {
            starts[i] = starts[i - 1] + counts[i - 1];
        }
        return starts;
    }

    @Test
    void shouldExchangeDatatypesOfOneLength() {
        everywhere(edges -> {
            TopologyCommunicator on = edges.on;
            int rank = edges.rank();
            int sixths = edges.seed % 4 * edges.seed % 40;
            TypedBlocks one = TypedBlocks.row(edges.random(rank, 0), edges.elements(), 1, sixths);
            TypedBlocks many = TypedBlocks.row(edges.random(rank, 1), edges.elements(), edges.out(rank), sixths);
            Supplier<TypedBlocks> fresh =
                    () -> TypedBlocks.row(edges.random(rank, 2), edges.elements(), edges.in(rank), sixths);
            TypedBlocks gathered = fresh.get();
            TypedBlocks turned = fresh.get();
            TypedBlocks allGathered = fresh.get();
            TypedBlocks allTurned = fresh.get();
            for (int i = 0; i < edges.in(rank); i++) {
                From from = edges.sources[rank][i];
                if (from != null) {
                    allGathered.set(i,
                            TypedBlocks.row(edges.random(from.peer, 0), edges.elements(), 1, sixths).get(0));
                    allTurned.set(i, TypedBlocks.row(edges.random(from.peer, 1), edges.elements(),
                            edges.out(from.peer), sixths).get(from.slot));
                }
            }
            edges.call(
                    () -> on.neighbourAllgather(one.buffer, one.offset, one.count(), one.type(), gathered.buffer,
                            gathered.offset, gathered.count(), gathered.type()),
                    () -> on.ineighbourAllgather(one.buffer, one.offset, one.count(), one.type(), gathered.buffer,
                            gathered.offset, gathered.count(), gathered.type()),
                    () -> on.neighbourAllgatherInit(one.buffer, one.offset, one.count(), one.type(), gathered.buffer,
                            gathered.offset, gathered.count(), gathered.type()));
            edges.call(
                    () -> on.neighbourAlltoall(many.buffer, many.offset, many.count(), many.type(), turned.buffer,
                            turned.offset, turned.count(), turned.type()),
                    () -> on.ineighbourAlltoall(many.buffer, many.offset, many.count(), many.type(), turned.buffer,
                            turned.offset, turned.count(), turned.type()),
                    () -> on.neighbourAlltoallInit(many.buffer, many.offset, many.count(), many.type(), turned.buffer,
                            turned.offset, turned.count(), turned.type()));
            Worlds.assertSame(allGathered.bytes(), gathered.bytes(), () -> edges.about("typed neighbourAllgather"));
            Worlds.assertSame(allTurned.bytes(), turned.bytes(), () -> edges.about("typed neighbourAlltoall"));
        });
    }

    @Test
    void shouldExchangeDatatypesOfDifferentLengths() {
        everywhere(edges -> {
            TopologyCommunicator on = edges.on;
            int rank = edges.rank();
            TypedBlocks one = TypedBlocks.row(edges.random(rank, 0), edges.elements(), 1, rank % 3);
            TypedBlocks many = edges.scattered(rank, 1, edges.out(rank), i -> edges.length(rank, i));
            Supplier<TypedBlocks> freshGathered = () -> edges.scattered(rank, 2, edges.in(rank),
                    i -> edges.sources[rank][i] == null ? 1 : edges.sources[rank][i].peer % 3);
            Supplier<TypedBlocks> freshTurned =
                    () -> edges.scattered(rank, 3, edges.in(rank), i -> edges.coming(rank, i));
            TypedBlocks gathered = freshGathered.get();
            TypedBlocks allGathered = freshGathered.get();
            TypedBlocks turned = freshTurned.get();
            TypedBlocks allTurned = freshTurned.get();
            for (int i = 0; i < edges.in(rank); i++) {
                From from = edges.sources[rank][i];
                if (from != null) {
                    allGathered.set(i,
                            TypedBlocks.row(edges.random(from.peer, 0), edges.elements(), 1, from.peer % 3).get(0));
                    allTurned.set(i, edges.scattered(from.peer, 1, edges.out(from.peer),
                            slot -> edges.length(from.peer, slot)).get(from.slot));
                }
            }
            edges.call(
                    () -> on.neighbourAllgatherv(one.buffer, one.offset, one.count(), one.type(), gathered.buffer,
                            gathered.offset, gathered.counts, gathered.displacements, gathered.type()),
                    () -> on.ineighbourAllgatherv(one.buffer, one.offset, one.count(), one.type(), gathered.buffer,
                            gathered.offset, gathered.counts, gathered.displacements, gathered.type()),
                    () -> on.neighbourAllgathervInit(one.buffer, one.offset, one.count(), one.type(), gathered.buffer,
                            gathered.offset, gathered.counts, gathered.displacements, gathered.type()));
            edges.call(
                    () -> on.neighbourAlltoallv(many.buffer, many.offset, many.counts, many.displacements,
                            many.type(), turned.buffer, turned.offset, turned.counts, turned.displacements,
                            turned.type()),
                    () -> on.ineighbourAlltoallv(many.buffer, many.offset, many.counts, many.displacements,
                            many.type(), turned.buffer, turned.offset, turned.counts, turned.displacements,
                            turned.type()),
                    () -> on.neighbourAlltoallvInit(many.buffer, many.offset, many.counts, many.displacements,
                            many.type(), turned.buffer, turned.offset, turned.counts, turned.displacements,
                            turned.type()));
            Worlds.assertSame(allGathered.bytes(), gathered.bytes(), () -> edges.about("typed neighbourAllgatherv"));
            Worlds.assertSame(allTurned.bytes(), turned.bytes(), () -> edges.about("typed neighbourAlltoallv"));
        });
    }

    /** The elements of a block depend on the edge it goes along. */
    private static ManyTypes manyTypes(Edges edges, int rank, boolean out) {
        TypedBlocks[] blocks = new TypedBlocks[out ? edges.out(rank) : edges.in(rank)];
        for (int i = 0; i < blocks.length; i++) {
            From from = out ? new From(rank, i) : edges.sources[rank][i];
            int edge = from == null ? 0 : from.peer * 50 + from.slot;
            List<Datatype> elements = TypedBlocks.elements(new SplittableRandom(edges.seed * 13L + edge));
            int length = from == null ? 1 : edges.length(from.peer, from.slot);
            blocks[i] = TypedBlocks.row(edges.random(rank * 50 + i, out ? 1 : 2), elements, 1, length);
        }
        return new ManyTypes(edges.random(rank, 5), blocks);
    }

    @Test
    void shouldExchangeWithADatatypeForEachBlock() {
        everywhere(edges -> {
            TopologyCommunicator on = edges.on;
            int rank = edges.rank();
            ManyTypes in = manyTypes(edges, rank, true);
            ManyTypes out = manyTypes(edges, rank, false);
            ManyTypes expected = manyTypes(edges, rank, false);
            for (int i = 0; i < edges.in(rank); i++) {
                From from = edges.sources[rank][i];
                if (from != null) {
                    expected.set(i, manyTypes(edges, from.peer, true).get(from.slot));
                }
            }
            edges.call(
                    () -> on.neighbourAlltoallw(in.buffer, in.counts, in.displacements, in.types, out.buffer,
                            out.counts, out.displacements, out.types),
                    () -> on.ineighbourAlltoallw(in.buffer, in.counts, in.displacements, in.types, out.buffer,
                            out.counts, out.displacements, out.types),
                    () -> on.neighbourAlltoallwInit(in.buffer, in.counts, in.displacements, in.types, out.buffer,
                            out.counts, out.displacements, out.types));
            Worlds.assertSame(expected.expected(), out.found(), () -> edges.about("neighbourAlltoallw"));
        });
    }

    /** In a ring of two ranks each is the neighbour on both sides of the other; a single rank is its own neighbour. */
    @Test
    void shouldReceiveFromBehindWhatWasSentAheadInSmallRings() {
        for (int ranks = 1; ranks <= 2; ranks++) {
            Worlds.run(ranks, world -> {
                Communicator all = world.communicator();
                CartesianCommunicator ring =
                        all.cartesian(new int[] {all.size(), 1}, new boolean[] {true, true}).orElseThrow();
                int other = all.size() - 1 - all.rank();
                int[] got = new int[4];
                ring.neighbourAlltoall(new int[] {10 + all.rank(), 20 + all.rank(), 30 + all.rank(), 40 + all.rank()},
                        got);
                assertArrayEquals(new int[] {20 + other, 10 + other, 40 + all.rank(), 30 + all.rank()}, got);
            });
        }
    }

    @Test
    void shouldTellWhatIsWrong() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            CartesianCommunicator line = all.cartesian(new int[] {2}, new boolean[1]).orElseThrow();
            Worlds.assertFails(ErrorClass.ARGUMENT, () -> line.neighbourAlltoall(Communicator.IN_PLACE, 0, new int[2],
                    0, 1), "IN_PLACE cannot stand", "NeighbourCollectivesTest.java:");
            Worlds.assertFails(ErrorClass.COUNT, () -> line.neighbourAlltoall(new int[3], new int[3]),
                    "length 3 cannot be cut into 2 blocks");
            Worlds.assertFails(ErrorClass.TYPE, () -> line.neighbourAllgather(new int[1], new float[2]),
                    "of int and of float");
            Worlds.assertFails(ErrorClass.ARGUMENT, () -> line.neighbourAllgatherv(new int[1], 0, 1, new int[2],
                    new int[1], new int[2]), "counts must have one entry for each of 2 blocks, and has 1");
            GraphCommunicator crooked = all.graph(new int[][] {{1}, {}}).orElseThrow();
            Worlds.assertFails(ErrorClass.TOPOLOGY, () -> crooked.neighbourAllgather(new int[1], new int[1]),
                    "nodes 0 and 1", "as back");
            DistributedGraphCommunicator odd = all.adjacentGraph(new int[] {all.rank()}, new int[0]);
            Worlds.assertFails(ErrorClass.TOPOLOGY, () -> odd.neighbourAlltoall(new int[0], new int[1]),
                    "0 edges to itself, but 1 from itself");
        });
    }
}
