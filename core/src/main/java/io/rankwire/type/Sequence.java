package io.rankwire.type;

import java.lang.foreign.MemorySegment;

/** One program after another. */
final class Sequence extends CopyProgram {
    final CopyProgram[] parts;
    /** Where each part begins in the packed stream; one more for its end. */
    private final long[] begins;

    private Sequence(long start, long low, long high, long runs, long bits, CopyProgram[] parts, long[] begins) {
        super(start, begins[parts.length], low, high, runs, bits);
        this.parts = parts;
        this.begins = begins;
    }

    /** Takes the array. */
    static Sequence of(CopyProgram[] parts) {
        long[] begins = new long[parts.length + 1];
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        long runs = 0;
        long bits = 0;
        for (int i = 0; i < parts.length; i++) {
            begins[i + 1] = begins[i] + parts[i].size;
            low = Math.min(low, parts[i].low);
            high = Math.max(high, parts[i].high);
            runs += parts[i].runs;
            bits |= parts[i].low - parts[0].low | parts[i].bits;
        }
        return new Sequence(0, low, high, runs, bits, parts, begins);
    }

    @Override
    void move(boolean out, Object base, long at, byte[] packed, int position, long from, long to) {
        int part = Runs.find(begins, from);
        for (long next = from; next < to; part++) {
            long end = Math.min(to, begins[part + 1]);
            parts[part].move(out, base, at + start, packed, position + (int) (next - from), next - begins[part],
                    end - begins[part]);
            next = end;
        }
    }

    @Override
    void moveRows(boolean out, Object base, long at, MemorySegment packed, long position, long from, long to) {
        int part = Runs.find(begins, from);
        for (long next = from; next < to; part++) {
            long end = Math.min(to, begins[part + 1]);
            parts[part].moveRows(out, base, at + start, packed, position + next - from, next - begins[part],
                    end - begins[part]);
            next = end;
        }
    }

    @Override
    public void visit(long at, RunVisitor visitor) {
        for (CopyProgram part : parts) {
            part.visit(at + start, visitor);
        }
    }

    @Override
    public Sequence shifted(long by) {
        return by == 0 ? this : new Sequence(start + by, low + by, high + by, runs, bits, parts, begins);
    }
}
