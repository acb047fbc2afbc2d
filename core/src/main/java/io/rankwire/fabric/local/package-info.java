/** Ranks that are threads of one JVM: line rings in native memory. */
package io.rankwire.fabric.local;
