package mpi;

/** A number that may be larger than an {@code int}. */
public final class Count implements Comparable<Object> {
    private long count;

    /** Makes a count. */
    public Count(long count) {
        this.count = count;
    }

    /** Returns the count. */
    public long getCount() {
        return count;
    }

    /** Changes the count. */
    public void setCount(long count) {
        this.count = count;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Count same && same.count == count;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(count);
    }

    @Override
    public int compareTo(Object other) {
        return Long.compare(count, ((Count) other).count);
    }

    @Override
    public String toString() {
        return Long.toString(count);
    }
}
