/** Micro-benchmarks (JMH) and memory-model stress (jcstress): compiled always, run on demand, never published. */
package io.rankwire.lab;
