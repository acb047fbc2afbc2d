package io.rankwire.device;

/**
 * A message that its receiver refused when its send had ended already.
 *
 * @param code why, a {@link Code}
 * @param sent whether this rank has sent the message; otherwise this rank has refused it
 * @param peer the other rank
 * @param bytes those of the message
 * @param room bytes of the receive, if it was too small
 */
public record Refusal(int code, boolean sent, int peer, int context, int tag, long bytes, long room) {}
