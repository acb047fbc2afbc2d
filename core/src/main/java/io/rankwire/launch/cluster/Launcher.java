package io.rankwire.launch.cluster;

import java.io.IOException;

/** What the launcher of a cluster offers to a process that it has started as a rank. */
public interface Launcher {
    /** Names the launcher and how it was found, for errors. */
    String name();

    int rank();

    int size();

    /**
     * Passes a card from rank 0 to all ranks; returns when all have come. Called once by each rank.
     *
     * @param card the card on rank 0, null on all others
     * @param deadlineNs until when the others are waited for
     * @return the card of rank 0
     * @throws java.net.SocketTimeoutException if not all ranks have come by then
     * @throws IOException if the launcher does not answer as it should
     */
    byte[] share(byte[] card, long deadlineNs) throws IOException;

    /** Asks the launcher to end all processes of the job. They may end before this call returns. */
    void abort(int status, String reason);

    /** This rank ends in good order, which does not concern the others. */
    void finish();
}
