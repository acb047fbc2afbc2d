package io.rankwire.memory;

/** Seeded numbers (SplitMix64): the same seed gives the same sequence on every machine and version. */
public final class Rand {
    private long state;

    public Rand(long seed) {
        state = seed;
    }

    public long nextLong() {
        state += 0x9E3779B97F4A7C15L;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** From 0 to {@code bound - 1}. */
    public int below(int bound) {
        assert bound > 0;
        return (int) Math.multiplyHigh(nextLong() >>> 1, (long) bound << 1);
    }

    /** From {@code low} to {@code high}, both included. */
    public int between(int low, int high) {
        return low + below(high - low + 1);
    }

    /** True about {@code part} times in {@code whole}. */
    public boolean chance(int part, int whole) {
        return below(whole) < part;
    }
}
