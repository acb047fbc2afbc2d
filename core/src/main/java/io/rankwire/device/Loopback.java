package io.rankwire.device;

import io.rankwire.device.match.Matching;
import io.rankwire.type.Copy;
import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Messages of a rank to itself: through the same matcher, without a fabric (H10). */
final class Loopback {
    private static final int STEP = 16 << 10;

    private final Device device;
    private final int eagerBytes;
    private final MemorySegment scratch = Arena.ofAuto().allocate(STEP, 64);

    Loopback(Device device, int eagerBytes) {
        this.device = device;
        this.eagerBytes = Math.min(eagerBytes, STEP);
    }

    void send(Peer self, Operation send) {
        Matching queue = device.queue(send.context);
        long word = MatchWord.exact(self.rank, send.tag);
        int handle = queue.arrive(word);
        if (handle >= 0) {
            transfer(device.operation(handle), send);
            return;
        }
        Inbound inbound = device.inbound();
        int bytes = (int) Math.min(send.bytes, Integer.MAX_VALUE);
        long units = device.units(bytes);
        boolean mayReturn = send.mode != Operation.Mode.SYNCHRONOUS && send.bytes <= eagerBytes;
        if (mayReturn && self.used + units > self.allowed) {
            inbound.enlarge(self);
        }
        if (mayReturn && self.used + units <= self.allowed) {
            try {
                Copy.out(send.buffer, send.offset, scratch, 0, bytes);
            } catch (IllegalStateException e) {
                send.checkEnded(e);
                send.finish(Code.MEMORY_ENDED);
                return;
            }
            int reference = inbound.store(scratch, 0, bytes);
            long a = Inbound.a(bytes, Frame.meta(Frame.EAGER, send.elementType));
            inbound.append(send.context, word, a, Inbound.b(0, reference));
            self.used += units;
            send.finish(Code.OK);
        } else {
            device.outbound().holdIfBuffered(send);
            send.announced = true;
            self.used += 1;
            long a = Inbound.a(send.bytes, Frame.meta(Frame.REQUEST_TO_SEND, send.elementType));
            inbound.append(send.context, word, a, Inbound.b(send.index(), -1));
        }
    }

    /** Both ends are here: one copy, both done. */
    void transfer(Operation receive, Operation send) {
        long word = MatchWord.exact(device.self(), send.tag);
        int code = device.inbound().met(receive, word, send.elementType, send.bytes);
        boolean refused = code == Code.TYPE_MISMATCH
                || code == Code.TRUNCATED && device.config().truncation() == DeviceConfig.Truncation.REFUSE;
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
        receive.finish(code);
        device.outbound().finishSend(send, refused ? Code.REFUSED : Code.OK);
    }

    boolean cancel(Peer self, Operation send) {
        Matching queue = device.queue(send.context);
        for (int e = queue.firstUnexpected(); e >= 0; e = queue.nextUnexpected(e)) {
            if (device.inbound().isAnnouncement(queue, e, MatchWord.exact(self.rank, send.tag), send.index())) {
                device.inbound().discard(queue, e);
                device.outbound().finishSend(send, Code.CANCELLED);
                return true;
            }
        }
        return false;
    }
}
