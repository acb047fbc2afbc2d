package io.rankwire.runtime;

import io.rankwire.launch.VirtualTime;

/** A wait that ends by itself after some time, and so is no part of a deadlock. */
record TimedWait(Host.Waiting what) implements Host.Waiting {
    @Override
    public String describe() {
        return what.describe();
    }

    @Override
    public int peer() {
        return what.peer();
    }

    @Override
    public void name(VirtualTime.Wishes to) {
        what.name(to);
    }
}
