package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The least or greatest value and its place, for pairs whose value is no {@code int} but whose place is one. */
final class LocatedPairs {
    private LocatedPairs() {}

    /** Whether a type is a value and an {@code int} of another type than that. */
    static boolean hold(Datatype type) {
        return type == MPI.SHORT_INT || type == MPI.LONG_INT || type == MPI.FLOAT_INT || type == MPI.DOUBLE_INT;
    }

    /** Pairs come packed, as bytes. */
    static io.rankwire.Op op(boolean least, Datatype type) {
        int bytes = Math.toIntExact(type.core.size());
        return io.rankwire.Op.of(least ? "MINLOC" : "MAXLOC", true, bytes,
                (left, leftAt, right, rightAt, target, targetAt, count) -> {
                    ByteBuffer a = ByteBuffer.wrap((byte[]) left).order(ByteOrder.nativeOrder());
                    ByteBuffer b = ByteBuffer.wrap((byte[]) right).order(ByteOrder.nativeOrder());
                    for (int at = 0; at < count; at += bytes) {
                        boolean first = isFirst(least, type, a, leftAt + at, b, rightAt + at, bytes - Integer.BYTES);
                        System.arraycopy(first ? left : right, (first ? leftAt : rightAt) + at, target, targetAt + at,
                                bytes);
                    }
                });
    }

    private static boolean isFirst(
            boolean least, Datatype type, ByteBuffer a, int aAt, ByteBuffer b, int bAt, int value) {
        int order = compare(type, a, aAt, b, bAt);
        return order == 0 ? a.getInt(aAt + value) <= b.getInt(bAt + value) : least == order < 0;
    }

    private static int compare(Datatype type, ByteBuffer a, int aAt, ByteBuffer b, int bAt) {
        if (type == MPI.SHORT_INT) {
            return Short.compare(a.getShort(aAt), b.getShort(bAt));
        }
        if (type == MPI.LONG_INT) {
            return Long.compare(a.getLong(aAt), b.getLong(bAt));
        }
        if (type == MPI.FLOAT_INT) {
            float left = a.getFloat(aAt);
            float right = b.getFloat(bAt);
            return left == right ? 0 : Float.compare(left, right);
        }
        double left = a.getDouble(aAt);
        double right = b.getDouble(bAt);
        return left == right ? 0 : Double.compare(left, right);
    }
}
