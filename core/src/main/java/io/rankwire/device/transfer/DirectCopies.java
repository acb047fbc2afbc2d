package io.rankwire.device.transfer;

import io.rankwire.device.ControlFrames;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Hardware;
import io.rankwire.device.Operation;
import io.rankwire.device.Peer;
import io.rankwire.device.transfer.DirectCopy.Role;
import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.PeerMemory;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.Shared;
import io.rankwire.fabric.SharedMemory;
import io.rankwire.memory.Words;
import io.rankwire.wire.Frame;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;

/**
 * Large messages between buffers that both ranks can reach, copied once and without a ring. If the sender's buffer can
 * be mapped, the receiver copies the message from there; if both buffers can, the sender helps from the other end; if
 * only the receiver's can, the sender writes the message there. The receiver may read other native memory by a system
 * call. A round of progress copies one chunk, so that no transfer holds up small messages. On modelled hardware a chunk
 * takes the host's processor some time, and the host copies only inside calls.
 */
public final class DirectCopies {
    private static final int SETS = 64;
    /** Below this the word that two cores claim from costs more than the second core saves. */
    private static final long LEAST_SHARED = 16 << 10;
    static final long NO_CLAIMS = -1;

    private final ControlFrames control;
    private final Runnable addChore;
    private final SharedMemory memory;
    private final PeerMemory processes;
    private final DeviceConfig.Large policy;
    /** Null in a real run. */
    private final Hardware hardware;
    private final ArrayList<DirectCopy> active = new ArrayList<>();
    private final RemoteEngine engine;
    final RemoteReads remote;
    private Shared claims;
    private long freeSets = -1;

    public DirectCopies(DeviceConfig.Large policy, Port port, ControlFrames control, Runnable addChore,
            Hardware hardware) {
        this.policy = policy;
        this.memory = port.messageMemory();
        this.processes = port.peerMemory();
        this.hardware = hardware;
        this.control = control;
        this.addChore = addChore;
        this.engine = new RemoteEngine(port, addChore);
        this.remote = new RemoteReads(policy, engine, control, addChore);
    }

    public RemoteEngine engine() {
        return engine;
    }

    /** Copies that are not over. */
    public int waiting() {
        return active.size() + remote.waiting();
    }

    /** Writes into an announcement where the message lies, if the receiver can reach it there; which way, or 0. */
    int offer(Operation operation, Peer peer, MemorySegment frame, long at) {
        Shared home = home(operation, peer);
        if (home != null) {
            long set = takeClaims(operation.bytes());
            operation.sending().claims = set;
            Words.store(frame, at, home.id());
            Words.store(frame, at + 8, address(operation) - home.memory().address());
            Words.store(frame, at + 16, set);
            return Frame.FLAG_PLACE;
        }
        if (remote.offer(operation, peer, frame, at)) {
            return Frame.FLAG_REMOTE;
        }
        if (isNative(operation) && processPays(peer, operation.bytes())) {
            Words.store(frame, at + 8, address(operation));
            return Frame.FLAG_ADDRESS;
        }
        return 0;
    }

    private static boolean isNative(Operation operation) {
        return operation.buffer() instanceof MemorySegment buffer && buffer.isNative();
    }

    private boolean processPays(Peer peer, long bytes) {
        return switch (policy) {
            case AUTO -> bytes >= processes.worthFrom(peer.rank());
            case PROCESS -> processes.obstacle(peer.rank()) == null;
            default -> false;
        };
    }

    /**
     * The allocation that holds a buffer of an operation, or null; also null when the peer cannot reach it, or the
     * policy is another way.
     */
    private Shared home(Operation operation, Peer peer) {
        return policy == DeviceConfig.Large.AUTO && operation.buffer() instanceof MemorySegment buffer
                && memory.reaches(peer.rank()) ? memory.find(buffer, operation.offset(), operation.bytes()) : null;
    }

    private static long address(Operation operation) {
        return ((MemorySegment) operation.buffer()).address() + operation.offset();
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

    /** The receiver copies an announced message from where it lies; false if the message cannot be reached. */
    boolean take(Operation operation, Peer peer, Announced known) {
        if (known.way == Frame.FLAG_PLACE) {
            return takeMapped(operation, peer, known);
        }
        if (known.way != Frame.FLAG_ADDRESS || !isNative(operation) || processes.obstacle(peer.rank()) != null) {
            return false;
        }
        add(DirectCopy.take(operation, peer, processes, known.offset, null, 0));
        return true;
    }

    private boolean takeMapped(Operation operation, Peer peer, Announced known) {
        long wanted = operation.receiving().wanted;
        MemorySegment from = reach(peer, known.place, known.offset, wanted);
        if (from == null) {
            return false;
        }
        long set = known.claims;
        Shared home = set == NO_CLAIMS ? null : home(operation, peer);
        MemorySegment shared = home == null ? null : memory.peer(peer.rank(), set / SETS);
        long claimsAt = set % SETS * Claims.BYTES;
        if (shared != null && shared.byteSize() < SETS * Claims.BYTES) {
            shared = null;
        }
        if (shared != null) {
            operation.rename();
            Claims.open(shared, claimsAt, DirectCopy.chunks(wanted));
            answer(Frame.SHARE, operation, peer, home);
        }
        add(DirectCopy.take(operation, peer, from, known.offset, shared, claimsAt));
        return true;
    }

    /** The receiver asks the sender to write the message into its memory; false if that memory cannot be mapped. */
    boolean invite(Operation operation, Peer peer) {
        Shared home = home(operation, peer);
        if (home != null) {
            answer(Frame.PUT_TO, operation, peer, home);
        }
        return home != null;
    }

    private void answer(int kind, Operation operation, Peer peer, Shared home) {
        ReceiveTransfer transfer = operation.receiving();
        control.send(peer, kind, Frame.header(transfer.sendId, operation.id()), transfer.wanted, home.id(),
                address(operation) - home.memory().address());
    }

    /** The sender's part of a copy by two. The sender need not help: the receiver copies what the sender does not. */
    void help(Operation operation, Peer peer, long wanted, long place, long offset) {
        MemorySegment to = reach(peer, place, offset, wanted);
        if (to != null) {
            long claimsAt = operation.sending().claims % SETS * Claims.BYTES;
            add(new DirectCopy(Role.PUT_FRONT, operation, peer, operation.buffer(), operation.offset(), to, offset,
                    wanted, claims.memory(), claimsAt));
        }
    }

    /** The sender writes what is left of its message into the receiver's memory; false if it cannot reach that. */
    boolean put(SendTransfer transfer, Peer peer) {
        MemorySegment target = reach(peer, transfer.place, transfer.placeOffset, transfer.wanted);
        if (target == null) {
            return false;
        }
        Operation operation = transfer.operation;
        long from = transfer.span.front();
        add(new DirectCopy(Role.PUT, operation, peer, operation.buffer(), operation.offset() + from, target,
                transfer.placeOffset + from, transfer.wanted - from, null, 0));
        return true;
    }

    /** Memory of a peer that holds this number of bytes from an offset on, or null. */
    private MemorySegment reach(Peer peer, long place, long offset, long bytes) {
        MemorySegment there = memory.peer(peer.rank(), place);
        return there == null || offset < 0 || offset > there.byteSize() - bytes ? null : there;
    }

    private void add(DirectCopy copy) {
        active.add(copy);
        addChore.run();
    }

    /** Gives up copies from or to a lost peer. The caller ends their operations. */
    public void lose(Peer peer) {
        active.removeIf(copy -> copy.peer == peer);
    }

    /** Copies a chunk of each message; returns how much was done. */
    public int progress(SendTransfers sends) {
        int work = remote.progress();
        for (int i = active.size() - 1; i >= 0; i--) {
            DirectCopy copy = active.get(i);
            if (hardware == null ? step(copy) : stepInTime(copy)) {
                work++;
            }
            if (copy.isOver() && (hardware == null || hardware.hostIsFree())) {
                active.remove(i);
                end(copy, sends);
                work++;
            }
        }
        return work;
    }

    /** As {@link #step}, when the host's processor can; what it copied before is in its place then. */
    private boolean stepInTime(DirectCopy copy) {
        if (!hardware.hostIsFree()) {
            return false;
        }
        if (copy.show()) {
            hardware.wake(copy.peer.rank());
        }
        return !copy.isOver() && hardware.hostIsInside() && step(copy);
    }

    /** Copies a chunk, unless the memory of either side has ended: then the copy is over. */
    private boolean step(DirectCopy copy) {
        try {
            if (!copy.operation.hasEnded()) {
                boolean moved = copy.step();
                if (hardware == null) {
                    copy.show();
                } else if (moved) {
                    hardware.hostCopies(copy.moved());
                }
                return moved;
            }
        } catch (IllegalStateException e) {
            copy.operation.checkEnded(e);
        }
        copy.giveUp();
        return true;
    }

    private void end(DirectCopy copy, SendTransfers sends) {
        Operation operation = copy.operation;
        if (copy.role == Role.PUT && operation.hasEnded()) {
            sends.memoryEnded(copy.peer, operation.sending());
            return;
        }
        switch (copy.role) {
            case TAKE, TAKE_BACK -> {
                control.send(copy.peer, Frame.FINISH, Frame.header(operation.receiving().sendId, 0));
                operation.receiving().traceEnd(copy.peer, operation, copy.way());
                operation.finish(operation.code());
            }
            case PUT -> {
                long header = Frame.header(operation.sending().receiveId, 0);
                control.send(copy.peer, Frame.PUT_DONE, header, copy.bytes());
                sends.finish(copy.peer, operation);
            }
            case PUT_FRONT -> {
                // The receiver's FINISH ends it.
            }
        }
    }
}
