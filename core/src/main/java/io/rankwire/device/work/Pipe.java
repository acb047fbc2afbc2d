package io.rankwire.device.work;

import io.rankwire.device.Operation;

/** How far a PIPE entry has come: chunks asked for, got and passed on, and what is under way for each slot. */
final class Pipe {
    final Operation[] incoming;
    final Operation[] outgoing;
    long asked;
    long passed;
    long gone;

    Pipe(int slots) {
        incoming = new Operation[slots];
        outgoing = new Operation[slots];
    }
}
