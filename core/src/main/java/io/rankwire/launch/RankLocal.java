package io.rankwire.launch;

/**
 * What a library keeps in a static field and each rank has its own of. Mostly a rank has the library's classes to
 * itself, and this is one value; where simulated ranks share them it is one for each rank's job.
 */
public abstract class RankLocal<T> {
    private final boolean shared;
    private volatile T only;

    /**
     * @param library a class of the library
     */
    protected RankLocal(Class<?> library) {
        shared = library.getClassLoader() instanceof RankLoader loader && loader.isOfAllRanks();
    }

    /** A rank's first value. */
    protected abstract T first();

    public final T get() {
        T value = only;
        return value != null ? value : find();
    }

    @SuppressWarnings("unchecked")
    private T find() {
        if (shared) {
            return (T) Job.current().local(this);
        }
        T made = first();
        synchronized (this) {
            // Making it may have asked for it.
            only = only == null ? made : only;
            return only;
        }
    }
}
