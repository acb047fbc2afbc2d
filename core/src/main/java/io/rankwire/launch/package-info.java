/**
 * Jobs: who is which rank, the board all ranks of a job share, and the entry points that run a program as a rank.
 */
package io.rankwire.launch;
