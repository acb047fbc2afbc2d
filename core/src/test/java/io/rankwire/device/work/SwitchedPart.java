package io.rankwire.device.work;

import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;

/** Memory of a peer that is reached by frames, while a test wants it to be open. */
final class SwitchedPart implements RemotePart {
    boolean isOpen = true;
    int claims;
    int uses;
    private int peer;
    private int key;

    SwitchedPart at(int owner, int region) {
        peer = owner;
        key = region;
        return this;
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
        return isOpen ? null : "it is closed";
    }

    @Override
    public void used() {
        uses++;
    }

    @Override
    public String claim() {
        claims += isOpen ? 1 : 0;
        return obstacle();
    }

    @Override
    public void release() {
        claims--;
    }

    @Override
    public boolean isMapped() {
        return false;
    }

    @Override
    public boolean isGone() {
        return false;
    }

    @Override
    public void put(Object base, long offset, long bytes, ElementType type, long at) {
        throw new AssertionError("it is not mapped");
    }

    @Override
    public void get(Object base, long offset, long bytes, ElementType type, long at) {
        throw new AssertionError("it is not mapped");
    }

    @Override
    public boolean fetch(Reduction op, Object base, long offset, Object result, long resultOffset, long bytes,
            ElementType type, long at) {
        throw new AssertionError("it is not mapped");
    }

    @Override
    public boolean compareAndSwap(
            long expected, long value, Object result, long resultOffset, ElementType type, long at) {
        throw new AssertionError("it is not mapped");
    }
}
