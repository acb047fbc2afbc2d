package io.rankwire.launch.cluster;

import java.io.IOException;

/** Carries bytes to a server of PMI and back. */
interface PmiWire {
    /** Writes a whole line at once, as some servers need it. */
    void write(byte[] line) throws IOException;

    /**
     * Waits for bytes.
     *
     * @return how many were read, or -1 if the server has closed the connection
     * @throws java.net.SocketTimeoutException if none came until the deadline
     */
    int read(byte[] into, long deadlineNs) throws IOException;
}
