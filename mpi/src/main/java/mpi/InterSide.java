package mpi;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;

/**
 * One side of a call between two groups, for which core knows no layouts: what lies in a row is given as it is, in
 * elements of its array or in bytes of its memory; everything else goes as packed bytes, one block behind the other.
 */
final class InterSide {
    /** For ranks that have nothing to give or take. */
    static final InterSide NOTHING = new InterSide(new byte[0], new int[1], new int[1]);

    /** What core takes, and in its units the blocks. */
    final Object base;
    final int[] counts;
    final int[] offsets;
    /** Puts what arrived to its place; null if it is there. */
    private Runnable arrival;

    private InterSide(Object base, int[] counts, int[] offsets) {
        this.base = base;
        this.counts = counts;
        this.offsets = offsets;
    }

    /** One row of data. */
    static InterSide of(Object buf, int offset, int count, Datatype type, boolean gives) {
        return of(buf, offset, new int[] {count}, new int[1], type, gives);
    }

    /** Blocks at displacements in extents of their type. */
    static InterSide of(Object buf, int offset, int[] counts, int[] displs, Datatype type, boolean gives) {
        if (counts == null || displs == null || displs.length < counts.length) {
            throw new MPIException(MPI.ERR_ARG, "a count and a displacement are needed for each block");
        }
        if (CommCollectives.isPlain(buf, type)) {
            return new InterSide(buf, counts, scaled(displs, 1, offset));
        }
        io.rankwire.Datatype layout = Datatype.core(type);
        Object base = Memory.base(buf, type);
        if (base instanceof MemorySegment && layout.isContiguous()) {
            int extent = Math.toIntExact(layout.extent());
            int start = Math.toIntExact(Memory.at(buf, offset, type) + layout.trueLowerBound());
            return new InterSide(base, scaled(counts, extent, 0), scaled(displs, extent, start));
        }
        return packed(base, Memory.at(buf, offset, type), counts, displs, layout, gives);
    }

    private static InterSide packed(
            Object base, long at, int[] counts, int[] displs, io.rankwire.Datatype layout, boolean gives) {
        int[] lengths = scaled(counts, Math.toIntExact(layout.size()), 0);
        int[] places = places(lengths);
        byte[] bytes = new byte[end(lengths, places)];
        long[] from = new long[counts.length];
        for (int i = 0; i < from.length; i++) {
            from[i] = at + displs[i] * layout.extent() / elementBytes(base);
            if (gives) {
                layout.pack(base, from[i], counts[i], bytes, places[i]);
            }
        }
        InterSide side = new InterSide(MemorySegment.ofArray(bytes), lengths, places);
        side.arrival = gives ? null : () -> {
            for (int i = 0; i < from.length; i++) {
                layout.unpack(bytes, places[i], base, from[i], counts[i]);
            }
        };
        return side;
    }

    /** Blocks of several types, at displacements in bytes. */
    static InterSide of(Object buf, int[] counts, int[] displs, Datatype[] types, boolean gives) {
        io.rankwire.Datatype[] layouts = CommExchanges.cores(types);
        int[] lengths = new int[counts.length];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = Math.toIntExact(layouts[i].packSize(counts[i]));
        }
        int[] places = places(lengths);
        byte[] bytes = new byte[end(lengths, places)];
        Object base = Memory.base(buf, MPI.BYTE);
        long[] from = new long[counts.length];
        for (int i = 0; i < from.length; i++) {
            from[i] = Memory.at(buf, 0, MPI.BYTE) + displs[i] / elementBytes(base);
            if (gives) {
                layouts[i].pack(base, from[i], counts[i], bytes, places[i]);
            }
        }
        InterSide side = new InterSide(MemorySegment.ofArray(bytes), lengths, places);
        side.arrival = gives ? null : () -> {
            for (int i = 0; i < from.length; i++) {
                layouts[i].unpack(bytes, places[i], base, from[i], counts[i]);
            }
        };
        return side;
    }

    /** Elements to be combined, in an array of their type. */
    static InterSide elements(Object buf, int offset, int count, Datatype type, boolean gives) {
        if (CommCollectives.isPlain(buf, type)) {
            return new InterSide(buf, new int[] {count}, new int[] {offset});
        }
        io.rankwire.Datatype layout = Datatype.core(type);
        byte[] bytes = new byte[Math.toIntExact(layout.packSize(count))];
        Datatype.Base element = Elements.baseOf(type);
        int number = bytes.length / element.bytes;
        Object row = Elements.newArray(element, number);
        Object base = Memory.base(buf, type);
        long at = Memory.at(buf, offset, type);
        if (gives) {
            layout.pack(base, at, count, bytes, 0);
            Elements.typeOf(row).unpack(bytes, 0, row, 0, number);
        }
        InterSide side = new InterSide(row, new int[] {number}, new int[1]);
        side.arrival = gives ? null : () -> {
            Elements.typeOf(row).pack(row, 0, number, bytes, 0);
            layout.unpack(bytes, 0, base, at, count);
        };
        return side;
    }

    /** The same elements from the begin of an array on. */
    InterSide fromBegin(boolean gives) {
        int at = offset();
        int number = count();
        if (at == 0) {
            return this;
        }
        Object row = Array.newInstance(base.getClass().getComponentType(), number);
        InterSide side = new InterSide(row, counts, new int[1]);
        if (gives) {
            System.arraycopy(base, at, row, 0, number);
        } else {
            side.arrival = () -> System.arraycopy(row, 0, base, at, number);
        }
        return side;
    }

    int count() {
        return counts[0];
    }

    int offset() {
        return offsets[0];
    }

    /** The request of a call that fills this side. */
    Request filledBy(CommHandle on, io.rankwire.Request started) {
        Runnable last = arrival;
        return new Request(on, started, last == null ? null : status -> {
            last.run();
            return new Status(status);
        });
    }

    private static int elementBytes(Object base) {
        return base instanceof MemorySegment ? 1 : Math.toIntExact(Elements.typeOf(base).size());
    }

    private static int[] scaled(int[] numbers, int by, int start) {
        int[] scaled = new int[numbers.length];
        for (int i = 0; i < scaled.length; i++) {
            scaled[i] = Math.addExact(Math.multiplyExact(numbers[i], by), start);
        }
        return scaled;
    }

    /** Where blocks begin that lie one behind the other. */
    static int[] places(int[] lengths) {
        int[] places = new int[lengths.length];
        for (int i = 1; i < places.length; i++) {
            places[i] = Math.addExact(places[i - 1], lengths[i - 1]);
        }
        return places;
    }

    private static int end(int[] lengths, int[] places) {
        int last = lengths.length - 1;
        return last < 0 ? 0 : Math.addExact(places[last], lengths[last]);
    }
}
