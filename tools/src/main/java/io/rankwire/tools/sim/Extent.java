package io.rankwire.tools.sim;

/**
 * How far figures go.
 *
 * @param ranks most, of collectives
 * @param noisyRanks most, of collectives under noise
 * @param side of the largest torus with a barrier
 * @param bytes of the largest message
 * @param depth of the deepest queue
 * @param calls under noise
 * @param heat sides of the torus that is drawn
 */
record Extent(int ranks, int noisyRanks, int side, int bytes, int depth, int calls, int[] heat, int threads) {
    static final Extent FULL = new Extent(1 << 20, 1 << 14, 32, 4 << 20, 1024, 20, new int[] {16, 8, 4},
            Math.min(2, Runtime.getRuntime().availableProcessors()));
    /** For a look at all of it within seconds. */
    static final Extent SMALL = new Extent(1 << 8, 1 << 6, 4, 1 << 16, 16, 4, new int[] {4, 2, 2}, 1);
}
