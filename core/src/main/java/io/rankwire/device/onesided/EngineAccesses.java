package io.rankwire.device.onesided;

import io.rankwire.device.Channel;
import io.rankwire.device.Code;
import io.rankwire.device.Operation;
import io.rankwire.device.Peers;
import io.rankwire.device.transfer.RemoteEngine;
import io.rankwire.fabric.Shared;
import io.rankwire.type.Copy;
import java.util.ArrayList;

/**
 * Puts and gets that the network makes by itself. Each is started from the queue of its peer, so that a flush behind it
 * leaves after it; it counts as unanswered until the network has let go of the buffer. One that the peer's network
 * refuses is made again in frames: the peer's device knows what is wrong, if anything is. The channel then stays with
 * frames.
 */
final class EngineAccesses {
    private final OneSided frames;
    private final RemoteEngine engine;
    private final Peers peers;
    private final ArrayList<EngineAccess> underWay = new ArrayList<>();
    private final ArrayList<EngineAccess> spare = new ArrayList<>();

    EngineAccesses(OneSided frames, RemoteEngine engine, Peers peers) {
        this.frames = frames;
        this.engine = engine;
        this.peers = peers;
    }

    int waiting() {
        return underWay.size();
    }

    /** Begins an access; null if it has to go in frames. */
    EngineAccess open(boolean write, Channel channel, int elementType, Object buffer, long offset, long bytes, long at,
            Operation operation) {
        if (!channel.isByEngine() || peers.get(channel.peer()).isLost()) {
            return null;
        }
        Shared home = engine.home(buffer, offset, bytes);
        if (home == null) {
            return null;
        }
        EngineAccess made = spare.isEmpty() ? new EngineAccess() : spare.removeLast();
        made.access = engine.open(write, channel.peer(), channel.place(), channel.placeOffset() + at, home, buffer,
                offset, bytes);
        made.write = write;
        made.channel = channel;
        made.elementType = elementType;
        made.buffer = buffer;
        made.offset = offset;
        made.bytes = bytes;
        made.at = at;
        made.operation = operation;
        made.started = false;
        channel.awaits();
        underWay.add(made);
        return made;
    }

    /** Starts what it can of an access; returns how many pieces. */
    static int start(EngineAccess access) {
        int pieces = 0;
        while (access.access.start(0)) {
            pieces++;
        }
        access.started |= access.access.back() == 0 || access.access.hasFailed();
        return pieces;
    }

    /** Ends what has come to its end; returns how much was done. */
    int progress() {
        int work = 0;
        for (int i = underWay.size() - 1; i >= 0; i--) {
            EngineAccess access = underWay.get(i);
            work += access.access.poll();
            boolean isLost = peers.get(access.channel.peer()).isLost();
            boolean isOver = access.started && !access.access.isUnderWay();
            if (isOver && (isLost || access.access.isRefused() || !access.access.hasFailed())) {
                underWay.remove(i);
                end(access, isLost);
                work++;
            }
        }
        return work;
    }

    private void end(EngineAccess access, boolean isLost) {
        boolean isRefused = access.access.isRefused();
        boolean hasEnded = Copy.hasEnded(access.buffer);
        engine.close(access.access);
        Channel channel = access.channel;
        if (isLost) {
            finish(access, Code.PEER_DEAD);
        } else if (isRefused) {
            channel.byFrames();
            again(access);
        } else {
            peers.counts().directBytes += access.bytes;
            finish(access, hasEnded ? Code.MEMORY_ENDED : Code.OK);
        }
        channel.answered();
        access.access = null;
        access.channel = null;
        access.buffer = null;
        access.operation = null;
        spare.add(access);
    }

    /** A flush may have passed the access, so one more follows it. */
    private void again(EngineAccess access) {
        Channel channel = access.channel;
        if (access.write) {
            frames.put(channel, access.elementType, access.buffer, access.offset, access.bytes, access.at,
                    access.operation);
            frames.flush(channel);
        } else {
            frames.get(channel, access.elementType, access.buffer, access.offset, access.bytes, access.at,
                    access.operation);
        }
    }

    private static void finish(EngineAccess access, int code) {
        if (access.operation != null) {
            access.operation.finish(code);
        } else if (code != Code.OK) {
            access.channel.refused(code, access.at, access.bytes);
        }
    }

    /** No other piece of the accesses to a lost peer is started. */
    void lose(int peer) {
        for (int i = 0; i < underWay.size(); i++) {
            underWay.get(i).started |= underWay.get(i).channel.peer() == peer;
        }
    }
}
