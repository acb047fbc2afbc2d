package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.type.ElementType;
import io.rankwire.type.Signature;
import io.rankwire.type.TypedBuffer;

/**
 * What one rank gives to or gets from another in a collective, as the device takes it: bytes as they lie in a row, or
 * seen through a datatype.
 *
 * @param element the type its messages carry
 * @param elements the types of one of its parts, of which there are so many; null for raw memory
 */
public record Block(Object base, long at, long bytes, ElementType element, Signature elements, long count) {
    /** Elements of the buffer. */
    public static Block of(Object buffer, long offset, long count, boolean write) {
        if (buffer == Buffers.IN_PLACE) {
            throw inPlace();
        }
        ElementType kind = Buffers.type(buffer);
        if (offset < 0 || count < 0 || offset > Buffers.length(buffer) - count) {
            throw Buffers.outside(buffer, offset, count);
        }
        if (write) {
            Buffers.checkWritable(buffer);
        }
        return new Block(Buffers.base(buffer), Buffers.start(buffer) + offset * kind.bytes(), count * kind.bytes(),
                kind, kind == ElementType.RAW ? null : Signature.of(kind), count);
    }

    /** So many datatypes; the first has its byte 0 so many elements of the buffer, and bytes, from its start. */
    public static Block of(Object buffer, long offset, long further, long count, Layout type, boolean write) {
        if (buffer == Buffers.IN_PLACE) {
            throw inPlace();
        }
        // Nothing can be anywhere, also outside the buffer.
        long place = count == 0 || type != null && type.size() == 0 ? 0 : further;
        Object view = write ? TypedViews.target(buffer, offset, place, count, type)
                : TypedViews.source(buffer, offset, place, count, type);
        long at = view instanceof TypedBuffer ? 0 : TypedViews.start(view, buffer, offset, type) + place;
        return new Block(view, at, type.bytes(count), type.element(), type.elementTypes(), count);
    }

    /** Whether what one holds can be copied into the other. */
    public boolean matches(Block other) {
        return bytes == other.bytes && (elements == null || other.elements == null
                || elements.repeated(count).matches(other.elements.repeated(other.count)));
    }

    /** What it holds, for people. */
    public String describe() {
        return elements == null ? bytes + " bytes" : elements.repeated(count).toString();
    }

    private static RankwireException inPlace() {
        return new RankwireException(ErrorClass.ARGUMENT, "IN_PLACE cannot stand for this buffer" + CallSite.find());
    }
}
