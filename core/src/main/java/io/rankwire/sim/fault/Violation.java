package io.rankwire.sim.fault;

/** A promise was broken. */
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Violation(String message) {
        super(message);
    }

    public static void check(boolean holds, String what) {
        if (!holds) {
            throw new Violation(what);
        }
    }
}
