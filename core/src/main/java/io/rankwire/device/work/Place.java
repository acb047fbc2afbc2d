package io.rankwire.device.work;

/** A place in a buffer of a program: the buffer's number and an offset in bytes. */
public record Place(int buffer, long offset) {}
