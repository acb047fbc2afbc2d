/**
 * Frames between hosts over TCP: one connection for each pair of ranks that talks, made at first use and made anew when
 * it breaks, without loss. {@link io.rankwire.fabric.tcp.TcpPort} does no I/O of its own: a {@link
 * io.rankwire.fabric.tcp.Network} gives it channels, which are sockets in a job and models in tests.
 */
package io.rankwire.fabric.tcp;
