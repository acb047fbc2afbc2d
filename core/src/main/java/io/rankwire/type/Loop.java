package io.rankwire.type;

import java.lang.foreign.MemorySegment;

/** A program repeated at one distance. */
final class Loop extends CopyProgram {
    /** So many rounds make a loop of their own worth while. */
    private static final int MANY = 4;

    final CopyProgram body;
    final long count;
    final long stride;

    Loop(long start, CopyProgram body, long count, long stride) {
        super(start, Math.multiplyExact(body.size, count),
                Math.addExact(start + body.low, Math.min(0, Math.multiplyExact(count - 1, stride))),
                Math.addExact(start + body.high, Math.max(0, (count - 1) * stride)), body.runs * count,
                stride | body.bits);
        this.body = body;
        this.count = count;
        this.stride = stride;
    }

    @Override
    void move(boolean out, Object base, long at, byte[] packed, int position, long from, long to) {
        long round = from / body.size;
        long begin = round * body.size;
        for (long next = from; next < to; round++, begin += body.size) {
            int place = position + (int) (next - from);
            long origin = at + start + round * stride;
            int wholeRounds = next == begin ? (int) ((to - next) / body.size) : 0;
            if (wholeRounds >= MANY && columns(out, base, origin, packed, place, wholeRounds)) {
                next += wholeRounds * body.size;
                round += wholeRounds - 1;
                begin = next - body.size;
                continue;
            }
            long end = Math.min(to, begin + body.size);
            body.move(out, base, origin, packed, place, next - begin, end - begin);
            next = end;
        }
    }

    /** Whole rounds, each row of the body in all of them before the next row; false if it has too many rows. */
    private boolean columns(boolean out, Object base, long at, byte[] packed, int place, int rounds) {
        int size = (int) body.size;
        if (body instanceof Runs rows && rows.runs <= rounds) {
            for (int i = 0; i < rows.runs; i++) {
                column(out, base, at + rows.start + rows.places[i], (int) rows.bytes(i), rounds, packed,
                        place + (int) rows.packed[i], size);
            }
            return true;
        }
        if (body instanceof Strided rows && rows.count <= rounds) {
            for (int i = 0; i < rows.count; i++) {
                column(out, base, at + rows.start + i * rows.stride, (int) rows.block, rounds, packed,
                        place + i * (int) rows.block, size);
            }
            return true;
        }
        return false;
    }

    private void column(
            boolean out, Object base, long at, int bytes, int rounds, byte[] packed, int place, int packedStride) {
        if (out) {
            StrideCopy.out(base, at, bytes, stride, rounds, packed, place, packedStride);
        } else {
            StrideCopy.in(packed, place, packedStride, base, at, bytes, stride, rounds);
        }
    }

    @Override
    void moveRows(boolean out, Object base, long at, MemorySegment packed, long position, long from, long to) {
        long round = from / body.size;
        long begin = round * body.size;
        for (long next = from; next < to; round++, begin += body.size) {
            long end = Math.min(to, begin + body.size);
            body.moveRows(out, base, at + start + round * stride, packed, position + next - from, next - begin,
                    end - begin);
            next = end;
        }
    }

    @Override
    public void visit(long at, RunVisitor visitor) {
        for (long i = 0; i < count; i++) {
            body.visit(at + start + i * stride, visitor);
        }
    }

    @Override
    public Loop shifted(long by) {
        return by == 0 ? this : new Loop(start + by, body, count, stride);
    }
}
