/**
 * Frames between hosts in datagrams: one socket a process, no connections, nothing known of a peer before it is spoken
 * with. Frames may be lost, doubled or reordered, so a flow layer lies above. Every datagram proves the secret of the
 * job; nothing is read from one that does not. {@link io.rankwire.fabric.udp.UdpPort} reaches the network through a
 * {@link io.rankwire.fabric.udp.UdpSocket}, which makes foreign calls where the system has them.
 */
package io.rankwire.fabric.udp;
