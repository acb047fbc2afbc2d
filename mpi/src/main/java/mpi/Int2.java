package mpi;

/** An {@code int} and its place, an {@code int}: the struct of {@link MPI#INT2}. */
public final class Int2 extends Struct {
    private static final int INDEX = 4;

    Int2(Datatype type) {
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
        public int getValue() {
            return getInt(0);
        }

        /** Returns the place. */
        public int getIndex() {
            return getInt(INDEX);
        }

        /** Sets the value. */
        public void putValue(int v) {
            putInt(0, v);
        }

        /** Sets the place. */
        public void putIndex(int v) {
            putInt(INDEX, v);
        }
    }
}
