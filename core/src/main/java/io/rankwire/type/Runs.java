package io.rankwire.type;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Rows of bytes at any places. */
final class Runs extends CopyProgram {
    /** Where each row lies from {@link #start}. */
    final long[] places;
    /** Where each row begins in the packed stream; one more for its end. */
    final long[] packed;

    private Runs(long start, long low, long high, long bits, long[] places, long[] packed) {
        super(start, packed[places.length], low, high, places.length, bits);
        this.places = places;
        this.packed = packed;
    }

    /** Takes the arrays. */
    static Runs of(long[] places, long[] packed) {
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        long bits = 0;
        for (int i = 0; i < places.length; i++) {
            long bytes = packed[i + 1] - packed[i];
            low = Math.min(low, places[i]);
            high = Math.max(high, places[i] + bytes);
            bits |= places[i] - places[0] | bytes;
        }
        return new Runs(0, low, high, bits, places, packed);
    }

    long bytes(int run) {
        return packed[run + 1] - packed[run];
    }

    @Override
    void move(boolean out, Object base, long at, byte[] frame, int position, long from, long to) {
        int run = find(packed, from);
        long next = from;
        while (next < to) {
            long part = Math.min(packed[run + 1], to) - next;
            long place = at + start + places[run] + next - packed[run];
            row(out, base, place, frame, position + (int) (next - from), part);
            next += part;
            run++;
        }
    }

    @Override
    void moveRows(boolean out, Object base, long at, MemorySegment frame, long position, long from, long to) {
        int run = find(packed, from);
        long next = from;
        while (next < to) {
            long part = Math.min(packed[run + 1], to) - next;
            long place = at + start + places[run] + next - packed[run];
            row(out, base, place, frame, position + next - from, part);
            next += part;
            run++;
        }
    }

    /** The last entry that is not beyond a byte. */
    static int find(long[] begins, long packedByte) {
        if (packedByte == 0) {
            return 0;
        }
        int found = Arrays.binarySearch(begins, packedByte);
        return found >= 0 ? found : -found - 2;
    }

    @Override
    public void visit(long at, RunVisitor visitor) {
        for (int i = 0; i < places.length; i++) {
            visitor.run(at + start + places[i], bytes(i));
        }
    }

    @Override
    public Runs shifted(long by) {
        return by == 0 ? this : new Runs(start + by, low + by, high + by, bits, places, packed);
    }
}
