/** Stand-in for the fabric over TCP. */
package io.rankwire.fabric.tcp;
