package io.rankwire.sim.net;

/**
 * What a link and the switch behind it cost.
 *
 * @param latencyPs from the first byte's start at one vertex to its arrival at the next, switch included
 * @param psPerKib picoseconds that 1,024 bytes take
 * @param slots packets that find room at the end of a link, for each way
 * @param headerBytes what a packet carries beside its payload
 */
public record LinkModel(long latencyPs, long psPerKib, int slots, int headerBytes) {
    public LinkModel {
        if (latencyPs < 1 || psPerKib < 0 || slots < 2 || headerBytes < 0) {
            throw new IllegalArgumentException("links: latency " + latencyPs + " ps, " + psPerKib + " ps a KiB, "
                    + slots + " slots (2 at least), " + headerBytes + " bytes of header");
        }
    }

    /** 100 ns a hop, 10 GB/s, room for 16 packets. */
    public static final LinkModel DEFAULT = new LinkModel(100_000, 102_400, 16, 32);

    /** How long a packet with this many bytes of payload keeps a link. */
    public long keeps(int payloadBytes) {
        return ((long) payloadBytes + headerBytes) * psPerKib + 1023 >> 10;
    }
}
