/**
 * What runs behind the API: the joined world ({@link io.rankwire.runtime.Session}), its communicators
 * ({@link io.rankwire.runtime.Endpoint}), the calls that drive the device ({@link io.rankwire.runtime.Host}), messages,
 * collectives and windows. Of the API it knows only the exception and its classes of errors.
 */
package io.rankwire.runtime;
