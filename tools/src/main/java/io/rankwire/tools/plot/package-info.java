/** Drawings of curves and of loads as SVG, of measured and of simulated values alike. */
package io.rankwire.tools.plot;
