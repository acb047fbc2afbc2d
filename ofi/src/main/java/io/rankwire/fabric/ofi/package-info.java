/**
 * The fabric of the networks that libfabric reaches, through the foreign-function interface: frames, and memory of
 * peers that the network reads and writes. Nothing here is loaded before this fabric is chosen.
 */
package io.rankwire.fabric.ofi;
