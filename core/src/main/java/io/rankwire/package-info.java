/**
 * What a program sees: worlds, communicators, requests and datagrams. Nothing here moves bytes itself; calls check
 * their arguments, drive the {@linkplain io.rankwire.device device} and turn its status codes into one exception type.
 */
package io.rankwire;
