package io.rankwire;

import io.rankwire.device.match.QueueHints;
import io.rankwire.runtime.CallSite;
import io.rankwire.runtime.Endpoint;

/**
 * What a rank says in advance about its receives on a communicator. A rank may give hints at any time by {@link
 * AnyCommunicator#hints(Hints)}; they concern this rank alone, and other ranks may give others. Hints never change
 * which message a receive gets.
 *
 * <p>A <b>promise</b> that is broken later is an error: a receive or probe with a wildcard that was promised away
 * throws an exception of class {@link ErrorClass#RANK} or {@link ErrorClass#TAG}, and receives nothing. Receives that
 * were posted before the promise stay.
 *
 * <p><b>Expected depths</b> set headers aside in the device, one for each posted receive and one for each message
 * without a receive, with their memory. Other communicators cannot use them up, however many messages they get; this
 * one may use more as long as there are more. That matters where headers are few, as on a device that was made small by
 * {@code -Drankwire.match} or in a simulation by {@code device.headers}. If the device has fewer headers than expected,
 * {@link AnyCommunicator#hints()} returns how many are set aside.
 *
 * <p>With <b>several queues</b>, receives and messages are searched for in the queue of their source, or of their tag:
 * the one whose number is the rank in the world, or the tag, modulo the number of queues. A receive with a wildcard for
 * it that finds no message makes them one queue, until that is empty; so the promise of the same name belongs to it.
 *
 * <p>The <b>matcher of the network</b> can hold receives of a communicator whose program promises to use no wildcards.
 * That takes a fabric which has one: {@code ofi} with most providers. Messages between ranks of a host that share
 * memory, and all others, go as usual. A probe of the communicator ends it, because networks do not show what waits in
 * them, and so do hints without it; {@link AnyCommunicator#hints()} shows whether it is in force. It pays on networks
 * whose hardware matches; where libfabric does it in software it does not.
 *
 * <p>A communicator that is made out of another one starts without hints, also by {@link Communicator#duplicate}: a
 * library that works on a duplicate need not keep the promises of the program, as with the info of MPI 4.
 *
 * <pre>{@code
 * Communicator halo = all.duplicate();
 * halo.hints(Hints.NONE.withoutAnySource().expecting(64, 1024).spreadBySource(8));
 * }</pre>
 *
 * @param noAnySource whether no receive or probe leaves its source open
 * @param noAnyTag whether no receive or probe leaves its tag open
 * @param receives how many receives are posted at a time, at most 1,048,576; 0 if that is not known
 * @param messages how many messages wait for a receive at a time, at most 1,048,576; 0 if that is not known
 * @param spread what picks the queue of a receive or message
 * @param queues how many queues there are, at most 1,024; 1 if nothing is spread
 * @param network whether the matcher of the network is to be used; only together with both promises
 */
public record Hints(boolean noAnySource, boolean noAnyTag, int receives, int messages, Spread spread, int queues,
        boolean network) {
    /** No hints: nothing is promised or expected. Communicators start with these. */
    public static final Hints NONE = new Hints(false, false, 0, 0, Spread.SOURCE, 1);

    /** What picks one of several queues. */
    public enum Spread {
        /** The rank that sends. */
        SOURCE,
        /** The tag. */
        TAG
    }

    /**
     * Makes hints of all their parts. The other methods change one of them.
     *
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if a number is out of its range, or a part null
     */
    public Hints {
        check("receives", receives, 0, QueueHints.MOST_HEADERS);
        check("messages", messages, 0, QueueHints.MOST_HEADERS);
        check("queues", queues, 1, QueueHints.MOST_QUEUES);
        if (spread == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "Hints: argument spread is null" + CallSite.find());
        }
        if (network && !(noAnySource && noAnyTag)) {
            throw new RankwireException(ErrorClass.ARGUMENT, "Hints: argument network is true, which needs the promises"
                    + " noAnySource and noAnyTag" + CallSite.find());
        }
    }

    /**
     * Makes hints without the matcher of the network.
     *
     * @param noAnySource whether no receive or probe leaves its source open
     * @param noAnyTag whether no receive or probe leaves its tag open
     * @param receives how many receives are posted at a time
     * @param messages how many messages wait for a receive at a time
     * @param spread what picks the queue of a receive or message
     * @param queues how many queues there are
     */
    public Hints(boolean noAnySource, boolean noAnyTag, int receives, int messages, Spread spread, int queues) {
        this(noAnySource, noAnyTag, receives, messages, spread, queues, false);
    }

    private static void check(String argument, int number, int least, int most) {
        if (number < least || number > most) {
            throw new RankwireException(ErrorClass.ARGUMENT, "Hints: argument " + argument + ": " + number
                    + " is not from " + least + " to " + most + CallSite.find());
        }
    }

    /**
     * The same hints, and the promise that no receive or probe uses {@link AnyCommunicator#ANY_SOURCE}.
     *
     * @return other hints; these stay as they are
     */
    public Hints withoutAnySource() {
        return new Hints(true, noAnyTag, receives, messages, spread, queues, network);
    }

    /**
     * The same hints, and the promise that no receive or probe uses {@link AnyCommunicator#ANY_TAG}.
     *
     * @return other hints; these stay as they are
     */
    public Hints withoutAnyTag() {
        return new Hints(noAnySource, true, receives, messages, spread, queues, network);
    }

    /**
     * The same hints with other depths.
     *
     * @param depthOfReceives how many receives are posted at a time
     * @param depthOfMessages how many messages wait for a receive at a time
     * @return other hints; these stay as they are
     */
    public Hints expecting(int depthOfReceives, int depthOfMessages) {
        return new Hints(noAnySource, noAnyTag, depthOfReceives, depthOfMessages, spread, queues, network);
    }

    /**
     * The same hints with several queues, by source.
     *
     * @param count how many queues; 1 for a single one
     * @return other hints; these stay as they are
     */
    public Hints spreadBySource(int count) {
        return new Hints(noAnySource, noAnyTag, receives, messages, Spread.SOURCE, count, network);
    }

    /**
     * The same hints with several queues, by tag.
     *
     * @param count how many queues; 1 for a single one
     * @return other hints; these stay as they are
     */
    public Hints spreadByTag(int count) {
        return new Hints(noAnySource, noAnyTag, receives, messages, Spread.TAG, count, network);
    }

    /**
     * The same hints with both promises, and with receives in the matcher of the network.
     *
     * @return other hints; these stay as they are
     */
    public Hints matchedByNetwork() {
        return new Hints(true, true, receives, messages, spread, queues, true);
    }

    static Hints of(Endpoint endpoint) {
        QueueHints queue = endpoint.queueHints();
        return new Hints(endpoint.promisesSource(), endpoint.promisesTag(), queue.receives(), queue.messages(),
                queue.by() == QueueHints.By.TAG ? Spread.TAG : Spread.SOURCE, queue.queues(),
                endpoint.isMatchedByNetwork());
    }

    static void give(Endpoint endpoint, Hints hints) {
        endpoint.checkUsable();
        if (hints == null) {
            throw endpoint.error(ErrorClass.ARGUMENT, "argument hints is null");
        }
        endpoint.hint(new QueueHints(hints.receives, hints.messages,
                hints.spread == Spread.TAG ? QueueHints.By.TAG : QueueHints.By.SOURCE, hints.queues));
        endpoint.promise(hints.noAnySource, hints.noAnyTag);
        endpoint.matchByNetwork(hints.network);
    }
}
