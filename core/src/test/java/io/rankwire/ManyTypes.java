package io.rankwire;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/** One side of a collective call with a datatype for each block: several {@link TypedBlocks} in one buffer. */
final class ManyTypes {
    final Object buffer;
    final int[] counts;
    final long[] displacements;
    final Datatype[] types;
    private final TypedBlocks[] blocks;

    /** @param blocks each holds one block */
    ManyTypes(SplittableRandom random, TypedBlocks... blocks) {
        this.blocks = blocks;
        this.counts = new int[blocks.length];
        this.displacements = new long[blocks.length];
        this.types = new Datatype[blocks.length];
        long at = 0;
        for (int i = 0; i < blocks.length; i++) {
            counts[i] = blocks[i].count();
            displacements[i] = at + blocks[i].origin;
            types[i] = blocks[i].type();
            at += blocks[i].bytes().length;
        }
        byte[] heap = expected();
        if (random.nextBoolean()) {
            this.buffer = heap;
        } else {
            MemorySegment memory = Arena.ofAuto().allocate(Math.max(1, at)).asSlice(0, at);
            MemorySegment.copy(heap, 0, memory, ValueLayout.JAVA_BYTE, 0, heap.length);
            this.buffer = memory;
        }
    }

    /** The contents of all blocks in order; they are separate from the buffer. */
    byte[] expected() {
        int bytes = 0;
        for (TypedBlocks block : blocks) {
            bytes += block.bytes().length;
        }
        byte[] all = new byte[bytes];
        int at = 0;
        for (TypedBlocks block : blocks) {
            byte[] each = block.bytes();
            System.arraycopy(each, 0, all, at, each.length);
            at += each.length;
        }
        return all;
    }

    byte[] get(int block) {
        return blocks[block].get(0);
    }

    void set(int block, byte[] stream) {
        blocks[block].set(0, stream);
    }

    /** The contents of the buffer. */
    byte[] found() {
        return buffer instanceof byte[] heap ? heap : ((MemorySegment) buffer).toArray(ValueLayout.JAVA_BYTE);
    }
}
