/**
 * Tests that run as several ranks, with JUnit. {@link io.rankwire.junit.OnRanks} and
 * {@link io.rankwire.junit.UnderFaults} are all that a test needs. The package uses the public API of Rankwire alone.
 */
package io.rankwire.junit;
