/** Transfers: the regions of memory that others may reach, and what moves bytes from and to them. */
package io.rankwire.device.dma;
