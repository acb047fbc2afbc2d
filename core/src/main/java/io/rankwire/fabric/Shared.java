package io.rankwire.fabric;

import java.lang.foreign.MemorySegment;

/**
 * Memory of one rank that its peers can reach.
 *
 * @param id names it among the allocations of its owner; never given twice
 */
public record Shared(long id, MemorySegment memory) {}
