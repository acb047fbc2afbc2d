package mpi;

/** A {@code double} and its place, an {@code int}: the struct of {@link MPI#DOUBLE_INT}. */
public final class DoubleInt extends Struct {
    private static final int INDEX = 8;

    DoubleInt(Datatype type) {
        become(type, 16);
    }

    @Override
    protected Data newData() {
        return new Data();
    }

    /** A pair in a buffer. */
    public final class Data extends Struct.Data {
        /** Makes access to a pair. */
        public Data() {}

        /** Returns the value. */
        public double getValue() {
            return getDouble(0);
        }

        /** Returns the place. */
        public int getIndex() {
            return getInt(INDEX);
        }

        /** Sets the value. */
        public void putValue(double v) {
            putDouble(0, v);
        }

        /** Sets the place. */
        public void putIndex(int v) {
            putInt(INDEX, v);
        }
    }
}
