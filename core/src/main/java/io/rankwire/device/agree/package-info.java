/** Calls of a group that end alike at all its members though some of them die: agreements and revocations. */
package io.rankwire.device.agree;
