/** Tests of what is packed for users, in directories without a checkout. */
package io.rankwire.dist;
