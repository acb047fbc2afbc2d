/**
 * Windows: memory of the ranks of a communicator that each of them reads, writes and changes without a matching call of
 * its owner. {@link io.rankwire.runtime.window.WindowEndpoint} is one window as this rank sees it.
 */
package io.rankwire.runtime.window;
