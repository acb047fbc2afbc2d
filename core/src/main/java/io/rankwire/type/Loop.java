package io.rankwire.type;

import java.lang.foreign.MemorySegment;

/** A program repeated at one distance. */
final class Loop extends CopyProgram {
    final CopyProgram body;
    final long count;
    final long stride;

    Loop(long start, CopyProgram body, long count, long stride) {
        super(start, Math.multiplyExact(body.size, count),
                Math.addExact(start + body.low, Math.min(0, Math.multiplyExact(count - 1, stride))),
                Math.addExact(start + body.high, Math.max(0, (count - 1) * stride)), stride | body.bits);
        this.body = body;
        this.count = count;
        this.stride = stride;
    }

    @Override
    public long runs() {
        return count * body.runs();
    }

    @Override
    public void move(boolean out, Object base, long at, MemorySegment packed, long position, long from, long to) {
        long round = from / body.size;
        long begin = round * body.size;
        for (long next = from; next < to; round++, begin += body.size) {
            long end = Math.min(to, begin + body.size);
            body.move(out, base, at + start + round * stride, packed, position + next - from, next - begin,
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
