/**
 * Events for the JDK's Flight Recorder: calls that wait, sleeps of waiting threads, and large messages. While no
 * recording was ever started in this process, {@link io.rankwire.trace.Trace#on} is false, no event class is loaded,
 * and a check of that field is all that events cost.
 */
package io.rankwire.trace;
