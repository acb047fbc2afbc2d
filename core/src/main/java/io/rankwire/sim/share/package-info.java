/** Several interface devices in a node, and how the ranks there share them (H11). */
package io.rankwire.sim.share;
