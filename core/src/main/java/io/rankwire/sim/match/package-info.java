/**
 * Modelled matching hardware (H3, H12): what header matching costs in a device with so many matcher units and memory
 * banks. It tells times; its results are those of {@link io.rankwire.device.match.ListMatcher}. Time is integer, and
 * nothing is left to chance.
 */
package io.rankwire.sim.match;
