package io.rankwire;

/** How two groups, or two communicators, stand to each other. */
public enum Comparison {
    /** Groups: the same ranks in the same order. Communicators: one and the same. */
    IDENTICAL,
    /** Communicators only: the same ranks in the same order, with messages of their own. */
    CONGRUENT,
    /** The same ranks in another order. */
    SIMILAR,
    /** Not the same ranks. */
    UNEQUAL
}
