package io.rankwire.launch;

import io.rankwire.fabric.Members;
import io.rankwire.fabric.Port;
import java.net.InetSocketAddress;

/** Where other ranks reach this one over a network; open before this rank knows them. */
interface RankSocket extends AutoCloseable {
    /** Where it is bound. */
    InetSocketAddress address();

    /** Where it is, on a network with addresses of its own; else empty. */
    default byte[] name() {
        return new byte[0];
    }

    /**
     * Opens the port of this rank, on which each frame arrives once and in order. It closes the socket when it is
     * closed.
     *
     * @param world the number of the world among those of the job
     * @param silenceSeconds for how long the network may carry nothing; a port has some patience anyway
     */
    Port open(Members members, int world, int silenceSeconds);

    @Override
    void close();
}
