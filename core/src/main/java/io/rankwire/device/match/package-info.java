/**
 * Header matching: which posted receive an arriving message meets, in exact MPI order, at a cost flat in queue depth.
 */
package io.rankwire.device.match;
