/**
 * Cross-channel work queues: programs of small fixed entries that the device runs by itself, from one posting to the
 * end, whenever it makes progress. {@link io.rankwire.device.work.WorkProgram} is what one writes, {@link
 * io.rankwire.device.work.WorkEngine} what runs it. No lock, clock or thread of its own, like all of the device.
 */
package io.rankwire.device.work;
