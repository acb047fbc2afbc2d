package io.rankwire.fabric.tcp;

import java.io.IOException;
import java.nio.channels.ByteChannel;

/**
 * Where the connections of a port come from: sockets, or a model of them. No call blocks but {@link #sleep}. A channel
 * that is not ready reads and writes 0 bytes; one whose other end is closed reads -1. All channels gather and scatter.
 */
public interface Network extends AutoCloseable {
    /** Takes what {@link #look} finds. */
    interface Events {
        /** The connection is complete, or can be read. */
        void ready(Connection connection);

        /** There may be connections to {@link #accept}. */
        void arriving();
    }

    /** Begins a connection to a rank, which {@link #finish} completes. */
    ByteChannel dial(int rank, Connection connection) throws IOException;

    /** Whether a connection that was begun here is complete; throws if it has failed. */
    boolean finish(ByteChannel channel) throws IOException;

    /** Takes a connection that another rank or a stranger has begun; null if there is none. */
    ByteChannel accept(Connection connection) throws IOException;

    /** Reads and writes arrays in place on a connection that is complete; null if this network cannot. */
    default ArrayChannel arrays(ByteChannel channel) {
        return null;
    }

    /** Prepares a connection that is complete for many bytes, if that takes something. */
    default void prepareForMany(ByteChannel channel) {}

    /** Whether a sleeper wakes when the channel can be written, too. */
    void awaitRoom(ByteChannel channel, boolean wanted);

    void look(Events events);

    /** Whether {@link #look} would find something. A guess that any thread may make. */
    boolean mayHaveWork();

    /** Waits until there is work, but not much longer than the time. Any thread may wait, while another drives. */
    void sleep(long ns);

    /** Whether a thread waits in {@link #sleep}, or is about to. */
    boolean isAsleep();

    /** Ends a {@link #sleep}. */
    void wake();

    @Override
    void close();
}
