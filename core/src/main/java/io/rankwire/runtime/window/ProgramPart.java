package io.rankwire.runtime.window;

import io.rankwire.device.work.RemotePart;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;

/** A rank's part of a window as the entries of work programs access it, on the thread that drives the device. */
final class ProgramPart implements RemotePart {
    private final WindowEndpoint window;
    private final Epochs epochs;
    private final int rank;
    private final int peer;
    private final int key;
    /** Null if accesses go in frames. */
    private final MappedTarget mapped;

    ProgramPart(WindowEndpoint window, Epochs epochs, int rank, int peer, int key, Target target) {
        this.window = window;
        this.epochs = epochs;
        this.rank = rank;
        this.peer = peer;
        this.key = key;
        this.mapped = target instanceof MappedTarget here ? here : null;
    }

    @Override
    public int peer() {
        return peer;
    }

    @Override
    public int key() {
        return key;
    }

    @Override
    public String obstacle() {
        return obstacle(epochs.isOpen(rank));
    }

    private String obstacle(boolean isOpen) {
        return window.isFreed() ? window.name() + " was freed"
                : isGone() ? "its part of " + window.name() + " was freed"
                : isOpen ? null : "no epoch of " + window.name() + " is open towards it";
    }

    @Override
    public void used() {
        epochs.used();
    }

    @Override
    public String claim() {
        boolean isOpen = epochs.claim(rank);
        String obstacle = obstacle(isOpen);
        if (isOpen && obstacle != null) {
            epochs.release();
        }
        return obstacle;
    }

    @Override
    public void release() {
        epochs.release();
    }

    @Override
    public boolean isMapped() {
        return mapped != null;
    }

    @Override
    public boolean isGone() {
        return mapped != null && mapped.isGone();
    }

    @Override
    public void put(Object base, long offset, long bytes, ElementType type, long at) {
        mapped.write(base, offset, bytes, type, at);
    }

    @Override
    public void get(Object base, long offset, long bytes, ElementType type, long at) {
        mapped.read(base, offset, bytes, type, at);
    }

    @Override
    public boolean fetch(Reduction op, Object base, long offset, Object result, long resultOffset, long bytes,
            ElementType type, long at) {
        return mapped.tryFetch(op, base, offset, result, resultOffset, bytes, type, at);
    }

    @Override
    public boolean compareAndSwap(
            long expected, long value, Object result, long resultOffset, ElementType type, long at) {
        return mapped.tryCompareAndSwap(expected, value, result, resultOffset, type, at);
    }
}
