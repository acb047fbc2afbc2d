/** The interface device, without I/O, clock, thread or chance of its own. */
package io.rankwire.device;
