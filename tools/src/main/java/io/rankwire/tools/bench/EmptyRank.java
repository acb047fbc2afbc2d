package io.rankwire.tools.bench;

import io.rankwire.World;

/** A program that does nothing: what its job takes is what every job takes. */
public final class EmptyRank {
    private EmptyRank() {}

    public static void main(String[] args) {
        World.join().close();
    }
}
