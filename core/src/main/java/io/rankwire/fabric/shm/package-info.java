/**
 * Ranks that are processes of one host: line rings in files that both ends map, unlinked as soon as both have; memory
 * that a rank shares, in files that keep their names until it is freed; and memory of other processes by system call.
 */
package io.rankwire.fabric.shm;
