/**
 * Collective calls, from their arguments to their end: {@link io.rankwire.runtime.collective.Side}s are what this rank
 * gives and takes, {@link io.rankwire.runtime.collective.Binder} checks a call, {@link
 * io.rankwire.runtime.collective.Algorithm#LIST} holds the ways to make it, and {@link
 * io.rankwire.runtime.collective.Runner} makes it.
 */
package io.rankwire.runtime.collective;
