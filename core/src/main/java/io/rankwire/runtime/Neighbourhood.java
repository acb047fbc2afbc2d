package io.rankwire.runtime;

/**
 * The ranks that a rank receives from and sends to in a topology, in the order in which collectives of neighbours lay
 * out their parts. The part of {@link Endpoint#NONE} stays in the layout, but nothing is sent or received for it.
 *
 * @param arrivals the places in {@code sources} in the order in which parts arrive. The order matters if one rank is a
 *     source several times: its parts arrive in the order of its destinations
 */
public record Neighbourhood(int[] sources, int[] destinations, int[] arrivals) {
    /** Creates a neighbourhood whose parts arrive in the order of their places. */
    public Neighbourhood(int[] sources, int[] destinations) {
        this(sources, destinations, new int[sources.length]);
        for (int i = 0; i < arrivals.length; i++) {
            arrivals[i] = i;
        }
    }

    /** Returns the sources in the order in which parts arrive from them. */
    public int[] arriving() {
        int[] arriving = new int[arrivals.length];
        for (int i = 0; i < arriving.length; i++) {
            arriving[i] = sources[arrivals[i]];
        }
        return arriving;
    }
}
