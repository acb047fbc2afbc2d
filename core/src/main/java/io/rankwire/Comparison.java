package io.rankwire;

/**
 * The result of comparing two groups, or two communicators: {@link Group#compare}, {@link Communicator#compare}.
 *
 * <pre>{@code
 * boolean sameRanks = one.compare(other) != Comparison.UNEQUAL;
 * }</pre>
 */
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
