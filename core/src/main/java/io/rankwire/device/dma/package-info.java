/**
 * The engine that moves large messages: spans whose two ends are claimed, descriptors, injection FIFOs by priority.
 */
package io.rankwire.device.dma;
