package io.rankwire.fabric;

/**
 * What a fabric promises.
 *
 * @param maxPayload largest payload of one frame, in bytes
 * @param ordered frames of one sender arrive in the order of their commits
 * @param reliable no frame is lost, doubled or changed
 */
public record PortTraits(int maxPayload, boolean ordered, boolean reliable) {}
