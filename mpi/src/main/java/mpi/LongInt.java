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

    /** One such pair in a buffer. */
    public final class Data extends Struct.Data {
        public Data() {}

        public long getValue() {
            return getLong(0);
        }

        public int getIndex() {
            return getInt(INDEX);
        }

        public void putValue(long v) {
            putLong(0, v);
        }

        public void putIndex(int v) {
            putInt(INDEX, v);
        }
    }
}
