package io.rankwire.sim.fault;

import static io.rankwire.sim.fault.Violation.check;

import io.rankwire.device.Device;
import io.rankwire.device.DeviceAudit;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.device.Probes;
import io.rankwire.device.Unexpected;
import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Shared;
import io.rankwire.memory.Rand;
import io.rankwire.type.ElementType;
import java.util.ArrayList;
import java.util.List;

/** Messages: random calls on a rank's device, each repeated on the model. */
final class MessageLoad implements Load {
    static final int[] CONTEXTS = {0, 4097, 1 << 31};
    private static final int TAGS = 3;

    /**
     * @param depth messages that may wait on the way to a rank, or there
     * @param mostBytes of a message
     */
    record Bounds(int ranks, int depth, int mostBytes, DeviceConfig config) {}

    /** A message that a probe has taken off its queue, or the receive that it will meet if that is known. */
    private record Taken(Unexpected unexpected, Message message, Receipt receipt) {}

    private final int rank;
    private final Bounds bounds;
    private final Rand rand;
    private final MatchModel model;
    private final Device device;
    private final int[] ids;
    /**
     * Whether device and software match together. Then a message may be on its way between them when a probe looks,
     * and a cancel may come before or after a match that the model has seen; so nothing is cancelled there, unless all
     * is judged in the end.
     */
    private final boolean divided;
    private final List<Message> sending = new ArrayList<>();
    private final List<Receipt> receiving = new ArrayList<>();
    private final List<Taken> taken = new ArrayList<>();
    private final List<Receipt> over = new ArrayList<>();
    private final List<Shared> allocations = new ArrayList<>();

    /**
     * @param ids the last id that was given to a message, in its only element
     */
    MessageLoad(int rank, Bounds bounds, Rand rand, MatchModel model, Device device, int[] ids) {
        this.rank = rank;
        this.bounds = bounds;
        this.rand = rand;
        this.model = model;
        this.device = device;
        this.ids = ids;
        this.divided = bounds.config().split() != null;
    }

    @Override
    public void step() {
        int what = rand.below(100);
        if (what < 40) {
            send();
        } else if (what < 75) {
            receive();
        } else if (what < 85) {
            probe();
        } else if (what < 90) {
            receiveTaken();
        } else {
            cancel();
        }
    }

    private int size() {
        int kind = rand.below(100);
        if (kind < 50) {
            return rand.below(100);
        }
        if (kind < 75) {
            return Math.max(0, device.eagerBytes() + rand.between(-3, 3));
        }
        return kind < 95 ? rand.below(2_000) : rand.below(bounds.mostBytes());
    }

    private int type() {
        return (rand.chance(1, 20) ? ElementType.INT : rand.chance(1, 5) ? ElementType.RAW : ElementType.BYTE).code();
    }

    private int context() {
        return CONTEXTS[rand.below(rand.chance(1, 2) ? 1 : CONTEXTS.length)];
    }

    private void send() {
        int to = rand.below(bounds.ranks());
        if (model.waiting(to) > bounds.depth() || model.wire(rank, to).size() > bounds.depth()) {
            receiveAny();
            return;
        }
        Message message = new Message(++ids[0], rank, to, context(), rand.below(TAGS), type(), size());
        message.mode = Operation.Mode.values()[rand.below(4)];
        // What a ready send needs, a receive that is posted before, is not sure here.
        message.mode = message.mode == Operation.Mode.READY ? Operation.Mode.STANDARD : message.mode;
        message.room = room(message.bytes);
        message.room.write(message.id);
        if (message.mode == Operation.Mode.BUFFERED && !device.bufferAdmits(message.bytes)) {
            message.mode = Operation.Mode.STANDARD;
        }
        model.send(message);
        boolean mayBeNow = message.mode != Operation.Mode.SYNCHRONOUS && rand.chance(1, 2);
        if (mayBeNow && device.sendNow(message.context, to, message.tag, message.room.base(),
                message.room.lead(), message.bytes, message.type)) {
            message.room.spoil();
            return;
        }
        Operation operation = device.send(message.mode, message.context, to, message.tag, message.room.base(),
                message.room.lead(), message.bytes, message.type);
        if (operation.isHeldByDevice()) {
            message.room.spoil();
            return;
        }
        check(!model.hasLost(rank, to) || operation.isDone(), "not refused at once: " + message);
        model.underWay(message, operation);
        sending.add(message);
    }

    /** Sometimes memory that peers could map, if there is some. */
    private Room room(int bytes) {
        int lead = 8 * rand.below(4);
        if (!rand.chance(1, 4)) {
            return Room.inArray(lead, bytes);
        }
        try {
            Shared shared = device.memory().allocate(Room.around(lead, bytes));
            allocations.add(shared);
            return Room.in(shared.memory(), lead, bytes);
        } catch (FabricException noRoom) {
            return Room.inArray(lead, bytes);
        }
    }

    private void receive() {
        if (model.posted.get(rank).size() > bounds.depth()) {
            cancel();
            return;
        }
        int from = rand.chance(1, 4) ? MatchModel.ANY : rand.below(bounds.ranks());
        int tag = rand.chance(1, 4) ? MatchModel.ANY : rand.below(TAGS);
        int large = Math.max(bounds.mostBytes(), device.eagerBytes() + 3);
        receive(context(), from, tag, rand.chance(1, 8) ? size() : rand.chance(1, 3) ? large : 2_000);
    }

    /** Makes room: receives what has come and found no receive. */
    private void receiveAny() {
        for (int context : CONTEXTS) {
            boolean some = model.isOrdered()
                    ? device.probes().find(context, MatchModel.ANY, MatchModel.ANY) != Probes.NONE
                    : model.search(rank, context, MatchModel.ANY, MatchModel.ANY) != null;
            if (some) {
                receive(context, MatchModel.ANY, MatchModel.ANY, 2_000);
            }
        }
    }

    private void receive(int context, int from, int tag, int bytes) {
        Receipt receipt = new Receipt(rank, context, from, tag, type(), bytes);
        receipt.room = rand.chance(1, 12) ? Room.growing() : room(bytes);
        model.post(receipt);
        receipt.operation = device.receive(context, from, tag, receipt.room.base(), receipt.room.lead(),
                receipt.room.bytes(), receipt.type);
        model.look(rank);
        check(!model.hasLost(rank, from) || receipt.operation.isDone(), "not refused at once: " + receipt);
        receiving.add(receipt);
    }

    private void probe() {
        int context = context();
        int from = rand.chance(1, 3) ? MatchModel.ANY : rand.below(bounds.ranks());
        int tag = rand.chance(1, 3) ? MatchModel.ANY : rand.below(TAGS);
        int entry = device.probes().find(context, from, tag);
        if (model.isOrdered()) {
            takeUnseen(context, from, tag, entry);
            return;
        }
        Message expected = model.search(rank, context, from, tag);
        if (divided && entry == Probes.NONE) {
            return;
        }
        if (expected != null != entry >= 0) {
            throw new Violation("a probe at rank " + rank + " has found entry " + entry + ", expected " + expected);
        }
        if (entry == Probes.NONE) {
            return;
        }
        boolean take = rand.chance(1, 2);
        Unexpected found = take ? device.probes().take(context, entry) : device.probes().look(context, entry);
        if (entry == Probes.KEPT) {
            expected = model.probed(rank, context, from, tag, found, take);
        }
        compare(expected, found);
        if (take) {
            model.unexpected.get(rank).remove(expected);
            taken.add(new Taken(found, expected, null));
        }
    }

    private void takeUnseen(int context, int from, int tag, int entry) {
        if (entry != Probes.NONE && rand.chance(1, 2)) {
            Unexpected found = device.probes().take(context, entry);
            Receipt receipt = new Receipt(rank, context, from, tag, type(),
                    rand.chance(1, 4) ? size() : (int) found.bytes());
            model.takes(receipt);
            taken.add(new Taken(found, null, receipt));
        }
    }

    private void compare(Message expected, Unexpected found) {
        if (expected.from != found.source() || expected.tag != found.tag() || expected.bytes != found.bytes()
                || expected.type != found.elementType()) {
            throw new Violation("rank " + rank + " finds " + found.bytes() + " bytes from rank " + found.source()
                    + " with tag " + found.tag() + ", expected " + expected);
        }
    }

    private void receiveTaken() {
        if (!taken.isEmpty()) {
            Taken one = taken.remove(rand.below(taken.size()));
            Message message = one.message;
            Receipt receipt = message == null ? one.receipt : new Receipt(rank, message.context, message.from,
                    message.tag, type(), rand.chance(1, 4) ? size() : message.bytes);
            receipt.room = room(receipt.bytes);
            if (message != null) {
                model.meet(receipt, message);
            }
            receipt.operation = device.probes().receive(one.unexpected, receipt.room.base(), receipt.room.lead(),
                    receipt.bytes, receipt.type);
            receiving.add(receipt);
        }
    }

    private void cancel() {
        model.look(rank);
        if (divided && !model.isOrdered()) {
            receiveAny();
        } else if (rand.chance(1, 2) && !sending.isEmpty()) {
            Message message = sending.get(rand.below(sending.size()));
            message.asked = true;
            if (device.cancel(message.send)) {
                model.withdraw(message);
            }
        } else if (!receiving.isEmpty()) {
            cancel(receiving.get(rand.below(receiving.size())));
        }
    }

    private void cancel(Receipt receipt) {
        receipt.asked = true;
        boolean was = device.cancel(receipt.operation);
        if (model.isOrdered()) {
            return;
        }
        if (model.posted.get(rank).remove(receipt) != was) {
            throw new Violation((was ? "cancelled: " : "not cancelled: ") + receipt);
        }
        receipt.cancelled |= was;
    }

    @Override
    public void sweep() {
        model.look(rank);
        for (int i = receiving.size() - 1; i >= 0; i--) {
            Receipt receipt = receiving.get(i);
            if (receipt.operation.isDone()) {
                model.done(receipt);
                device.release(receipt.operation);
                receiving.remove(i);
                over.add(receipt);
            }
        }
        for (int i = sending.size() - 1; i >= 0; i--) {
            Message message = sending.get(i);
            if (message.send.isDone()) {
                model.done(message);
                device.release(message.send);
                sending.remove(i);
            }
        }
    }

    @Override
    public void drain() {
        receiveTaken();
        receiveAny();
        sweep();
    }

    @Override
    public void lose(int peer) {
        model.look(rank);
        model.lose(rank, peer);
        for (Message message : sending) {
            check(message.to != peer || message.send.isDone(), "not ended by the loss of its receiver: " + message);
        }
        for (Receipt receipt : receiving) {
            boolean concerned = receipt.message == null ? receipt.from == peer : receipt.message.from == peer;
            check(!concerned || receipt.operation.isDone(), "not ended by the loss of its sender: " + receipt);
        }
    }

    @Override
    public Object waitsFor(Faults faults) {
        if (!sending.isEmpty()) {
            return sending.getFirst();
        }
        for (Receipt receipt : receiving) {
            if (receipt.message != null) {
                return receipt;
            }
        }
        if (!taken.isEmpty()) {
            return "a message taken and not received";
        }
        if (!device.flushed() || device.bufferedHeld() > 0) {
            return "frames that were not sent, or buffered sends";
        }
        return null;
    }

    @Override
    public void finish(Faults faults) {
        for (Receipt receipt : List.copyOf(receiving)) {
            if (receipt.message == null && divided) {
                receipt.cancelled = true;
                model.posted.get(rank).remove(receipt);
                receiving.remove(receipt);
                device.giveUp(receipt.operation);
            } else if (receipt.message == null) {
                cancel(receipt);
                if (!receipt.operation.isDone()) {
                    throw new Violation("cannot be cancelled: " + receipt);
                }
            }
        }
        sweep();
    }

    /** Checks that nothing was written to the buffer of a receive that was over. */
    void checkBuffers() {
        for (Receipt receipt : over) {
            model.checkContent(receipt);
        }
        allocations.forEach(device.memory()::free);
    }

    /** Are there as many receives and messages as the lists say? Cheap, so it is asked all the time. */
    void audit() {
        model.look(rank);
        if (divided) {
            return;
        }
        for (int context : CONTEXTS) {
            int posted = 0;
            for (Receipt receipt : model.posted.get(rank)) {
                posted += receipt.context == context ? 1 : 0;
            }
            int unexpected = 0;
            for (Message message : model.unexpected.get(rank)) {
                unexpected += message.context == context ? 1 : 0;
            }
            int havePosted = DeviceAudit.posted(device, context);
            int haveUnexpected = DeviceAudit.unexpected(device, context);
            if (havePosted != posted || haveUnexpected != unexpected) {
                throw new Violation("rank " + rank + " has " + havePosted + " posted receives and " + haveUnexpected
                        + " unexpected messages in context " + context + ", expected " + posted + " and "
                        + unexpected);
            }
        }
    }

    /** Are they the same, and in the same order? */
    void deepAudit() {
        DeviceAudit.structures(device);
        for (int context : divided ? new int[0] : CONTEXTS) {
            List<Operation> posted = DeviceAudit.postedInOrder(device, context);
            int at = 0;
            for (Receipt receipt : model.posted.get(rank)) {
                if (receipt.context == context && posted.get(at++) != receipt.operation) {
                    throw new Violation("not posted in its place: " + receipt);
                }
            }
            List<Unexpected> unexpected = DeviceAudit.unexpectedInOrder(device, context);
            at = 0;
            for (Message message : model.unexpected.get(rank)) {
                if (message.context == context) {
                    compare(message, unexpected.get(at++));
                }
            }
        }
        long held = DeviceAudit.unexpectedHighWater(device);
        check(held <= bounds.config().unexpectedBytes(), "rank " + rank + " held " + held
                + " bytes unexpected, the cap is " + bounds.config().unexpectedBytes());
    }
}
