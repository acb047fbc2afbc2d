package io.rankwire.type;

import java.lang.foreign.MemorySegment;

/** The predefined operations on memory, each made ready when many elements first need it. For one thread at a time. */
public final class Combinations {
    private static final int TYPES = ElementType.values().length;

    private Combination[] made;

    /** As {@link Reduction#apply}. */
    public void apply(Reduction op, ElementType type, MemorySegment target, long at, MemorySegment operand, long from,
            long count) {
        if (count <= Combination.FEW || op.isPlain(type)) {
            op.apply(type, target, at, operand, from, count);
            return;
        }
        if (made == null) {
            made = new Combination[Reduction.values().length * TYPES];
        }
        int place = op.code() * TYPES + type.code();
        if (made[place] == null) {
            made[place] = Combination.of(op, type);
        }
        made[place].combine(target, at, operand, from, target, at, count * type.bytes());
    }
}
