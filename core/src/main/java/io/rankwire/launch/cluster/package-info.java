/**
 * Clients of the launchers of clusters: they say which rank a process is, and pass a card from rank 0 to all others.
 * Nothing here knows about jobs, worlds or messages.
 */
package io.rankwire.launch.cluster;
