package io.rankwire.device.transfer;

import io.rankwire.device.Code;
import io.rankwire.device.ControlFrames;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.device.Peer;
import io.rankwire.fabric.Shared;
import io.rankwire.memory.Words;
import io.rankwire.type.Copy;
import io.rankwire.wire.Frame;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;

/**
 * Large messages between allocations of ranks that do not map each other's memory, where the network reads memory of
 * peers: the receiver has the network read the message from its back. The sender pushes some of the front early, as far
 * as that is on its way while the announcement and the first read are; the receiver reads what has not come by then.
 * Parts that come early for bytes that are read as well are the same bytes. If the sender's memory cannot be read the
 * receiver asks for frames, so that the sender says what has become of it.
 */
final class RemoteReads {
    /** At most this part of a message goes ahead of the reads, which cost no processor. */
    private static final int EARLY_SHARE = 4;

    /** One message that is read. */
    private static final class Reading {
        Operation operation;
        Peer peer;
        RemoteAccess access;
        /** Bytes at the front that may come early. */
        long early;
    }

    private final RemoteEngine engine;
    private final ControlFrames control;
    private final Runnable addChore;
    private final boolean allowed;
    /** What goes on with a message that was read; set by itself. */
    ReceiveTransfers receives;
    private final ArrayList<Reading> active = new ArrayList<>();
    private final ArrayList<Reading> spare = new ArrayList<>();

    RemoteReads(DeviceConfig.Large policy, RemoteEngine engine, ControlFrames control, Runnable addChore) {
        this.allowed = policy == DeviceConfig.Large.AUTO;
        this.engine = engine;
        this.control = control;
        this.addChore = addChore;
    }

    int waiting() {
        return active.size();
    }

    /** Writes into an announcement where the message lies, if that pays; false if it has to go in frames. */
    boolean offer(Operation operation, Peer peer, MemorySegment frame, long at) {
        Shared home = home(operation, peer, operation.bytes());
        if (home == null || !engine.pays(peer.rank(), operation.bytes())) {
            return false;
        }
        Words.store(frame, at, home.id());
        Words.store(frame, at + 8,
                ((MemorySegment) operation.buffer()).address() + operation.offset() - home.memory().address());
        Words.store(frame, at + 16, 0);
        return true;
    }

    /** Bytes of such a message that go ahead, out of what the way takes in. */
    static long early(long quota, long bytes) {
        return Math.min(quota, bytes / EARLY_SHARE & -Span.GRAIN);
    }

    private Shared home(Operation operation, Peer peer, long bytes) {
        return allowed && engine.reaches(peer.rank())
                ? engine.home(operation.buffer(), operation.offset(), bytes) : null;
    }

    /** The receiver reads an announced message, but for what has come of it; false if it has to come in frames. */
    boolean take(Operation operation, Peer peer, Announced known) {
        ReceiveTransfer transfer = operation.receiving();
        Shared home = home(operation, peer, transfer.wanted);
        if (home == null) {
            return false;
        }
        Reading reading = spare.isEmpty() ? new Reading() : spare.removeLast();
        reading.operation = operation;
        reading.peer = peer;
        reading.early = known.earlyBytes;
        reading.access = engine.open(false, peer.rank(), known.place, known.offset, home, operation.buffer(),
                operation.offset(), transfer.wanted);
        transfer.reading(true);
        active.add(reading);
        addChore.run();
        start(reading);
        return true;
    }

    /** Starts what can be: first what does not come early; then, when that is here, what has still not come. */
    private int start(Reading reading) {
        RemoteAccess access = reading.access;
        int started = 0;
        boolean more = true;
        while (more) {
            long front = reading.operation.receiving().front();
            boolean beyond = access.back() > Math.max(front, reading.early);
            more = (beyond || !access.isUnderWay()) && access.start(beyond ? Math.max(front, reading.early) : front);
            started += more ? 1 : 0;
        }
        return started;
    }

    /** Moves all messages on; returns how much was done. */
    int progress() {
        int work = 0;
        for (int i = active.size() - 1; i >= 0; i--) {
            Reading reading = active.get(i);
            RemoteAccess access = reading.access;
            work += access.poll();
            boolean goesOn = goesOn(reading);
            if (goesOn) {
                work += start(reading);
            }
            boolean isHere = access.back() <= reading.operation.receiving().front();
            if (!access.isUnderWay() && (!goesOn || isHere) && (!isLost(access) || reading.peer.isLost())) {
                active.remove(i);
                end(reading);
                work++;
            }
        }
        return work;
    }

    private static boolean isLost(RemoteAccess access) {
        return access.hasFailed() && !access.isRefused();
    }

    /** Whether the rest of a message is to be read. */
    private static boolean goesOn(Reading reading) {
        Operation operation = reading.operation;
        if (!operation.hasEnded() && Copy.hasEnded(operation.buffer())) {
            operation.memoryIsGone();
        }
        return !operation.hasEnded() && !reading.access.hasFailed() && !reading.peer.isLost();
    }

    private void end(Reading reading) {
        Operation operation = reading.operation;
        Peer peer = reading.peer;
        long read = operation.receiving().wanted - reading.access.back();
        boolean refused = reading.access.isRefused();
        engine.close(reading.access);
        reading.operation = null;
        reading.access = null;
        spare.add(reading);
        operation.receiving().reading(false);
        if (peer.isLost()) {
            operation.finish(Code.PEER_DEAD);
        } else if (refused && !operation.hasEnded()) {
            receives.ask(operation, peer, Frame.CLEAR_TO_SEND);
        } else {
            peer.counts().directBytes += read;
            control.send(peer, Frame.FINISH, Frame.header(operation.receiving().sendId, 0));
            receives.read(peer, operation);
        }
    }
}
