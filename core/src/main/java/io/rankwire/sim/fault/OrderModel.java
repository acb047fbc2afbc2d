package io.rankwire.sim.fault;

import io.rankwire.device.Code;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Matching that is divided between device and software, judged in the end. When a message meets its receive, or a
 * cancel comes too late, depends on what is on its way between the two; but what meets what depends on the order of the
 * messages and the order of the receives alone, as if what was cancelled had never been.
 */
final class OrderModel extends MatchModel {
    private final List<List<Receipt>> receipts = new ArrayList<>();
    private final List<List<Message>> arrivals = new ArrayList<>();
    private final int ranks;

    OrderModel(DeviceConfig config, int ranks, Set<Integer> contexts, Offers offers) {
        super(config, ranks, contexts, offers);
        this.ranks = ranks;
        for (int i = 0; i < ranks; i++) {
            receipts.add(new ArrayList<>());
            arrivals.add(new ArrayList<>());
        }
    }

    @Override
    boolean isOrdered() {
        return true;
    }

    @Override
    int waiting(int rank) {
        return arrived(rank) - over(rank);
    }

    private int arrived(int rank) {
        return (int) arrivals.get(rank).stream().filter(message -> !message.withdrawn).count();
    }

    private int over(int rank) {
        return (int) receipts.get(rank).stream().filter(receipt -> receipt.ended != null && !receipt.cancelled).count();
    }

    @Override
    void post(Receipt receipt) {
        posted.get(receipt.rank).add(receipt);
        receipts.get(receipt.rank).add(receipt);
    }

    /** A probe has taken a message: a receive at this point of the order. */
    @Override
    void takes(Receipt receipt) {
        receipts.get(receipt.rank).add(receipt);
    }

    @Override
    void arrive(Message message) {
        arrivals.get(message.to).add(message);
    }

    @Override
    void cancelComes(int to, Message message) {
        // The sender gets a report of what came of it; what it has kept is not on the wire any more.
        isKept(to, message);
    }

    @Override
    void withdraw(Message message) {
        if (message.from != message.to && !wire(message.from, message.to).remove(message)) {
            throw new Violation("cancelled after it had gone: " + message);
        }
        message.withdrawn = true;
    }

    @Override
    void done(Receipt receipt) {
        Operation operation = receipt.operation;
        posted.get(receipt.rank).remove(receipt);
        receipt.ended = new Receipt.End(operation.code(), operation.source(), operation.matchedTag(),
                operation.matchedBytes(), operation.matchedType());
        receipt.cancelled = operation.code() == Code.CANCELLED;
        if (receipt.cancelled && !receipt.asked) {
            throw new Violation("cancelled without a call: " + receipt);
        }
    }

    @Override
    void done(Message message) {
        gone(message);
        message.code = message.send.code();
        boolean cancelled = message.code == Code.CANCELLED;
        if (cancelled && !message.asked) {
            throw new Violation("cancelled without a call: " + message);
        }
        message.withdrawn |= cancelled;
        message.room.spoil();
    }

    @Override
    Message underWay(Faults faults) {
        Message underWay = onTheWay(faults);
        for (int rank = 0; rank < ranks && underWay == null; rank++) {
            underWay = waiting(rank) > 0 ? arrivals.get(rank).getLast() : null;
        }
        return underWay;
    }

    @Override
    void judge() {
        for (int rank = 0; rank < ranks; rank++) {
            List<Message> left = new ArrayList<>(arrivals.get(rank));
            left.removeIf(message -> message.withdrawn);
            for (Receipt receipt : receipts.get(rank)) {
                if (!receipt.cancelled) {
                    Message first = first(left, receipt);
                    left.remove(first);
                    meet(receipt, first);
                    check(receipt, receipt.ended);
                }
            }
            if (!left.isEmpty()) {
                throw new Violation("met nothing: " + left.getFirst());
            }
        }
        for (List<Message> each : arrivals) {
            for (Message message : each) {
                if (message.send != null) {
                    check(message, message.code);
                }
            }
        }
    }

    private static Message first(List<Message> left, Receipt receipt) {
        for (Message message : left) {
            if (message.meets(receipt.context, receipt.from, receipt.tag)) {
                return message;
            }
        }
        throw new Violation("met something that was not there for it: " + receipt);
    }
}
