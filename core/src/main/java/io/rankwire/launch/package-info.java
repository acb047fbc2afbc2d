/**
 * Jobs: which rank a thread or process is, the board that all ranks of a job share with the process that watches over
 * them, and the entry points that run a program as a rank. Nothing here passes messages; a {@link
 * io.rankwire.launch.Job} only opens the device that does.
 */
package io.rankwire.launch;
