/**
 * One-sided access to memory that cannot be mapped: {@link io.rankwire.device.onesided.OneSided} sends what is to be
 * done and serves what peers send, {@link io.rankwire.device.onesided.RegionTable} checks every access.
 */
package io.rankwire.device.onesided;
