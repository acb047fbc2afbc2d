package io.rankwire;

import io.rankwire.type.ElementType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What programs and libraries can tie values of their own to, on this rank: communicators and windows. Any thread may
 * do so.
 */
public abstract sealed class Attributed permits PointToPoint, WindowValues {
    /** In the order they were set. */
    private final Map<AttributeKey<?>, Object> attributes = new LinkedHashMap<>();

    /** Null for one that does nothing. */
    private volatile ErrorHandler errorHandler;

    Attributed() {}

    /** Who hears of errors first, on this rank; see {@link ErrorHandler}. */
    public void errorHandler(ErrorHandler handler) {
        if (handler == null) {
            throw raised(new RankwireException(ErrorClass.ARGUMENT,
                    name() + ": errorHandler: argument handler is null" + CallSite.find()));
        }
        errorHandler = handler;
    }

    public ErrorHandler errorHandler() {
        ErrorHandler handler = errorHandler;
        return handler == null ? ErrorHandler.THROW : handler;
    }

    /** For every error of a call on this, outside the device's lock: the handler may make calls. */
    final RankwireException raised(RankwireException error) {
        ErrorHandler handler = errorHandler;
        if (handler != null && error.firstHeard()) {
            handler.failed(this, error);
        }
        return error;
    }

    /** For whatever a call ends with: errors of this library are heard, but for the news that the job is over. */
    final RuntimeException failed(RuntimeException e) {
        return e instanceof RankwireException error && error.errorClass() != ErrorClass.ABORTED ? raised(error) : e;
    }

    /** The element type of a buffer that a call was given. */
    final ElementType typeOf(Object buffer) {
        ElementType type = ElementType.ofBuffer(buffer);
        if (type == null) {
            throw located(Buffers.notABuffer(buffer));
        }
        if (type == ElementType.RAW) {
            checkReachable(buffer);
        }
        return type;
    }

    private void checkReachable(Object buffer) {
        try {
            Buffers.checkReachable(buffer);
        } catch (RankwireException e) {
            throw raised(e);
        }
    }

    final void checkPart(Object buffer, long offset, long count) {
        if (offset < 0 || count < 0 || offset > Buffers.length(buffer) - count) {
            throw located(Buffers.outside(buffer, offset, count));
        }
    }

    final void checkWritable(Object buffer) {
        try {
            Buffers.checkWritable(buffer);
        } catch (RankwireException e) {
            throw located(e);
        }
    }

    /** An error of an argument that was found where only the argument is known: with rank, call and line. */
    final RankwireException located(RankwireException e) {
        return raised(new RankwireException(
                e.errorClass(), "rank " + rank() + ": " + CallSite.tell(e.getMessage()), e.getCause()));
    }

    abstract int rank();

    /** How reports call it. */
    public abstract String name();

    abstract World world();

    /** Throws if it was freed. */
    abstract void checkUsable();

    /** The value of a key, if it has one. */
    @SuppressWarnings("unchecked")
    public final <T> Optional<T> attribute(AttributeKey<T> key) {
        checkKey(key);
        synchronized (attributes) {
            return Optional.ofNullable((T) attributes.get(key));
        }
    }

    /** Gives a key a value; one it had is deleted first. */
    public final <T> void attribute(AttributeKey<T> key, T value) {
        checkKey(key);
        if (value == null) {
            throw raised(new RankwireException(ErrorClass.ARGUMENT,
                    name() + ": attribute " + key + ": argument value is null"));
        }
        delete(key);
        world().attributed(this);
        synchronized (attributes) {
            attributes.put(key, value);
        }
    }

    /** Deletes the value of a key; false if it had none. */
    public final boolean removeAttribute(AttributeKey<?> key) {
        checkKey(key);
        return delete(key);
    }

    private void checkKey(AttributeKey<?> key) {
        checkUsable();
        if (key == null) {
            throw raised(
                    new RankwireException(ErrorClass.ARGUMENT, name() + ": attribute: argument key is null"));
        }
    }

    /** The callback runs outside the monitor: it may ask for other attributes, and it may wait. */
    @SuppressWarnings("unchecked")
    private boolean delete(AttributeKey<?> key) {
        Object value;
        synchronized (attributes) {
            value = attributes.remove(key);
        }
        if (value == null) {
            return false;
        }
        ((AttributeKey<Object>) key).deleted(this, value);
        return true;
    }

    /** Deletes all, the last one set first. */
    final void deleteAttributes() {
        AttributeKey<?>[] keys;
        synchronized (attributes) {
            // Most have none, and a program that has none need not load the key's class to end.
            if (attributes.isEmpty()) {
                return;
            }
            keys = attributes.keySet().toArray(new AttributeKey<?>[0]);
        }
        world().unattributed(this);
        for (int i = keys.length - 1; i >= 0; i--) {
            delete(keys[i]);
        }
    }

    /** What a duplicate of this is to have: each key is asked, in the order they were set. */
    @SuppressWarnings("unchecked")
    final Map<AttributeKey<?>, Object> copyAttributes() {
        Map<AttributeKey<?>, Object> copies;
        synchronized (attributes) {
            copies = new LinkedHashMap<>(attributes);
        }
        for (AttributeKey<?> key : copies.keySet().toArray(new AttributeKey<?>[0])) {
            Optional<Object> copy = ((AttributeKey<Object>) key).copied(this, copies.get(key));
            if (copy.isPresent()) {
                copies.put(key, copy.get());
            } else {
                copies.remove(key);
            }
        }
        return copies;
    }

    final void takeAttributes(Map<AttributeKey<?>, Object> copies) {
        if (!copies.isEmpty()) {
            world().attributed(this);
        }
        synchronized (attributes) {
            attributes.putAll(copies);
        }
    }
}
