package io.rankwire.device;

import io.rankwire.device.match.Matching;
import io.rankwire.device.match.UnexpectedBuffer;
import io.rankwire.type.Copy;
import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;
import java.lang.foreign.MemorySegment;

/**
 * Messages of a rank to itself: through the same matcher, without a fabric.
 *
 * @param eagerBytes most bytes of a message that goes whole
 * @param scratch memory that the bytes pass through
 */
record Loopback(DeviceConfig config, int eagerBytes, QueueTable queues, Operations operations,
        Interruptions interruptions, UnexpectedBuffer payloads, UnexpectedMessages unexpected, Credit credit,
        BufferedSends buffered, MemorySegment scratch) {
    /** Bytes of the scratch memory. */
    static final int STEP = 16 << 10;

    void send(Peer self, Operation send) {
        Matching queue = queues.get(send.context);
        long word = MatchWord.exact(self.rank, send.tag);
        self.counts.toItself++;
        int handle = queue.arrive(word);
        if (handle >= 0) {
            self.counts.metLocally++;
            transfer(operations.at(handle), send);
            return;
        }
        if (send.mode == Operation.Mode.READY && config.split() == null
                && !interruptions.hasEndedReceives(send.context)) {
            send.refusedWith(Code.NOT_POSTED, 0);
            send.finish(Code.REFUSED);
            return;
        }
        int bytes = (int) Math.min(send.bytes, Integer.MAX_VALUE);
        long units = credit.units(bytes);
        boolean mayReturn = send.mode != Operation.Mode.SYNCHRONOUS && send.bytes <= Math.min(eagerBytes, STEP);
        if (mayReturn && self.used + units > self.allowed) {
            credit.enlarge(self);
        }
        if (mayReturn && self.used + units <= self.allowed) {
            try {
                Copy.out(send.buffer, send.offset, scratch, 0, bytes);
            } catch (IllegalStateException e) {
                send.checkEnded(e);
                send.finish(Code.MEMORY_ENDED);
                return;
            }
            int reference = payloads.store(scratch, 0, bytes);
            append(send, word, Frame.EAGER, Unexpected.payload(0, reference));
            self.used += units;
            self.held += units;
            send.finish(Code.OK);
        } else {
            buffered.hold(send);
            self.used += 1;
            self.held += 1;
            append(send, word, Frame.REQUEST_TO_SEND, Unexpected.payload(send.index(), Unexpected.NOT_STORED));
        }
    }

    private void append(Operation send, long word, int kind, long payload) {
        int meta = Frame.meta(kind, send.elementType);
        unexpected.append(send.context, word, Unexpected.description(send.bytes, meta), payload);
    }

    /** Copies a message between two operations of this rank, which ends both. */
    void transfer(Operation receive, Operation send) {
        int code = receive.meet(MatchWord.exact(send.peer, send.tag), send.elementType, send.bytes);
        boolean refused = config.refuses(code);
        long bytes = refused ? 0 : Math.min(send.bytes, receive.bytes);
        try {
            for (long done = 0; done < bytes; ) {
                int part = (int) Math.min(STEP, bytes - done);
                Copy.out(send.buffer, send.offset + done, scratch, 0, part);
                receive.take(scratch, 0, done, part);
                done += part;
            }
        } catch (IllegalStateException e) {
            send.checkEnded(e);
            code = Code.MESSAGE_ENDED;
        }
        if (refused) {
            send.refusedWith(code, receive.bytes);
        }
        receive.finish(code);
        buffered.finish(send, !refused ? Code.OK : code == Code.NOT_ENABLED ? code : Code.REFUSED);
    }

    /** Withdraws a send that no receive has met; false if one has. */
    boolean cancel(Operation send) {
        boolean withdrawn = unexpected.withdraw(send.context, send.peer, send.tag, send.index());
        if (withdrawn) {
            buffered.finish(send, Code.CANCELLED);
        }
        return withdrawn;
    }
}
