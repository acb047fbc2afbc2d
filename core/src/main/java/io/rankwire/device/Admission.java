package io.rankwire.device;

import io.rankwire.device.match.MatchQueue;
import io.rankwire.device.match.Matching;
import io.rankwire.device.match.UnexpectedBuffer;
import io.rankwire.memory.Words;
import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;
import java.lang.foreign.MemorySegment;

/**
 * Accepts messages or refuses them because a resource is not ready, the other end of {@link Attempts}. A message needs
 * a header and room for its payload if it meets no receive. When there is no header its queue stops: all of the queue's
 * messages are refused until software has dealt with it, see {@link HeaderOverflow}.
 */
record Admission(DeviceConfig config, QueueTable queues, UnexpectedBuffer payloads, HeaderOverflow overflow,
        ControlFrames control, Inbound inbound) {
    private static final int LEAD = 8;

    /** A message that its sender keeps until this rank has accepted it. */
    void tried(Peer peer, int meta, long header, MemorySegment memory, long payload, int bytes) {
        long lead = Words.load(memory, payload);
        int kind = (int) lead & 0xFF;
        long number = lead >>> 8;
        boolean isMessage = kind == Frame.EAGER || kind == Frame.EAGER_SYNC || kind == Frame.READY
                || kind == Frame.REQUEST_TO_SEND;
        String wrong = isMessage ? Frame.wrong(kind, bytes - LEAD) : "there is no such kind";
        if (wrong != null || Frame.low(header) < 0) {
            throw new Violation(wrong != null ? wrong : "tag " + Frame.low(header));
        }
        if (number != peer.accepted) {
            if (number < peer.accepted || !peer.isRefused) {
                throw new Violation("message " + number + " where " + peer.accepted + " is the next");
            }
            return;
        }
        if (!admits(peer, kind, header, bytes)) {
            peer.isRefused = true;
            control.send(peer, Frame.NOT_READY, number);
            return;
        }
        peer.isRefused = false;
        peer.accepted++;
        // Ahead of any other answer, which may end the send.
        control.send(peer, Frame.ACCEPTED, peer.accepted);
        int inner = Frame.meta(kind, Frame.elementType(meta));
        switch (kind) {
            case Frame.EAGER -> inbound.eager(peer.rank, inner, header, memory, payload + LEAD, bytes - LEAD);
            case Frame.READY -> inbound.ready(peer.rank, inner, header, memory, payload + LEAD, bytes - LEAD);
            default -> inbound.message(peer.rank, inner, header, memory, payload + LEAD, bytes - LEAD);
        }
    }

    private boolean admits(Peer peer, int kind, long header, int bytes) {
        int context = Frame.high(header);
        if (overflow.isStopped(context)) {
            return false;
        }
        Matching queue = queues.get(context);
        if (kind == Frame.READY || queue.earliestPosted(MatchWord.exact(peer.rank, Frame.low(header))) >= 0) {
            return true;
        }
        if (queue instanceof MatchQueue && !overflow.hasHeader(context)) {
            overflow.stop(context);
            return false;
        }
        return kind == Frame.REQUEST_TO_SEND || payloads.bytesHeld() + bytes <= config.unexpectedBytes();
    }
}
