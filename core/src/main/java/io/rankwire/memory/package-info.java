/** Rings, words and seeded numbers over raw memory. Imports java.base only; knows nothing of messages. */
package io.rankwire.memory;
