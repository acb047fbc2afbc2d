package io.rankwire.fabric;

import java.util.concurrent.locks.LockSupport;

/**
 * One rank's place on a fabric. Frames to one peer arrive there whole, once and in order ({@link PortTraits} says if a
 * backend promises less, and a flow layer then lies above it). A port is driven by one thread at a time; nothing here
 * but {@link #sleep} and {@link #close} blocks or reads a clock, every call does bounded work, and a peer that was
 * never spoken to costs nothing.
 */
public interface Port extends AutoCloseable {
    /** How much longer a sleep may take that an arrival ends. */
    int SLEEP_FACTOR = 10;

    int self();

    /** Ranks on the fabric, this one included. */
    int peers();

    PortTraits traits();

    /** Whether frames that arrive are as they were committed, also where they may be lost. */
    default boolean isChecked() {
        return traits().isExact();
    }

    /** Largest payload of one frame to this peer, at least that of the {@link #traits}. */
    default int maxPayload(int peer) {
        return traits().maxPayload();
    }

    /** Bytes up to which a message to this peer should go whole, if that is more than the device would choose. */
    default int mostWhole(int peer) {
        return 0;
    }

    /** The way to a peer, made at first use. Never to {@link #self()}: the device loops those back itself. */
    Outlet outlet(int peer);

    /**
     * Hands frames that have arrived to the sink, at most {@code limit} a peer; returns how many. A flow layer may hand
     * over more: those that waited for a missing frame come with it.
     */
    int poll(FrameSink sink, int limit);

    /** As {@link #poll}, for every peer that ever sent, asleep or not: if it returns 0, no frame is here. */
    int pollAll(FrameSink sink, int limit);

    /** Memory that peers can map. */
    SharedMemory memory();

    /**
     * Memory by which large messages go between ranks that can map it. On a simulated node ranks map no memory of each
     * other but for that.
     */
    default SharedMemory messageMemory() {
        return memory();
    }

    /** The memory of peers by their own addresses, where the system offers that. */
    PeerMemory peerMemory();

    /** The memory of peers that the network itself reads and writes. */
    default RemoteMemory remoteMemory() {
        return RemoteMemory.NONE;
    }

    /** What the network does by itself when a counter has come to a value. */
    default TriggeredWork triggeredWork() {
        return TriggeredWork.NONE;
    }

    /** How many empty polls of shared memory take as long as one of this port. */
    default int pollCost() {
        return 1;
    }

    /** Whether a poll would find frames. A guess, which any thread may make at any time before the port is closed. */
    boolean mayHaveFrames();

    /** Gives senders all space that is free, because the owner is about to yield or sleep. */
    void rest();

    /**
     * Gives the time to a port that needs it, before each {@link #poll}, and lets the port do what is due.
     *
     * @return a peer that was found lost since the last call, or null; the caller calls again until it is null
     */
    default PeerLost advance(long nowNs) {
        return null;
    }

    /** When {@link #advance} should be called, at the latest. */
    default long nextDeadline() {
        return Long.MAX_VALUE;
    }

    /**
     * Waits about this long, or until there may be frames where a port can wait for that: such a port may wait {@link
     * #SLEEP_FACTOR} times as long. The only call that blocks; made by threads that do not drive the port, and while
     * another does.
     */
    default void sleep(long ns) {
        LockSupport.parkNanos(ns);
    }

    /** Frames that were sent again, each time counted. */
    default long resent() {
        return 0;
    }

    /** Frames that came and found no room, so that their sender repeats them. */
    default long refused() {
        return 0;
    }

    /** From now on the peer counts as lost: the port hands up no frame of it. For ports that find peers lost. */
    default void dismiss(int peer) {}

    /**
     * Gives back what there is for a peer that was silent for long. The caller has let go of the outlet if this returns
     * true, and asks for a new one before it sends again. Frames of the peer may come at any time.
     *
     * @return false if something has to be kept, for now
     */
    default boolean forget(int peer) {
        return true;
    }

    @Override
    void close();
}
