/**
 * What messages are made of: element types, the copies between user memory and frames, programs for copies of
 * elements that do not lie in a row, and codecs for objects.
 */
package io.rankwire.type;
