/**
 * The simulated world: the same device and the same programs in virtual time. Time is counted in whole picoseconds;
 * nothing here reads a clock, and what happens next depends on the seed and the model alone.
 */
package io.rankwire.sim;
