package io.rankwire.device.transfer;

import io.rankwire.device.BufferedSends;
import io.rankwire.device.BusyPeers;
import io.rankwire.device.Code;
import io.rankwire.device.ControlFrames;
import io.rankwire.device.Credit;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.device.Peer;
import io.rankwire.device.Violation;
import io.rankwire.device.transfer.SendTransfer.Answer;
import io.rankwire.fabric.Outlet;
import io.rankwire.memory.Words;
import io.rankwire.trace.TransferTrace;
import io.rankwire.type.Copy;
import io.rankwire.wire.Frame;

/**
 * The sending side of large messages. A message is announced and, by policy, pushed from its front at once; the
 * receiver's one answer says how much it wants and where, and the rest follows from the back. The send buffer is free
 * when the answer has come and the last byte has gone.
 *
 * <p>The answer decides how the rest goes. (a) The receive was posted and the size is within the limit: one put, which
 * the engine begins when the answer comes. (b) Posted, larger: software makes one put after another, each within the
 * limit ({@link SoftwarePuts}). (c) Not posted, within the limit: the later receive comes as a remote get, which is one
 * put of the engine. (d) Not posted, larger: the later receive names its buffer, and the rest goes as (b).
 */
public record SendTransfers(DeviceConfig config, ControlFrames control, BusyPeers busy, BufferedSends buffered,
        Credit credit, DirectCopies direct, SoftwarePuts puts) {
    private static final int ID = 8;
    private static final int ANNOUNCEMENT = 6 * ID;
    private static final long ALL = Long.MAX_VALUE;
    private static final long MOST_BYTES = 1L << 47;
    /** Rounds of progress that move nothing, for which a send waits for the peer to have its bytes: some 50 us. */
    private static final int MOST_IDLE = 100;

    /** Announces a message; false if there is no room for the frame. The caller knows that there is credit. */
    public boolean announce(Peer peer, Operation operation) {
        Outlet outlet = peer.outlet(operation.context());
        long at = outlet.claim(ANNOUNCEMENT);
        if (at < 0) {
            return false;
        }
        buffered.hold(operation);
        int way = open(peer, outlet, operation, at);
        // Parts would overtake an announcement that goes through the network's matcher.
        boolean isFrame = outlet == peer.outlet();
        long early = operation.bytes() == 0 || !isFrame ? 0 : early(peer, way, operation.bytes());
        if (early > 0) {
            if (way != 0) {
                Words.store(outlet.memory(), at + 5 * ID, early);
            }
            outlet.hold();
        }
        commit(peer, outlet, operation, at, Frame.REQUEST_TO_SEND, early > 0 ? way | Frame.FLAG_EARLY : way);
        peer.use(1);
        if (early > 0) {
            inject(peer, InjectionFifos.NORMAL, operation.sending().early, operation.id(), early);
            push(peer);
        }
        return true;
    }

    /**
     * Announces a message that may be refused, and then announced again; false if there is no room for the frame.
     *
     * @param lead what is before the announcement
     */
    public boolean announceAgain(Peer peer, Operation operation, long lead) {
        Outlet outlet = peer.outlet();
        long at = outlet.claim(ID + ANNOUNCEMENT);
        if (at < 0) {
            return false;
        }
        Words.store(outlet.memory(), at, lead);
        int way = open(peer, outlet, operation, at + ID);
        write(outlet, operation, at + ID, way);
        outlet.commit(at, ID + ANNOUNCEMENT, Frame.meta(Frame.TRY, operation.elementType()),
                Frame.header(operation.context(), operation.tag()));
        peer.counts().announced(ID + ANNOUNCEMENT);
        operation.sending().announced = true;
        return true;
    }

    /** The receiver has refused a message and knows nothing of it. */
    public void callBack(Operation operation) {
        operation.sending().announced = false;
        giveClaims(operation.sending());
    }

    /** Announces a message that waits for credit, ahead of its turn; false if there is no room for the frame. */
    public boolean offer(Peer peer, Operation operation, boolean foremost) {
        Outlet outlet = peer.outlet();
        long at = outlet.claim(ANNOUNCEMENT);
        if (at < 0) {
            return false;
        }
        int way = open(peer, outlet, operation, at);
        commit(peer, outlet, operation, at, Frame.OFFER, foremost ? way | Frame.FLAG_FOREMOST : way);
        SendTransfer transfer = operation.sending();
        transfer.offered = true;
        transfer.foremost = foremost;
        transfer.pending = true;
        return true;
    }

    private int open(Peer peer, Outlet outlet, Operation operation, long at) {
        SendTransfer transfer = operation.sending();
        transfer.span.open(operation.bytes());
        transfer.earlyBytes = 0;
        transfer.trace = TransferTrace.begin();
        transfer.way = direct.offer(operation, peer, outlet.memory(), at + 3 * ID);
        return transfer.way;
    }

    private static void commit(Peer peer, Outlet outlet, Operation operation, long at, int kind, long flags) {
        write(outlet, operation, at, flags);
        outlet.commit(at, ANNOUNCEMENT, Frame.meta(kind, operation.elementType()),
                Frame.header(operation.context(), operation.tag()));
        peer.counts().announced(ANNOUNCEMENT);
        operation.sending().announced = true;
    }

    private static void write(Outlet outlet, Operation operation, long at, long flags) {
        Words.store(outlet.memory(), at, operation.rename());
        Words.store(outlet.memory(), at + ID, operation.bytes());
        Words.store(outlet.memory(), at + 2 * ID,
                operation.mode() == Operation.Mode.READY ? flags | Frame.FLAG_READY : flags);
    }

    /** The receiver does not take an offered message, which waits for its turn again. */
    public void declined(Operation operation) {
        SendTransfer transfer = operation.sending();
        check(transfer.offered, "the message was not offered");
        transfer.offered = false;
        transfer.announced = false;
        transfer.pending = false;
        giveClaims(transfer);
    }

    private static void check(boolean holds, String wrong) {
        if (!holds) {
            throw new Violation(wrong);
        }
    }

    /** An announced message gets one answer, and asks for no more than it has. */
    private static SendTransfer unanswered(Operation operation, long wanted) {
        SendTransfer transfer = operation.sending();
        check(transfer.answer == Answer.NONE && !transfer.whole, "the message has its answer, or needs none");
        if (wanted < 0 || wanted > operation.bytes()) {
            throw new Violation(wanted + " bytes wanted of a message of " + operation.bytes());
        }
        return transfer;
    }

    private void giveClaims(SendTransfer transfer) {
        direct.giveClaims(transfer.claims);
        transfer.claims = DirectCopies.NO_CLAIMS;
    }

    private long early(Peer peer, int way, long bytes) {
        if (way != 0) {
            return way == Frame.FLAG_REMOTE ? RemoteReads.early(peer.transfers().early.bytes(), bytes) : 0;
        }
        return switch (config.large()) {
            case RENDEZVOUS -> 0;
            case EAGER -> ALL;
            case AUTO, TWO_ENDED, PROCESS -> peer.transfers().early.bytes();
        };
    }

    private void inject(Peer peer, int priority, Descriptor descriptor, int id, long budget) {
        descriptor.fill(id, budget);
        peer.transfers().injection.add(priority, descriptor);
        busy.add(peer);
    }

    /** Moves a bounded number of chunks, the most urgent first; returns how many. */
    public int push(Peer peer) {
        Outlet outlet = peer.outlet();
        outlet.hold();
        try {
            return pushHeld(peer);
        } finally {
            outlet.release();
        }
    }

    private int pushHeld(Peer peer) {
        int chunkBytes = peer.transfers().chunkBytes;
        int quantum = peer.transfers().quantum;
        int work = 0;
        while (work < quantum) {
            Descriptor descriptor = peer.transfers().injection.first();
            if (descriptor == null) {
                break;
            }
            long units = descriptor.isPut() ? 0 : credit.units(descriptor.nextEarly(peer.outlet(), chunkBytes));
            if (units != 0 && !peer.hasCredit(units)) {
                stop(peer, descriptor);
                continue;
            }
            SendTransfer transfer = descriptor.owner();
            Operation operation = transfer.operation;
            long before = transfer.span.left();
            try {
                if (!operation.hasEnded() && !descriptor.push(peer.outlet(), chunkBytes)) {
                    break;
                }
            } catch (IllegalStateException e) {
                operation.checkEnded(e);
            }
            if (operation.hasEnded()) {
                memoryEnded(peer, transfer);
                work++;
                continue;
            }
            peer.use(units);
            peer.counts().pushed(before - transfer.span.left(), units != 0);
            transfer.earlyBytes += units != 0 ? before - transfer.span.left() : 0;
            work++;
            if (descriptor.exhausted()) {
                ended(peer, descriptor);
            }
        }
        return work;
    }

    /** The send's memory has ended. A receiver that has answered gets MESSAGE_ENDED instead of the rest. */
    void memoryEnded(Peer peer, SendTransfer transfer) {
        stop(peer, transfer.early);
        stop(peer, transfer.put);
        puts.remove(transfer);
        if (transfer.answer == Answer.SEND || transfer.answer == Answer.PUT) {
            control.send(peer, Frame.MESSAGE_ENDED, Frame.header(transfer.receiveId, 0));
            finish(peer, transfer.operation);
        }
    }

    private void ended(Peer peer, Descriptor descriptor) {
        peer.transfers().injection.remove(descriptor);
        SendTransfer transfer = descriptor.owner();
        if (transfer.answer != Answer.SEND) {
            return;
        }
        if (transfer.span.left() == 0) {
            finish(peer, transfer.operation);
        } else if (descriptor.isPut()) {
            puts.add(peer, transfer);
        }
    }

    /** Has software make the puts that it can make now; returns how many. */
    public int progress() {
        int made = 0;
        for (int most = puts.count(); made < most; made++) {
            SendTransfer transfer = puts.next();
            if (transfer == null) {
                break;
            }
            Peer peer = transfer.awaitsPut;
            transfer.awaitsPut = null;
            inject(peer, InjectionFifos.NORMAL, transfer.put, transfer.receiveId, config.putLimit());
            push(peer);
        }
        return made;
    }

    /** Messages whose next put software has to make. */
    public int waiting() {
        return puts.count();
    }

    /** Takes a descriptor off its FIFO, if it is on one. */
    private static void stop(Peer peer, Descriptor descriptor) {
        if (descriptor.queued()) {
            peer.transfers().injection.remove(descriptor);
        }
    }

    /** Sends the bytes that the receiver wants in frames. */
    public void cleared(Peer peer, Operation operation, int receiveId, long wanted) {
        SendTransfer transfer = wanted(peer, operation, receiveId, wanted);
        answered(peer, transfer, Answer.SEND);
    }

    /** The receiver copies the message itself, and the sender helps. */
    public void shared(Peer peer, Operation operation, long wanted, long place, long offset) {
        SendTransfer transfer = unanswered(operation, wanted);
        check(transfer.claims != DirectCopies.NO_CLAIMS, "the message was not offered to be copied by two ranks");
        direct.help(operation, peer, wanted, place, offset);
        answered(peer, transfer, Answer.TAKES);
    }

    /** The receiver names its memory. The sender writes the message there, or sends it if it cannot reach that. */
    public void invited(Peer peer, Operation operation, int receiveId, long wanted, long place, long offset) {
        SendTransfer transfer = wanted(peer, operation, receiveId, wanted);
        transfer.place = place;
        transfer.placeOffset = offset;
        answered(peer, transfer, Answer.PUT);
    }

    private SendTransfer wanted(Peer peer, Operation operation, int receiveId, long wanted) {
        SendTransfer transfer = unanswered(operation, wanted);
        noteAnswer(peer, transfer);
        transfer.receiveId = receiveId;
        transfer.wanted = wanted;
        return transfer;
    }

    /** The receiver has a synchronous message that went whole. */
    public void received(Peer peer, Operation operation) {
        SendTransfer transfer = operation.sending();
        check(transfer.whole && transfer.answer == Answer.NONE, "the message did not go whole");
        answered(peer, transfer, Answer.OVER);
    }

    /** The receiver has copied a message from where it lay. */
    public void taken(Peer peer, Operation operation) {
        SendTransfer transfer = operation.sending();
        boolean isReached = !transfer.whole && transfer.way != 0;
        check(isReached && (transfer.answer == Answer.NONE || transfer.answer == Answer.TAKES),
                "it could not reach the message");
        answered(peer, transfer, Answer.OVER);
    }

    /** The receiver takes nothing. A send whose cancel is still unanswered ends with that answer, not before. */
    public void refused(Peer peer, Operation operation, int why, long room) {
        check(operation.sending().answer == Answer.NONE, "the message has its answer");
        check(why == Code.TRUNCATED || why == Code.TYPE_MISMATCH || why == Code.NOT_POSTED
                || why == Code.NOT_ENABLED || why == Code.REVOKED, "no reason to refuse");
        check(room >= 0 && room <= MOST_BYTES, "no room that a receive can have");
        if (why == Code.NOT_ENABLED || why == Code.REVOKED) {
            operation.endsWith(why);
        } else {
            operation.refusedWith(why, room);
        }
        answered(peer, operation.sending(), Answer.OVER);
    }

    private void answered(Peer peer, SendTransfer transfer, Answer answer) {
        if (transfer.offered) {
            peer.leaveLine(transfer.operation);
        }
        transfer.answer = answer;
        if (!transfer.cancelling) {
            resume(peer, transfer);
        }
    }

    private void resume(Peer peer, SendTransfer transfer) {
        Operation operation = transfer.operation;
        if (operation.hasEnded() && transfer.answer != Answer.OVER) {
            memoryEnded(peer, transfer);
            return;
        }
        switch (transfer.answer) {
            case SEND -> startPuts(peer, transfer);
            case PUT -> {
                transfer.span.cut(transfer.wanted);
                if (transfer.span.left() > 0 && direct.put(transfer, peer)) {
                    transfer.span.cut(0);
                    stop(peer, transfer.early);
                } else {
                    transfer.answer = Answer.SEND;
                    startPuts(peer, transfer);
                }
            }
            case OVER -> {
                if (Copy.hasEnded(operation.buffer())) {
                    // The receiver may have copied the message from where it lay, too late.
                    operation.memoryIsGone();
                }
                finish(peer, operation);
            }
            case NONE, TAKES -> {
                // The receiver's next frame goes on with it.
            }
        }
    }

    private void startPuts(Peer peer, SendTransfer transfer) {
        transfer.span.cut(transfer.wanted);
        if (transfer.span.left() == 0) {
            finish(peer, transfer.operation);
            return;
        }
        if (transfer.operation.bytes() <= config.putLimit()) {
            inject(peer, InjectionFifos.HIGH, transfer.put, transfer.receiveId, ALL);
        } else {
            puts.add(peer, transfer);
        }
    }

    /** The message waits for its receive. The receiver keeps what was pushed. */
    public void pending(Peer peer, Operation operation) {
        SendTransfer transfer = unanswered(operation, 0);
        check(!transfer.pending || transfer.offered, "the message is known to wait");
        if (transfer.offered) {
            peer.leaveLine(operation);
        }
        noteAnswer(peer, transfer);
        transfer.pending = true;
        stop(peer, transfer.early);
    }

    private void noteAnswer(Peer peer, SendTransfer transfer) {
        if (!transfer.pending) {
            long gone = Math.max(0, transfer.span.front() - puts.unsentBytes());
            peer.transfers().early.answered(gone, transfer.operation.bytes());
        }
    }

    /** Ends a send that was announced, with the code that its operation has. */
    public void finish(Peer peer, Operation operation) {
        SendTransfer transfer = operation.sending();
        stop(peer, transfer.early);
        stop(peer, transfer.put);
        puts.remove(transfer);
        giveClaims(transfer);
        if (transfer.trace != null) {
            transfer.traceEnd(peer);
        }
        if (transfer.loan == 0 || peer.outlet().isBack(transfer.loan)) {
            buffered.finish(operation, operation.code());
        } else {
            transfer.answer = Answer.OVER;
            peer.transfers().idle = 0;
            peer.transfers().lending.add(operation);
            busy.add(peer);
        }
    }

    /**
     * Ends sends whose bytes the peer has. If nothing moves, the port copies a part of the bytes, the last one first,
     * because the peer is still reading and gets to that last. Where other sends are under way, that waits somewhat
     * longer, because it would delay those.
     *
     * @param work how much this round of progress has moved to the peer
     */
    public int takeBack(Peer peer, int work) {
        PeerTransfers transfers = peer.transfers();
        transfers.idle = work == 0 ? transfers.idle + 1 : 0;
        if (transfers.idle > (transfers.hasWork() ? MOST_IDLE : 0)) {
            peer.outlet().settleLast();
        }
        int ended = 0;
        for (Operation first = transfers.lending.peek(); first != null
                && peer.outlet().isBack(first.sending().loan); first = transfers.lending.peek()) {
            transfers.lending.remove();
            buffered.finish(first, first.code());
            ended++;
        }
        return ended;
    }

    /** The peer is lost: nothing is sent to it again. */
    public void lose(Peer peer) {
        peer.transfers().lending.clear();
    }

    /** Asks the receiver to forget an announced message, unless the receiver has answered already. */
    public void withdraw(Peer peer, Operation operation) {
        SendTransfer transfer = operation.sending();
        if (transfer.cancelling || transfer.answer != Answer.NONE) {
            return;
        }
        transfer.cancelling = true;
        stop(peer, transfer.early);
        control.send(peer, Frame.CANCEL, Frame.header(operation.context(), operation.tag()), operation.id());
    }

    /**
     * The peer's answer to a cancel. A message that met its receive meanwhile goes on as if there had been no cancel;
     * one that was offered and declined had not gone yet.
     */
    public void cancelAnswered(Peer peer, Operation operation, boolean withdrawn) {
        SendTransfer transfer = operation.sending();
        transfer.cancelling = false;
        boolean declined = !transfer.announced;
        if (declined || transfer.offered) {
            peer.leaveLine(operation);
        }
        if (withdrawn || declined) {
            operation.endsWith(Code.CANCELLED);
            finish(peer, operation);
        } else {
            resume(peer, transfer);
        }
    }
}
