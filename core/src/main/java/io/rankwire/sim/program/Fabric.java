package io.rankwire.sim.program;

/** What carries the messages of a simulated program. */
public enum Fabric {
    /** The modelled devices themselves. */
    DEVICE,
    /** Connections between the hosts, and the fabric {@code tcp} above them. */
    TCP,
    /** Datagrams between the hosts, and the flow layer above them. */
    UDP
}
