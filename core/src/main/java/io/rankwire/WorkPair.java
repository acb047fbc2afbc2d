package io.rankwire;

/**
 * A queue pair of a program: a queue of sends to one rank and a queue of receives from it. With the pair of the same
 * channel in that rank's program it is a point-to-point channel, in which messages arrive in the order of the sends.
 *
 * <pre>{@code
 * WorkPair pair = work.pair(other, 1);
 * pair.send(mine, sent).receive(theirs, arrived);
 * pair.sends().await(arrived, 1).combine(Op.SUM, mine, theirs);
 * }</pre>
 *
 * <p>Both queues are queues like others: they take every kind of entry, and can be enabled by others. The number of
 * entries that are enabled is the queue's <em>producer index</em>. Messages that these queues send and receive by other
 * calls than {@link #send} and {@link #receive} also belong to the channel.
 *
 * @see Work#pair
 */
public final class WorkPair {
    private final int rank;
    private final int channel;
    private final WorkQueue sends;
    private final WorkQueue receives;

    WorkPair(int rank, int channel, WorkQueue sends, WorkQueue receives) {
        this.rank = rank;
        this.channel = channel;
        this.sends = sends;
        this.receives = receives;
    }

    /**
     * Appends the start of a send to the queue of sends.
     *
     * @param buffer what to send
     * @param counter the counter that advances when the buffer may be changed again
     * @return this pair
     */
    public WorkPair send(WorkBuffer buffer, int counter) {
        sends.send(rank, buffer, counter);
        return this;
    }

    /**
     * Appends the start of a receive of exactly the buffer's length to the queue of receives.
     *
     * @param into where the message goes
     * @param counter the counter that advances when the message is in the buffer
     * @return this pair
     */
    public WorkPair receive(WorkBuffer into, int counter) {
        receives.receive(rank, into, counter);
        return this;
    }

    /**
     * Returns the queue of sends.
     *
     * @return the queue
     */
    public WorkQueue sends() {
        return sends;
    }

    /**
     * Returns the queue of receives.
     *
     * @return the queue
     */
    public WorkQueue receives() {
        return receives;
    }

    /**
     * Returns the rank at the other end.
     *
     * @return a rank of the communicator
     */
    public int rank() {
        return rank;
    }

    /**
     * Returns the number of the channel.
     *
     * @return at least 1
     */
    public int channel() {
        return channel;
    }
}
