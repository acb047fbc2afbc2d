package io.rankwire;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One side of a collective call and its expected contents: a buffer of some kind, a random datatype of given elements,
 * and blocks of it at random places. The same seed gives the same blocks, so each rank knows the data of all others.
 */
final class TypedBlocks {
    /** More extents than any side needs, so that columns of a matrix of this width never overlap. */
    private static final int WIDE = 1700;

    final TypeModel model;
    final Object buffer;
    final long offset;
    final int[] counts;
    final int[] displacements;
    private final MemorySegment memory;
    /** The byte from which displacements count. */
    final long origin;

    private TypedBlocks(TypeModel model, Object buffer, MemorySegment memory, long offset, long origin, int[] counts,
            int[] displacements) {
        this.model = model;
        this.buffer = buffer;
        this.memory = memory;
        this.offset = offset;
        this.origin = origin;
        this.counts = counts;
        this.displacements = displacements;
    }

    /** Elements of random types, or all of one type. */
    static List<Datatype> elements(SplittableRandom random) {
        boolean alike = random.nextInt(3) > 0;
        List<Datatype> elements = new ArrayList<>();
        Datatype element = pick(random);
        for (int i = 1 + random.nextInt(6); i > 0; i--) {
            elements.add(element);
            element = alike ? element : pick(random);
        }
        return elements;
    }

    private static Datatype pick(SplittableRandom random) {
        return TypeModel.BASIC.get(random.nextInt(TypeModel.BASIC.size()));
    }

    /** Consecutive blocks. */
    static TypedBlocks row(SplittableRandom random, List<Datatype> elements, int number, int sixths) {
        int[] units = new int[number];
        Arrays.fill(units, sixths);
        int by = 1 + random.nextInt(3);
        int[] displacements = new int[number];
        Arrays.setAll(displacements, i -> i * sixths * 6 / by);
        return make(random, elements, by, units, displacements);
    }

    /** Blocks of different lengths in any order, with gaps. */
    static TypedBlocks scattered(SplittableRandom random, List<Datatype> elements, int[] sixths) {
        int by = 1 + random.nextInt(3);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < sixths.length; i++) {
            order.add(random.nextInt(order.size() + 1), i);
        }
        int[] displacements = new int[sixths.length];
        int at = random.nextInt(3);
        for (int i : order) {
            displacements[i] = at;
            at += sixths[i] * 6 / by + random.nextInt(3);
        }
        return make(random, elements, by, sixths, displacements);
    }

    /** Each datatype has {@code by} sets of the elements; a block has six sets for each of its {@code sixths}. */
    private static TypedBlocks make(
            SplittableRandom random, List<Datatype> elements, int by, int[] sixths, int[] displacements) {
        boolean alike = elements.stream().distinct().count() == 1;
        Datatype element = elements.get(0);
        TypeModel model = layout(random, Collections.nCopies(by, elements).stream().flatMap(List::stream).toList(),
                alike);
        int[] counts = Arrays.stream(sixths).map(n -> n * 6 / by).toArray();
        long extent = model.upper() - model.lower();
        long low = 0;
        long high = 0;
        for (int i = 0; i < counts.length; i++) {
            long first = displacements[i] * extent;
            long last = first + Math.max(0, counts[i] - 1) * extent;
            low = Math.min(low, Math.min(first, last) + model.low());
            high = Math.max(high, Math.max(first, last) + model.high());
        }
        boolean array = alike && element != Datatype.BOOLEAN && random.nextBoolean();
        int unit = array ? (int) element.size() : 1;
        long origin = (-low + random.nextInt(3) * unit + unit - 1) / unit * unit;
        long bytes = (origin + high + random.nextInt(3) * unit + unit - 1) / unit * unit;
        Object buffer;
        MemorySegment memory;
        if (array) {
            memory = arrayOf(element, (int) (bytes / unit));
            buffer = memory.heapBase().orElseThrow();
        } else if (random.nextBoolean()) {
            byte[] heap = new byte[(int) bytes];
            memory = MemorySegment.ofArray(heap);
            buffer = heap;
        } else {
            memory = Arena.ofAuto().allocate(bytes);
            buffer = memory;
        }
        byte[] content = new byte[(int) bytes];
        random.nextBytes(content);
        for (int i = 0; elements.contains(Datatype.BOOLEAN) && i < content.length; i++) {
            content[i] &= 1;
        }
        MemorySegment.copy(content, 0, memory, ValueLayout.JAVA_BYTE, 0, content.length);
        return new TypedBlocks(model, buffer, memory, origin / unit, origin, counts, displacements);
    }

    private static MemorySegment arrayOf(Datatype element, int length) {
        if (element == Datatype.BYTE) {
            return MemorySegment.ofArray(new byte[length]);
        } else if (element == Datatype.CHAR) {
            return MemorySegment.ofArray(new char[length]);
        } else if (element == Datatype.SHORT) {
            return MemorySegment.ofArray(new short[length]);
        } else if (element == Datatype.INT) {
            return MemorySegment.ofArray(new int[length]);
        } else if (element == Datatype.LONG) {
            return MemorySegment.ofArray(new long[length]);
        } else if (element == Datatype.FLOAT) {
            return MemorySegment.ofArray(new float[length]);
        }
        return MemorySegment.ofArray(new double[length]);
    }

    /** Places are valid in an array if all elements have one type; consecutive instances never share a byte. */
    private static TypeModel layout(SplittableRandom random, List<Datatype> elements, boolean alike) {
        int n = elements.size();
        long[] places = new long[n];
        long unit = alike ? elements.get(0).size() : 1;
        boolean columns = alike && random.nextInt(4) == 0;
        boolean row = !columns && random.nextInt(4) == 0;
        long at = columns || row ? 0 : random.nextInt(-4, 4) * unit;
        long lowest = at;
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            order.add(columns || row ? i : random.nextInt(order.size() + 1), i);
        }
        for (int i : order) {
            places[i] = at;
            at += columns ? WIDE * unit : elements.get(i).size() + (row ? 0 : random.nextInt(3) * unit);
        }
        long lower = row || columns ? 0 : lowest - random.nextInt(2) * unit;
        long upper = columns ? unit : row ? at : Math.max(at, lower + unit);
        int[] lengths = new int[n];
        Arrays.fill(lengths, 1);
        Datatype type = Datatype.resized(lower, upper - lower,
                Datatype.struct(lengths, places, elements.toArray(Datatype[]::new)));
        long[] bytes = new long[elements.stream().mapToInt(e -> (int) e.size()).sum()];
        int next = 0;
        for (int i = 0; i < n; i++) {
            for (int b = 0; b < elements.get(i).size(); b++) {
                bytes[next++] = places[i] + b;
            }
        }
        return new TypeModel(type, bytes, elements, lower, upper);
    }

    Datatype type() {
        return model.type();
    }

    /** The count of one block. */
    int count() {
        return counts.length == 0 ? 0 : counts[0];
    }

    int number() {
        return counts.length;
    }

    /** The place in memory of each byte of a block, in the order of the message. */
    private long[] places(int block) {
        long extent = model.upper() - model.lower();
        long[] places = new long[counts[block] * model.bytes().length];
        int next = 0;
        for (int i = 0; i < counts[block]; i++) {
            for (long b : model.bytes()) {
                places[next++] = origin + (displacements[block] + i) * extent + b;
            }
        }
        return places;
    }

    /** The bytes that a block sends. */
    byte[] get(int block) {
        long[] places = places(block);
        byte[] stream = new byte[places.length];
        for (int i = 0; i < stream.length; i++) {
            stream[i] = memory.get(ValueLayout.JAVA_BYTE, places[i]);
        }
        return stream;
    }

    /** Sets the contents of a block, as a receive does. */
    void set(int block, byte[] stream) {
        long[] places = places(block);
        for (int i = 0; i < places.length; i++) {
            memory.set(ValueLayout.JAVA_BYTE, places[i], stream[i]);
        }
    }

    /** All memory of the buffer, including gaps. */
    byte[] bytes() {
        return memory.toArray(ValueLayout.JAVA_BYTE);
    }
}
