package io.rankwire.device;

import io.rankwire.device.transfer.SendTransfers;
import io.rankwire.fabric.Outlet;
import io.rankwire.memory.Words;
import io.rankwire.type.Copy;
import io.rankwire.wire.Frame;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Sends to receivers that may refuse a message, in the place of credit. Each message to a peer has a number, and stays
 * in the peer's line until the peer has accepted it. A peer that refuses a message drops all that come behind it; after
 * a pause, which doubles with each refusal, the line is sent again from there on. So no message overtakes another. A
 * message that is refused too often ends with {@link Code#NOT_READY}, and the next one takes its number.
 */
final class Attempts {
    /** Messages of a peer that are under way at once. */
    private static final int WINDOW = 16;
    private static final int LEAD = 8;
    private static final int ID = 8;
    private static final long FIRST_PAUSE_NS = 10_000;
    private static final long LONGEST_PAUSE_NS = 10_000_000;
    private static final int MOST_DOUBLED = 10;
    /** The pause begins with the next round of progress, which knows the time. */
    private static final long UNKNOWN = Long.MIN_VALUE;

    /** The messages to one peer that it has not accepted. */
    static final class Line {
        private final Peer peer;
        private final List<Operation> waiting = new ArrayList<>();
        private final Set<Operation> unwanted = new HashSet<>();
        /** The number of the first message in the line, and how many of them are under way. */
        private long first;
        private int underWay;
        private int refusals;
        private boolean refused;
        private long dueNs;

        private Line(Peer peer) {
            this.peer = peer;
        }
    }

    private final int most;
    private final BufferedSends buffered;
    private final SendTransfers transfers;
    private final DeviceEvents events;
    /** Lines that are not empty. */
    private final List<Line> busy = new ArrayList<>();

    Attempts(DeviceConfig config, BufferedSends buffered, SendTransfers transfers, DeviceEvents events) {
        this.most = config.retries();
        this.buffered = buffered;
        this.transfers = transfers;
        this.events = events;
    }

    /** Starts a send. It ends when the peer has accepted the message, or later if it waits for an answer. */
    void send(Peer peer, Operation operation) {
        if (peer.isLost()) {
            buffered.finish(operation, Code.PEER_DEAD);
            return;
        }
        buffered.hold(operation);
        if (peer.line == null) {
            peer.line = new Line(peer);
        }
        Line line = peer.line;
        if (line.waiting.isEmpty()) {
            busy.add(line);
        }
        line.waiting.add(operation);
        write(line);
        events.run();
    }

    /** Lines that are not empty. */
    int waiting() {
        return busy.size();
    }

    /** One round: sends what there is room for, and again what was refused and is due. */
    int progress(long nowNs) {
        int work = 0;
        for (int i = busy.size() - 1; i >= 0; i--) {
            Line line = busy.get(i);
            if (line.refused && line.dueNs == UNKNOWN) {
                line.dueNs = nowNs + pause(line.refusals);
            } else if (line.refused && line.dueNs - nowNs <= 0) {
                line.refused = false;
            }
            work += write(line);
        }
        return work;
    }

    private static long pause(int refusals) {
        return Math.min(LONGEST_PAUSE_NS, FIRST_PAUSE_NS << Math.min(refusals - 1, MOST_DOUBLED));
    }

    /** When a refused message is sent again; in the past if something else is to be sent. */
    long dueNs() {
        long due = Long.MAX_VALUE;
        for (Line line : busy) {
            if (line.refused) {
                due = Math.min(due, line.dueNs);
            } else if (line.underWay < Math.min(WINDOW, line.waiting.size())) {
                return UNKNOWN;
            }
        }
        return due;
    }

    private int write(Line line) {
        int work = 0;
        while (!line.refused && line.underWay < Math.min(WINDOW, line.waiting.size())) {
            Operation next = line.waiting.get(line.underWay);
            try {
                if (!write(line.peer, next, line.first + line.underWay)) {
                    return work;
                }
                line.underWay++;
            } catch (IllegalStateException e) {
                next.checkEnded(e);
                remove(line, line.underWay);
                buffered.finish(next, Code.MEMORY_ENDED);
            }
            work++;
        }
        return work;
    }

    private boolean write(Peer peer, Operation operation, long number) {
        boolean sync = operation.mode == Operation.Mode.SYNCHRONOUS;
        if (operation.bytes > peer.eagerBytes) {
            return transfers.announceAgain(peer, operation, lead(number, Frame.REQUEST_TO_SEND));
        }
        int bytes = (int) operation.bytes;
        int before = sync ? LEAD + ID : LEAD;
        Outlet outlet = peer.outlet;
        long at = outlet.claim(before + bytes);
        if (at < 0) {
            return false;
        }
        int kind = sync ? Frame.EAGER_SYNC : operation.mode == Operation.Mode.READY ? Frame.READY : Frame.EAGER;
        Words.store(outlet.memory(), at, lead(number, kind));
        if (sync) {
            Words.store(outlet.memory(), at + LEAD, operation.rename());
        }
        Copy.out(operation.buffer, operation.offset, outlet.memory(), at + before, bytes);
        outlet.commit(at, before + bytes, Frame.meta(Frame.TRY, operation.elementType),
                Frame.header(operation.context, operation.tag));
        operation.sending().announced = sync;
        operation.sending().whole = sync;
        return true;
    }

    private static long lead(long number, int kind) {
        return number << 8 | kind;
    }

    private Operation remove(Line line, int place) {
        Operation removed = line.waiting.remove(place);
        if (line.waiting.isEmpty()) {
            busy.remove(line);
        }
        return removed;
    }

    /** The peer has accepted all messages before this number. */
    void accepted(Peer peer, long number) {
        Line line = peer.line;
        if (line == null || number <= line.first || number > line.first + line.underWay) {
            throw new Violation("message " + number + " is not the next one");
        }
        line.refusals = 0;
        while (line.first < number) {
            line.first++;
            line.underWay--;
            Operation operation = remove(line, 0);
            if (!operation.isAnnounced()) {
                line.unwanted.remove(operation);
                buffered.finish(operation, Code.OK);
            } else if (line.unwanted.remove(operation)) {
                transfers.withdraw(peer, operation);
            }
        }
    }

    /** The peer has no room for the first message of the line, and has dropped what came behind it. */
    void refused(Peer peer, long number) {
        Line line = peer.line;
        if (line == null || number != line.first || line.underWay == 0) {
            throw new Violation("message " + number + " is not under way");
        }
        for (int i = 0; i < line.underWay; i++) {
            transfers.callBack(line.waiting.get(i));
        }
        line.underWay = 0;
        line.refused = true;
        line.dueNs = UNKNOWN;
        if (++line.refusals > most) {
            Operation given = remove(line, 0);
            line.refusals = 0;
            line.unwanted.remove(given);
            if (given.heldBuffer) {
                events.refused(
                        new Refusal(Code.NOT_READY, true, peer.rank, given.context, given.tag, given.bytes, most));
            }
            given.refusedWith(Code.NOT_READY, most);
            buffered.finish(given, Code.REFUSED);
        }
        for (Operation unwanted : List.copyOf(line.unwanted)) {
            line.unwanted.remove(unwanted);
            remove(line, line.waiting.indexOf(unwanted));
            buffered.finish(unwanted, Code.CANCELLED);
        }
    }

    /** True if the send is withdrawn now; false if it is too late, or known later. */
    boolean cancel(Peer peer, Operation operation) {
        int place = peer.line == null ? -1 : peer.line.waiting.indexOf(operation);
        if (place < 0) {
            if (operation.isAnnounced()) {
                transfers.withdraw(peer, operation);
            }
            return false;
        }
        if (place < peer.line.underWay) {
            peer.line.unwanted.add(operation);
            return false;
        }
        remove(peer.line, place);
        buffered.finish(operation, Code.CANCELLED);
        return true;
    }

    /** The peer is lost. Sends that it knows of are ended with all others of that kind. */
    void lose(Peer peer) {
        Line line = peer.line;
        if (line == null) {
            return;
        }
        busy.remove(line);
        peer.line = null;
        for (Operation operation : line.waiting) {
            if (!operation.isAnnounced()) {
                buffered.finish(operation, Code.PEER_DEAD);
            }
        }
    }
}
