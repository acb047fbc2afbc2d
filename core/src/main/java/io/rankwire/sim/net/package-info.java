/** Modelled networks: who is linked with whom, and how packets share the links. */
package io.rankwire.sim.net;
