package io.rankwire.collective;

/**
 * Broadcast of a long message along a chain: each rank passes on what it has got, chunk by chunk, while the next chunk
 * comes. Every rank gets and gives the message once, so that it takes hardly longer than one message; the first chunk
 * passes all ranks before the last one has it.
 *
 * <pre>
 *   root → root + 1 → root + 2 → … → root + p - 1
 * </pre>
 *
 * The device has one entry for all chunks of a rank.
 */
public final class ChainBroadcast {
    public static final String NAME = "chain";

    private static final double SHORTEST_CHUNK = 16 << 10;
    private static final double LONGEST_CHUNK = 256 << 10;

    private ChainBroadcast() {}

    public static Schedule of(int rank, int size, int root, long units) {
        Schedule.Builder steps = new Schedule.Builder();
        int place = (rank - root + size) % size;
        int from = place == 0 ? -1 : (rank - 1 + size) % size;
        int to = place == size - 1 ? -1 : (rank + 1) % size;
        steps.pipe(from, to, new Step.Part(Schedule.OUTPUT, 0, units), units);
        return steps.build(NAME);
    }

    /** The chunks of the real cut depend on the device; these are close. */
    public static double cost(Cost cost, int size, long bytes) {
        double chunk = Math.min(bytes, Math.clamp(bytes / (double) Schedule.CHUNKS, SHORTEST_CHUNK, LONGEST_CHUNK));
        double chunks = chunk == 0 ? 1 : Math.ceil(bytes / chunk);
        return (size - 1) * cost.roundNs() + (chunks - 1) * cost.messageNs()
                + (bytes + (size - 2) * chunk) * cost.byteNs();
    }
}
