package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;

/**
 * A part of a buffer of the program, as a piece of a message.
 *
 * @param base the array or segment that holds it
 * @param start its first byte there
 * @param bytes its length
 */
public record BufferPart(Object base, long start, int bytes) {
    /** Returns whole buffers as parts, in their order. */
    public static BufferPart[] of(Object[] buffers, boolean written) {
        if (buffers == null) {
            throw Buffers.notABuffer(null);
        }
        BufferPart[] parts = new BufferPart[buffers.length];
        long sum = 0;
        for (int i = 0; i < parts.length; i++) {
            Buffers.type(buffers[i]);
            parts[i] = of(buffers[i], 0, Buffers.length(buffers[i]), written);
            sum += parts[i].bytes;
        }
        if (sum > Integer.MAX_VALUE) {
            throw tooLong(sum);
        }
        return parts;
    }

    /** Returns a part of a buffer, by elements. */
    public static BufferPart of(Object buffer, long offset, long count, boolean written) {
        int element = Buffers.type(buffer).bytes();
        if (offset < 0 || count < 0 || offset > Buffers.length(buffer) - count) {
            throw Buffers.outside(buffer, offset, count);
        }
        Buffers.checkReachable(buffer);
        if (written) {
            Buffers.checkWritable(buffer);
        }
        long bytes = count * element;
        if (bytes > Integer.MAX_VALUE) {
            throw tooLong(bytes);
        }
        return new BufferPart(Buffers.base(buffer), Buffers.start(buffer) + offset * element, (int) bytes);
    }

    private static RankwireException tooLong(long bytes) {
        return new RankwireException(ErrorClass.COUNT, "buffers of " + bytes + " bytes: a datagram has fewer than 2^31"
                + CallSite.find());
    }

    static int sum(BufferPart... parts) {
        int sum = 0;
        for (BufferPart part : parts) {
            sum += part.bytes;
        }
        return sum;
    }
}
