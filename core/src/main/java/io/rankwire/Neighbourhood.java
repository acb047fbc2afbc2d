package io.rankwire;

/**
 * Whom a rank receives from and sends to in a topology, in the order in which collectives of neighbours lay out their
 * parts. {@link Communicator#NONE} keeps a part that nothing is sent to or comes from.
 */
record Neighbourhood(int[] sources, int[] destinations) {}
