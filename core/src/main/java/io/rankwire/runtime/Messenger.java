package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.Lent;
import io.rankwire.device.Operation;
import io.rankwire.device.Probes;
import io.rankwire.device.Unexpected;
import io.rankwire.fabric.PeerLost;
import io.rankwire.launch.VirtualTime;
import io.rankwire.memory.Words;
import io.rankwire.type.ElementType;
import io.rankwire.type.OwnedBuffer;
import io.rankwire.wire.MatchWord;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Sends and receives the messages of one context. {@link PointToPoint} calls it after all checks of arguments: peers
 * are world ranks, and buffers are bases with byte offsets. Each call takes the device's lock.
 */
public final class Messenger {
    private final Host host;
    private final Endpoint on;
    private final int context;
    /** Whether these messages are of no communicator in particular, so that no revocation ends them. */
    private final boolean isLasting;
    /** Whether errors of rows do not go to the error handler. */
    private final boolean isQuiet;
    /** The communicator whose call these messages are for, if that is another one. */
    private Endpoint calling;
    /** Whether a death or a revocation ends that call. */
    private BooleanSupplier isOver = () -> false;

    Messenger(Host host, Endpoint on, int context) {
        this(host, on, context, false);
    }

    private Messenger(Host host, Endpoint on, int context, boolean isQuiet) {
        this.isQuiet = isQuiet;
        this.host = host;
        this.on = on;
        this.context = context;
        this.isLasting = Contexts.isLasting(context);
    }

    /** The same for a call that may end well although its messages fail: it calls the error handler itself. */
    Messenger quiet() {
        return new Messenger(host, on, context, true);
    }

    /** Sends a message and waits until its buffer can be used again. */
    void send(Operation.Mode mode, Object base, long offset, long bytes, ElementType type, int to, int tag) {
        Host host = this.host;
        Object outcome = Received.NOTHING;
        host.lock();
        try {
            if (!isPlain(mode) || !host.device.sendNow(context, to, tag, base, offset, bytes, type.code())) {
                outcome = sendAndWait(mode, base, offset, bytes, type, to, tag);
            }
        } catch (RuntimeException e) {
            outcome = host.translate(e, name(mode), base);
        } finally {
            host.unlock();
        }
        if (outcome != Received.NOTHING) {
            orThrow(outcome);
        }
    }

    /** Whether the receiver need not know the mode. */
    private static boolean isPlain(Operation.Mode mode) {
        return mode == Operation.Mode.STANDARD || mode == Operation.Mode.BUFFERED;
    }

    /** As {@link #send} with the lock, after the device could not send at once; returns the outcome. */
    Object sendAndWait(
            Operation.Mode mode, Object base, long offset, long bytes, ElementType type, int to, int tag) {
        Object from = ConfinedMemory.toSend(base, offset, bytes, true);
        Operation operation = start(mode, from, from == base ? offset : 0, bytes, type, to, tag);
        if (operation == null) {
            return Received.NOTHING;
        }
        awaitHeld(operation, name(mode));
        return finish(operation, name(mode));
    }

    /** Starts a send; returns null if it is buffered and the device completes it alone. */
    private Operation start(
            Operation.Mode mode, Object base, long offset, long bytes, ElementType type, int to, int tag) {
        Device device = host.device;
        if (isRevoked()) {
            throw on.members().revocation(name(mode));
        }
        if (mode == Operation.Mode.BUFFERED && !device.bufferAdmits(bytes)) {
            throw new RankwireException(ErrorClass.RESOURCE, "rank " + on.rank() + ": bsend of " + bytes
                    + " bytes: buffered sends already hold " + device.bufferedHeld() + " of "
                    + device.config().bufferedBytes() + " bytes");
        }
        Operation operation = device.send(mode, context, to, tag, base, offset, bytes, type.code());
        keepLine(operation);
        return operation.isHeldByDevice() ? null : operation;
    }

    /** Starts a send; returns null if it is done already. */
    Operation isend(Operation.Mode mode, Object base, long offset, long bytes, ElementType type, int to,
            int tag) {
        RuntimeException failure;
        host.lock();
        try {
            if (isPlain(mode) && host.device.sendNow(context, to, tag, base, offset, bytes, type.code())) {
                return null;
            }
            Object from = ConfinedMemory.toSend(base, offset, bytes, false);
            return start(mode, from, from == base ? offset : 0, bytes, type, to, tag);
        } catch (RuntimeException e) {
            failure = host.translate(e, "i" + name(mode), base);
        } finally {
            host.unlock();
        }
        throw on.failed(failure);
    }

    /** Receives a message and returns its source, tag and size. */
    Received receive(Object base, long offset, long bytes, ElementType type, int from, int tag) {
        Host host = this.host;
        Object outcome;
        host.lock();
        try {
            Object into = ConfinedMemory.toReceive(base, true);
            Operation operation = host.device.receive(context, from, tag, into, offset, bytes, type.code());
            keepLine(operation);
            if (!operation.isDone()) {
                awaitHeld(operation, "receive");
                settle(operation);
            }
            outcome = finish(operation, "receive");
        } catch (RuntimeException e) {
            outcome = host.translate(e, "receive");
        } finally {
            host.unlock();
        }
        return orThrow(outcome);
    }

    /**
     * Starts a receive.
     *
     * @param ofCall whether the call that starts it also waits for it
     */
    Operation irecv(Object base, long offset, long bytes, ElementType type, int from, int tag, boolean ofCall) {
        RuntimeException failure;
        host.lock();
        try {
            Object into = ConfinedMemory.toReceive(base, false);
            Operation operation = host.device.receive(context, from, tag, into, offset, bytes, type.code());
            keepLine(operation);
            if (ofCall) {
                operation.keepOutOfReports();
            }
            return operation;
        } catch (RuntimeException e) {
            failure = host.translate(e, "irecv");
        } finally {
            host.unlock();
        }
        throw on.failed(failure);
    }

    /** Keeps the line of the call that starts an operation, if that is wanted; returns the operation. */
    public static Operation keepLine(Operation operation) {
        if (CallSite.KEPT) {
            operation.line(CallSite.find());
        }
        return operation;
    }

    /** Waits for a receive that the same call has started, and returns its result. */
    public Received await(Operation receive, String call) {
        Object outcome;
        host.lock();
        try {
            awaitHeld(receive, call);
            settle(receive);
            outcome = finish(receive, call);
        } catch (RuntimeException e) {
            outcome = host.translate(e, call);
        } finally {
            host.unlock();
        }
        return orThrow(outcome);
    }

    /** Whether an operation is done; if so, await it. */
    public boolean test(Operation operation, String call) {
        RuntimeException failure;
        host.lock();
        try {
            if (!operation.isDone()) {
                host.progress(operation);
            }
            return operation.isDone();
        } catch (RuntimeException e) {
            failure = host.translate(e, call);
        } finally {
            host.unlock();
        }
        throw on.failed(failure);
    }

    /** Gives up a receive, or null, of a call that ends with an error. */
    void giveUp(Operation receive, RuntimeException error) {
        if (receive != null) {
            host.lockedAtEnd(() -> {
                receive.keepOutOfReports();
                host.abandon(receive, error);
            });
        }
    }

    private void awaitHeld(Operation operation, String call) {
        try {
            host.await(operation, call, on);
        } catch (RuntimeException e) {
            host.abandon(operation, e);
            throw e;
        }
    }

    /** Copies a message that another thread has received for this one into the memory of this thread. */
    public static void settle(Operation received) {
        if (received.buffer() instanceof OwnedBuffer owned && !owned.settle()) {
            received.memoryEnded();
        }
    }

    /** Returns the outcome of a done operation, a {@link Received} or an exception, and releases the operation. */
    public Object finish(Operation operation, String call) {
        if (operation.code() != Code.OK) {
            return finishUnusual(operation, call);
        }
        if (operation.isReceive()) {
            return received(operation);
        }
        host.device.release(operation);
        return Received.NOTHING;
    }

    /** As {@link #finish}, for a receive that was successful. */
    public Received received(Operation operation) {
        Received status = on.received(operation);
        host.device.release(operation);
        return status;
    }

    private Object finishUnusual(Operation operation, String call) {
        RankwireException error = error(operation, call);
        host.device.release(operation);
        return error != null ? error : Received.CANCELLED;
    }

    /** Returns the result or throws the exception; called without the lock, since the error handler may make calls. */
    private Received orThrow(Object outcome) {
        if (outcome instanceof Received status) {
            return status;
        }
        throw on.failed((RuntimeException) outcome);
    }

    /** Starts receiving a message that {@link #look} or {@link #await(int, int, boolean, String)} has taken. */
    Operation receiveTaken(Unexpected message, Object base, long offset, long bytes, ElementType type) {
        return locked("mreceive", () -> host.device.probes().receive(
                message, ConfinedMemory.toReceive(base, false), offset, bytes, type.code()));
    }

    /**
     * Lends a message that was taken: where it lies if it is here in one piece and the JVM lets such a view end, else
     * after it was received into memory of the arena. What a simulation costs does not depend on the JVM.
     */
    Lent lend(Unexpected message, Arena end) {
        return locked("view", () -> {
            boolean inPlace = Words.reachAll() || on.session().isSimulated();
            Lent lent = inPlace ? host.device.probes().lend(message, end) : null;
            if (lent != null) {
                return lent;
            }
            MemorySegment copy = end.allocate(message.bytes(), 8);
            Operation operation = host.device.probes().receive(
                    message, ConfinedMemory.toReceive(copy, true), 0, message.bytes(), message.elementType());
            awaitHeld(operation, "view");
            settle(operation);
            if (finish(operation, "view") instanceof RankwireException error) {
                throw error;
            }
            return host.device.probes().lendCopy(message, end, copy);
        });
    }

    /** Takes back a message that was lent. */
    void giveBack(Lent lent) {
        locked("release", () -> {
            host.device.probes().giveBack(lent);
            return lent;
        });
    }

    /** Returns a message with this source and tag, or null. With {@code take} no other call can receive it then. */
    Unexpected look(int from, int tag, boolean take) {
        return locked("probe", () -> {
            host.progress(context, from, tag);
            Unexpected found = lookNow(from, tag, take);
            if (found == null) {
                checkReachable(from, tag, new ProbeWait("probe", on, context, from, tag));
            }
            return found;
        });
    }

    /** As {@link #look}, but waits until there is a message. */
    Unexpected await(int from, int tag, boolean take, String call) {
        return locked(call, () -> {
            Unexpected found = lookNow(from, tag, take);
            if (found == null) {
                awaitMessage(from, tag, new ProbeWait(call, on, context, from, tag));
                found = lookNow(from, tag, take);
            }
            return found;
        });
    }

    /** Sends a row of numbers for a call of the library's own to one of its members; a report names the call. */
    void sendRow(long[] row, int to, int tag, RankSet members, String call) {
        long bytes = 8L * row.length;
        locked(call, () -> {
            HiddenWait what = new HiddenWait(call, on, to);
            Survivors survivors = on.session().survivors();
            if (survivors != null) {
                // A member that only sends never waits, and would learn of a death late.
                survivors.look();
            }
            checkAlive(members, what);
            return host.device.sendNow(context, to, tag, row, 0, bytes, ElementType.LONG.code()) ? row
                    : awaitRow(start(Operation.Mode.STANDARD, row, 0, bytes, ElementType.LONG, to, tag), row, members,
                            what);
        });
    }

    /** Receives a row of any length that another member has sent by {@link #sendRow}. */
    long[] receiveRow(int from, int tag, RankSet members, String call) {
        Probes probes = host.device.probes();
        return locked(call, () -> {
            HiddenWait what = new HiddenWait(call, on, from);
            host.await(() -> probes.find(context, from, tag) != Probes.NONE || isVain(members), what);
            if (probes.find(context, from, tag) == Probes.NONE) {
                checkReachable(from, tag, what);
                checkAlive(members, what);
            }
            long[] row = new long[(int) (lookNow(from, tag, false).bytes() / 8)];
            return awaitRow(host.device.receive(
                    context, from, tag, row, 0, 8L * row.length, ElementType.LONG.code()), row, members, what);
        });
    }

    private long[] awaitRow(Operation operation, long[] row, RankSet members, HiddenWait what) {
        try {
            host.await(() -> operation.isDone() || isVain(members), what);
            if (!operation.isDone()) {
                checkAlive(members, what);
            }
        } catch (RuntimeException e) {
            host.abandon(operation, e);
            throw e;
        }
        if (finish(operation, what.call) instanceof RankwireException error) {
            throw error;
        }
        return row;
    }

    /** These messages for a call of all members of another communicator: waits for rows end where such calls do. */
    Messenger until(Endpoint other) {
        return new Messenger(host, on, context, isQuiet).until(other, other.members()::isInterrupted);
    }

    /** Has calls that wait for rows end when this holds, for the reason that calls on another communicator end. */
    Messenger until(Endpoint other, BooleanSupplier over) {
        calling = other;
        isOver = over;
        return this;
    }

    /** Whether a call of these members waits in vain, because one of them is dead or the communicator was revoked. */
    private boolean isVain(RankSet members) {
        return isOver.getAsBoolean() || (isLasting ? firstDead(members) != null
                : on.members().isInterrupted() && (isRevoked() || firstDead(members) != null));
    }

    private PeerLost firstDead(RankSet members) {
        Survivors survivors = on.session().survivors();
        return !isLasting ? on.members().firstOf(members) : survivors == null ? null
                : MemberLosses.firstOf(members, survivors.dead());
    }

    private boolean isRevoked() {
        return !isLasting && on.members().isRevoked();
    }

    private void checkAlive(RankSet members, HiddenWait what) {
        if (isVain(members)) {
            PeerLost dead = firstDead(members);
            if (isRevoked() || dead == null) {
                throw (isOver.getAsBoolean() ? calling : on).members().interruption(what.text());
            }
            throw host.lost(what.describe(), dead);
        }
    }

    /** Runs a part of a call that is not on the path of every message with the device's lock. */
    private <T> T locked(String call, Supplier<T> part) {
        RuntimeException failure;
        host.lock();
        try {
            return part.get();
        } catch (RuntimeException e) {
            failure = host.translate(e, call);
        } finally {
            host.unlock();
        }
        throw isQuiet ? failure : on.failed(failure);
    }

    /** Waits until there is a message, and leaves it in the device. */
    private void awaitMessage(int from, int tag, Host.Waiting what) {
        Device device = host.device;
        host.await(() -> device.probes().find(context, from, tag) != Probes.NONE || isVain(from, tag), what);
        if (device.probes().find(context, from, tag) == Probes.NONE) {
            checkReachable(from, tag, what);
        }
    }

    private boolean isVain(int from, int tag) {
        return host.device.lost(context, from, tag) != null || isRevoked();
    }

    private void checkReachable(int from, int tag, Host.Waiting what) {
        if (isRevoked()) {
            throw on.members().revocation(what.describe());
        }
        PeerLost lost = host.device.lost(context, from, tag);
        if (lost != null) {
            throw host.lost(what.describe(), lost);
        }
    }

    private Unexpected lookNow(int from, int tag, boolean take) {
        int entry = host.device.probes().find(context, from, tag);
        if (entry == Probes.NONE) {
            return null;
        }
        return take ? host.device.probes().take(context, entry) : host.device.probes().look(context, entry);
    }

    private record ProbeWait(String call, Endpoint on, int context, int from, int tag) implements Host.Waiting {
        @Override
        public String describe() {
            String who = from == MatchWord.ANY ? "any rank" : "rank " + on.rankOf(from);
            String which = tag == MatchWord.ANY ? "any tag" : "tag " + tag;
            return call + " from " + who + ", " + which + ", on " + on.name() + CallSite.find();
        }

        @Override
        public int peer() {
            return from;
        }

        @Override
        public void name(VirtualTime.Wishes to) {
            to.message(context, from, tag);
        }
    }

    private record HiddenWait(String call, Endpoint on, int peer) implements Host.Waiting {
        @Override
        public String describe() {
            return text() + CallSite.find();
        }

        String text() {
            return OperationWait.about(call, peer, on);
        }
    }

    /** Returns the error of an operation that is done, or null. */
    private RankwireException error(Operation operation, String call) {
        boolean isWithdrawn = operation.code() == Code.CANCELLED && isRevoked();
        if (operation.code() >= Code.OK && !isWithdrawn) {
            return null;
        }
        String what = OperationWait.about(operation, call, on);
        if (isWithdrawn || operation.code() == Code.REVOKED) {
            return on.members().revocation(what);
        }
        // The part of a window may be gone because its owner has freed it alone.
        if (operation.code() == Code.UNKNOWN_REGION && on.members().isInterrupted()) {
            return on.members().interruption(what);
        }
        return switch (operation.code()) {
            case Code.TRUNCATED -> error(ErrorClass.TRUNCATE, what + message(operation) + ", has "
                    + operation.matchedBytes() + " bytes, the buffer only " + operation.bytes());
            case Code.TYPE_MISMATCH -> error(ErrorClass.TYPE, what + message(operation) + ", is of "
                    + ElementType.of(operation.matchedType()) + " (" + operation.matchedBytes()
                    + " bytes), the buffer of " + ElementType.of(operation.elementType()));
            case Code.REFUSED -> error(LateErrors.classOf(operation.refusal()), what + LateErrors.why(
                    operation.refusal(), on.rankOf(operation.peer()), operation.bytes(), operation.matchedBytes()));
            case Code.UNKNOWN_REGION, Code.OUT_OF_BOUNDS, Code.NO_RIGHT, Code.BROKEN_ELEMENT ->
                error(ErrorClass.DISPLACEMENT, what + ": refused by the target: "
                        + reason(operation.code()));
            case Code.MEMORY_ENDED -> error(ErrorClass.BUFFER, what
                    + ": the memory of its buffer was closed while it was under way");
            case Code.MESSAGE_ENDED -> error(ErrorClass.BUFFER, what + ": rank " + on.rankOf(operation.source())
                    + " closed the memory of the message while it was under way");
            case Code.PEER_DEAD -> host.lost(what + CallSite.find(), causeOf(operation));
            default -> null;
        };
    }

    /** Why the target of a one-sided access refuses it, by the code of its answer. */
    public static String reason(int code) {
        return switch (code) {
            case Code.UNKNOWN_REGION -> "there is no such memory, or not any more";
            case Code.OUT_OF_BOUNDS -> "it does not lie within the memory";
            case Code.NO_RIGHT -> "the memory is read-only";
            case Code.BROKEN_ELEMENT -> "it is not whole elements";
            case Code.MEMORY_ENDED -> "the memory of the buffer given for it was closed meanwhile";
            case Code.TYPE_MISMATCH -> "the memory is of another element type";
            default -> "code " + code;
        };
    }

    private RankwireException error(ErrorClass errorClass, String what) {
        return new RankwireException(errorClass, "rank " + on.rank() + ": " + what + CallSite.find());
    }

    private String message(Operation received) {
        return ": the message from rank " + on.rankOf(received.source()) + ", tag " + received.matchedTag();
    }

    private PeerLost causeOf(Operation operation) {
        PeerLost cause = host.device.lost(context, operation.peer(), operation.tag());
        return cause != null || !operation.isReceive() ? cause : host.device.lost(operation.source());
    }

    private static String name(Operation.Mode mode) {
        return switch (mode) {
            case STANDARD -> "send";
            case SYNCHRONOUS -> "ssend";
            case BUFFERED -> "bsend";
            case READY -> "rsend";
        };
    }
}
