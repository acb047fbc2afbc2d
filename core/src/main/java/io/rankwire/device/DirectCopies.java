package io.rankwire.device;

import io.rankwire.device.DirectCopy.Role;
import io.rankwire.device.dma.Claims;
import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.PeerMemory;
import io.rankwire.fabric.Shared;
import io.rankwire.fabric.SharedMemory;
import io.rankwire.memory.Words;
import io.rankwire.wire.Frame;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;

/**
 * Large messages between buffers that both ranks can reach, copied once and without a ring. If the sender's buffer can
 * be mapped the receiver takes the message from there; if both can, the sender helps from the other end; if only the
 * receiver's can, the sender puts it there. Other native memory the receiver may read by a system call. One chunk a
 * round of progress, so that no transfer holds up small messages.
 */
final class DirectCopies {
    private static final int SETS = 64;
    /** Below this the word that two cores claim from costs more than the second core saves. */
    private static final long LEAST_SHARED = 16 << 10;
    static final long NO_CLAIMS = -1;

    private final Device device;
    private final SharedMemory memory;
    private final PeerMemory processes;
    private final DeviceConfig.Large policy;
    private final ArrayList<DirectCopy> active = new ArrayList<>();
    private Shared claims;
    private long freeSets = -1;

    DirectCopies(Device device, SharedMemory memory, PeerMemory processes) {
        this.device = device;
        this.memory = memory;
        this.processes = processes;
        this.policy = device.config().large();
    }

    int waiting() {
        return active.size();
    }

    /** Writes into an announcement where the message lies, if the receiver can reach it there; which way, or 0. */
    int offer(Operation operation, Peer peer, MemorySegment frame, long at) {
        Shared home = home(operation);
        if (home != null) {
            operation.transfer.claims = takeClaims(operation.bytes);
            Words.plain(frame, at, home.id());
            Words.plain(frame, at + 8, offsetIn(home, operation));
            Words.plain(frame, at + 16, operation.transfer.claims);
            return Frame.FLAG_PLACE;
        }
        if (isNative(operation) && processPays(peer, operation.bytes)) {
            Words.plain(frame, at + 8, ((MemorySegment) operation.buffer).address() + operation.offset);
            return Frame.FLAG_ADDRESS;
        }
        return 0;
    }

    private static boolean isNative(Operation operation) {
        return operation.buffer instanceof MemorySegment buffer && buffer.isNative();
    }

    private boolean processPays(Peer peer, long bytes) {
        return switch (policy) {
            case AUTO -> bytes >= processes.worthFrom(peer.rank);
            case PROCESS -> processes.obstacle(peer.rank) == null;
            default -> false;
        };
    }

    /** The allocation that holds a buffer of an operation, or null; also null when the policy is another way. */
    private Shared home(Operation operation) {
        return policy == DeviceConfig.Large.AUTO && operation.buffer instanceof MemorySegment buffer
                ? memory.find(buffer, operation.offset, operation.bytes) : null;
    }

    private static long offsetIn(Shared home, Operation operation) {
        return ((MemorySegment) operation.buffer).address() + operation.offset - home.memory().address();
    }

    /** A set of claims for a send, named so that the receiver finds it; or {@link #NO_CLAIMS}. */
    private long takeClaims(long bytes) {
        if (bytes < LEAST_SHARED || freeSets == 0) {
            return NO_CLAIMS;
        }
        if (claims == null && !allocateClaims()) {
            return NO_CLAIMS;
        }
        int set = Long.numberOfTrailingZeros(freeSets);
        freeSets &= freeSets - 1;
        return claims.id() * SETS + set;
    }

    private boolean allocateClaims() {
        try {
            claims = memory.allocate((long) SETS * Claims.BYTES);
            return true;
        } catch (FabricException noRoom) {
            freeSets = 0;
            return false;
        }
    }

    void giveClaims(long set) {
        if (set != NO_CLAIMS) {
            freeSets |= 1L << set % SETS;
        }
    }

    /** The receiver takes an announced message from where it lies; false if it cannot be reached. */
    boolean take(Operation operation, Peer peer, int sendId, Announced known) {
        if (known.way == Frame.FLAG_PLACE) {
            return takeMapped(operation, peer, sendId, known.place, known.offset, known.claims);
        }
        if (known.way == 0 || !isNative(operation) || processes.obstacle(peer.rank) != null) {
            return false;
        }
        add(new DirectCopy(operation, peer, processes, known.offset));
        return true;
    }

    private boolean takeMapped(Operation operation, Peer peer, int sendId, long place, long offset, long set) {
        MemorySegment from = memory.peer(peer.rank, place);
        if (from == null || offset < 0 || offset > from.byteSize() - operation.wanted) {
            return false;
        }
        Shared home = set == NO_CLAIMS ? null : home(operation);
        MemorySegment shared = home == null ? null : memory.peer(peer.rank, set / SETS);
        Role role = shared == null ? Role.TAKE : Role.TAKE_BACK;
        long claimsAt = set % SETS * Claims.BYTES;
        if (shared != null) {
            Claims.open(shared, claimsAt, DirectCopy.chunks(operation.wanted));
            device.outbound().control(peer, Frame.SHARE, Frame.header(sendId, operation.index()), operation.wanted,
                    home.id(), offsetIn(home, operation));
        }
        add(new DirectCopy(role, operation, peer, from, offset, operation.buffer, operation.offset, operation.wanted,
                shared, claimsAt));
        return true;
    }

    /** The receiver asks the sender to put the message into its memory; false if that memory cannot be mapped. */
    boolean invite(Operation operation, Peer peer, int sendId) {
        Shared home = home(operation);
        if (home == null) {
            return false;
        }
        device.outbound().control(peer, Frame.PUT_TO, Frame.header(sendId, operation.index()), operation.wanted,
                home.id(), offsetIn(home, operation));
        return true;
    }

    /** The sender's answer to {@link #take} by two. It need not help: the receiver gets there alone. */
    void help(Operation operation, Peer peer, long wanted, long place, long offset) {
        MemorySegment to = reach(peer, place, offset, wanted);
        if (to != null) {
            long set = operation.transfer.claims;
            add(new DirectCopy(Role.PUT_FRONT, operation, peer, operation.buffer, operation.offset, to, offset,
                    wanted, claims.memory(), set % SETS * Claims.BYTES));
        }
    }

    /** The sender puts the part [from, to) of its message into the receiver's memory; false if it cannot reach it. */
    boolean put(Operation operation, Peer peer, long from, long to, long place, long offset) {
        MemorySegment target = reach(peer, place, offset, to);
        if (target == null) {
            return false;
        }
        add(new DirectCopy(Role.PUT, operation, peer, operation.buffer, operation.offset + from, target,
                offset + from, to - from, null, 0));
        return true;
    }

    private MemorySegment reach(Peer peer, long place, long offset, long bytes) {
        MemorySegment there = memory.peer(peer.rank, place);
        return there == null || offset < 0 || offset > there.byteSize() - bytes ? null : there;
    }

    private void add(DirectCopy copy) {
        active.add(copy);
        device.addChore();
    }

    /** Copies from or to a lost peer are given up; their operations are ended by others. */
    void lose(Peer peer) {
        active.removeIf(copy -> copy.peer == peer);
    }

    int progress() {
        int work = 0;
        for (int i = active.size() - 1; i >= 0; i--) {
            DirectCopy copy = active.get(i);
            if (step(copy)) {
                work++;
            }
            if (copy.isOver()) {
                active.remove(i);
                end(copy);
                work++;
            }
        }
        return work;
    }

    /** Copies a chunk, unless the memory of either side has ended: then the copy is over. */
    private static boolean step(DirectCopy copy) {
        try {
            if (!copy.operation.hasEnded()) {
                return copy.step();
            }
        } catch (IllegalStateException e) {
            copy.operation.checkEnded(e);
        }
        copy.giveUp();
        return true;
    }

    private void end(DirectCopy copy) {
        Operation operation = copy.operation;
        if (copy.role == Role.PUT && operation.hasEnded()) {
            device.sends().memoryEnded(copy.peer, operation);
            return;
        }
        switch (copy.role) {
            case TAKE, TAKE_BACK -> {
                device.outbound().control(copy.peer, Frame.FINISH, Frame.header(operation.remoteId, 0), 0);
                operation.moved = operation.wanted;
                operation.finish(operation.code);
            }
            case PUT -> {
                device.outbound().control(
                        copy.peer, Frame.PUT_DONE, Frame.header(operation.remoteId, 0), copy.bytes());
                device.sends().finish(copy.peer, operation);
            }
            case PUT_FRONT -> {
                // The receiver's FINISH ends it.
            }
        }
    }
}
