package mpi;

/** A {@code short} and its place, an {@code int}: the struct of {@link MPI#SHORT_INT}. */
public final class ShortInt extends Struct {
    private static final int INDEX = 4;

    ShortInt(Datatype type) {
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
        public short getValue() {
            return getShort(0);
        }

        /** Returns the place. */
        public int getIndex() {
            return getInt(INDEX);
        }

        /** Sets the value. */
        public void putValue(short v) {
            putShort(0, v);
        }

        /** Sets the place. */
        public void putIndex(int v) {
            putInt(INDEX, v);
        }
    }
}
