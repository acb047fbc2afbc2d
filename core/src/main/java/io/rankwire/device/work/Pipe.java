package io.rankwire.device.work;

import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.Operation;

/**
 * A PIPE entry under way: chunks come in, from a peer or from memory, and go on, to a peer or nowhere. The number of
 * slots bounds what is under way. A pipe that keeps the message has a place for each chunk; another one uses the places
 * of as many chunks as it has slots again and again.
 */
final class Pipe {
    private final WorkProgram program;
    private final int slots;
    private int tag;
    private int from;
    private int to;
    private Object base;
    private long origin;
    private boolean keeps;
    private long chunk;
    private long bytes;
    private long chunks;
    private int type;
    private int counter;
    private final Operation[] incoming;
    private final Operation[] outgoing;
    /** Chunks asked for, got and passed on. */
    private long asked;
    private long passed;
    private long gone;

    Pipe(WorkProgram program, long head) {
        this.program = program;
        this.slots = Entry.combination(head) & Entry.KEEPS - 1;
        incoming = new Operation[slots];
        outgoing = new Operation[slots];
    }

    /** Begins to carry out an entry. */
    Pipe begin(WorkQueue queue, long head, long place, int receiver, long wholeBytes) {
        tag = program.tag + queue.channel;
        from = Entry.peer(head);
        to = receiver;
        base = program.bases[Entry.buffer(place)];
        origin = program.origins[Entry.buffer(place)];
        keeps = (Entry.combination(head) & Entry.KEEPS) != 0;
        chunk = Entry.offset(place);
        bytes = wholeBytes;
        chunks = (bytes + chunk - 1) / chunk;
        type = Entry.type(head);
        counter = Entry.counter(head);
        asked = 0;
        passed = 0;
        gone = 0;
        return this;
    }

    /** Goes on as far as it can; true if the last chunk has gone, or the program has failed. */
    boolean move(WorkEngine engine, Device device) {
        boolean moved;
        do {
            moved = finish(engine) | pass(device) | ask(device);
        } while (moved && program.code == Code.OK);
        return gone == chunks;
    }

    private boolean finish(WorkEngine engine) {
        int slot = (int) (gone % slots);
        if (gone == passed || outgoing[slot] != null && !outgoing[slot].isDone()) {
            return false;
        }
        if (outgoing[slot] == null) {
            program.advance(counter);
        } else {
            engine.over(program, outgoing[slot], counter);
            outgoing[slot] = null;
        }
        gone++;
        return true;
    }

    private boolean pass(Device device) {
        int slot = (int) (passed % slots);
        Operation got = incoming[slot];
        if (passed == asked || got != null && !got.isDone()) {
            return false;
        }
        long length = length(passed);
        if (got != null) {
            if (got.code() != Code.OK || got.matchedBytes() != length) {
                program.failed(got, got.code() != Code.OK ? got.code() : Code.BAD_SIZE);
                return false;
            }
            device.release(got);
            incoming[slot] = null;
        }
        if (to >= 0) {
            outgoing[slot] = note(device.send(Operation.Mode.STANDARD, program.context, to, tag, base,
                    place(passed), length, type));
        }
        passed++;
        return true;
    }

    private boolean ask(Device device) {
        if (asked == chunks || asked - gone == slots) {
            return false;
        }
        if (from != Entry.NO_PEER) {
            incoming[(int) (asked % slots)] = note(device.receive(
                    program.context, from, tag, base, place(asked), length(asked), type));
        }
        asked++;
        return true;
    }

    private long length(long number) {
        return Math.min(chunk, bytes - number * chunk);
    }

    private long place(long number) {
        return origin + (keeps ? number : number % slots) * chunk;
    }

    private Operation note(Operation operation) {
        if (!operation.isDone()) {
            operation.noteEnd(program, 0);
        }
        return operation;
    }

    /** Asks for the end of what is under way; whether all is over. */
    boolean isWithdrawn(WorkEngine engine) {
        boolean over = true;
        for (int slot = 0; slot < slots; slot++) {
            over &= (outgoing[slot] == null || engine.isWithdrawn(outgoing[slot]))
                    && (incoming[slot] == null || engine.isWithdrawn(incoming[slot]));
        }
        return over;
    }

    /** Gives up what is under way. */
    void end(WorkEngine engine) {
        for (int slot = 0; slot < slots; slot++) {
            for (Operation operation : new Operation[] {outgoing[slot], incoming[slot]}) {
                if (operation != null) {
                    engine.giveUp(operation);
                }
            }
            outgoing[slot] = null;
            incoming[slot] = null;
        }
    }

    /** What is under way goes on without memory. */
    void abandon() {
        for (int slot = 0; slot < slots; slot++) {
            for (Operation operation : new Operation[] {outgoing[slot], incoming[slot]}) {
                if (operation != null) {
                    operation.abandon();
                }
            }
        }
    }
}
