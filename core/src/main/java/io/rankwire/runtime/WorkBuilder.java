package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.Code;
import io.rankwire.device.Operation;
import io.rankwire.device.work.RemotePart;
import io.rankwire.device.work.WorkProgram;
import io.rankwire.runtime.window.WindowEndpoint;
import io.rankwire.type.ElementType;
import io.rankwire.wire.MatchWord;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Writes and starts one work program of a user, whose ranks are those of a communicator. */
public final class WorkBuilder {
    private static final boolean EXPLAINS = System.getenv("RANKWIRE_EXPLAIN") != null;

    private record Combined(Operator op, ElementType type) {}

    private final Endpoint on;
    private final WorkProgram program;
    private final Map<Combined, Integer> combinations = new HashMap<>();
    /** One for each part that the program accesses, by window and rank. */
    private final Map<WindowEndpoint, Map<Integer, RemotePart>> parts = new LinkedHashMap<>();
    private int counters;
    /** What was said of its last run, if anything. */
    private String explained;

    public WorkBuilder(Endpoint on) {
        this.on = on;
        this.program = new WorkProgram(on.context(), on.session().size());
        program.deferring.allow();
        program.peersInMemory(rank -> rank < on.group().size() ? on.group().worldRank(rank) : -1);
    }

    public WorkProgram program() {
        return program;
    }

    /** Adds something to the program, which may refuse it. */
    public <T> T add(Supplier<T> added) {
        try {
            return added.get();
        } catch (IllegalArgumentException e) {
            throw on.error(ErrorClass.ARGUMENT, e.getMessage());
        }
    }

    public int counter() {
        int added = add(program::counter);
        counters++;
        return added;
    }

    /** The value of a counter now. */
    public long count(int counter) {
        Host host = on.host();
        host.lock();
        try {
            return program.count(counter);
        } finally {
            host.unlock();
        }
    }

    /** A rank's part of a window, for this program. */
    public RemotePart part(WindowEndpoint window, int rank) {
        return parts.computeIfAbsent(window, w -> new HashMap<>()).computeIfAbsent(rank, window::part);
    }

    public void checkDatagram(int queue, long bytes) {
        int most = on.host().device.datagrams().maxBytes();
        if (queue < 0) {
            throw on.error(ErrorClass.ARGUMENT, "argument queueThere: " + queue + " is below zero");
        }
        if (bytes > most) {
            throw on.error(ErrorClass.COUNT, "argument buffer: " + bytes + " bytes, where a datagram has at most "
                    + most);
        }
    }

    /** Why the last run ended early; the caller has the lock. */
    public RankwireException failure() {
        String what = "work program, on " + on.name() + CallSite.find();
        int code = program.code();
        if (code == Code.PEER_DEAD) {
            return on.host().lost(what, on.host().device.lost(program.failedPeer()));
        }
        if (code == Code.REVOKED) {
            return on.members().revocation("work program");
        }
        String peer = program.failedPeer() < 0 ? "" : on.nameOf(program.failedPeer());
        int[] refused = program.refusedEntry();
        String why = switch (code) {
            case Code.NOT_ENABLED -> peer + " refused the message of entry " + refused[1] + " of queue " + refused[0]
                    + ", which rank " + on.rank() + " sent " + times(refused[2])
                    + ": its receive was not enabled at any of them";
            case Code.REFUSED -> peer + " refused what was sent to it";
            case Code.MEMORY_ENDED -> "memory of a buffer was closed while it was under way";
            case Code.OPERATION_THREW -> "an operation threw " + program.thrown();
            case Code.ENTRY_FAILED -> (peer.isEmpty() ? "" : peer + ": ") + program.failure();
            case Code.UNKNOWN_REGION, Code.OUT_OF_BOUNDS, Code.NO_RIGHT, Code.BROKEN_ELEMENT ->
                peer + " refused an access " + (program.refusedBytes() == 0 ? "to its memory"
                        : "to " + program.refusedBytes() + " bytes at byte " + program.refusedAt() + " of its memory")
                        + ": " + Messenger.reason(code);
            default -> "a message from " + peer + " did not fit its receive: it has " + program.cameBytes()
                    + " bytes of " + program.cameType() + ", and " + program.expectedBytes() + " bytes of "
                    + program.expectedType() + " were expected";
        };
        RankwireException error = new RankwireException(ErrorClass.COLLECTIVE,
                "rank " + on.rank() + ": " + what + ": ended early: " + why, program.thrown());
        return code == Code.UNKNOWN_REGION || code == Code.ENTRY_FAILED
                ? freedAlone(code, program.failedPeer(), what + ": " + why, error) : error;
    }

    /** A rank may have freed its part of a window alone, because a member is dead or the window was revoked. */
    private RankwireException freedAlone(int code, int peer, String what, RankwireException error) {
        for (WindowEndpoint window : parts.keySet()) {
            boolean isGone = parts.get(window).values().stream().anyMatch(part ->
                    part.peer() == peer && (code == Code.UNKNOWN_REGION ? !part.isMapped() : part.isGone()));
            if (isGone && !window.isFreed() && window.isInterruptedSoon(what)) {
                return window.communicator().members().interruption("work program");
            }
        }
        return error;
    }

    private static String times(int count) {
        return count == 1 ? "once" : count + " times";
    }

    /** Checks the counter and the rank of a message, and returns its world rank. */
    public int message(String argument, int rank, int counter) {
        checkCounter(counter);
        return peer(argument, rank);
    }

    /** The world rank of a rank that the program was given. */
    public int peer(String argument, int rank) {
        on.checkRank("argument " + argument, rank);
        return on.group().worldRank(rank);
    }

    public void checkCounter(int counter) {
        if (counter < 0 || counter >= counters) {
            throw on.error(ErrorClass.ARGUMENT, "argument counter: " + counter
                    + " is not a counter of the program, which has " + counters);
        }
    }

    /** The number of an operation in the program, for elements of a type; it is added once. */
    public int combination(Operator op, ElementType buffer, long bytes) {
        if (op == null) {
            throw on.error(ErrorClass.ARGUMENT, "argument op is null");
        }
        ElementType type = op.elementOf(buffer);
        if (!op.supports(type)) {
            throw on.error(ErrorClass.TYPE, "argument op: " + op + " does not combine " + type
                    + (type == ElementType.RAW ? "; name the type of its elements with Op.as" : ""));
        }
        if (bytes % ((long) type.bytes() * op.group()) != 0) {
            throw on.error(ErrorClass.COUNT, "argument op: " + bytes + " bytes are no whole number of " + op.group()
                    + " × " + type + ", which " + op + " combines");
        }
        Combined key = new Combined(op, type);
        if (!combinations.containsKey(key)) {
            combinations.put(key, add(() -> program.combination(op.combination(type))));
        }
        return combinations.get(key);
    }

    /** Binds a buffer of the program, unless a run is under way. */
    public void bind(int buffer, Object base, long start) {
        boolean running;
        Host host = on.host();
        host.lock();
        try {
            running = program.active();
            if (!running) {
                program.bind(buffer, base, start);
            }
        } finally {
            host.unlock();
        }
        if (running) {
            throw on.error(ErrorClass.ARGUMENT, "the program is running");
        }
    }

    /** Says what runs the program, the first time and when that changes. */
    private void explain(String obstacle) {
        String text = obstacle != null ? "the device, because " + obstacle
                : "the network (" + on.host().device.networkSends.work().name() + ")";
        if (!text.equals(explained)) {
            explained = text;
            System.err.println(
                    "rankwire: work program of rank " + on.rank() + ", on " + on.name() + ": run by " + text);
        }
    }

    /** Starts a run; the operation is done when it is over. */
    public Operation start(int tag) {
        on.checkUsable();
        if (tag < 0) {
            throw on.error(ErrorClass.TAG, "argument tag: " + tag + " is below zero");
        }
        if (tag > MatchWord.MAX_TAG - program.lastChannel()) {
            throw on.error(ErrorClass.TAG, "argument tag: " + tag + " leaves no tags for channel "
                    + program.lastChannel());
        }
        on.members().look();
        Host host = on.host();
        RuntimeException failure;
        host.lock();
        try {
            for (Object base : program.bound()) {
                host.confined.inCollective(base, false);
            }
            Operation run = Messenger.keepLine(host.device.start(program, tag));
            if (EXPLAINS) {
                explain(program.deferring.obstacle());
            }
            return run;
        } catch (IllegalArgumentException e) {
            failure = new RankwireException(ErrorClass.ARGUMENT, "rank " + on.rank() + ": work program refused: "
                    + e.getMessage() + CallSite.find(), e);
        } catch (RuntimeException e) {
            failure = host.translate(e, "work program");
        } finally {
            host.unlock();
        }
        throw on.failed(failure);
    }
}
