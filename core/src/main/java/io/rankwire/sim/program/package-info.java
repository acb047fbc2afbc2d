/**
 * Programs in virtual time: each rank of an unchanged program is a virtual thread, one of them runs at a time, and the
 * clock is moved by the model of a machine. The only part of the simulator that may read the machine's clock, and only
 * when it is to count measured computing time.
 */
package io.rankwire.sim.program;
