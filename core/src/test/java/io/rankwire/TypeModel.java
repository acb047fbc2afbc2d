package io.rankwire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * A datatype and its expected layout: the displacement of each of its bytes in order, the type of each element, and the
 * bounds. Random datatypes nest every constructor.
 */
record TypeModel(Datatype type, long[] bytes, List<Datatype> elements, long lower, long upper) {
    static final List<Datatype> BASIC = List.of(Datatype.BYTE, Datatype.BOOLEAN, Datatype.CHAR, Datatype.SHORT,
            Datatype.INT, Datatype.LONG, Datatype.FLOAT, Datatype.DOUBLE);
    private static final int MOST_BYTES = 1500;

    /** One block of a list. */
    private record Block(TypeModel of, int length, long place) {}

    static TypeModel basic(Datatype type) {
        return new TypeModel(type, LongStream.range(0, type.size()).toArray(), List.of(type), 0, type.size());
    }

    static TypeModel random(SplittableRandom random) {
        return random(random, 1 + random.nextInt(4), null);
    }

    /** A datatype whose elements all have one type, at places that are valid in an array of that type. */
    static TypeModel homogeneous(SplittableRandom random, Datatype element) {
        return random(random, 1 + random.nextInt(4), element);
    }

    private static TypeModel random(SplittableRandom random, int depth, Datatype only) {
        if (depth == 0) {
            return basic(only != null ? only : BASIC.get(random.nextInt(BASIC.size())));
        }
        for (;;) {
            TypeModel made = derived(random, depth, only);
            if (made.bytes.length <= MOST_BYTES) {
                return made;
            }
        }
    }

    private static TypeModel derived(SplittableRandom random, int depth, Datatype only) {
        TypeModel of = random(random, depth - 1, only);
        int count = random.nextInt(5);
        int length = random.nextInt(4);
        int[] lengths = random.ints(count, 0, 4).toArray();
        int[] places = random.ints(count, -6, 7).toArray();
        long unit = only == null ? 1 : only.size();
        long[] bytePlaces = random.longs(count, -40, 60).map(place -> place * unit).toArray();
        long extent = of.upper - of.lower;
        Block[] blocks = new Block[count];
        switch (random.nextInt(10)) {
            case 0 -> {
                return list(Datatype.contiguous(count, of.type), new Block(of, count, 0));
            }
            case 1 -> {
                int stride = random.nextInt(-4, 7);
                Arrays.setAll(blocks, i -> new Block(of, length, i * stride * extent));
                return list(Datatype.vector(count, length, stride, of.type), blocks);
            }
            case 2 -> {
                long stride = random.nextLong(-50, 80) * unit;
                Arrays.setAll(blocks, i -> new Block(of, length, i * stride));
                return list(Datatype.hvector(count, length, stride, of.type), blocks);
            }
            case 3 -> {
                Arrays.setAll(blocks, i -> new Block(of, lengths[i], places[i] * extent));
                return list(Datatype.indexed(lengths, places, of.type), blocks);
            }
            case 4 -> {
                Arrays.setAll(blocks, i -> new Block(of, lengths[i], bytePlaces[i]));
                return list(Datatype.hindexed(lengths, bytePlaces, of.type), blocks);
            }
            case 5 -> {
                Arrays.setAll(blocks, i -> new Block(of, length, places[i] * extent));
                return list(Datatype.indexedBlock(length, places, of.type), blocks);
            }
            case 6 -> {
                Arrays.setAll(blocks, i -> new Block(of, length, bytePlaces[i]));
                return list(Datatype.hindexedBlock(length, bytePlaces, of.type), blocks);
            }
            case 7 -> {
                TypeModel[] types = new TypeModel[count];
                Arrays.setAll(types, i -> random(random, random.nextInt(depth), only));
                Arrays.setAll(blocks, i -> new Block(types[i], lengths[i], bytePlaces[i]));
                Datatype[] all = Arrays.stream(types).map(TypeModel::type).toArray(Datatype[]::new);
                return list(Datatype.struct(lengths, bytePlaces, all), blocks);
            }
            case 8 -> {
                return subarray(random, of);
            }
            default -> {
                long lower = random.nextLong(-30, 30) * unit;
                long newExtent = random.nextLong(-20, 80) * unit;
                return new TypeModel(Datatype.resized(lower, newExtent, of.type), of.bytes, of.elements, lower,
                        lower + newExtent);
            }
        }
    }

    private static TypeModel subarray(SplittableRandom random, TypeModel of) {
        int dimensions = 1 + random.nextInt(3);
        int[] sizes = random.ints(dimensions, 1, 6).toArray();
        int[] subsizes = new int[dimensions];
        int[] starts = new int[dimensions];
        for (int d = 0; d < dimensions; d++) {
            subsizes[d] = random.nextInt(sizes[d] + 1);
            starts[d] = random.nextInt(sizes[d] - subsizes[d] + 1);
        }
        boolean c = random.nextBoolean();
        long extent = of.upper - of.lower;
        int cells = Arrays.stream(subsizes).reduce(1, (a, b) -> a * b);
        Block[] blocks = new Block[cells];
        int[] index = new int[dimensions];
        for (int cell = 0; cell < cells; cell++) {
            long place = 0;
            for (int i = 0; i < dimensions; i++) {
                int d = c ? i : dimensions - 1 - i;
                place = place * sizes[d] + starts[d] + index[d];
            }
            blocks[cell] = new Block(of, 1, place * extent);
            for (int i = 0; i < dimensions; i++) {
                int d = c ? dimensions - 1 - i : i;
                if (++index[d] < subsizes[d]) {
                    break;
                }
                index[d] = 0;
            }
        }
        long whole = Arrays.stream(sizes).asLongStream().reduce(extent, (a, b) -> a * b);
        TypeModel box = list(Datatype.subarray(sizes, subsizes, starts,
                c ? Datatype.Order.C : Datatype.Order.FORTRAN, of.type), blocks);
        return new TypeModel(box.type, box.bytes, box.elements, Math.min(0, whole), Math.max(0, whole));
    }

    private static TypeModel list(Datatype type, Block... blocks) {
        LongStream.Builder bytes = LongStream.builder();
        List<Datatype> elements = new ArrayList<>();
        long lower = Long.MAX_VALUE;
        long upper = Long.MIN_VALUE;
        for (Block block : blocks) {
            TypeModel of = block.of;
            for (int i = 0; i < block.length; i++) {
                long place = block.place + i * (of.upper - of.lower);
                Arrays.stream(of.bytes).forEach(b -> bytes.add(place + b));
                elements.addAll(of.elements);
                lower = Math.min(lower, place + of.lower);
                upper = Math.max(upper, place + of.upper);
            }
        }
        boolean empty = lower == Long.MAX_VALUE;
        return new TypeModel(type, bytes.build().toArray(), elements, empty ? 0 : lower, empty ? 0 : upper);
    }

    /** The given number of consecutive instances, as counted by a call. */
    TypeModel times(int count) {
        return list(type, new Block(this, count, 0));
    }

    long low() {
        return Arrays.stream(bytes).min().orElse(0);
    }

    long high() {
        return Arrays.stream(bytes).map(b -> b + 1).max().orElse(0);
    }

    boolean overlaps() {
        return Arrays.stream(bytes).distinct().count() < bytes.length;
    }
}
