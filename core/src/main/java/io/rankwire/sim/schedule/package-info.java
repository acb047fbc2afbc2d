/**
 * Collectives and patterns of millions of ranks in virtual time, without devices and programs: the product's own
 * schedules, their steps driven by hosts or by devices, over a uniform network or over links and switches. Nothing is
 * an object for each rank, step or message.
 */
package io.rankwire.sim.schedule;
