package io.rankwire.type;

import io.rankwire.memory.Words;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * User memory seen through a datatype. To the device it is a buffer like any other whose bytes are the packed stream:
 * whatever part of it a frame takes or brings is gathered from its places, or scattered to them. One thread at a time
 * may use it, as the device does.
 */
public final class TypedBuffer {
    /** Small enough to stay in the first cache on its way between user memory and frame. */
    private static final int STAGE_BYTES = 4096;
    /** From this mean length on, rows are copied one by one. */
    private static final int LONG_ROW = 512;

    private final Object base;
    /** The memory behind the base, or null if that is an array. */
    private final MemorySegment memory;
    private final long at;
    private final CopyProgram program;
    private final boolean longRows;
    /** Made at the first use: a message that is refused, say, has none. */
    private byte[] stage;

    /**
     * Over a primitive array or a segment.
     *
     * @param at the byte of the base where the datatype has its origin
     */
    public TypedBuffer(Object base, long at, CopyProgram program) {
        this.program = program;
        this.longRows = program.size >= LONG_ROW * Math.max(1, program.runs);
        if (longRows || !(base instanceof MemorySegment segment)) {
            this.base = base;
            this.memory = base instanceof MemorySegment all ? all : null;
            this.at = at;
        } else if (segment.heapBase().orElse(null) instanceof byte[] bytes) {
            this.base = bytes;
            this.memory = null;
            this.at = at + segment.address();
        } else if (segment.isNative() && program.high - program.low <= Integer.MAX_VALUE) {
            this.memory = segment.asSlice(at + program.low, program.high - program.low);
            this.base = buffer(memory);
            this.at = -program.low;
        } else {
            this.base = base;
            this.memory = segment;
            this.at = at;
        }
    }

    /** The memory behind it, or null if that is an array. */
    public MemorySegment memory() {
        return memory;
    }

    private static ByteBuffer buffer(MemorySegment memory) {
        return memory.asByteBuffer().order(ByteOrder.nativeOrder());
    }

    /** The base, in a form that this thread may use. */
    private Object reachable() {
        if (memory == null || Words.isOwn(memory)) {
            return base;
        }
        MemorySegment reached = Words.accessible(memory);
        return base instanceof ByteBuffer ? buffer(reached) : reached;
    }

    void out(long fromByte, MemorySegment to, long toByte, int bytes) {
        Object from = reachable();
        if (longRows) {
            program.moveRows(true, from, at, to, toByte, fromByte, fromByte + bytes);
            return;
        }
        byte[] heap = stage(bytes);
        for (int done = 0; done < bytes; done += STAGE_BYTES) {
            int part = Math.min(STAGE_BYTES, bytes - done);
            program.move(true, from, at, heap, 0, fromByte + done, fromByte + done + part);
            MemorySegment.copy(heap, 0, to, ValueLayout.JAVA_BYTE, toByte + done, part);
        }
    }

    void in(MemorySegment from, long fromByte, long toByte, int bytes) {
        Object to = reachable();
        if (longRows) {
            program.moveRows(false, to, at, from, fromByte, toByte, toByte + bytes);
            return;
        }
        byte[] heap = stage(bytes);
        for (int done = 0; done < bytes; done += STAGE_BYTES) {
            int part = Math.min(STAGE_BYTES, bytes - done);
            MemorySegment.copy(from, ValueLayout.JAVA_BYTE, fromByte + done, heap, 0, part);
            program.move(false, to, at, heap, 0, toByte + done, toByte + done + part);
        }
    }

    /** From here to a buffer that is no segment. */
    void between(long fromByte, Object to, long toByte, long bytes) {
        Object from = reachable();
        byte[] heap = stage((int) Math.min(STAGE_BYTES, bytes));
        MemorySegment packed = MemorySegment.ofArray(heap);
        for (long done = 0; done < bytes; done += STAGE_BYTES) {
            int part = (int) Math.min(STAGE_BYTES, bytes - done);
            program.move(true, from, at, heap, 0, fromByte + done, fromByte + done + part);
            Copy.in(packed, 0, to, toByte + done, part);
        }
    }

    private byte[] stage(int bytes) {
        if (stage == null || stage.length < Math.min(bytes, STAGE_BYTES)) {
            stage = new byte[Math.min(bytes, STAGE_BYTES)];
        }
        return stage;
    }
}
