package io.rankwire.device;

import io.rankwire.device.match.Matching;
import io.rankwire.device.match.UnexpectedBuffer;
import io.rankwire.device.transfer.ReceiveTransfers;
import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;

/** Messages that are here without a receive: their headers in the match queues, their payload in the buffer. */
record UnexpectedMessages(QueueTable queues, UnexpectedBuffer payloads, Peers peers, Credit credit,
        ReceiveTransfers transfers, ControlFrames control, DeviceEvents events) {
    /** Appends a message; its two words are those of {@link Unexpected}. */
    void append(int context, long word, long description, long payload) {
        peers.counts().kept();
        if (queues.get(context).append(word, description, payload) == Matching.FULL) {
            events.headersFull(context);
            int entry = queues.get(context).append(word, description, payload);
            assert entry != Matching.FULL;
        }
    }

    /** A message leaves without being received. */
    private void discard(Matching queue, int entry) {
        int reference = Unexpected.reference(queue.payload(entry));
        Peer peer = peers.get(MatchWord.source(queue.word(entry)));
        boolean stored = reference != Unexpected.NOT_STORED;
        long units = stored ? credit.units(Unexpected.bytes(queue.description(entry))) : 1;
        if (stored) {
            payloads.release(reference);
        } else {
            transfers.forget(peer, Unexpected.sendId(queue.payload(entry)));
        }
        queue.take(entry);
        queue.release(entry);
        peers.counts().unexpected--;
        credit.giveBackHeld(peer, units);
    }

    /** Discards a message that its sender wants back; false if the message is not here, or met a receive. */
    boolean withdraw(int context, int source, int tag, int sendId) {
        Matching queue = queues.find(context);
        if (queue == null) {
            return false;
        }
        long word = MatchWord.exact(source, tag);
        for (int e = queue.firstUnexpected(); e >= 0; e = queue.nextUnexpected(e)) {
            if (isAnnouncement(queue, e, word, sendId)) {
                discard(queue, e);
                return true;
            }
        }
        return false;
    }

    private static boolean isAnnouncement(Matching queue, int entry, long word, int sendId) {
        return queue.word(entry) == word && Unexpected.sendId(queue.payload(entry)) == sendId
                && Unexpected.kind(queue.description(entry)) != Frame.EAGER;
    }

    /** Discards the messages that a lost peer has announced: they will not come. */
    void discardAnnounced(Matching queue, int rank) {
        int next;
        for (int e = queue.firstUnexpected(); e >= 0; e = next) {
            next = queue.nextUnexpected(e);
            boolean announced = Unexpected.kind(queue.description(e)) == Frame.REQUEST_TO_SEND;
            if (announced && MatchWord.source(queue.word(e)) == rank) {
                discard(queue, e);
            }
        }
    }

    /** Discards all messages of a revoked context. Senders that wait for an answer get one. */
    void refuseAll(Matching queue) {
        for (int e = queue.firstUnexpected(); e >= 0; e = queue.firstUnexpected()) {
            Peer peer = peers.get(MatchWord.source(queue.word(e)));
            int kind = Unexpected.kind(queue.description(e));
            int sendId = Unexpected.sendId(queue.payload(e));
            discard(queue, e);
            if (kind != Frame.EAGER && peer.outlet != null && !peer.isLost()) {
                control.send(peer, Frame.REFUSE, Frame.header(sendId, Code.REVOKED), 0);
            }
        }
    }

    /** Discards all messages of a queue. */
    void discardAll(Matching queue) {
        for (int e = queue.firstUnexpected(); e >= 0; e = queue.firstUnexpected()) {
            discard(queue, e);
        }
    }
}
