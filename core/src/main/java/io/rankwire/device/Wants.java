package io.rankwire.device;

import io.rankwire.device.Holder.Offer;
import io.rankwire.device.match.Matching;
import io.rankwire.device.transfer.ReceiveTransfers;
import io.rankwire.memory.Words;
import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Receives and probes that wait while peers keep messages for want of credit. Each such peer is asked once for each
 * context and tag that is wanted here, and offers the first message that it keeps of them. A receive takes the message,
 * or it stays with its sender; an offer takes no credit, and no room but this.
 *
 * <p>Why the order is exact: an offer comes behind all messages of the peer that were sent, and the peer keeps none of
 * that tag before it, or none of that context (foremost). So a receive that names the tag may take it, one of any tag
 * if it is foremost. It is given to the earliest posted receive that it fits, or waits until that has met another
 * one. Before the peer gets credit, and so goes on in order, what it has offered and no receive took is declined.
 */
final class Wants {
    private final QueueTable queues;
    private final Operations operations;
    private final Peers peers;
    private final ControlFrames control;
    private final ReceiveTransfers transfers;
    private final Inbound inbound;
    private final Runnable addChore;
    private final List<Peer> holders = new ArrayList<>();
    /** Contexts and tags that every holder was asked for. */
    private final Set<Long> wantedOfAll = new HashSet<>();
    /** Offers of all holders by context and tag, those that are foremost by context and any tag too. */
    private final Map<Long, List<Offer>> offers = new HashMap<>();
    /** An offer fits a receive that may take only a foremost one. */
    private boolean blocked;
    private boolean active;
    private Offer seen;

    Wants(QueueTable queues, Operations operations, Peers peers, ControlFrames control, ReceiveTransfers transfers,
            Inbound inbound, Runnable addChore) {
        this.queues = queues;
        this.operations = operations;
        this.peers = peers;
        this.control = control;
        this.transfers = transfers;
        this.inbound = inbound;
        this.addChore = addChore;
    }

    /** A peer has used up its credit and keeps messages. */
    void holding(Peer peer, long limit) {
        if (limit != peer.granted || peer.holder != null) {
            return;
        }
        peer.holder = new Holder();
        holders.add(peer);
        active = true;
        wantedOfAll.clear();
        for (int context : queues.contexts()) {
            queues.get(context).forEachWord(word -> {
                if ((word & MatchWord.ANY_SOURCE_BIT) != 0 || MatchWord.source(word) == peer.rank) {
                    boolean any = (word & MatchWord.ANY_TAG_BIT) != 0;
                    want(peer, Frame.header(context, any ? MatchWord.ANY : MatchWord.tag(word)));
                }
            });
        }
    }

    private void want(Peer peer, long key) {
        if (peer.holder.wanted.add(key)) {
            control.send(peer, Frame.WANT, key);
        }
    }

    /** Asks the holders that may keep such messages; false if there are none. */
    private boolean want(int from, long key) {
        if (from == MatchWord.ANY) {
            if (wantedOfAll.add(key)) {
                holders.forEach(peer -> want(peer, key));
            }
            return !holders.isEmpty();
        }
        Peer peer = from < 0 ? null : peers.get(from);
        if (peer == null || peer.holder == null) {
            return false;
        }
        want(peer, key);
        return true;
    }

    /** Whether some peer keeps messages. */
    boolean isActive() {
        return active;
    }

    /** A receive was posted and has met nothing. */
    void posted(Operation receive) {
        long key = Frame.header(receive.context, receive.tag);
        if (want(receive.peer, key)) {
            queues.get(receive.context).settle();
            for (Offer offer : List.copyOf(offers.getOrDefault(key, List.of()))) {
                if (receive.peer == MatchWord.ANY || receive.peer == offer.peer.rank) {
                    meet(offer);
                }
            }
        }
    }

    /** As {@link Probes#find} when nothing is here. */
    int probe(int context, int from, int tag) {
        long key = Frame.header(context, tag);
        if (!want(from, key)) {
            return Matching.NONE;
        }
        Matching queue = queues.get(context);
        queue.settle();
        int entry = queue.search(MatchWord.of(from, tag));
        if (entry >= 0) {
            return entry;
        }
        for (Offer offer : offers.getOrDefault(key, List.of())) {
            boolean fits = from == MatchWord.ANY || from == offer.peer.rank;
            if (fits && queue.earliestPosted(offer.message.word()) < 0) {
                seen = offer;
                return Probes.KEPT;
            }
        }
        return Matching.NONE;
    }

    /** The message that {@link #probe} has found. */
    Unexpected look() {
        return seen.message;
    }

    /** The same; it is announced from now on, without a place in a queue. */
    Unexpected take() {
        remove(seen);
        control.send(seen.peer, Frame.PENDING, Frame.header(seen.sendId, 0));
        return seen.message;
    }

    /** A message that its sender keeps. */
    void offered(Peer peer, int meta, long header, MemorySegment memory, long payload) {
        if (Frame.low(header) < 0) {
            throw new Violation("tag " + Frame.low(header));
        }
        Inbound.checkType(meta);
        int sendId = (int) Words.load(memory, payload);
        if (peer.holder == null) {
            control.send(peer, Frame.DECLINE, Frame.header(sendId, 0));
            return;
        }
        ReceiveTransfers.checkAnnouncement(peer, memory, payload, Frame.FLAG_FOREMOST);
        Holder holder = peer.holder;
        if (!holder.wanted.contains(header)
                && !holder.wanted.contains(Frame.header(Frame.high(header), MatchWord.ANY))) {
            throw new Violation("tag " + Frame.low(header) + " of context " + Integer.toHexString(Frame.high(header))
                    + " was not wanted");
        }
        if (holder.offers.containsKey(sendId) || holder.offers.size() > 2 * holder.wanted.size()) {
            throw new Violation(holder.offers.size() + " messages offered, " + holder.wanted.size() + " wanted");
        }
        long bytes = Words.load(memory, payload + 8);
        boolean foremost = (Words.load(memory, payload + 16) & Frame.FLAG_FOREMOST) != 0;
        Unexpected message = new Unexpected(Frame.high(header), MatchWord.exact(peer.rank, Frame.low(header)),
                Unexpected.description(bytes, meta), Unexpected.payload(sendId, Unexpected.NOT_STORED));
        Offer offer = new Offer(peer, message, sendId, foremost);
        transfers.open(peer, memory, payload);
        peer.holder.offers.put(sendId, offer);
        offers.computeIfAbsent(header, key -> new ArrayList<>()).add(offer);
        if (foremost) {
            byContext(offer);
        }
        meet(offer);
    }

    private void byContext(Offer offer) {
        long key = Frame.header(offer.message.context(), MatchWord.ANY);
        offers.computeIfAbsent(key, any -> new ArrayList<>()).add(offer);
    }

    /** An offered message is the first of its context by now; it may have been taken meanwhile. */
    void foremost(Peer peer, int sendId) {
        Offer offer = peer.holder == null ? null : peer.holder.offers.get(sendId);
        if (offer != null && !offer.foremost) {
            offer.foremost = true;
            byContext(offer);
            meet(offer);
        }
    }

    /** Gives an offered message to the earliest receive that it fits, if that may take it. */
    private boolean meet(Offer offer) {
        Unexpected message = offer.message;
        Matching queue = queues.get(message.context());
        queue.settle();
        int handle = queue.earliestPosted(message.word());
        if (handle < 0 || !isOffered(offer)) {
            return false;
        }
        if (operations.at(handle).tag == MatchWord.ANY && !offer.foremost) {
            if (!blocked) {
                blocked = true;
                addChore.run();
            }
            return false;
        }
        remove(offer);
        if (queue.arrive(message.word()) >= 0) {
            inbound.consume(operations.at(handle), message.word(), message.description(), message.payload());
        } else {
            queue.append(message.word(), message.description(), message.payload());
            queue.settle();
        }
        return true;
    }

    private static boolean isOffered(Offer offer) {
        return offer.peer.holder != null && offer.peer.holder.offers.get(offer.sendId) == offer;
    }

    private void remove(Offer offer) {
        offer.peer.holder.offers.remove(offer.sendId);
        Unexpected message = offer.message;
        remove(offer, Frame.header(message.context(), message.tag()));
        if (offer.foremost) {
            remove(offer, Frame.header(message.context(), MatchWord.ANY));
        }
    }

    private void remove(Offer offer, long key) {
        List<Offer> alike = offers.get(key);
        alike.remove(offer);
        if (alike.isEmpty()) {
            offers.remove(key);
        }
    }

    /** The sender wants an offered message back; false if it is not offered any more. */
    boolean withdraw(Peer peer, int sendId) {
        Offer offer = peer.holder == null ? null : peer.holder.offers.get(sendId);
        if (offer != null) {
            remove(offer);
            transfers.forget(peer, sendId);
        }
        return offer != null;
    }

    /** The peer is going to get credit, or is lost: nothing is wanted of it, and it keeps what no receive took. */
    void release(Peer peer) {
        for (Offer offer : List.copyOf(peer.holder.offers.values())) {
            remove(offer);
            transfers.forget(peer, offer.sendId);
            control.send(peer, Frame.DECLINE, Frame.header(offer.sendId, 0));
        }
        peer.holder = null;
        holders.remove(peer);
        if (holders.isEmpty()) {
            active = false;
            wantedOfAll.clear();
        }
    }

    /** Looks again at offers whose receive could take only a foremost one; returns 1 if one was taken. */
    int progress() {
        if (!blocked) {
            return 0;
        }
        blocked = false;
        for (Peer peer : List.copyOf(holders)) {
            for (Offer offer : peer.holder == null ? List.<Offer>of() : List.copyOf(peer.holder.offers.values())) {
                if (meet(offer)) {
                    blocked = true;
                    return 1;
                }
            }
        }
        return 0;
    }

    /** 1 if there is such an offer. */
    int waiting() {
        return blocked ? 1 : 0;
    }
}
