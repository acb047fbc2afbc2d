/**
 * {@code rankwire bench}: measures Rankwire and, when asked, C libraries of MPI with the same loops in the same run.
 * {@link io.rankwire.tools.bench.BenchRank} is our side of the loops and the resource {@code peer.c} theirs; all else
 * here starts processes, one after another from one thread, and prints the results. Our ranks are started as a
 * user would start them, with nothing tuned.
 */
package io.rankwire.tools.bench;
