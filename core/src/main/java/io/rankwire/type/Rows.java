package io.rankwire.type;

/**
 * Combines rows of elements that lie in primitive arrays: {@code target[i] = left[i] op right[i]}. The three arrays are
 * of one kind; the target may be one of the other two, at the same place.
 */
@FunctionalInterface
public interface Rows {
    void combine(Object left, int leftAt, Object right, int rightAt, Object target, int targetAt, int count);
}
