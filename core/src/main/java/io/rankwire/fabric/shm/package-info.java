/** Ranks that are processes of one host: line rings in files that both ends map, unlinked as soon as both have. */
package io.rankwire.fabric.shm;
