package io.rankwire.type;

import java.lang.foreign.MemorySegment;

/**
 * One operation on one element type, for buffers of every kind: rows that do not lie in arrays, or not from one index
 * on as fast ones want it, pass through small arrays, which stay in the nearest cache. For one thread at a time.
 */
public final class Combination {
    private static final int CHUNK_BYTES = 4096;
    /** Up to this many elements are combined one by one: to bring them in line would cost more. */
    static final int FEW = 16;

    private final Rows rows;
    /** The fast ones, or null. */
    private final LevelRows<Object> level;
    private final ElementType type;
    private final int chunk;
    private Object leftRow;
    private Object rightRow;
    private Object targetRow;

    /**
     * @param group elements that belong together and are combined in one go
     */
    public Combination(Rows rows, ElementType type, int group) {
        this(rows, null, type, group);
    }

    private Combination(Rows rows, LevelRows<Object> level, ElementType type, int group) {
        this.rows = rows;
        this.level = level;
        this.type = type == ElementType.RAW || type == ElementType.MIXED ? ElementType.BYTE : type;
        int chunkGroups = Math.max(1, CHUNK_BYTES / this.type.bytes() / group);
        this.chunk = chunkGroups * group;
    }

    /** A predefined operation; the type must be one it supports. */
    public static Combination of(Reduction reduction, ElementType type) {
        return new Combination(new ScalarRows(reduction, type), LevelRows.of(reduction, type), type, 1);
    }

    /** The least or greatest of values that travel with a place: pairs of elements, value and place. */
    public static Combination located(boolean least, ElementType type) {
        return new Combination(new LocatedRows(least, type), type, 2);
    }

    /** The same of packed pairs of a value of some type and an {@code int}. */
    public static Combination locatedPairs(boolean least, ElementType value) {
        return new Combination(new PairRows(least, value), ElementType.MIXED, value.bytes() + Integer.BYTES);
    }

    /** Products of complex numbers: pairs of {@code float}s or {@code double}s. */
    public static Combination complexProduct(ElementType type) {
        return new Combination(new ComplexRows(type), type, 2);
    }

    /** Whole elements of the type: {@code target = left op right}, offsets and length in bytes. */
    public void combine(
            Object left, long leftAt, Object right, long rightAt, Object target, long targetAt, long bytes) {
        int size = type.bytes();
        long count = bytes / size;
        boolean fast = level != null && count > FEW;
        if (inRow(left) && inRow(right) && inRow(target)) {
            int t = (int) (targetAt / size);
            if (!fast) {
                rows.combine(left, (int) (leftAt / size), right, (int) (rightAt / size), target, t, (int) count);
                return;
            }
            if (leftAt == targetAt && rightAt == targetAt) {
                level.combine(left, right, target, t, t + (int) count);
                return;
            }
        }
        if (fast && inRow(target)) {
            boolean beside = left != target && leftAt == targetAt && inRow(left);
            if (beside || right != target && rightAt == targetAt && inRow(right)) {
                combineThere(left, leftAt, right, rightAt, target, targetAt, bytes, beside);
                return;
            }
        }
        for (long done = 0; done < bytes; ) {
            int part = (int) Math.min(chunk, (bytes - done) / size);
            long partBytes = (long) part * size;
            if (fast) {
                leftRow = fill(leftRow, left, leftAt + done, partBytes);
                rightRow = fill(rightRow, right, rightAt + done, partBytes);
                level.combine(leftRow, rightRow, leftRow, 0, part);
                Copy.between(leftRow, 0, target, targetAt + done, partBytes);
            } else {
                combineAnywhere(left, leftAt + done, right, rightAt + done, target, targetAt + done, part);
            }
            done += partBytes;
        }
    }

    /** One operand lies as the target does: the other is brought into the target, and combined while it is near. */
    private void combineThere(Object left, long leftAt, Object right, long rightAt, Object target, long targetAt,
            long bytes, boolean leftIsLevel) {
        int size = type.bytes();
        long chunkBytes = (long) chunk * size;
        for (long done = 0; done < bytes; done += chunkBytes) {
            long part = Math.min(chunkBytes, bytes - done);
            int from = (int) ((targetAt + done) / size);
            int end = from + (int) (part / size);
            if (leftIsLevel) {
                Copy.between(right, rightAt + done, target, targetAt + done, part);
                level.combine(left, target, target, from, end);
            } else {
                Copy.between(left, leftAt + done, target, targetAt + done, part);
                level.combine(target, right, target, from, end);
            }
        }
    }

    /** A part no longer than a small array. */
    private void combineAnywhere(
            Object left, long leftAt, Object right, long rightAt, Object target, long targetAt, int part) {
        int size = type.bytes();
        long bytes = (long) part * size;
        Object a = left;
        int aAt = (int) (leftAt / size);
        if (!inRow(left)) {
            a = leftRow = fill(leftRow, left, leftAt, bytes);
            aAt = 0;
        }
        Object b = right;
        int bAt = (int) (rightAt / size);
        if (!inRow(right)) {
            b = rightRow = fill(rightRow, right, rightAt, bytes);
            bAt = 0;
        }
        if (inRow(target)) {
            rows.combine(a, aAt, b, bAt, target, (int) (targetAt / size), part);
            return;
        }
        if (targetRow == null) {
            targetRow = type.newArray(chunk);
        }
        rows.combine(a, aAt, b, bAt, targetRow, 0, part);
        Copy.between(targetRow, 0, target, targetAt, bytes);
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
