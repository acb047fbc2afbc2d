package io.rankwire.device;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What is wanted of a peer that keeps messages for want of credit, and what that peer offers. */
final class Holder {
    /** A message that the peer keeps and has offered; as one that is here, see {@link Inbound}. */
    static final class Offer {
        final Peer peer;
        final Unexpected message;
        final int sendId;
        /** Whether the peer keeps no other message of the context before it. */
        boolean foremost;

        Offer(Peer peer, Unexpected message, int sendId, boolean foremost) {
            this.peer = peer;
            this.message = message;
            this.sendId = sendId;
            this.foremost = foremost;
        }
    }

    /** Contexts and tags that the peer was asked for. */
    final Set<Long> wanted = new HashSet<>();
    /** By send id. */
    final Map<Integer, Offer> offers = new HashMap<>();
}
