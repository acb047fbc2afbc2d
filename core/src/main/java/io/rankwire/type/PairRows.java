package io.rankwire.type;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Pairs of a value and, right behind it, the {@code int} that says where it is, packed as bytes in the order of this
 * machine: the lesser (or greater) value wins, and of equal ones that with the lesser place. Floating point is ordered
 * as in {@link LocatedRows}.
 */
record PairRows(boolean least, ElementType value) implements Rows {
    private static final VarHandle SHORTS = handle(short[].class);
    private static final VarHandle CHARS = handle(char[].class);
    private static final VarHandle INTS = handle(int[].class);
    private static final VarHandle LONGS = handle(long[].class);
    private static final VarHandle FLOATS = handle(float[].class);
    private static final VarHandle DOUBLES = handle(double[].class);

    private static VarHandle handle(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.nativeOrder());
    }

    @Override
    public void combine(Object left, int l, Object right, int r, Object target, int t, int count) {
        byte[] one = (byte[]) left;
        byte[] other = (byte[]) right;
        int bytes = value.bytes() + Integer.BYTES;
        for (int i = 0; i < count; i += bytes) {
            int compared = compare(one, l + i, other, r + i);
            boolean first = compared == 0 ? place(one, l + i) <= place(other, r + i) : compared < 0 == least;
            System.arraycopy(first ? one : other, (first ? l : r) + i, target, t + i, bytes);
        }
    }

    private int place(byte[] pairs, int at) {
        return (int) INTS.get(pairs, at + value.bytes());
    }

    private int compare(byte[] one, int at, byte[] other, int otherAt) {
        return switch (value) {
            case BYTE -> one[at] - other[otherAt];
            case SHORT -> (short) SHORTS.get(one, at) - (short) SHORTS.get(other, otherAt);
            case CHAR -> (char) CHARS.get(one, at) - (char) CHARS.get(other, otherAt);
            case LONG -> Long.compare((long) LONGS.get(one, at), (long) LONGS.get(other, otherAt));
            case FLOAT -> LocatedRows.order(least, (float) FLOATS.get(one, at), (float) FLOATS.get(other, otherAt));
            case DOUBLE ->
                LocatedRows.order(least, (double) DOUBLES.get(one, at), (double) DOUBLES.get(other, otherAt));
            default -> throw new AssertionError(value);
        };
    }
}
