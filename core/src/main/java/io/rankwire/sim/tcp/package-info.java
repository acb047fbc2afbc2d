/**
 * TCP between simulated hosts: what the systems of the hosts do. The ports above are those of {@code fabric.tcp},
 * unchanged.
 */
package io.rankwire.sim.tcp;
