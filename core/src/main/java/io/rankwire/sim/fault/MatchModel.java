package io.rankwire.sim.fault;

import io.rankwire.device.Code;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.device.Unexpected;
import io.rankwire.memory.Words;
import io.rankwire.type.ElementType;
import io.rankwire.wire.Frame;
import io.rankwire.wire.Id;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Matching as the MPI standard defines it: two lists for each rank, moved by the calls of the host and by the frames as
 * they arrive. It knows which message each receive must get, and that messages of a pair arrive in order.
 */
sealed class MatchModel permits OrderModel {
    static final int ANY = -1;

    /** What a device knows of the messages that its peers keep for want of credit. */
    @FunctionalInterface
    interface Offers {
        /** Ids of the sends that a peer has offered to a rank, or null if it keeps none. */
        Set<Integer> of(int rank, int peer);
    }

    private record Offered(Message message, int sendId) {}

    private final DeviceConfig config;
    /** Most bytes of a message that its sender need not announce. */
    private int mostWhole;
    private final Offers offers;
    private final Set<Integer> contexts;
    private final int ranks;
    final List<List<Receipt>> posted = new ArrayList<>();
    final List<List<Message>> unexpected = new ArrayList<>();
    private final List<ArrayDeque<Message>> wires = new ArrayList<>();
    private final List<Map<Integer, Message>> sends = new ArrayList<>();
    /** By rank: what was offered to it and is still in its place on the wire. */
    private final List<List<Offered>> offered = new ArrayList<>();
    /** By rank and the peer that it has lost. */
    private final boolean[] lost;
    int cancelledReceives;
    int cancelledSends;
    /** Messages that have passed others which their sender had to keep. */
    int passing;

    /**
     * @param contexts whose messages it follows
     */
    MatchModel(DeviceConfig config, int ranks, Set<Integer> contexts, Offers offers) {
        this.config = config;
        this.mostWhole = config.eagerBytes();
        this.offers = offers;
        this.ranks = ranks;
        this.contexts = contexts;
        for (int i = 0; i < ranks; i++) {
            posted.add(new ArrayList<>());
            unexpected.add(new ArrayList<>());
            sends.add(new HashMap<>());
            offered.add(new ArrayList<>());
        }
        lost = new boolean[ranks * ranks];
        for (int i = 0; i < ranks * ranks; i++) {
            wires.add(new ArrayDeque<>());
        }
    }

    ArrayDeque<Message> wire(int from, int to) {
        return wires.get(from * ranks + to);
    }

    /** Before the send: it is the last on its wire; a message to itself arrives at once. */
    void send(Message message) {
        if (message.from == message.to) {
            arrive(message);
        } else {
            wire(message.from, message.to).add(message);
        }
    }

    /** After the send, while its operation is under way. */
    void underWay(Message message, Operation operation) {
        message.send = operation;
        sends.get(message.from).put(operation.index(), message);
    }

    void post(Receipt receipt) {
        Message first = search(receipt.rank, receipt.context, receipt.from, receipt.tag);
        if (first == null && hasLost(receipt.rank, receipt.from)) {
            return;
        }
        if (first == null) {
            posted.get(receipt.rank).add(receipt);
        } else {
            unexpected.get(receipt.rank).remove(first);
            meet(receipt, first);
        }
    }

    Message search(int rank, int context, int from, int tag) {
        for (Message message : unexpected.get(rank)) {
            if (message.meets(context, from, tag)) {
                return message;
            }
        }
        return null;
    }

    /** Whether what meets what is known in the end only. */
    boolean isOrdered() {
        return false;
    }

    /** Messages that are at a rank and have met nothing. */
    int waiting(int rank) {
        return unexpected.get(rank).size();
    }

    /** As if a receive had been posted and met at once. */
    void takes(Receipt receipt) {
        throw new IllegalStateException("what was taken is known here: " + receipt);
    }

    /** At the end of a run. */
    void judge() {}

    void arrive(Message message) {
        if (!meetPosted(message)) {
            unexpected.get(message.to).add(message);
        }
    }

    private boolean meetPosted(Message message) {
        List<Receipt> receipts = posted.get(message.to);
        for (int i = 0; i < receipts.size(); i++) {
            Receipt receipt = receipts.get(i);
            if (message.meets(receipt.context, receipt.from, receipt.tag)) {
                receipts.remove(i);
                meet(receipt, message);
                return true;
            }
        }
        return false;
    }

    void meet(Receipt receipt, Message message) {
        if (message.met != null) {
            throw new Violation("matched twice: " + message);
        }
        for (Message before : message.passed == null ? List.<Message>of() : message.passed) {
            if (before.meets(receipt.context, receipt.from, receipt.tag)) {
                throw new Violation(message + " has overtaken " + before + " on the way to " + receipt);
            }
        }
        receipt.message = message;
        message.met = receipt;
    }

    private Message next(int to, int from, int meta, long header) {
        Message message = wire(from, to).poll();
        if (message == null) {
            throw new Violation("rank " + to + " got a message that rank " + from + " did not send");
        }
        if (message.context != Frame.high(header) || message.tag != Frame.low(header)
                || message.type != Frame.elementType(meta)) {
            throw new Violation("overtaken at rank " + to + ", or not itself any more: " + message);
        }
        return message;
    }

    /** A frame is about to be given to the device of {@code to}. */
    void frame(int to, int from, int meta, long header, MemorySegment memory, long payload) {
        int wire = from * ranks + to;
        look(to);
        switch (Frame.kind(meta)) {
            case Frame.EAGER, Frame.EAGER_SYNC, Frame.REQUEST_TO_SEND -> {
                if (contexts.contains(Frame.high(header))) {
                    Message message = next(to, from, meta, header);
                    message.comesInParts = Frame.kind(meta) == Frame.REQUEST_TO_SEND;
                    arrive(message);
                }
            }
            case Frame.OFFER -> {
                if (contexts.contains(Frame.high(header))) {
                    offered.get(to).add(new Offered(first(from, to, Frame.high(header), Frame.low(header)),
                            (int) Words.load(memory, payload)));
                }
            }
            case Frame.CANCEL -> cancelComes(to, sends.get(from).get(Id.place((int) Words.load(memory, payload))));
            default -> {
            }
        }
    }

    /** The first message on a wire that a receive could take. */
    private Message first(int from, int to, int context, int tag) {
        for (Message message : wire(from, to)) {
            if (message.meets(context, ANY, tag)) {
                return message;
            }
        }
        throw new Violation("rank " + from + " offers what it did not send to rank " + to);
    }

    /**
     * Looks which offered message a rank has taken since the last look: one at most. When a peer gets credit, all that
     * it has offered goes in its turn.
     */
    void look(int rank) {
        List<Offered> here = offered.get(rank);
        for (int i = here.size() - 1; i >= 0; i--) {
            Offered one = here.get(i);
            Set<Integer> ids = offers.of(rank, one.message.from);
            if (ids == null || !ids.contains(one.sendId)) {
                here.remove(i);
                if (ids != null) {
                    pass(one.message);
                    arrive(one.message);
                }
            }
        }
    }

    /** Takes a message off its wire, ahead of those before it. */
    private void pass(Message message) {
        ArrayDeque<Message> wire = wire(message.from, message.to);
        message.passed = new ArrayList<>();
        for (Message before : wire) {
            if (before == message) {
                break;
            }
            message.passed.add(before);
        }
        if (!wire.remove(message)) {
            throw new Violation("taken though it was not there: " + message);
        }
        message.comesInParts = true;
        passing += message.passed.isEmpty() ? 0 : 1;
    }

    /** A probe has found, and perhaps taken, a message that its sender keeps. */
    Message probed(int rank, int context, int from, int tag, Unexpected found, boolean taken) {
        for (Offered one : offered.get(rank)) {
            Message message = one.message;
            if (message.from == found.source() && message.meets(context, from, tag) && message.tag == found.tag()
                    && message == first(message.from, rank, context, tag)) {
                for (Receipt receipt : posted.get(rank)) {
                    if (message.meets(receipt.context, receipt.from, receipt.tag)) {
                        throw new Violation("a probe has found what is for " + receipt);
                    }
                }
                if (taken) {
                    offered.get(rank).remove(one);
                    pass(message);
                }
                return message;
            }
        }
        throw new Violation("a probe at rank " + rank + " has found what was not offered to it: " + found);
    }

    /** A message that could be received and is not, though nothing moves any more; or null. */
    Message stuck() {
        for (int rank = 0; rank < ranks; rank++) {
            for (Receipt receipt : posted.get(rank)) {
                for (int from = 0; from < ranks; from++) {
                    for (Message message : wire(from, rank)) {
                        if (message.meets(receipt.context, receipt.from, receipt.tag)) {
                            return message;
                        }
                    }
                }
            }
        }
        return null;
    }

    /** A rank has lost a peer: nothing more comes of it, and what is not wholly here never will be. */
    void lose(int rank, int peer) {
        lost[rank * ranks + peer] = true;
        wire(peer, rank).clear();
        offered.get(rank).removeIf(one -> one.message.from == peer);
        posted.get(rank).removeIf(receipt -> receipt.from == peer);
        unexpected.get(rank).removeIf(message -> message.from == peer && message.comesInParts);
    }

    boolean hasLost(int rank, int peer) {
        return peer >= 0 && lost[rank * ranks + peer];
    }

    /** The sender's wish to have a message back has come. */
    void cancelComes(int to, Message message) {
        if (unexpected.get(to).remove(message) || isKept(to, message)) {
            message.withdrawn = true;
        }
    }

    /** Whether a message that its sender asks for is still with it: it was offered, and perhaps declined. */
    final boolean isKept(int to, Message message) {
        offered.get(to).removeIf(one -> one.message == message);
        return message != null && wire(message.from, to).remove(message);
    }

    /** The send was withdrawn before it left. */
    void withdraw(Message message) {
        boolean was = message.from == message.to
                ? unexpected.get(message.to).remove(message)
                : wire(message.from, message.to).remove(message);
        if (!was) {
            throw new Violation("cancelled after it had gone: " + message);
        }
        message.withdrawn = true;
    }

    private static boolean mismatch(Receipt receipt) {
        boolean wholeElements = receipt.message.bytes % ElementType.of(receipt.type).bytes() == 0;
        return receipt.message.type != receipt.type
                && !(ElementType.compatible(receipt.message.type, receipt.type) && wholeElements);
    }

    /** Sets that a fabric carries messages whole up to its longest frames, whatever the device would announce. */
    void wholeUpTo(int bytes) {
        mostWhole = Math.max(mostWhole, bytes);
    }

    private boolean refused(Receipt receipt) {
        boolean truncated = receipt.message.bytes > receipt.most();
        return mismatch(receipt) || truncated && config.truncation() == DeviceConfig.Truncation.REFUSE;
    }

    /** A receive is done: is it what the lists say? */
    void done(Receipt receipt) {
        Operation operation = receipt.operation;
        Message message = receipt.message;
        if (receipt.cancelled) {
            if (operation.code() != Code.CANCELLED) {
                throw new Violation("code " + operation.code() + " of a cancelled " + receipt);
            }
            cancelledReceives++;
            return;
        }
        if (operation.code() == Code.PEER_DEAD) {
            if (!hasLost(receipt.rank, message == null ? receipt.from : message.from)
                    || message != null && !message.comesInParts) {
                throw new Violation("ended by the loss of a peer: " + receipt);
            }
            receipt.left = receipt.room.content().clone();
            return;
        }
        if (message == null) {
            throw new Violation("done: " + receipt);
        }
        check(receipt, new Receipt.End(operation.code(), operation.source(), operation.matchedTag(),
                operation.matchedBytes(), operation.matchedType()));
    }

    final void check(Receipt receipt, Receipt.End seen) {
        Message message = receipt.message;
        int code = mismatch(receipt) ? Code.TYPE_MISMATCH : message.bytes > receipt.most() ? Code.TRUNCATED : Code.OK;
        if (!new Receipt.End(code, message.from, message.tag, message.bytes, message.type).equals(seen)) {
            throw new Violation(seen + " instead of code " + code + " for " + receipt);
        }
        checkContent(receipt);
    }

    /** Also later: nothing may be written to the buffer of a receive that is over. */
    void checkContent(Receipt receipt) {
        if (receipt.left != null) {
            if (!Arrays.equals(receipt.left, receipt.room.content())) {
                throw new Violation("written to after its end: " + receipt);
            }
            return;
        }
        Message message = receipt.message;
        int delivered = message == null || refused(receipt) ? 0 : Math.min(message.bytes, receipt.most());
        String wrong = receipt.room.wrong(message == null ? 0 : message.id, delivered);
        if (wrong != null) {
            throw new Violation(wrong + ", of " + receipt);
        }
    }

    /** A send is done; its buffer is the host's again. */
    void done(Message message) {
        gone(message);
        check(message, message.send.code());
        cancelledSends += message.withdrawn ? 1 : 0;
        message.room.spoil();
    }

    final void gone(Message message) {
        sends.get(message.from).remove(message.send.index());
    }

    final void check(Message message, int code) {
        boolean refused = message.met != null && refused(message.met);
        boolean sync = message.mode == Operation.Mode.SYNCHRONOUS;
        boolean right;
        if (code == Code.PEER_DEAD) {
            right = hasLost(message.from, message.to);
        } else if (message.withdrawn) {
            right = code == Code.CANCELLED;
        } else if (refused) {
            right = code == Code.REFUSED || code == Code.OK && !sync && message.bytes <= mostWhole;
        } else {
            right = code == Code.OK && (message.met != null || !sync);
        }
        if (!right) {
            throw new Violation("done with code " + code + (message.withdrawn ? ", withdrawn: "
                    : refused ? ", refused: " : message.met == null ? ", not met: " : ", met: ") + message);
        }
    }

    /** Headers of a rank that should be in use. */
    int held(int rank) {
        return posted.get(rank).size() + unexpected.get(rank).size();
    }

    /** A message that is under way between ranks that live, or waits at one; null if there is none. */
    Message underWay(Faults faults) {
        Message underWay = onTheWay(faults);
        for (int rank = 0; rank < ranks && underWay == null; rank++) {
            underWay = faults.isDead(rank) || unexpected.get(rank).isEmpty() ? null : unexpected.get(rank).getFirst();
        }
        return underWay;
    }

    final Message onTheWay(Faults faults) {
        for (int from = 0; from < ranks; from++) {
            for (int to = 0; to < ranks; to++) {
                int wire = from * ranks + to;
                if (!faults.isDead(from) && !faults.isDead(to) && !wires.get(wire).isEmpty()) {
                    return wires.get(wire).peek();
                }
            }
        }
        return null;
    }
}
