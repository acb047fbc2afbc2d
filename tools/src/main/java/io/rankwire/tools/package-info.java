/**
 * The command line: run, bench, doctor. Every start of a job pays for what this code loads before the ranks run, so it
 * reads its options by hand and leaves lambdas, streams and regular expressions alone on that path.
 */
package io.rankwire.tools;
