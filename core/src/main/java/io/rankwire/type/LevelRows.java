package io.rankwire.type;

/**
 * As {@link Rows}, with all three arrays from one index on, up to another.
 *
 * @param <A> the kind of the arrays
 */
interface LevelRows<A> {
    void combine(A left, A right, A target, int from, int end);
}
