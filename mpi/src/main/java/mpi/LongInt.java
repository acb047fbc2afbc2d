package mpi;

/** A {@code long} and its place, an {@code int}: the struct of {@link MPI#LONG_INT}. */
public final class LongInt extends Struct {
    private static final int INDEX = 8;

    LongInt(Datatype type) {
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
        public long getValue() {
            return getLong(0);
        }

        /** Returns the place. */
        public int getIndex() {
            return getInt(INDEX);
        }

        /** Sets the value. */
        public void putValue(long v) {
            putLong(0, v);
        }

        /** Sets the place. */
        public void putIndex(int v) {
            putInt(INDEX, v);
        }
    }
}
