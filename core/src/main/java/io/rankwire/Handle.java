package io.rankwire;

import java.util.Optional;

/**
 * A communicator or a window: it has a name for reports, a handler for errors, and attributes that programs and
 * libraries tie to it on this rank. Any thread may use them.
 */
public sealed interface Handle permits AnyCommunicator, Window {
    /**
     * The name that reports use.
     *
     * @return for example {@code world} or {@code world.split(1)}
     */
    String name();

    /**
     * Sets the handler that is called first when an error occurs on this rank.
     *
     * @param handler the handler; {@link ErrorHandler#THROW} for none
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if the handler is null
     */
    void errorHandler(ErrorHandler handler);

    /**
     * The handler that is called first when an error occurs on this rank.
     *
     * @return {@link ErrorHandler#THROW} if none was set
     */
    ErrorHandler errorHandler();

    /**
     * The value of a key.
     *
     * @param key the key
     * @param <T> the type of its values
     * @return the value, if the key has one here
     * @throws RankwireException if the key is null, or this handle was freed
     */
    <T> Optional<T> attribute(AttributeKey<T> key);

    /**
     * Gives a key a value. The value that the key had is deleted first.
     *
     * @param key the key
     * @param value the value, not null
     * @param <T> the type of its values
     * @throws RankwireException if an argument is null, or this handle was freed
     */
    <T> void attribute(AttributeKey<T> key, T value);

    /**
     * Deletes the value of a key.
     *
     * @param key the key
     * @return false if the key had no value here
     * @throws RankwireException if the key is null, or this handle was freed
     */
    boolean removeAttribute(AttributeKey<?> key);
}
