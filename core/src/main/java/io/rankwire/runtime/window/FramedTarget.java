package io.rankwire.runtime.window;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.Channel;
import io.rankwire.device.Code;
import io.rankwire.device.onesided.OneSided;
import io.rankwire.device.Operation;
import io.rankwire.runtime.CallSite;
import io.rankwire.runtime.ConfinedMemory;
import io.rankwire.runtime.Host;
import io.rankwire.runtime.Messenger;
import io.rankwire.type.ElementType;
import io.rankwire.type.OwnedBuffer;
import io.rankwire.type.Reduction;
import java.util.function.BooleanSupplier;

/**
 * A part that is not mapped here: the target's device does what frames ask for, so the target must be in some call of
 * this library now and then. An access returns at once and is done by the next flush or synchronisation.
 */
final class FramedTarget implements Target {
    private final WindowEndpoint window;
    private final Host host;
    private final int rank;
    private final int context;
    private final OneSided device;
    private final Channel channel;

    FramedTarget(WindowEndpoint window, Host host, int rank, int context, int key) {
        this.window = window;
        this.host = host;
        this.rank = rank;
        this.context = context;
        host.lock();
        try {
            this.device = host.device.oneSided();
            this.channel = device.open(window.worldRank(rank), key);
        } finally {
            host.unlock();
        }
    }

    @Override
    public Operation begin(long bytes) {
        host.lock();
        try {
            return host.device.begin(context, window.worldRank(rank), bytes);
        } finally {
            host.unlock();
        }
    }

    @Override
    public void put(Object base, long offset, long bytes, ElementType type, long at, Operation operation) {
        host.lock();
        try {
            Object from = ConfinedMemory.toSend(base, offset, bytes, false);
            device.put(channel, type.code(), from, from == base ? offset : 0, bytes, at, operation);
        } catch (RuntimeException e) {
            throw host.translate(e, "put");
        } finally {
            host.unlock();
        }
    }

    @Override
    public void get(Object base, long offset, long bytes, ElementType type, long at, Operation operation) {
        host.lock();
        try {
            Object into = ConfinedMemory.toReceive(base, false);
            device.get(channel, type.code(), into, offset, bytes, at, operation);
            settle(into, operation, "get");
        } catch (RuntimeException e) {
            throw host.translate(e, "get");
        } finally {
            host.unlock();
        }
    }

    /** The part lies in an allocation of its owner that the network reaches. */
    void byEngine(long place, long offset) {
        channel.byEngine(place, offset);
    }

    /** Whether an access of this length should not go in frames. */
    boolean paysByEngine(long bytes) {
        return host.device.remote().pays(window.worldRank(rank), bytes);
    }

    /** Most bytes of a put that go in one frame. */
    int mostInFrame() {
        return device.chunk();
    }

    /** As {@link #put}, by the network alone; false if it has to go in frames. */
    boolean putByEngine(Object base, long offset, long bytes, ElementType type, long at, Operation operation) {
        host.lock();
        try {
            return device.putByEngine(channel, type.code(), base, offset, bytes, at, operation);
        } catch (RuntimeException e) {
            throw host.translate(e, "put");
        } finally {
            host.unlock();
        }
    }

    /** As {@link #get}, by the network alone; false if it has to go in frames. */
    boolean getByEngine(Object base, long offset, long bytes, ElementType type, long at, Operation operation) {
        host.lock();
        try {
            return device.getByEngine(channel, type.code(), base, offset, bytes, at, operation);
        } catch (RuntimeException e) {
            throw host.translate(e, "get");
        } finally {
            host.unlock();
        }
    }

    @Override
    public void accumulate(
            Reduction op, Object base, long offset, long bytes, ElementType type, long at, Operation operation) {
        host.lock();
        try {
            Object from = ConfinedMemory.toSend(base, offset, bytes, false);
            device.accumulate(channel, type.code(), op, from, from == base ? offset : 0, bytes, at, operation);
        } catch (RuntimeException e) {
            throw host.translate(e, "accumulate");
        } finally {
            host.unlock();
        }
    }

    @Override
    public void fetch(Reduction op, Object base, long offset, Object result, long resultOffset, long bytes,
            ElementType type, long at, Operation operation) {
        host.lock();
        try {
            Object from = ConfinedMemory.toSend(base, offset, bytes, false);
            Object into = ConfinedMemory.toReceive(result, false);
            device.fetch(channel, type.code(), op, from, from == base ? offset : 0, into, resultOffset, bytes, at,
                    operation);
            settle(into, operation, "getAccumulate");
        } catch (RuntimeException e) {
            throw host.translate(e, "getAccumulate");
        } finally {
            host.unlock();
        }
    }

    @Override
    public void compareAndSwap(long expected, long value, Object result, long resultOffset, ElementType type, long at) {
        host.lock();
        try {
            Object into = ConfinedMemory.toReceive(result, false);
            device.compareAndSwap(channel, type.code(), expected, value, into, resultOffset, at);
            settle(into, null, "compareAndSwap");
        } catch (RuntimeException e) {
            throw host.translate(e, "compareAndSwap");
        } finally {
            host.unlock();
        }
    }

    @Override
    public void lock(boolean exclusive, String call) {
        ask(() -> device.lock(channel, exclusive), () -> channel.lockAnswered() || window.isRevoked(), call);
        // A grant that comes later may stay: no rank can lock the part any more.
        if (window.isRevoked()) {
            throw window.interruption(call + " at rank " + rank);
        }
    }

    @Override
    public void unlock(boolean exclusive) {
        host.lock();
        try {
            device.unlock(channel, exclusive);
        } catch (RuntimeException e) {
            throw host.translate(e, "unlock");
        } finally {
            host.unlock();
        }
    }

    @Override
    public void flush(String call) {
        ask(() -> device.flush(channel), channel::flushed, call);
    }

    @Override
    public void flushLocal(String call) {
        ask(() -> { }, channel::localDone, call);
    }

    /** Asks the target's device for something and waits for the answer; throws if an access was refused meanwhile. */
    private void ask(Runnable question, BooleanSupplier answered, String call) {
        RankwireException refused;
        host.lock();
        try {
            question.run();
            await(answered, call);
            refused = refusal(call);
        } catch (RuntimeException e) {
            throw host.translate(e, call);
        } finally {
            host.unlock();
        }
        if (refused != null) {
            throw window.raised(refused);
        }
    }

    @Override
    public void close() {
        host.lock();
        try {
            device.close(channel);
        } finally {
            host.unlock();
        }
    }

    /** Waits for what comes for memory that belongs to this thread alone: other threads cannot copy it there. */
    private void settle(Object into, Operation operation, String call) {
        if (into instanceof OwnedBuffer owned) {
            await(operation != null ? operation : channel::localDone, call);
            owned.settle();
        }
    }

    private void await(BooleanSupplier condition, String call) {
        if (condition.getAsBoolean()) {
            // A rank that loops over accesses to its own memory must still serve those of others.
            host.progress();
            return;
        }
        host.await(condition, new Host.Waiting() {
            @Override
            public String describe() {
                return call + " at rank " + rank + " on " + window.name() + CallSite.find();
            }

            @Override
            public int peer() {
                return window.worldRank(rank);
            }
        });
    }

    /** What was refused since the last look, or null. */
    private RankwireException refusal(String call) {
        int code = channel.takeRefusal();
        if (code == Code.PEER_DEAD) {
            return host.lost(call + " at rank " + rank + " on " + window.name() + CallSite.find(),
                    host.device.lost(window.worldRank(rank)));
        }
        if (code == Code.UNKNOWN_REGION && window.isInterruptedSoon(call + " at rank " + rank + ", which is refused")) {
            return window.communicator().members().interruption(call);
        }
        return code >= 0 ? null
                : new RankwireException(ErrorClass.DISPLACEMENT, "rank " + window.rank() + ": " + call + " at rank "
                        + rank + " on " + window.name() + ": an access to " + channel.refusedBytes() + " bytes at byte "
                        + channel.refusedOffset() + " was refused: " + Messenger.reason(code) + CallSite.find());
    }
}
