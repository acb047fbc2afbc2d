package io.rankwire.runtime;

import io.rankwire.device.Operation;
import io.rankwire.launch.VirtualTime;
import io.rankwire.runtime.collective.Mismatch;
import io.rankwire.trace.CallEvent;
import io.rankwire.wire.MatchWord;

/**
 * Describes the wait for one operation: call, peer, tag, communicator and the program's line. {@link Host} creates it
 * for calls that wait long, and errors about operations use its text.
 */
public record OperationWait(Operation operation, String call, Endpoint on) implements Host.Waiting {
    @Override
    public String describe() {
        if (operation.peer() == Endpoint.NONE) {
            on.collectives().isInside(operation.tag());
        }
        return about() + CallSite.find();
    }

    String about() {
        return about(operation, call, on);
    }

    @Override
    public int peer() {
        return operation.peer() == Endpoint.NONE ? -1 : operation.peer();
    }

    @Override
    public void name(VirtualTime.Wishes to) {
        if (operation.peer() == Endpoint.NONE || operation.context() < 0) {
            to.message(VirtualTime.OTHER, MatchWord.ANY, MatchWord.ANY);
        } else if (operation.isReceive()) {
            to.message(operation.context(), operation.peer(), operation.tag());
        }
    }

    /** Fills in what an event shows beside a description. */
    void fill(CallEvent event) {
        event.call = call;
        event.communicator = on.name();
        if (operation.peer() != Endpoint.NONE) {
            event.tag = operation.context() < 0 ? -1 : operation.tag();
            event.bytes = operation.bytes();
        }
    }

    @Override
    public void suspect() {
        if (operation.peer() == Endpoint.NONE) {
            Mismatch.look(on, call, operation.tag());
        }
    }

    /** Returns call, peer, tag and communicator. */
    public static String about(Operation operation, String call, Endpoint on) {
        if (operation.peer() == Endpoint.NONE) {
            return call + ", on " + on.name();
        }
        if (operation.context() < 0) {
            return about(call, operation.peer(), on);
        }
        String ofWindow = operation.isReceive() ? on.waiting(operation.tag()) : null;
        if (ofWindow != null) {
            return ofWindow + "rank " + on.rankOf(operation.peer()) + ", on " + on.name();
        }
        String peer = operation.peer() == MatchWord.ANY ? "any rank" : "rank " + on.rankOf(operation.peer());
        String tag = operation.tag() == MatchWord.ANY ? "any tag" : "tag " + operation.tag();
        return call + (operation.isReceive() ? " from " : " to ") + peer + ", " + tag + ", on " + on.name();
    }

    /** As above for a message of the library: the program knows only the call. The peer may be of this side. */
    static String about(String call, int worldRank, Endpoint on) {
        if (worldRank == MatchWord.ANY) {
            return call + " with any rank, on " + on.name();
        }
        int known = on.rankOf(worldRank);
        return call + " with " + (known < 0 ? "world rank " + worldRank : "rank " + known) + ", on " + on.name();
    }
}
