package io.rankwire.runtime;

/**
 * Whom a rank receives from and sends to in a topology, in the order in which collectives of neighbours lay out their
 * parts. {@link Endpoint#NONE} keeps a part that nothing is sent to or comes from.
 *
 * @param arrivals the places in {@code sources} in the order in which parts come from them: it matters where one rank
 *     is a source several times, since what it sends comes in the order of its destinations
 */
public record Neighbourhood(int[] sources, int[] destinations, int[] arrivals) {
    /** Parts come in the order of their places. */
    public Neighbourhood(int[] sources, int[] destinations) {
        this(sources, destinations, new int[sources.length]);
        for (int i = 0; i < arrivals.length; i++) {
            arrivals[i] = i;
        }
    }

    /** Sources in the order in which parts come from them. */
    public int[] arriving() {
        int[] arriving = new int[arrivals.length];
        for (int i = 0; i < arriving.length; i++) {
            arriving[i] = sources[arrivals[i]];
        }
        return arriving;
    }
}
