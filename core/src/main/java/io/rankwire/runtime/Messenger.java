package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.Operation;
import io.rankwire.device.Unexpected;
import io.rankwire.fabric.PeerLost;
import io.rankwire.launch.VirtualTime;
import io.rankwire.type.ElementType;
import io.rankwire.type.OwnedBuffer;
import io.rankwire.wire.MatchWord;

/**
 * Sends and receives on one context, below all checks of arguments: peers are world ranks, buffers are bases with byte
 * offsets. Takes the device's lock for each call.
 */
public final class Messenger {
    private final Host host;
    private final Endpoint on;
    private final int context;

    public Messenger(Host host, Endpoint on, int context) {
        this.host = host;
        this.on = on;
        this.context = context;
    }

    public void send(Operation.Mode mode, Object base, long offset, long bytes, ElementType type, int to, int tag) {
        Host host = this.host;
        Object outcome = Received.NOTHING;
        host.lock();
        try {
            if (mode == Operation.Mode.SYNCHRONOUS
                    || !host.device.sendNow(context, to, tag, base, offset, bytes, type.code())) {
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

    private Object sendAndWait(
            Operation.Mode mode, Object base, long offset, long bytes, ElementType type, int to, int tag) {
        Object from = ConfinedMemory.toSend(base, offset, bytes, true);
        Operation operation = start(mode, from, from == base ? offset : 0, bytes, type, to, tag);
        if (operation == null) {
            return Received.NOTHING;
        }
        awaitHeld(operation, name(mode));
        return finish(operation, name(mode));
    }

    /** Starts a send; null if the device has taken it over for good (buffered). */
    private Operation start(
            Operation.Mode mode, Object base, long offset, long bytes, ElementType type, int to, int tag) {
        Device device = host.device;
        if (mode == Operation.Mode.BUFFERED && !device.bufferAdmits(bytes)) {
            throw new RankwireException(ErrorClass.RESOURCE, "rank " + on.rank() + ": bsend of " + bytes
                    + " bytes: buffered sends already hold " + device.bufferedHeld() + " of "
                    + device.config().bufferedBytes() + " bytes");
        }
        Operation operation = device.send(mode, context, to, tag, base, offset, bytes, type.code());
        return device.heldByDevice(operation) ? null : operation;
    }

    /** Starts a send; null if it is done already. */
    public Operation isend(Operation.Mode mode, Object base, long offset, long bytes, ElementType type, int to,
            int tag) {
        RuntimeException failure;
        host.lock();
        try {
            if (mode != Operation.Mode.SYNCHRONOUS
                    && host.device.sendNow(context, to, tag, base, offset, bytes, type.code())) {
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

    public Received receive(Object base, long offset, long bytes, ElementType type, int from, int tag) {
        Host host = this.host;
        Object outcome;
        host.lock();
        try {
            Object into = ConfinedMemory.toReceive(base, true);
            Operation operation = host.device.receive(context, from, tag, into, offset, bytes, type.code());
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
     * @param ofCall whether a call that has only begun will await it
     */
    public Operation irecv(Object base, long offset, long bytes, ElementType type, int from, int tag, boolean ofCall) {
        RuntimeException failure;
        host.lock();
        try {
            Object into = ConfinedMemory.toReceive(base, false);
            Operation operation = host.device.receive(context, from, tag, into, offset, bytes, type.code());
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

    /** Waits for a receive that a call has started, and returns what it received. */
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

    /** A call ends with an error, and no call will await the receive that it has started. */
    public void giveUp(Operation receive, RuntimeException error) {
        if (receive == null) {
            return;
        }
        host.lockAtEnd();
        try {
            receive.keepOutOfReports();
            host.abandon(receive, error);
        } finally {
            host.unlock();
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

    /** Brings what other threads have taken in for this one to its place. */
    public static void settle(Operation received) {
        if (received.buffer() instanceof OwnedBuffer owned && !owned.settle()) {
            received.memoryEnded();
        }
    }

    /** Takes the outcome out of a done operation, a status or an exception, and gives the operation back. */
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

    /** As {@link #finish} of a receive that went well. */
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

    /** Called without the lock. */
    private Received orThrow(Object outcome) {
        if (outcome instanceof Received status) {
            return status;
        }
        throw on.failed((RuntimeException) outcome);
    }

    public Operation receiveTaken(Unexpected message, Object base, long offset, long bytes, ElementType type) {
        RuntimeException failure;
        host.lock();
        try {
            Object into = ConfinedMemory.toReceive(base, false);
            return host.device.receiveTaken(message, into, offset, bytes, type.code());
        } catch (RuntimeException e) {
            failure = host.translate(e, "mreceive");
        } finally {
            host.unlock();
        }
        throw on.failed(failure);
    }

    /** What lies here for this source and tag, or null. With {@code take} it can then be received by nobody else. */
    public Unexpected look(int from, int tag, boolean take) {
        RuntimeException failure;
        host.lock();
        try {
            host.progress(context, from, tag);
            Unexpected found = lookNow(from, tag, take);
            if (found == null) {
                checkReachable(from, new ProbeWait("probe", on, context, from, tag));
            }
            return found;
        } catch (RuntimeException e) {
            failure = host.translate(e, "probe");
        } finally {
            host.unlock();
        }
        throw on.failed(failure);
    }

    /** As {@link #look}, waiting until there is something. */
    public Unexpected await(int from, int tag, boolean take, String call) {
        RuntimeException failure;
        host.lock();
        try {
            Unexpected found = lookNow(from, tag, take);
            if (found == null) {
                awaitMessage(from, tag, new ProbeWait(call, on, context, from, tag));
                found = lookNow(from, tag, take);
            }
            return found;
        } catch (RuntimeException e) {
            failure = host.translate(e, call);
        } finally {
            host.unlock();
        }
        throw on.failed(failure);
    }

    /** Sends a row of numbers for a call of the library's own, which a report then names. */
    public void tell(long[] row, int to, int tag, String call) {
        RuntimeException failure;
        host.lock();
        try {
            long bytes = 8L * row.length;
            if (!host.device.sendNow(context, to, tag, row, 0, bytes, ElementType.LONG.code())) {
                Operation operation = start(Operation.Mode.STANDARD, row, 0, bytes, ElementType.LONG, to, tag);
                awaitHeld(operation, call);
                check(finish(operation, call));
            }
            return;
        } catch (RuntimeException e) {
            failure = host.translate(e, call);
        } finally {
            host.unlock();
        }
        throw on.failed(failure);
    }

    /** Receives what another rank {@link #tell}s, of any length. */
    public long[] hear(int from, int tag, String call) {
        RuntimeException failure;
        host.lock();
        try {
            awaitMessage(from, tag, new HiddenWait(call, on, from));
            long[] row = new long[(int) (lookNow(from, tag, false).bytes() / 8)];
            Operation operation =
                    host.device.receive(context, from, tag, row, 0, 8L * row.length, ElementType.LONG.code());
            awaitHeld(operation, call);
            check(finish(operation, call));
            return row;
        } catch (RuntimeException e) {
            failure = host.translate(e, call);
        } finally {
            host.unlock();
        }
        throw on.failed(failure);
    }

    /** Inside calls of the library's own: whoever made them lets the program's handler hear of it. */
    private static void check(Object outcome) {
        if (outcome instanceof RankwireException error) {
            throw error;
        }
    }

    /** Returns when there is a message, which is left where it is. */
    private void awaitMessage(int from, int tag, Host.Waiting what) {
        Device device = host.device;
        host.await(() -> device.probe(context, from, tag) != Device.NONE || device.lost(from) != null, what);
        if (device.probe(context, from, tag) == Device.NONE) {
            checkReachable(from, what);
        }
    }

    private void checkReachable(int from, Host.Waiting what) {
        PeerLost lost = host.device.lost(from);
        if (lost != null) {
            throw host.lost(what.describe(), lost);
        }
    }

    private Unexpected lookNow(int from, int tag, boolean take) {
        int entry = host.device.probe(context, from, tag);
        if (entry == Device.NONE) {
            return null;
        }
        return take ? host.device.take(context, entry) : host.device.look(context, entry);
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
            return OperationWait.about(call, peer, on) + CallSite.find();
        }
    }

    /** The exception an operation ended with, or null. */
    private RankwireException error(Operation operation, String call) {
        if (operation.code() >= Code.OK) {
            return null;
        }
        String rank = "rank " + on.rank() + ": ";
        String what = OperationWait.about(operation, call, on);
        return switch (operation.code()) {
            case Code.TRUNCATED -> new RankwireException(ErrorClass.TRUNCATE, rank + what + ": the message from rank "
                    + on.rankOf(operation.source()) + ", tag " + operation.matchedTag() + ", has "
                    + operation.matchedBytes() + " bytes, the buffer only " + operation.bytes() + CallSite.find());
            case Code.TYPE_MISMATCH -> new RankwireException(ErrorClass.TYPE, rank + what + ": the message from rank "
                    + on.rankOf(operation.source()) + ", tag " + operation.matchedTag() + ", is of "
                    + ElementType.of(operation.matchedType()) + " (" + operation.matchedBytes()
                    + " bytes), the buffer of "
                    + ElementType.of(operation.elementType()) + CallSite.find());
            case Code.REFUSED -> new RankwireException(ErrorClass.TRUNCATE, rank + what
                    + ": the receiver refused the message: its buffer is too small or of another type"
                    + CallSite.find());
            case Code.UNKNOWN_REGION, Code.OUT_OF_BOUNDS, Code.NO_RIGHT, Code.BROKEN_ELEMENT ->
                new RankwireException(ErrorClass.DISPLACEMENT, rank + what + ": refused by the target: "
                        + FramedTarget.reason(operation.code()) + CallSite.find());
            case Code.MEMORY_ENDED -> new RankwireException(ErrorClass.BUFFER, rank + what
                    + ": the memory of its buffer was closed while it was under way" + CallSite.find());
            case Code.MESSAGE_ENDED -> new RankwireException(ErrorClass.BUFFER, rank + what + ": rank "
                    + on.rankOf(operation.source()) + " closed the memory of the message while it was under way"
                    + CallSite.find());
            case Code.PEER_DEAD -> host.lost(what + CallSite.find(), causeOf(operation));
            default -> null;
        };
    }

    private PeerLost causeOf(Operation operation) {
        PeerLost cause = host.device.lost(operation.peer());
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
