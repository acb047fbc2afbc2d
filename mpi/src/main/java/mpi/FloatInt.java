package mpi;

/** A {@code float} and its place, an {@code int}: the struct of {@link MPI#FLOAT_INT}. */
public final class FloatInt extends Struct {
    private static final int INDEX = 4;

    FloatInt(Datatype type) {
        become(type, 8);
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
        public float getValue() {
            return getFloat(0);
        }

        /** Returns the place. */
        public int getIndex() {
            return getInt(INDEX);
        }

        /** Sets the value. */
        public void putValue(float v) {
            putFloat(0, v);
        }

        /** Sets the place. */
        public void putIndex(int v) {
            putInt(INDEX, v);
        }
    }
}
