/**
 * The one parser of the command line. A command is described by data: a {@link io.rankwire.tools.options.Syntax} with
 * its {@link io.rankwire.tools.options.Option}s. Parsing, error messages, help texts and shell completion all come from
 * that data. This package imports nothing of Rankwire.
 */
package io.rankwire.tools.options;
