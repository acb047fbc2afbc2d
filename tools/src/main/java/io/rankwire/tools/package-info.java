/** The command line: run, bench, doctor. */
package io.rankwire.tools;
