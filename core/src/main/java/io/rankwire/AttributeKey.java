package io.rankwire;

import io.rankwire.runtime.Attributes;
import java.util.Optional;

/**
 * A key for values that a program ties to a communicator or a window, usually a constant of the library that uses it.
 * Two keys are never the same, whatever their names.
 *
 * <pre>{@code
 * static final AttributeKey<Cache> CACHE = AttributeKey.of("cache");
 *
 * all.attribute(CACHE, new Cache());
 * Cache cache = all.attribute(CACHE).orElseThrow();
 * }</pre>
 *
 * @param <T> the type of the values
 */
public final class AttributeKey<T> {
    /**
     * Decides which value a duplicate of a communicator gets.
     *
     * @param <T> the type of the values
     */
    @FunctionalInterface
    public interface Copier<T> {
        /**
         * Runs when a communicator is duplicated.
         *
         * @param from the communicator that is duplicated
         * @param value its value
         * @return the value of the duplicate; empty if it gets none
         */
        Optional<T> copy(Handle from, T value);
    }

    /**
     * Is called when a value is no longer tied to a handle.
     *
     * @param <T> the type of the values
     */
    @FunctionalInterface
    public interface Deleter<T> {
        /**
         * Runs when the value is removed, replaced, or about to be freed with its handle.
         *
         * @param from the communicator or window that had the value
         * @param value the value
         */
        void delete(Handle from, T value);
    }

    private final String name;
    private final Copier<T> copier;
    private final Deleter<T> deleter;
    private final Callbacks callbacks = new Callbacks();

    private AttributeKey(String name, Copier<T> copier, Deleter<T> deleter) {
        this.name = name;
        this.copier = given("copier", copier);
        this.deleter = given("deleter", deleter);
        given("name", name);
    }

    private static <A> A given(String argument, A value) {
        if (value == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "attribute key: argument " + argument + " is null");
        }
        return value;
    }

    /**
     * Makes a key whose values a duplicate does not get.
     *
     * @param name the name for reports
     * @param <T> the type of the values
     * @return the key
     */
    public static <T> AttributeKey<T> of(String name) {
        return new AttributeKey<>(name, (from, value) -> Optional.empty(), (from, value) -> {});
    }

    /**
     * Makes a key whose values a duplicate gets too.
     *
     * @param name the name for reports
     * @param <T> the type of the values
     * @return the key
     */
    public static <T> AttributeKey<T> shared(String name) {
        return new AttributeKey<>(name, (from, value) -> Optional.of(value), (from, value) -> {});
    }

    /**
     * Makes a key whose values are copied and deleted by callbacks.
     *
     * @param name the name for reports
     * @param copier decides what a duplicate gets
     * @param deleter is called when a value is no longer tied to a handle
     * @param <T> the type of the values
     * @return the key
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if an argument is null
     */
    public static <T> AttributeKey<T> of(String name, Copier<T> copier, Deleter<T> deleter) {
        return new AttributeKey<>(name, copier, deleter);
    }

    /** The callbacks of a key that a call was given; null for none. */
    static Attributes.Key callbacks(AttributeKey<?> given) {
        return given == null ? null : given.callbacks;
    }

    /** The value of a key among the attributes of a handle. */
    @SuppressWarnings("unchecked")
    static <T> Optional<T> get(Attributes from, AttributeKey<T> key) {
        return Optional.ofNullable((T) from.get(callbacks(key)));
    }

    private final class Callbacks implements Attributes.Key {
        @Override
        @SuppressWarnings("unchecked")
        public Object copy(Object handle, Object value) {
            Optional<T> copy = copier.copy((Handle) handle, (T) value);
            if (copy == null) {
                throw new RankwireException(ErrorClass.ARGUMENT,
                        ((Handle) handle).name() + ": the copier of attribute " + name + " returned null");
            }
            return copy.orElse(null);
        }

        @Override
        @SuppressWarnings("unchecked")
        public void delete(Object handle, Object value) {
            deleter.delete((Handle) handle, (T) value);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Its name. */
    @Override
    public String toString() {
        return name;
    }
}
