/**
 * Moves opaque frames between ranks; never parses them. {@link io.rankwire.fabric.Port} is the contract, the
 * sub-packages are its backends, and backends never import each other.
 */
package io.rankwire.fabric;
