package io.rankwire.fabric;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** A selector in which any thread may wait for channels while another drives the port that they belong to. */
public final class SleepingSelector implements AutoCloseable {
    /** The longest time that a thread waits for channels without being woken by them. */
    public static final long MOST_PARK_NS = 1_000_000;

    private static final Consumer<SelectionKey> IGNORE = key -> {};

    private final Selector selector;
    /** Whether a thread waits in the selector, which only one at a time can use. */
    private final AtomicBoolean sleeping = new AtomicBoolean();

    public SleepingSelector() throws IOException {
        selector = Selector.open();
    }

    /** To register channels with. */
    public Selector selector() {
        return selector;
    }

    /** Hands over the keys of channels that are ready, without waiting. */
    public void look(Consumer<SelectionKey> ready) {
        wake();
        try {
            selector.selectNow(ready);
        } catch (IOException e) {
            throw new FabricException("cannot watch sockets: " + e.getMessage(), e);
        }
    }

    /** Whether a channel is ready. A guess that any thread may make. */
    public boolean mayHaveWork() {
        try {
            return !sleeping.get() && selector.selectNow(IGNORE) > 0;
        } catch (IOException e) {
            return true;
        }
    }

    /** Waits until a channel is ready, but not much longer than the time. */
    public void sleep(long ns) {
        if (!sleeping.compareAndSet(false, true)) {
            LockSupport.parkNanos(Math.min(ns, MOST_PARK_NS));
            return;
        }
        try {
            selector.select(IGNORE, Math.max(1, ns / 1_000_000));
        } catch (IOException e) {
            throw new FabricException("cannot wait for sockets: " + e.getMessage(), e);
        } finally {
            sleeping.set(false);
        }
    }

    /** Whether a thread waits in {@link #sleep}, or is about to. */
    public boolean isAsleep() {
        return sleeping.get();
    }

    /** Ends a {@link #sleep}. */
    public void wake() {
        if (sleeping.get()) {
            selector.wakeup();
        }
    }

    @Override
    public void close() throws IOException {
        selector.close();
    }
}
