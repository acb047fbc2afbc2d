package io.rankwire.device.work;

import io.rankwire.device.Channel;
import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.Operation;
import io.rankwire.device.onesided.OneSided;
import io.rankwire.memory.Words;
import io.rankwire.type.Copy;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The entries that access memory of peers. An access advances its counter when it is done there: a put or an
 * accumulation that goes in frames is followed by a read of no bytes, whose answer proves that.
 */
final class RemoteAccesses {
    private static final byte[] NOTHING = {};

    private final Device device;
    private final byte[] element = new byte[8];
    private final MemorySegment elementView = MemorySegment.ofArray(element);

    RemoteAccesses(Device device) {
        this.device = device;
    }

    /**
     * Begins the access of an entry. Returns an operation that is done when the access is, null if it is done already,
     * or the operation {@code later} if it cannot begin now.
     */
    Operation begin(WorkProgram program, int opcode, long head, long place, long bytes, Operation later) {
        Access access = program.accesses.get(Entry.peer(head));
        String obstacle = access.part.obstacle();
        if (obstacle != null) {
            program.fail(access.part.peer(), obstacle);
            return later;
        }
        if (device.lost(access.part.peer()) != null) {
            // Its memory may still be mapped.
            program.failed(access.part.peer(), Code.PEER_DEAD);
            return later;
        }
        access.part.used();
        int buffer = Entry.buffer(place);
        Object base = program.bases[buffer];
        long offset = program.origins[buffer] + Entry.offset(place);
        int resultBuffer = Entry.buffer(access.result);
        Object result = program.bases[resultBuffer];
        long resultAt = program.origins[resultBuffer] + Entry.offset(access.result);
        if (access.part.isMapped()) {
            try {
                return make(program, opcode, access, base, offset, result, resultAt, bytes) ? null : later;
            } catch (IllegalStateException e) {
                // The owner may free its part alone after a death or a revocation.
                if (!access.part.isGone()) {
                    throw e;
                }
                program.fail(access.part.peer(), access.part.obstacle());
                return later;
            }
        }
        Operation operation = device.begin(program.context, access.part.peer(), bytes);
        send(program, opcode, access, base, offset, result, resultAt, bytes, operation);
        return operation;
    }

    /** Makes an access to a part that is mapped here; false if another rank changes elements of it now. */
    private boolean make(WorkProgram program, int opcode, Access access, Object base, long offset, Object result,
            long resultAt, long bytes) {
        switch (opcode) {
            case Entry.PUT -> access.part.put(base, offset, bytes, access.type, access.at);
            case Entry.GET -> access.part.get(base, offset, bytes, access.type, access.at);
            case Entry.ACCUMULATE -> {
                return access.part.fetch(access.op, base, offset, null, 0, bytes, access.type, access.at);
            }
            case Entry.FETCH -> {
                return access.part.fetch(access.op, base, offset, result, resultAt, bytes, access.type, access.at);
            }
            default -> {
                return access.part.compareAndSwap(read(base, offset, access.type), value(program, access), result,
                        resultAt, access.type, access.at);
            }
        }
        return true;
    }

    private void send(WorkProgram program, int opcode, Access access, Object base, long offset, Object result,
            long resultAt, long bytes, Operation operation) {
        OneSided oneSided = device.oneSided();
        Channel channel = channel(program, access);
        int type = access.type.code();
        switch (opcode) {
            case Entry.PUT -> oneSided.put(channel, type, base, offset, bytes, access.at, null);
            case Entry.ACCUMULATE ->
                oneSided.accumulate(channel, type, access.op, base, offset, bytes, access.at, null);
            case Entry.GET -> oneSided.get(channel, type, base, offset, bytes, access.at, operation);
            case Entry.FETCH -> oneSided.fetch(
                    channel, type, access.op, base, offset, result, resultAt, bytes, access.at, operation);
            default -> oneSided.compareAndSwap(channel, type, read(base, offset, access.type), value(program, access),
                    result, resultAt, access.at, operation);
        }
        if (opcode == Entry.PUT || opcode == Entry.ACCUMULATE) {
            oneSided.get(channel, ElementType.RAW.code(), NOTHING, 0, 0, access.at, operation);
        }
    }

    private long value(WorkProgram program, Access access) {
        int buffer = Entry.buffer(access.value);
        return read(program.bases[buffer], program.origins[buffer] + Entry.offset(access.value), access.type);
    }

    /** The bits of an element, in the lowest of a word. */
    long read(Object base, long offset, ElementType type) {
        Arrays.fill(element, (byte) 0);
        Copy.out(base, offset, elementView, 0, type.bytes());
        return Words.loadUnaligned(elementView, 0);
    }

    /** The way to a part; one run uses one for all its accesses to it. */
    private Channel channel(WorkProgram program, Access access) {
        for (int i = 0; access.channel == null && i < program.accesses.size(); i++) {
            Access other = program.accesses.get(i);
            if (other.channel != null && other.part == access.part) {
                access.channel = other.channel;
            }
        }
        if (access.channel == null) {
            access.channel = device.oneSided().open(access.part.peer(), access.part.key());
        }
        return access.channel;
    }

    /** Ends a program if a peer has refused one of its accesses. */
    void check(WorkProgram program) {
        for (int i = 0; i < program.accesses.size(); i++) {
            Access access = program.accesses.get(i);
            Channel channel = access.channel;
            int code = channel == null || access.isWithdrawn ? Code.OK : channel.takeRefusal();
            if (code != Code.OK) {
                program.refused(channel.peer(), code, channel.refusedOffset(), channel.refusedBytes());
            }
        }
    }

    /** A run is over: closes its ways, unless an access is still under way. */
    void end(WorkProgram program) {
        for (int i = 0; i < program.accesses.size(); i++) {
            Access access = program.accesses.get(i);
            if (access.channel != null && access.channel.localDone()) {
                Channel closed = access.channel;
                device.oneSided().close(closed);
                for (int j = i; j < program.accesses.size(); j++) {
                    Access other = program.accesses.get(j);
                    other.channel = other.channel == closed ? null : other.channel;
                }
            }
        }
    }
}
