/** Modelled networks: which vertices are linked, and how packets share the links. */
package io.rankwire.sim.net;
