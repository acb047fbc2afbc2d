/**
 * Transfers: the regions of memory that others may reach; spans whose two ends are claimed, descriptors of what is to
 * be moved, and injection FIFOs by priority.
 */
package io.rankwire.device.dma;
