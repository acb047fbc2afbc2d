/**
 * Devices on fabrics that fail: what goes wrong, how a device is set up and what is asked of it is all drawn from one
 * seed ({@link io.rankwire.sim.fault.Trial}); every step is compared with a model that is too simple to be wrong.
 * {@link io.rankwire.sim.fault.Campaign} runs many seeds.
 */
package io.rankwire.sim.fault;
