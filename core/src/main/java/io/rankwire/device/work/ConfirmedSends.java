package io.rankwire.device.work;

import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.Operation;
import java.util.ArrayList;
import java.util.List;

/**
 * The confirmed sends of a run. A message that met a receive that was not enabled is sent again after a pause, as often
 * as its entry allows. Only one to each peer is under way, so that they stay in order.
 */
final class ConfirmedSends {
    private static final long FIRST_PAUSE_NS = 1_000;
    private static final long LONGEST_PAUSE_NS = 1_000_000;
    private static final long NOT_KNOWN = Long.MIN_VALUE;

    private static final class Sending {
        int queue;
        int entry;
        int peer;
        int tag;
        Object base;
        long offset;
        long bytes;
        int type;
        int counter;
        int most;
        int refusals;
        Operation operation;
        /** When it goes again, if it was refused. */
        long dueNs;
    }

    private final WorkProgram program;
    private final List<Sending> all = new ArrayList<>();

    ConfirmedSends(WorkProgram program) {
        this.program = program;
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    void add(WorkQueue queue, long head, long place, int most, long bytes) {
        Sending sending = new Sending();
        sending.queue = queue.number;
        sending.entry = queue.head;
        sending.peer = Entry.peer(head);
        sending.tag = program.tag + queue.channel;
        sending.base = program.bases[Entry.buffer(place)];
        sending.offset = program.origins[Entry.buffer(place)] + Entry.offset(place);
        sending.bytes = bytes;
        sending.type = Entry.type(head);
        sending.counter = Entry.counter(head);
        sending.most = most;
        all.add(sending);
    }

    /** Takes in what is over and starts what may go; true if one waits for its time. */
    boolean move(WorkEngine engine, Device device) {
        boolean waits = false;
        for (int i = 0; i < all.size(); i++) {
            Sending sending = all.get(i);
            if (sending.operation == null && sending.refusals == 0 && isFirst(i)) {
                start(device, sending);
            }
            Operation operation = sending.operation;
            if (operation != null && operation.isDone()) {
                if (operation.code() == Code.NOT_ENABLED && sending.refusals < sending.most) {
                    device.release(operation);
                    sending.operation = null;
                    sending.refusals++;
                    sending.dueNs = NOT_KNOWN;
                } else {
                    if (operation.code() == Code.NOT_ENABLED) {
                        program.notEnabled(sending.queue, sending.entry, sending.refusals + 1);
                    }
                    all.remove(i);
                    // Another to this peer may be first now.
                    i = -1;
                    engine.over(program, operation, sending.counter);
                }
            }
            waits |= sending.operation == null && sending.refusals > 0;
        }
        return waits;
    }

    private boolean isFirst(int place) {
        for (int i = 0; i < place; i++) {
            if (all.get(i).peer == all.get(place).peer && all.get(i).tag == all.get(place).tag) {
                return false;
            }
        }
        return true;
    }

    private void start(Device device, Sending sending) {
        sending.operation = device.send(Operation.Mode.SYNCHRONOUS, program.context, sending.peer, sending.tag,
                sending.base, sending.offset, sending.bytes, sending.type);
        if (!sending.operation.isDone()) {
            sending.operation.noteEnd(program, 0);
        }
    }

    /** Sends again what is due; returns when the next one is, or the largest number. */
    long resend(Device device, long nowNs) {
        long next = Long.MAX_VALUE;
        for (int i = 0; i < all.size(); i++) {
            Sending sending = all.get(i);
            if (sending.operation != null || sending.refusals == 0) {
                continue;
            }
            if (sending.dueNs == NOT_KNOWN) {
                sending.dueNs = nowNs + Math.min(LONGEST_PAUSE_NS, FIRST_PAUSE_NS << Math.min(sending.refusals, 20));
            }
            if (sending.dueNs - nowNs <= 0) {
                start(device, sending);
                program.wake();
            } else {
                next = Math.min(next, sending.dueNs);
            }
        }
        return next;
    }

    /** Gives all up. */
    void end(WorkEngine engine) {
        for (Sending sending : all) {
            if (sending.operation != null) {
                engine.giveUp(sending.operation);
            }
        }
        all.clear();
    }

    void abandon() {
        for (Sending sending : all) {
            if (sending.operation != null) {
                sending.operation.abandon();
            }
        }
    }
}
