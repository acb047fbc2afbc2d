package io.rankwire.type;

/** As {@link Rows}, with all three arrays from one index on, up to another. */
interface LevelRows {
    void combine(Object left, Object right, Object target, int from, int end);
}
