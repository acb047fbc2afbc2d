/**
 * Modelled matching hardware: what header matching costs in a device with a number of matcher units and memory
 * banks. It computes times; its results are those of {@link io.rankwire.device.match.ListMatcher}. Time is integer, and
 * nothing is left to chance.
 */
package io.rankwire.sim.match;
