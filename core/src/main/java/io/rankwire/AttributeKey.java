package io.rankwire;

import io.rankwire.runtime.Attributes;
import java.util.Optional;

/**
 * A key for values tied to a communicator or a window, usually a constant of the library that uses it. Two keys are
 * never the same, whatever their names.
 *
 * @param <T> the type of the values
 */
public final class AttributeKey<T> {
    /** Says what a duplicate gets for a value; nothing means that it gets none. */
    @FunctionalInterface
    public interface Copier<T> {
        Optional<T> copy(Handle from, T value);
    }

    /** Hears that a value is no longer tied to something: removed, replaced, or about to be freed with it. */
    @FunctionalInterface
    public interface Deleter<T> {
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

    /** A key whose values stay where they are when something is duplicated. */
    public static <T> AttributeKey<T> of(String name) {
        return new AttributeKey<>(name, (from, value) -> Optional.empty(), (from, value) -> {});
    }

    /** A key whose values a duplicate has too. */
    public static <T> AttributeKey<T> shared(String name) {
        return new AttributeKey<>(name, (from, value) -> Optional.of(value), (from, value) -> {});
    }

    /** A key whose values are copied and deleted by callbacks. */
    public static <T> AttributeKey<T> of(String name, Copier<T> copier, Deleter<T> deleter) {
        return new AttributeKey<>(name, copier, deleter);
    }

    /** The callbacks of a key that a call was given; null for none. */
    static Attributes.Key callbacks(AttributeKey<?> given) {
        return given == null ? null : given.callbacks;
    }

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
