/**
 * What messages are made of: element types, the copies between user memory and frames, and codecs for objects.
 */
package io.rankwire.type;
