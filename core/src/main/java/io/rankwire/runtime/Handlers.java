package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.Operation;
import io.rankwire.device.Operation.Mode;
import io.rankwire.type.ElementType;
import io.rankwire.wire.MatchWord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import java.util.function.ObjIntConsumer;

/**
 * The active messages of one communicator on this rank. A few receives of any source are always posted; a message is
 * due when the oldest of them is done, so messages are handled in the order in which they came. {@link Actions} decides
 * when: it calls {@link #take} with the device's lock, {@link #call} without it and {@link #finish} with it again.
 * Messages that no receive is posted for wait in the device and hold their senders' credit, as all messages do.
 */
public final class Handlers {
    /** Kinds are the numbers below this. */
    public static final int KINDS = 256;
    /** Most bytes of a message. */
    public static final int MOST_BYTES = 8 << 10;

    private static final int RECEIVES = 4;
    /** Bytes of messages without a handler beyond which no more messages are taken from the device. */
    private static final long MOST_PARKED = 64L << 20;

    /** A message whose handler was not set when it came. */
    private record Parked(int kind, int source, byte[] payload) {}

    private final Endpoint on;
    private final Host host;
    private final Device device;
    private final Operation[] receives = new Operation[RECEIVES];
    private final ByteBuffer[] rooms = new ByteBuffer[RECEIVES];
    /** The oldest receive. */
    private int oldest;
    private final ObjIntConsumer<ByteBuffer>[] handlers;
    private final Queue<Parked> parked = new ArrayDeque<>();
    private long parkedBytes;
    /** Parked messages that have a handler now; they go first. */
    private final Queue<Parked> ready = new ArrayDeque<>();
    private boolean ended;

    // The message that is being handled.
    private int kind;
    private int source;
    private ByteBuffer payload;
    private boolean isParked;

    private long sent;
    private long handled;
    /** How many members were dead when a wait last ended because of that. */
    private int deaths;
    /** Used by one wait at a time, so that a wait allocates nothing; null while it is in use. */
    private More spare = new More();

    @SuppressWarnings({"unchecked", "rawtypes"})
    public Handlers(Endpoint on) {
        this.on = on;
        this.host = on.host();
        this.device = host.device;
        this.handlers = new ObjIntConsumer[KINDS];
        on.members().acknowledgeAll();
        host.lock();
        try {
            deaths = on.members().dead().size();
            for (int i = 0; i < RECEIVES; i++) {
                rooms[i] = ByteBuffer.allocate(MOST_BYTES).order(ByteOrder.nativeOrder());
                receives[i] = post(i);
            }
            host.actions.add(this);
        } finally {
            host.unlock();
        }
    }

    private Operation post(int place) {
        Operation receive = device.receive(on.context(), MatchWord.ANY, MatchWord.ANY, rooms[place].array(), 0,
                MOST_BYTES, ElementType.BYTE.code());
        receive.keepOutOfReports();
        return receive;
    }

    /** Sets the handler of a kind. Messages of that kind that have come before are handled next. */
    public void set(int ofKind, ObjIntConsumer<ByteBuffer> handler) {
        checkKind(ofKind);
        host.lock();
        try {
            handlers[ofKind] = handler;
            parked.removeIf(message -> message.kind == ofKind && ready.add(message));
        } finally {
            host.unlock();
        }
    }

    private void checkKind(int ofKind) {
        on.checkUsable();
        if (ofKind < 0 || ofKind >= KINDS) {
            throw on.error(ErrorClass.ARGUMENT, "argument kind: " + ofKind + " is not from 0 to " + (KINDS - 1));
        }
    }

    /** Sends a message. A handler's message never waits: what cannot leave at once is copied. */
    public void post(int ofKind, int dest, Object buffer, long offset, long count) {
        ElementType type = on.typeOf(buffer);
        on.checkPart(buffer, offset, count);
        checkKind(ofKind);
        int to = on.destOf(dest, ofKind);
        long bytes = count * type.bytes();
        if (bytes > MOST_BYTES) {
            throw on.error(ErrorClass.COUNT, "an active message has at most " + MOST_BYTES + " bytes, not " + bytes);
        }
        if (to != Endpoint.NONE) {
            send(to, ofKind, Buffers.base(buffer), Buffers.start(buffer) + offset * type.bytes(), bytes);
        }
    }

    private void send(int to, int tag, Object base, long start, long bytes) {
        RuntimeException failure;
        host.lock();
        try {
            Object outcome = device.sendNow(on.context(), to, tag, base, start, bytes, ElementType.BYTE.code())
                    ? Received.NOTHING : sendLater(to, tag, base, start, bytes);
            if (!(outcome instanceof RuntimeException error)) {
                sent++;
                return;
            }
            failure = error;
        } catch (RuntimeException e) {
            failure = host.translate(e, "post", base);
        } finally {
            host.unlock();
        }
        throw on.failed(failure);
    }

    private Object sendLater(int to, int tag, Object base, long start, long bytes) {
        Mode mode = host.actions.isHandling() ? Mode.BUFFERED : Mode.STANDARD;
        Object outcome = on.messages().sendAndWait(mode, base, start, bytes, ElementType.BYTE, to, tag);
        host.wakeProgress();
        return outcome;
    }

    /** Whether a message waits for its handler; an estimate for threads without the lock. */
    boolean isDue() {
        Operation receive = receives[oldest];
        return !ended && (!ready.isEmpty() || receive != null && receive.isDone() && parkedBytes <= MOST_PARKED);
    }

    /** Takes the next message that has a handler; false if there is none. */
    boolean take() {
        while (isDue()) {
            Parked next = ready.poll();
            if (next != null) {
                parkedBytes -= next.payload.length;
                begin(next.kind, next.source, ByteBuffer.wrap(next.payload).order(ByteOrder.nativeOrder()), true);
                return true;
            }
            Operation receive = receives[oldest];
            if (receive.code() == Code.OK) {
                ByteBuffer room = rooms[oldest].clear().limit((int) receive.matchedBytes());
                begin(receive.matchedTag(), receive.source(), room, false);
                if (handlers[kind] != null) {
                    return true;
                }
                park();
            }
            // Else the message has ended with its sender, or with the sender's memory.
            repost();
        }
        return false;
    }

    private void begin(int ofKind, int from, ByteBuffer bytes, boolean wasParked) {
        kind = ofKind;
        source = from;
        payload = bytes;
        isParked = wasParked;
    }

    private void park() {
        byte[] copy = new byte[payload.limit()];
        payload.get(copy);
        parkedBytes += copy.length;
        parked.add(new Parked(kind, source, copy));
    }

    /** Posts the oldest receive again, as the youngest; not if all other ranks are lost, or after a revocation. */
    private void repost() {
        device.release(receives[oldest]);
        boolean isVain = on.members().isRevoked() || device.lost(MatchWord.ANY) != null;
        receives[oldest] = isVain ? null : post(oldest);
        oldest = oldest + 1 == RECEIVES ? 0 : oldest + 1;
    }

    /** Runs the handler of the message that {@link #take} has taken. */
    void call() {
        try {
            handlers[kind].accept(payload, on.rankOf(source));
        } catch (Throwable e) {
            ended = true;
            on.session().fail(new RankwireException(ErrorClass.ABORTED, "rank " + on.rank()
                    + ": the handler of active messages of kind " + kind + " failed on a message of "
                    + payload.limit() + " bytes from " + on.nameOf(source) + ", on " + on.name() + ": " + e, e));
        }
    }

    /** The handler has returned. */
    void finish() {
        if (ended) {
            return;
        }
        handled++;
        host.counts.handled++;
        if (!isParked) {
            repost();
        }
    }

    /** Returns what a report says of the message that is being handled. */
    String current() {
        return "the handler of active messages of kind " + kind + ", on " + on.name();
    }

    /** Writes how many messages were sent from here, handled here, and wait here for a handler that is not set. */
    public void count(long[] into) {
        host.lock();
        try {
            into[0] = sent;
            into[1] = handled;
            into[2] = parked.size();
        } finally {
            host.unlock();
        }
    }

    /** Returns the messages that wait for a handler, for a report. */
    public String parked() {
        StringBuilder text = new StringBuilder();
        host.lock();
        try {
            int[] kinds = parked.stream().mapToInt(Parked::kind).distinct().sorted().toArray();
            for (int each : kinds) {
                long count = parked.stream().filter(message -> message.kind == each).count();
                text.append(text.isEmpty() ? "" : ", ").append(count).append(" of kind ").append(each);
            }
        } finally {
            host.unlock();
        }
        return text.toString();
    }

    /** Waits until more messages than this number have been handled here; returns how many have. */
    public long awaitMore(long than) {
        RuntimeException failure;
        host.lock();
        try {
            if (handled <= than) {
                More wait = spare == null ? new More() : spare;
                spare = null;
                wait.than = than;
                host.await(wait, wait);
                spare = wait;
                if (handled <= than && on.members().isRevoked()) {
                    throw on.members().revocation(wait.text());
                }
                if (handled <= than) {
                    deaths = on.members().dead().size();
                    throw host.lost(wait.describe(), on.members().dead().getLast());
                }
            }
            return handled;
        } catch (RuntimeException e) {
            failure = host.translate(e, "await");
        } finally {
            host.unlock();
        }
        throw on.failed(failure);
    }

    private final class More implements BooleanSupplier, Host.Waiting {
        private long than;

        @Override
        public boolean getAsBoolean() {
            return handled > than || on.members().dead().size() > deaths || on.members().isRevoked();
        }

        @Override
        public String describe() {
            return text() + CallSite.find();
        }

        private String text() {
            return "await of an active message, on " + on.name();
        }
    }

    /** Handles no more messages. */
    public void end() {
        host.lockedAtEnd(this::endHeld);
    }

    /** The same with the lock; returns the messages that were not handled. Later ones are left to the device. */
    List<String> endHeld() {
        ended = true;
        List<String> left = new ArrayList<>();
        ready.forEach(each -> left.add(describe(each.kind, each.source, each.payload.length)));
        parked.forEach(each -> left.add(describe(each.kind, each.source, each.payload.length)));
        host.actions.remove(this);
        for (int i = 0; i < RECEIVES; i++) {
            Operation receive = receives[(oldest + i) % RECEIVES];
            if (receive != null && receive.isDone() && receive.code() == Code.OK) {
                left.add(describe(receive.matchedTag(), receive.source(), receive.matchedBytes()));
            }
            if (receive != null && !device.giveUp(receive)) {
                receive.abandon();
            }
        }
        Arrays.fill(receives, null);
        return left;
    }

    private String describe(int ofKind, int from, long bytes) {
        return "active message of kind " + ofKind + " from " + on.nameOf(from) + ", " + bytes + " bytes, on "
                + on.name();
    }
}
