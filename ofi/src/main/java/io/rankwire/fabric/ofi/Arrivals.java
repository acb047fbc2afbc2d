package io.rankwire.fabric.ofi;

import io.rankwire.fabric.BadFrame;
import io.rankwire.fabric.FrameSink;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks messages that have come, and hands up their frames. A message without the right token is dropped: everything
 * else in it is the word of a stranger. A message with it that makes no sense costs its sender the world. Providers
 * begin messages in order, and may end a short one before a long one that began earlier: it waits here for that.
 */
final class Arrivals {
    private static final int WORD = Long.BYTES;
    /** An answer is due when a peer may have this part of all it may send under way. */
    private static final int MUCH = 4;
    private static final int MUCH_AT_REST = 16;

    private final OfiPort port;
    private final Inbox inbox;
    private final RemoteAccesses accesses;
    private final Watch watch;
    /** For messages that begin at an odd address, behind one of a stranger. */
    private final long scratch;
    /** The message that is being handed up: its sender, the next record, and the end. */
    private OfiPeer sender;
    private int message;
    private long next;
    private long end;
    private boolean hasRecords;
    private boolean isTriggered;
    private long strangers;
    /** Peers that may wait for an answer, each once. */
    private final List<OfiPeer> owed = new ArrayList<>();

    Arrivals(OfiPort port, Inbox inbox, RemoteAccesses accesses, Watch watch, long scratch) {
        this.port = port;
        this.inbox = inbox;
        this.accesses = accesses;
        this.watch = watch;
        this.scratch = scratch;
    }

    long strangers() {
        return strangers;
    }

    /** Peers that may wait for an answer. */
    int owed() {
        return owed.size();
    }

    /** Hands up frames, at most {@code limit} of a peer; returns how many. If the sink throws, the rest stays. */
    int deliver(FrameSink sink, int limit, int poll) {
        int work = 0;
        while (!isEmpty()) {
            if (sender == null) {
                look(inbox.take());
                continue;
            }
            OfiPeer peer = sender;
            if (peer.deliveredIn != poll) {
                peer.deliveredIn = poll;
                peer.delivered = 0;
            }
            while (next < end && !peer.isLost) {
                if (peer.delivered == limit) {
                    acknowledge(MUCH);
                    return work;
                }
                long word = Raw.word(next);
                long length = Message.length(word);
                long payload = next + Message.RECORD;
                if (length > end - payload) {
                    damaged(peer, "a record of " + length + " bytes, where " + (end - payload) + " are left");
                    break;
                }
                long header = Raw.word(payload - Message.HEADER);
                next += Message.size((int) length);
                if (Message.meta(word) == 0) {
                    own(peer, header, payload, (int) length);
                } else {
                    work++;
                    peer.delivered++;
                    sink.frame(peer.rank, Message.meta(word), header, Raw.ALL, payload, (int) length);
                }
            }
            finish(peer);
        }
        acknowledge(MUCH);
        return work;
    }

    boolean isEmpty() {
        return sender == null && inbox.isEmpty();
    }

    /** Checks a message that has come, and begins with it, keeps it for later, or drops it. */
    private void look(int come) {
        OfiPeer peer = sender(come);
        if (peer != null && !peer.isGone()) {
            isTriggered = (Raw.half(inbox.address(come) + Message.WORLD) & Message.TRIGGERED) != 0;
            if (isTriggered) {
                begin(peer, come);
                return;
            }
            int ahead = Raw.half(inbox.address(come) + Message.NUMBER) - peer.received;
            if (ahead < 0 || ahead >= OfiPeer.NUMBERS || !peer.keep(ahead, come)) {
                damaged(peer, "message " + (peer.received + ahead) + ", where " + peer.received + " is next");
            } else {
                begin(peer);
                return;
            }
        }
        inbox.give(come);
    }

    /** The peer that a message is from; null if it is from a stranger. */
    private OfiPeer sender(int come) {
        return inbox.length(come) < Message.HEAD ? stranger() : sender(inbox.address(come));
    }

    private OfiPeer stranger() {
        strangers++;
        return null;
    }

    /** The peer whose head is at this address; null if a stranger has written it. */
    OfiPeer sender(long address) {
        int rank = Raw.half(address + Message.RANK);
        boolean isKnown = rank >= 0 && rank < port.peers() && rank != port.self()
                && (Raw.half(address + Message.WORLD) & ~Message.TRIGGERED) == port.world()
                && hasToken(rank, Raw.word(address));
        return isKnown ? port.peer(rank) : stranger();
    }

    /** Begins with the next message of a peer, if it is here. */
    private void begin(OfiPeer peer) {
        int here = peer.takeNext();
        if (here >= 0) {
            isTriggered = false;
            begin(peer, here);
        }
    }

    private void begin(OfiPeer peer, int here) {
        long address = inbox.address(here);
        int bytes = inbox.length(here);
        int taken = Raw.half(address + Message.TAKEN);
        if (bytes > Message.MOST_BYTES + 7 || (bytes & 7) != 0) {
            damaged(peer, "a message of " + bytes + " bytes");
        } else if (!isTriggered && !peer.acknowledge(taken)) {
            damaged(peer, "it has taken " + taken + " messages of " + peer.sent);
        }
        if (peer.isLost) {
            inbox.give(here);
            return;
        }
        if ((address & WORD - 1) != 0) {
            MemorySegment.copy(Raw.ALL, address, Raw.ALL, scratch, bytes);
            address = scratch;
        }
        peer.heard = watch.now();
        sender = peer;
        message = here;
        next = address + Message.HEAD;
        end = address + bytes;
        hasRecords = next < end;
    }

    private boolean hasToken(int rank, long token) {
        OfiPeer peer = port.known(rank);
        return token == (peer == null ? port.token(rank, port.self()) : peer.tokenFrom);
    }

    private void damaged(OfiPeer peer, String wrong) {
        watch.lose(peer, new BadFrame(peer.rank, "message of libfabric", wrong));
    }

    private void finish(OfiPeer peer) {
        sender = null;
        peer.received += isTriggered ? 0 : 1;
        if (hasRecords && !isTriggered && !peer.isGone()) {
            peer.owedMessages++;
            peer.owedBytes += inbox.length(message);
            peer.owed = true;
            if (!peer.isListed) {
                peer.isListed = true;
                owed.add(peer);
            }
        }
        inbox.give(message);
        if (!peer.isGone()) {
            begin(peer);
        }
    }

    /** Drops what was kept of a peer. */
    void gone(OfiPeer peer) {
        peer.dropKept(inbox);
    }

    /** A record of the port itself. */
    private void own(OfiPeer peer, long kind, long payload, int bytes) {
        int words = kind == Message.ANSWER ? 4 : 1;
        if (kind < Message.PING || kind > Message.RELEASED || bytes != words * WORD) {
            damaged(peer, "a record of kind " + kind + " with " + bytes + " bytes");
            return;
        }
        long place = Raw.word(payload);
        if (kind == Message.GOODBYE) {
            // It waits for the answer, and no other message will carry that.
            peer.drop(port.slots());
            peer.received++;
            port.acknowledge(peer);
            peer.received--;
            watch.departed(peer);
        } else if (kind == Message.ASK) {
            if (peer.errands.answers) {
                damaged(peer, "a second question");
            } else {
                accesses.asked(peer, place);
            }
        } else if (kind == Message.ANSWER) {
            if (!accesses.answered(peer, place, Raw.word(payload + WORD), Raw.word(payload + 2 * WORD),
                    Raw.word(payload + 3 * WORD))) {
                damaged(peer, "an answer to no question");
            }
        } else if (kind == Message.ENDING) {
            accesses.ends(peer, place);
        } else if (kind == Message.RELEASED) {
            accesses.released(peer, place);
        }
    }

    /** Acknowledges where peers may soon have to wait. */
    void acknowledge() {
        if (!owed.isEmpty()) {
            acknowledge(MUCH_AT_REST);
        }
    }

    private void acknowledge(int divisor) {
        for (int i = owed.size() - 1; i >= 0; i--) {
            OfiPeer peer = owed.get(i);
            if (peer.owed && peer.isOwedMuch(divisor)) {
                port.acknowledge(peer);
            }
            if (!peer.owed) {
                peer.isListed = false;
                owed.set(i, owed.getLast());
                owed.removeLast();
            }
        }
    }
}
