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

    /** One such pair in a buffer. */
    public final class Data extends Struct.Data {
        public Data() {}

        public int getValue() {
            return getInt(0);
        }

        public int getIndex() {
            return getInt(INDEX);
        }

        public void putValue(int v) {
            putInt(0, v);
        }

        public void putIndex(int v) {
            putInt(INDEX, v);
        }
    }
}
