/**
 * The command line. Every start of a job pays for what this code loads before the ranks run, so the path of
 * {@code rankwire run} has no lambdas, streams or regular expressions, and loads no other command.
 */
package io.rankwire.tools;
