/**
 * The runtime behind the API: the joined world ({@link io.rankwire.runtime.Session}), its communicators
 * ({@link io.rankwire.runtime.Endpoint}), the calls that drive the device ({@link io.rankwire.runtime.Host}), messages,
 * collectives and windows. It uses no types of the API except the exception and its error classes.
 */
package io.rankwire.runtime;
