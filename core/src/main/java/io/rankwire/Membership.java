package io.rankwire;

import io.rankwire.launch.Job;
import java.util.List;

/**
 * The place of a process in a job that some other framework has started: its rank, the number of ranks, and how the
 * ranks find each other. {@link World#join(Membership)} then makes a world of them.
 *
 * <p>The ranks find each other at an address of rank 0 that all know beforehand, or through a function that passes
 * cards between them: an all-gather of a barrier stage in Spark, a key-value store, a coordinator of your own.
 *
 * <pre>{@code
 * Membership place = Membership.exchanging(rank, size, card -> coordinator.allGather(card));
 * try (World world = World.join(place)) {
 *     world.communicator().barrier();
 * }
 * }</pre>
 */
public final class Membership {
    private static final int LEAST_SECRET = 16;

    /** Passes cards between the ranks of a job. */
    @FunctionalInterface
    public interface Exchange {
        /**
         * Gives the card of this rank to all, and takes theirs. Every rank calls it once, when it joins. A card has at
         * most a few thousand bytes. That of rank 0 holds the secret of the job, so no other process should see it.
         *
         * @param own the card of this rank
         * @return the cards of all ranks, in the order of ranks
         * @throws Exception if that is not possible; the rank then cannot join
         */
        List<byte[]> exchange(byte[] own) throws Exception;
    }

    private final int rank;
    private final int size;
    private final String root;
    private final byte[] secret;
    private final Exchange exchange;
    private final boolean encrypted;

    private Membership(int rank, int size, String root, byte[] secret, Exchange exchange, boolean encrypted) {
        if (size < 1) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument size: " + size + " is below one");
        }
        if (rank < 0 || rank >= size) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument rank: " + rank + " is not from 0 to "
                    + (size - 1));
        }
        this.rank = rank;
        this.size = size;
        this.root = root;
        this.secret = secret;
        this.exchange = exchange;
        this.encrypted = encrypted;
    }

    /**
     * A place in a job whose ranks meet at an address.
     *
     * @param rank the number of this rank, from 0
     * @param size the number of ranks, the same for all
     * @param root {@code host:port} at which rank 0 is to listen, the same for all; of each job its own, since rank 0
     *     of a job before may still listen there
     * @param secret at least 16 bytes that all ranks know and no other process can guess; of each job its own
     * @return the place
     */
    public static Membership at(int rank, int size, String root, byte[] secret) {
        if (root == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument root is null");
        }
        if (secret == null || secret.length < LEAST_SECRET) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument secret "
                    + (secret == null ? "is null" : "has " + secret.length + " bytes, not " + LEAST_SECRET));
        }
        return new Membership(rank, size, root, secret.clone(), null, false);
    }

    /**
     * A place in a job whose ranks exchange cards. Rank 0 listens at any port that is free.
     *
     * @param rank the number of this rank, from 0
     * @param size the number of ranks, the same for all
     * @param exchange passes the cards
     * @return the place
     */
    public static Membership exchanging(int rank, int size, Exchange exchange) {
        if (exchange == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument exchange is null");
        }
        return new Membership(rank, size, null, null, exchange, false);
    }

    /**
     * The same place in a job that encrypts what its ranks send over a network. All ranks of a job must agree; a rank
     * that does not cannot join. The environment variable {@code RANKWIRE_ENCRYPT=1} asks for it too. Ranks of one host
     * share memory, in which nothing is encrypted.
     *
     * @return the place
     */
    public Membership encrypted() {
        return new Membership(rank, size, root, secret, exchange, true);
    }

    /**
     * Returns the number of this rank.
     *
     * @return from 0
     */
    public int rank() {
        return rank;
    }

    /**
     * Returns the number of ranks.
     *
     * @return at least 1
     */
    public int size() {
        return size;
    }

    Job join() {
        try {
            return exchange == null ? Job.member(rank, size, root, secret, encrypted)
                    : Job.member(rank, size, this::share, encrypted);
        } catch (IllegalStateException e) {
            throw new RankwireException(ErrorClass.RESOURCE, e.getMessage(), e);
        }
    }

    private byte[] share(byte[] card) throws Exception {
        List<byte[]> all = exchange.exchange(card == null ? new byte[] {0} : card);
        if (all == null || all.size() != size || all.getFirst() == null) {
            throw new IllegalStateException("the exchange has returned "
                    + (all == null ? "nothing" : all.size() + " cards") + ", not one of each of " + size + " ranks");
        }
        return all.getFirst();
    }

    @Override
    public String toString() {
        return "rank " + rank + " of " + size + (root == null ? "" : " at " + root);
    }
}
