package io.rankwire.device.onesided;

import io.rankwire.device.Channel;
import io.rankwire.device.Operation;
import io.rankwire.device.transfer.RemoteAccess;

/** A put or get that the network makes by itself, and what is needed to make it in frames if the peer refuses. */
final class EngineAccess {
    RemoteAccess access;
    boolean write;
    Channel channel;
    int elementType;
    Object buffer;
    long offset;
    long bytes;
    long at;
    Operation operation;
    /** Whether all of it was started, or no more of it is. */
    boolean started;
}
