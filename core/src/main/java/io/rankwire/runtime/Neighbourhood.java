package io.rankwire.runtime;

import io.rankwire.collective.Exchange.End;
import io.rankwire.collective.Step.Part;
import java.util.ArrayList;
import java.util.List;

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

    /** What goes to the destinations, of parts that are one for each. */
    public List<End> to(Part[] parts) {
        List<End> ends = new ArrayList<>();
        for (int i = 0; i < destinations.length; i++) {
            ends.add(new End(destinations[i], parts[i]));
        }
        return ends;
    }

    /** What comes from the sources, in that order. */
    public List<End> from(Part[] parts) {
        List<End> ends = new ArrayList<>();
        for (int i : arrivals) {
            ends.add(new End(sources[i], parts[i]));
        }
        return ends;
    }
}
