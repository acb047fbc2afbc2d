package io.rankwire.collective;

/**
 * Alltoall in ⌈log₂ p⌉ rounds: blocks are turned so that block i has i ranks to go; in round k all blocks with bit k
 * set travel 2^k ranks together. Each block is carried log₂ p / 2 times on average: for small blocks.
 *
 * <pre>
 *   p = 4, rank 0:  [0 1 2 3]   1, 3 → rank 1     2, 3 → rank 2     turned back
 * </pre>
 */
public final class BruckAlltoall {
    public static final String NAME = "Bruck";

    private BruckAlltoall() {}

    public static Schedule of(int rank, int size, long units) {
        Schedule.Builder steps = new Schedule.Builder();
        int turned = steps.temporary(size * units);
        steps.copy(Schedule.INPUT, rank * units, turned, 0, (size - rank) * units);
        steps.copy(Schedule.INPUT, 0, turned, (size - rank) * units, rank * units);
        int out = steps.temporary((size + 1) / 2 * units);
        for (int far = 1; far < size; far *= 2) {
            int in = steps.temporary((size + 1) / 2 * units);
            long packed = 0;
            for (int block = far; block < size; block++) {
                if ((block & far) != 0) {
                    steps.copy(turned, block * units, out, packed, units);
                    packed += units;
                }
            }
            steps.send((rank + far) % size, out, 0, packed);
            steps.receive((rank - far + size) % size, in, 0, packed);
            long at = 0;
            for (int block = far; block < size; block++) {
                if ((block & far) != 0) {
                    steps.copy(in, at, turned, block * units, units);
                    at += units;
                }
            }
        }
        for (int block = 0; block < size; block++) {
            steps.copy(turned, block * units, Schedule.OUTPUT, (rank - block + size) % size * units, units);
        }
        return steps.build(NAME);
    }

    public static double cost(Cost cost, int size, long blockBytes) {
        return Cost.rounds(size) * (cost.roundNs() + size / 2.0 * blockBytes * (cost.byteNs() + 2 * cost.copyNs()))
                + 2.0 * size * (blockBytes * cost.copyNs() + 10);
    }
}
