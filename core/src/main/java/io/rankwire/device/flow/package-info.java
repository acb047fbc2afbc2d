/**
 * Reliability: each frame once and in order per pair of ranks, over a fabric that drops, doubles, reorders, damages,
 * shortens and delays. {@link io.rankwire.device.flow.FlowPort} is a port over such a port. Like the device it has no
 * clock, thread or chance of its own.
 */
package io.rankwire.device.flow;
