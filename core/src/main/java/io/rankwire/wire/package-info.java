/** Frames and match words, bit by bit; docs/WIRE.md is the same in prose. Nothing here allocates or decides. */
package io.rankwire.wire;
