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

    /** One such pair in a buffer. */
    public final class Data extends Struct.Data {
        public Data() {}

        public short getValue() {
            return getShort(0);
        }

        public int getIndex() {
            return getInt(INDEX);
        }

        public void putValue(short v) {
            putShort(0, v);
        }

        public void putIndex(int v) {
            putInt(INDEX, v);
        }
    }
}
