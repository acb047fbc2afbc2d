package io.rankwire;

import io.rankwire.device.Operation;
import io.rankwire.wire.MatchWord;

/** One operation that a call waits for, told in a line: call, peer, tag, communicator and the program's own line. */
record OperationWait(Operation operation, String call, Communicator on) implements Host.Waiting {
    @Override
    public String describe() {
        return about(operation, call, on) + CallSite.find();
    }

    @Override
    public int peer() {
        return operation.peer() == Communicator.NONE ? -1 : operation.peer();
    }

    @Override
    public void suspect() {
        if (operation.peer() == Communicator.NONE) {
            CollectiveMismatch.look(on, call, operation.tag());
        }
    }

    /** Call, peer, tag and communicator. */
    static String about(Operation operation, String call, Communicator on) {
        if (operation.peer() == Communicator.NONE) {
            return call + ", on " + on.name();
        }
        String peer = operation.peer() == MatchWord.ANY ? "any rank" : "rank " + on.rankOf(operation.peer());
        String tag = operation.tag() == MatchWord.ANY ? "any tag" : "tag " + operation.tag();
        return call + (operation.isReceive() ? " from " : " to ") + peer + ", " + tag + ", on " + on.name();
    }
}
