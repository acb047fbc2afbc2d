package mpi;

import io.rankwire.Op.Function;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Predefined operations that core has not: places of values of another type, and products of complex numbers. */
final class PairOps {
    private static final io.rankwire.Op PROD = io.rankwire.Op.of("complex product", true, 2, PairOps::multiply);
    private static final Located[] LOCATED = {
        new Located(Datatype.Base.SHORT), new Located(Datatype.Base.LONG), new Located(Datatype.Base.FLOAT),
        new Located(Datatype.Base.DOUBLE)
    };

    private PairOps() {}

    /** Values of one type, each with an int behind it that says where it is. */
    private static final class Located {
        private final Datatype.Base value;
        private final io.rankwire.Datatype pair;
        private final io.rankwire.Op least;
        private final io.rankwire.Op greatest;

        Located(Datatype.Base value) {
            this.value = value;
            int bytes = value.bytes + Integer.BYTES;
            pair = io.rankwire.Datatype.struct(new int[] {1, 1}, new long[] {0, value.bytes},
                    new io.rankwire.Datatype[] {value.core, io.rankwire.Datatype.INT});
            least = io.rankwire.Op.of("minloc", true, bytes, function(true));
            greatest = io.rankwire.Op.of("maxloc", true, bytes, function(false));
        }

        boolean matches(io.rankwire.Datatype layout) {
            int pairs = Math.toIntExact(layout.elements() / 2);
            return layout.matches(io.rankwire.Datatype.contiguous(pairs, pair));
        }

        /** Elements of several types come as packed bytes, in the order of this machine. */
        private Function function(boolean wantsLeast) {
            int bytes = value.bytes + Integer.BYTES;
            return (left, leftAt, right, rightAt, target, targetAt, count) -> {
                ByteBuffer one = ByteBuffer.wrap((byte[]) left).order(ByteOrder.nativeOrder());
                ByteBuffer other = ByteBuffer.wrap((byte[]) right).order(ByteOrder.nativeOrder());
                for (int i = 0; i < count; i += bytes) {
                    int compared = compare(one, leftAt + i, other, rightAt + i);
                    boolean first = compared == 0
                            ? one.getInt(leftAt + i + value.bytes) <= other.getInt(rightAt + i + value.bytes)
                            : compared < 0 == wantsLeast;
                    System.arraycopy(first ? left : right, (first ? leftAt : rightAt) + i, target, targetAt + i, bytes);
                }
            };
        }

        private int compare(ByteBuffer one, int at, ByteBuffer other, int otherAt) {
            return switch (value) {
                case SHORT -> Short.compare(one.getShort(at), other.getShort(otherAt));
                case LONG -> Long.compare(one.getLong(at), other.getLong(otherAt));
                case FLOAT -> ordered(one.getFloat(at), other.getFloat(otherAt));
                default -> ordered(one.getDouble(at), other.getDouble(otherAt));
            };
        }

        /** Both zeros are one value. */
        private static int ordered(double one, double other) {
            return one == other ? 0 : Double.compare(one, other);
        }
    }

    /** Null where core's own operation does. */
    static io.rankwire.Op find(io.rankwire.Op op, Datatype type) {
        io.rankwire.Datatype layout = type.core;
        if (layout.isMixed() && (op == io.rankwire.Op.MINLOC || op == io.rankwire.Op.MAXLOC)) {
            for (Located each : LOCATED) {
                if (each.matches(layout)) {
                    return op == io.rankwire.Op.MINLOC ? each.least : each.greatest;
                }
            }
        }
        boolean complex = type == MPI.FLOAT_COMPLEX || type == MPI.DOUBLE_COMPLEX;
        return complex && op == io.rankwire.Op.PROD ? PROD : null;
    }

    private static void multiply(
            Object left, int leftAt, Object right, int rightAt, Object target, int targetAt, int count) {
        if (left instanceof double[] one) {
            double[] other = (double[]) right;
            double[] product = (double[]) target;
            for (int i = 0; i < count; i += 2) {
                double real = one[leftAt + i] * other[rightAt + i] - one[leftAt + i + 1] * other[rightAt + i + 1];
                double imaginary = one[leftAt + i] * other[rightAt + i + 1] + one[leftAt + i + 1] * other[rightAt + i];
                product[targetAt + i] = real;
                product[targetAt + i + 1] = imaginary;
            }
            return;
        }
        float[] one = (float[]) left;
        float[] other = (float[]) right;
        float[] product = (float[]) target;
        for (int i = 0; i < count; i += 2) {
            float real = one[leftAt + i] * other[rightAt + i] - one[leftAt + i + 1] * other[rightAt + i + 1];
            float imaginary = one[leftAt + i] * other[rightAt + i + 1] + one[leftAt + i + 1] * other[rightAt + i];
            product[targetAt + i] = real;
            product[targetAt + i + 1] = imaginary;
        }
    }
}
