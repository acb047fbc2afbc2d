package io.rankwire.tools.bench;

/** Work of a given length that touches no memory: a chain of steps, each of which needs the one before. */
final class Computing {
    private static final int CALIBRATED_STEPS = 20_000;
    private static final int CALIBRATIONS = 200;

    private long state = 88172645463325252L;

    void steps(int count) {
        long x = state;
        for (int i = 0; i < count; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        state = x;
    }

    double stepNs() {
        double best = Double.MAX_VALUE;
        for (int i = 0; i < CALIBRATIONS; i++) {
            long start = System.nanoTime();
            steps(CALIBRATED_STEPS);
            best = Math.min(best, (double) (System.nanoTime() - start) / CALIBRATED_STEPS);
        }
        return best;
    }
}
