package io.rankwire.type;

import java.lang.foreign.MemorySegment;

/**
 * One operation on one element type, for buffers of every kind: rows that do not lie in arrays pass through small ones,
 * which stay in the nearest cache. For one thread at a time.
 */
public final class Combination {
    private static final int CHUNK_BYTES = 4096;

    private final Rows rows;
    private final ElementType type;
    private final int chunk;
    private Object leftRow;
    private Object rightRow;
    private Object targetRow;

    /**
     * @param group elements that belong together and are combined in one go
     */
    public Combination(Rows rows, ElementType type, int group) {
        this.rows = rows;
        this.type = type == ElementType.RAW || type == ElementType.MIXED ? ElementType.BYTE : type;
        int chunkGroups = Math.max(1, CHUNK_BYTES / this.type.bytes() / group);
        this.chunk = chunkGroups * group;
    }

    /** A predefined operation; the type must be one it supports. */
    public static Combination of(Reduction reduction, ElementType type) {
        return new Combination(Kernels.of(reduction, type), type, 1);
    }

    /** The least or greatest of values that travel with a place: pairs of elements, value and place. */
    public static Combination located(boolean least, ElementType type) {
        return new Combination(Kernels.located(least, type), type, 2);
    }

    /** Whole elements of the type: {@code target = left op right}, offsets and length in bytes. */
    public void combine(
            Object left, long leftAt, Object right, long rightAt, Object target, long targetAt, long bytes) {
        int size = type.bytes();
        int count = (int) Math.min(bytes / size, Integer.MAX_VALUE);
        if (inRow(left) && inRow(right) && inRow(target)) {
            rows.combine(left, (int) (leftAt / size), right, (int) (rightAt / size), target, (int) (targetAt / size),
                    count);
            return;
        }
        for (long done = 0; done < bytes; ) {
            int part = (int) Math.min(chunk, (bytes - done) / size);
            long partBytes = (long) part * size;
            Object a = left;
            int aAt = (int) ((leftAt + done) / size);
            if (!inRow(left)) {
                a = leftRow = fill(leftRow, left, leftAt + done, partBytes);
                aAt = 0;
            }
            Object b = right;
            int bAt = (int) ((rightAt + done) / size);
            if (!inRow(right)) {
                b = rightRow = fill(rightRow, right, rightAt + done, partBytes);
                bAt = 0;
            }
            if (inRow(target)) {
                rows.combine(a, aAt, b, bAt, target, (int) ((targetAt + done) / size), part);
            } else {
                if (targetRow == null) {
                    targetRow = type.newArray(chunk);
                }
                rows.combine(a, aAt, b, bAt, targetRow, 0, part);
                Copy.between(targetRow, 0, target, targetAt + done, partBytes);
            }
            done += partBytes;
        }
    }

    private boolean inRow(Object buffer) {
        return !(buffer instanceof MemorySegment) && ElementType.ofBuffer(buffer) == type;
    }

    private Object fill(Object row, Object from, long at, long bytes) {
        Object filled = row != null ? row : type.newArray(chunk);
        Copy.between(from, at, filled, 0, bytes);
        return filled;
    }
}
