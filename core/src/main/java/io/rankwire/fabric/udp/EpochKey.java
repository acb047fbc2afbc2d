package io.rankwire.fabric.udp;

import javax.crypto.spec.SecretKeySpec;

/** The key from one rank to another, for datagrams whose numbers are in one epoch. */
record EpochKey(long epoch, SecretKeySpec key) {}
