package io.rankwire.type;

import java.lang.foreign.MemorySegment;

/** Blocks of one length at one distance; a single one is a row of bytes. */
final class Strided extends CopyProgram {
    final long block;
    final long stride;
    final long count;

    Strided(long start, long block, long stride, long count) {
        super(start, Math.multiplyExact(block, count),
                Math.addExact(start, Math.min(0, Math.multiplyExact(count - 1, stride))),
                Math.addExact(Math.addExact(start, block), Math.max(0, (count - 1) * stride)),
                block == 0 ? 0 : count, block | (count == 1 ? 0 : stride));
        this.block = block;
        this.stride = stride;
        this.count = count;
    }

    @Override
    void move(boolean out, Object base, long at, byte[] packed, int position, long from, long to) {
        long origin = at + start;
        if (count == 1) {
            row(out, base, origin + from, packed, position, to - from);
            return;
        }
        long first = from / block;
        long within = from - first * block;
        long next = from;
        int place = position;
        if (within != 0) {
            int part = (int) Math.min(block - within, to - from);
            row(out, base, origin + first * stride + within, packed, place, part);
            next += part;
            place += part;
            first++;
        }
        int blocks = (int) ((to - next) / block);
        if (blocks > 0) {
            if (out) {
                StrideCopy.out(base, origin + first * stride, (int) block, stride, blocks, packed, place, (int) block);
            } else {
                StrideCopy.in(packed, place, (int) block, base, origin + first * stride, (int) block, stride, blocks);
            }
            int bytes = blocks * (int) block;
            next += bytes;
            place += bytes;
        }
        if (next < to) {
            row(out, base, origin + (first + blocks) * stride, packed, place, to - next);
        }
    }

    @Override
    void moveRows(boolean out, Object base, long at, MemorySegment packed, long position, long from, long to) {
        long next = from;
        for (long i = from / block; next < to; i++) {
            long part = Math.min((i + 1) * block, to) - next;
            row(out, base, at + start + i * stride + next - i * block, packed, position + next - from, part);
            next += part;
        }
    }

    @Override
    public void visit(long at, RunVisitor visitor) {
        if (size > 0) {
            for (long i = 0; i < count; i++) {
                visitor.run(at + start + i * stride, block);
            }
        }
    }

    @Override
    public Strided shifted(long by) {
        return by == 0 ? this : new Strided(start + by, block, stride, count);
    }
}
