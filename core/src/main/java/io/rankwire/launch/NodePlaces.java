package io.rankwire.launch;

/** The nodes of a modelled machine that ranks run on, and where these are in its network. */
public interface NodePlaces {
    /** The node of a rank. */
    int node(int rank);

    /** Where the node of a rank is: as many numbers for each node. */
    int[] coordinates(int rank);

    /** Links from the node of one rank to that of another. */
    int hops(int from, int to);
}
