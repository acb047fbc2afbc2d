/**
 * Jobs: who is which rank, the board all ranks of a job share with whoever watches over them, and the entry points that
 * run a program as a rank. Nothing here passes messages; a {@link io.rankwire.launch.Job} only opens the port that
 * does.
 */
package io.rankwire.launch;
