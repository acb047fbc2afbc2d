/** What the simulator shows, as figures: each a drawing and a table, with its parameters and the hash of its runs. */
package io.rankwire.tools.sim;
