package io.rankwire;

import io.rankwire.runtime.Buffers;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Layout;
import io.rankwire.runtime.TypedViews;
import io.rankwire.type.ElementType;

/**
 * Elements in memory of this rank that entries of one program send, receive, combine and copy.
 *
 * @see Work#buffer(Object)
 */
public final class WorkBuffer {
    private final Work work;
    private final Endpoint on;
    final int number;
    final ElementType type;
    /** The first element and how many, in the buffer that was added to the program. */
    final long offset;
    private final long length;
    /** That buffer. */
    final WorkBuffer whole;
    /** Why no entry can write to it; null if one can. */
    String obstacle;
    /** Whether an entry writes to it. */
    boolean written;

    WorkBuffer(Work work, int number, ElementType type, long offset, long length, WorkBuffer whole) {
        this.work = work;
        this.on = work.on();
        this.number = number;
        this.type = type;
        this.offset = offset;
        this.length = length;
        this.whole = whole == null ? this : whole;
    }

    /**
     * Returns the number of elements.
     *
     * @return the number of elements; for memory without a type, of bytes
     */
    public long length() {
        return length;
    }

    /**
     * Returns a part of this buffer, which is bound to other memory together with it.
     *
     * @param from the first element
     * @param count how many elements
     * @return the part
     * @throws RankwireException of class {@link ErrorClass#COUNT} if the part is not within this buffer
     */
    public WorkBuffer slice(long from, long count) {
        if (from < 0 || count < 0 || from > length - count) {
            throw on.error(ErrorClass.COUNT, "arguments from " + from + " and count " + count
                    + " do not fit a buffer of length " + length);
        }
        return new WorkBuffer(work, number, type, offset + from, count, whole);
    }

    /**
     * Binds this buffer to other memory, for the runs to come.
     *
     * @param memory memory of the same type, which may be longer than this buffer
     * @throws RankwireException of class {@link ErrorClass#TYPE} or {@link ErrorClass#COUNT} if the memory does not
     *     fit, of class {@link ErrorClass#ARGUMENT} if the program is running or this buffer is a slice
     */
    public void bind(Object memory) {
        ElementType given = on.typeOf(memory);
        bind(memory, given, Buffers.length(memory), Buffers.base(memory), Buffers.start(memory), false);
    }

    /**
     * Binds this buffer to the elements of datatypes, as they lie in other memory, for the runs to come.
     *
     * @param memory a primitive array, {@code ByteBuffer} or {@code MemorySegment}
     * @param from where the first datatype has its byte 0, in elements of the memory
     * @param count how many datatypes
     * @param type the datatype
     * @throws RankwireException of class {@link ErrorClass#TYPE} or {@link ErrorClass#COUNT} if the memory does not
     *     fit, of class {@link ErrorClass#ARGUMENT} if the program is running or this buffer is a slice
     */
    public void bind(Object memory, long from, long count, Datatype type) {
        Layout layout = Datatype.layout(type);
        Object view = TypedViews.source(on, memory, from, count, layout);
        bind(memory, layout.element(), layout.bytes(count) / layout.element().bytes(), view,
                TypedViews.start(view, memory, from, layout), layout.overlaps(count));
    }

    private void bind(Object memory, ElementType given, long room, Object base, long start, boolean overlaps) {
        if (whole != this) {
            throw on.error(ErrorClass.ARGUMENT, "a slice cannot be bound; bind the buffer that it is a part of");
        }
        if (given != type) {
            throw on.error(ErrorClass.TYPE, "argument memory is of " + given + ", the buffer of " + type);
        }
        if (room < length) {
            throw on.error(ErrorClass.COUNT, "argument memory has " + room + " elements, the buffer " + length);
        }
        String found = Buffers.isReadOnly(memory) ? ": its memory is read-only, and an entry writes to it"
                : overlaps ? ": its datatype names a byte twice, and an entry writes to it" : null;
        if (written && found != null) {
            throw on.error(ErrorClass.BUFFER, "argument memory" + found);
        }
        work.builder().bind(number, base, start);
        obstacle = found;
    }

    Work work() {
        return work;
    }

    long at() {
        return offset * type.bytes();
    }

    long bytes() {
        return length * type.bytes();
    }
}
