package io.rankwire.sim.schedule;

import io.rankwire.sim.Picoseconds;

/**
 * What messages cost between any two ranks: latency, overhead and gap of a message, gap and overhead of its further
 * bytes, and the size up to which it is sent without asking (L, o, g, G, O, S).
 *
 * @param latencyPs L: from one device to another, of the first byte
 * @param overheadPs o: work of the driver for a message it sends or receives
 * @param gapPs g: least time between two messages, out or in
 * @param gapPsPerKib G: what 1,024 bytes take on the way
 * @param overheadPsPerKib O: what 1,024 bytes take of the host; devices move bytes beside their work
 * @param eagerBytes S: a longer message is announced, and sent when the receive is there
 */
public record LogGops(long latencyPs, long overheadPs, long gapPs, long gapPsPerKib, long overheadPsPerKib,
        long eagerBytes) {
    public LogGops {
        if (latencyPs < 1 || overheadPs < 0 || gapPs < 0 || gapPsPerKib < 0 || overheadPsPerKib < 0) {
            throw new IllegalArgumentException("costs: latency " + latencyPs + " ps (1 at least), overhead "
                    + overheadPs + " ps, gap " + gapPs + " ps, " + gapPsPerKib + " and " + overheadPsPerKib
                    + " ps a KiB");
        }
    }

    /** A cluster of the years around 2010: L 2.5 µs, o 1.5 µs, g 1 µs, 1 GB/s, asks above 64 KiB. */
    public static final LogGops DEFAULT = new LogGops(2_500_000, 1_500_000, 1_000_000, 1_024_000, 0, 65_535);

    /** How long a message keeps the way after its first byte. */
    long streamPs(long bytes) {
        return more(bytes, gapPsPerKib);
    }

    /** How long a host works for the bytes of a message after its first. */
    long handlePs(long bytes) {
        return more(bytes, overheadPsPerKib);
    }

    private static long more(long bytes, long psPerKib) {
        return bytes <= 1 ? 0 : (bytes - 1) * psPerKib + 1023 >> 10;
    }

    @Override
    public String toString() {
        return "L " + Picoseconds.text(latencyPs) + ", o " + Picoseconds.text(overheadPs) + ", g "
                + Picoseconds.text(gapPs) + ", G " + Picoseconds.text(gapPsPerKib) + "/KiB, O "
                + Picoseconds.text(overheadPsPerKib) + "/KiB, S " + eagerBytes + " B";
    }
}
