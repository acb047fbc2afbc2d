package io.rankwire.device.work;

import io.rankwire.device.Code;
import io.rankwire.device.CombiningNetwork;
import io.rankwire.device.Device;
import io.rankwire.device.Hardware;
import io.rankwire.device.Operation;
import io.rankwire.type.Combination;
import io.rankwire.type.Combining;
import io.rankwire.type.Copy;
import io.rankwire.type.ElementType;
import io.rankwire.type.Prefixed;
import java.lang.foreign.Arena;

/** Carries out the entries of queues. {@link WorkEngine} decides which program has its turn. */
final class Entries {
    private static final byte[] NOTHING = {};

    private final WorkEngine engine;
    private final Device device;
    private final Hardware hardware;
    private final DatagramSends datagrams;
    private final RemoteAccesses remote;

    Entries(WorkEngine engine, Device device, Hardware hardware, DatagramSends datagrams, RemoteAccesses remote) {
        this.engine = engine;
        this.device = device;
        this.hardware = hardware;
        this.datagrams = datagrams;
        this.remote = remote;
    }

    /** Works a queue off until it has to wait; whether it came further. */
    boolean work(WorkProgram program, WorkQueue queue) {
        int from = queue.head;
        try {
            workOff(program, queue);
        } catch (IllegalStateException e) {
            program.memoryEnded(e);
        }
        return queue.head != from;
    }

    private void workOff(WorkProgram program, WorkQueue queue) {
        long[] cells = queue.cells;
        if (isInVain(program)) {
            workInVain(program, queue);
            return;
        }
        while (queue.head < queue.enabled && program.code == Code.OK) {
            int at = queue.head * Entry.WORDS;
            long head = cells[at];
            int opcode = Entry.opcode(head);
            if (opcode == Entry.WAIT) {
                if (program.counters[Entry.counter(head)] < cells[at + 2]
                        && (program.underWay == 0 || !engine.settled(program, Entry.counter(head), cells[at + 2]))) {
                    break;
                }
            } else if (opcode == Entry.SEND) {
                if (program.deferral == null) {
                    send(program, queue, head, cells[at + 1], cells[at + 3]);
                }
            } else if (opcode == Entry.RECEIVE) {
                receive(program, queue, Entry.peer(head), head, cells[at + 1], cells[at + 3]);
            } else if (!rare(program, queue, opcode, head, cells[at + 1], cells[at + 2], cells[at + 3])) {
                break;
            }
            if (hardware != null) {
                hardware.entry((long) program.number << 32 | queue.first + queue.head);
            }
            if (program.code == Code.OK) {
                queue.head++;
            } else if (isInVain(program)) {
                queue.head++;
                workInVain(program, queue);
            }
        }
    }

    static boolean isInVain(WorkProgram program) {
        return program.code == Code.OPERATION_THREW && program.informs();
    }

    /** Works a queue off without what it was for, see {@link WorkProgram#informPeers}. */
    private boolean workInVain(WorkProgram program, WorkQueue queue) {
        int from = queue.head;
        long[] cells = queue.cells;
        for (; queue.head < queue.enabled; queue.head++) {
            int at = queue.head * Entry.WORDS;
            long head = cells[at];
            switch (Entry.opcode(head)) {
                case Entry.WAIT -> {
                    if (program.counters[Entry.counter(head)] < cells[at + 2]
                            && !engine.settled(program, Entry.counter(head), cells[at + 2])) {
                        return queue.head != from;
                    }
                }
                case Entry.SEND -> track(program, device.send(Operation.Mode.STANDARD, program.context,
                        Entry.peer(head), program.tag, NOTHING, 0, 0, ElementType.OBJECT.code()), Entry.counter(head));
                case Entry.RECEIVE, Entry.RECEIVE_COMBINE -> track(program, device.receive(program.context,
                        Entry.peer(head), program.tag, Arena.ofAuto().allocate(Math.max(1, cells[at + 3])), 0,
                        cells[at + 3], ElementType.RAW.code()), Entry.counter(head));
                case Entry.CALC, Entry.COPY -> { }
                default -> throw new AssertionError(Entry.opcode(head));
            }
        }
        return queue.head != from;
    }

    private void send(WorkProgram program, WorkQueue queue, long head, long place, long bytes) {
        int buffer = Entry.buffer(place);
        send(program, queue, Entry.peer(head), head, program.bases[buffer],
                program.origins[buffer] + Entry.offset(place), bytes);
    }

    private void send(WorkProgram program, WorkQueue queue, int peer, long head, Object base, long offset,
            long bytes) {
        int tag = program.tag + queue.channel;
        if (device.sendNow(program.context, peer, tag, base, offset, bytes, Entry.type(head))) {
            program.advance(Entry.counter(head));
        } else {
            track(program, device.send(Operation.Mode.STANDARD, program.context, peer, tag, base, offset, bytes,
                    Entry.type(head)), Entry.counter(head));
        }
    }

    private void receive(WorkProgram program, WorkQueue queue, int peer, long head, long place, long bytes) {
        int buffer = Entry.buffer(place);
        track(program, device.receive(program.context, peer, program.tag + queue.channel, program.bases[buffer],
                program.origins[buffer] + Entry.offset(place), bytes, Entry.type(head)), Entry.counter(head));
    }

    private void track(WorkProgram program, Operation operation, int counter) {
        if (operation.isDone()) {
            engine.over(program, operation, counter);
        } else {
            operation.noteEnd(program, 0);
            program.track(operation, counter);
        }
    }

    /** False if it has to wait. */
    private boolean rare(WorkProgram program, WorkQueue queue, int opcode, long head, long place, long other,
            long bytes) {
        switch (opcode) {
            case Entry.RECEIVE_COMBINE -> receiveCombine(program, queue, head, place, other, bytes);
            case Entry.CALC -> calc(program, head, place, other, bytes);
            case Entry.COPY -> Copy.between(
                    program.bases[Entry.buffer(other)], program.origins[Entry.buffer(other)] + Entry.offset(other),
                    program.bases[Entry.buffer(place)], program.origins[Entry.buffer(place)] + Entry.offset(place),
                    bytes);
            case Entry.SEND_CONFIRMED -> {
                if (program.confirmed == null) {
                    program.confirmed = new ConfirmedSends(program);
                }
                program.confirmed.add(queue, head, place, (int) other, bytes);
                engine.confirm(program);
            }
            case Entry.SEND_ENABLE, Entry.RECEIVE_ENABLE -> {
                WorkQueue target = program.queues[Entry.peer(head)];
                int index = other == Entry.ONE_MORE ? target.enabled + 1 : (int) other;
                if (index > target.enabled) {
                    if (target.guards != null) {
                        target.guards.withdraw(engine);
                    }
                    target.enabled = index;
                }
            }
            case Entry.SEND_NAMING -> {
                if (program.deferral == null) {
                    send(program, queue, Entry.peer(head), head, prefixed(program, queue, place, other), 0,
                            bytes + Prefixed.BYTES);
                }
            }
            case Entry.SEND_TO, Entry.RECEIVE_FROM ->
                withPeerInMemory(program, queue, opcode, head, place, other, bytes);
            case Entry.DATAGRAM -> datagrams.add(program, Entry.counter(head), Entry.peer(head), (int) other,
                    program.bases[Entry.buffer(place)], program.origins[Entry.buffer(place)] + Entry.offset(place),
                    (int) bytes);
            case Entry.WAIT_OTHER, Entry.WAIT_COMPLETIONS -> {
                return awaitOutside(program, queue, opcode, head, other);
            }
            case Entry.PUT -> {
                if (program.deferral == null) {
                    return access(program, opcode, head, place, bytes);
                }
                track(program, program.deferral.passedPut(queue), Entry.counter(head));
            }
            case Entry.GET, Entry.ACCUMULATE, Entry.FETCH, Entry.COMPARE_AND_SWAP -> {
                return access(program, opcode, head, place, bytes);
            }
            case Entry.RECEIVE_NAMED -> {
                return receiveNamed(program, queue, head, place, bytes);
            }
            case Entry.TREE -> {
                return tree(program, queue, head, place, other, bytes);
            }
            case Entry.PIPE -> {
                if (queue.pipe == null) {
                    queue.pipe = pipe(program, queue, head).begin(queue, head, place, (int) other, bytes);
                }
                if (!queue.pipe.move(engine, device)) {
                    return false;
                }
                queue.pipe = null;
            }
            default -> throw new AssertionError(opcode);
        }
        return true;
    }

    private boolean tree(WorkProgram program, WorkQueue queue, long head, long place, long other, long bytes) {
        if (queue.joined == null) {
            Combination op = program.hasCombinations() ? program.combinationOf(Entry.combination(head)) : null;
            queue.joined = program.tree.join(program.context, program.tag, program.treeGiver, program.treeTaker, op,
                    ElementType.of(Entry.type(head)), program.bases[Entry.buffer(other)],
                    program.origins[Entry.buffer(other)] + Entry.offset(other), bytes);
            queue.joined.noteEnd(program);
        }
        CombiningNetwork.Call call = queue.joined;
        if (!call.isDone()) {
            return false;
        }
        queue.joined = null;
        if (call.code() != Code.OK) {
            program.failed(call, bytes, Entry.type(head));
            return false;
        }
        call.take(program.bases[Entry.buffer(place)], program.origins[Entry.buffer(place)] + Entry.offset(place));
        return true;
    }

    /** A user's buffer with a word in front, which is kept for the next run. */
    private static Prefixed prefixed(WorkProgram program, WorkQueue queue, long place, long word) {
        int entry = queue.first + queue.head;
        if (program.attached[entry] == null) {
            program.attached[entry] = new Prefixed();
        }
        Prefixed prefixed = (Prefixed) program.attached[entry];
        int buffer = Entry.buffer(place);
        prefixed.bind(program.bases[buffer], program.origins[buffer] + Entry.offset(place), word);
        return prefixed;
    }

    private static Pipe pipe(WorkProgram program, WorkQueue queue, long head) {
        int entry = queue.first + queue.head;
        if (program.attached[entry] == null) {
            program.attached[entry] = new Pipe(program, head);
        }
        return (Pipe) program.attached[entry];
    }

    private boolean receiveNamed(WorkProgram program, WorkQueue queue, long head, long place, long bytes) {
        if (queue.named == null) {
            queue.named = device.receive(program.context, Entry.peer(head), program.tag + queue.channel,
                    prefixed(program, queue, place, -1), 0, bytes + Prefixed.BYTES, Entry.type(head));
            if (!queue.named.isDone()) {
                queue.named.noteEnd(program, 0);
            }
        }
        Operation got = queue.named;
        if (!got.isDone()) {
            return false;
        }
        int code = got.code() == Code.OK && got.matchedBytes() != got.bytes() ? Code.BAD_SIZE : got.code();
        long name = ((Prefixed) program.attached[queue.first + queue.head]).word();
        if (code != Code.OK) {
            program.failed(got, code);
        } else if (name < 0 || name >= program.counterCount) {
            program.fail(got.peer(), "a message names counter " + name + ", and this program has "
                    + program.counterCount);
        } else {
            program.advance((int) name);
            if (program.deferral != null) {
                program.deferral.passed(queue);
            }
        }
        queue.named = null;
        device.release(got);
        return program.code == Code.OK;
    }

    /** A send or receive whose peer stands in memory at this moment. */
    private void withPeerInMemory(
            WorkProgram program, WorkQueue queue, int opcode, long head, long place, long word, long bytes) {
        boolean wide = Entry.combination(head) == Long.BYTES;
        long bits = remote.read(program.bases[Entry.buffer(word)],
                program.origins[Entry.buffer(word)] + Entry.offset(word), wide ? ElementType.LONG : ElementType.INT);
        long value = wide ? bits : (int) bits;
        int peer = program.peerInMemory(value);
        if (peer < 0) {
            program.fail(-1, "entry " + queue.head + " of queue " + queue.number + " found rank " + value
                    + " in memory, which does not exist");
        } else if (opcode == Entry.SEND_TO) {
            int buffer = Entry.buffer(place);
            send(program, queue, peer, head, program.bases[buffer], program.origins[buffer] + Entry.offset(place),
                    bytes);
        } else {
            receive(program, queue, peer, head, place, bytes);
        }
    }

    /** A wait for a counter of another program, or for ends in a completion table. False while it waits. */
    private boolean awaitOutside(WorkProgram program, WorkQueue queue, int opcode, long head, long value) {
        int number = Entry.peer(head);
        if (queue.watch == null && opcode == Entry.WAIT_OTHER) {
            WorkProgram other = program.others.get(number);
            if (other.count(Entry.counter(head)) >= value) {
                return true;
            }
            if (!other.active && other.code != Code.OK) {
                return inVain(program);
            }
            queue.watch = other.watches(Entry.counter(head)).add(program, value);
        } else if (queue.watch == null) {
            long[] awaited = program.awaited.get(number);
            awaited[0] += value;
            if (program.tables.get(number).produced() >= awaited[0]) {
                return true;
            }
            queue.watch = program.tables.get(number).watches().add(program, awaited[0]);
        }
        if (!queue.watch.met && !queue.watch.inVain) {
            return false;
        }
        boolean met = queue.watch.met;
        queue.watch = null;
        return met || inVain(program);
    }

    private static boolean inVain(WorkProgram program) {
        program.fail(-1, "the program with the counter that it awaits has ended early");
        return false;
    }

    /** Makes the access of an entry that the network was to make. */
    void access(WorkProgram program, int queue, int entry) {
        long[] cells = program.queues[queue].cells;
        int at = entry * Entry.WORDS;
        access(program, Entry.opcode(cells[at]), cells[at], cells[at + 1], cells[at + 3]);
    }

    /** Begins an access to memory of a peer; false if that has to wait. */
    private boolean access(WorkProgram program, int opcode, long head, long place, long bytes) {
        Operation operation = remote.begin(program, opcode, head, place, bytes, program.run);
        if (operation == null) {
            program.advance(Entry.counter(head));
        } else if (operation != program.run) {
            track(program, operation, Entry.counter(head));
        } else {
            // Another rank changes elements there: no event ends that.
            program.wake();
            return false;
        }
        return true;
    }

    private void receiveCombine(WorkProgram program, WorkQueue queue, long head, long place, long other, long bytes) {
        int entry = queue.first + queue.head;
        if (program.attached[entry] == null) {
            program.attached[entry] = new Combining(
                    program.combinationOf(Entry.combination(head)), operandFirst(head));
        }
        Combining combining = (Combining) program.attached[entry];
        int buffer = Entry.buffer(place);
        long offset = program.origins[buffer] + Entry.offset(place);
        int local = Entry.buffer(other);
        combining.bind(program.bases[buffer], program.bases[local],
                program.origins[local] + Entry.offset(other) - offset);
        track(program, device.receive(program.context, Entry.peer(head), program.tag + queue.channel, combining, offset,
                bytes, Entry.type(head)), Entry.counter(head));
    }

    private static boolean operandFirst(long head) {
        return (Entry.combination(head) & Entry.OPERAND_FIRST) != 0;
    }

    private void calc(WorkProgram program, long head, long place, long other, long bytes) {
        Combination combination = program.combinationOf(Entry.combination(head));
        Object target = program.bases[Entry.buffer(place)];
        long targetAt = program.origins[Entry.buffer(place)] + Entry.offset(place);
        Object operand = program.bases[Entry.buffer(other)];
        long operandAt = program.origins[Entry.buffer(other)] + Entry.offset(other);
        try {
            if (operandFirst(head)) {
                combination.combine(operand, operandAt, target, targetAt, target, targetAt, bytes);
            } else {
                combination.combine(target, targetAt, operand, operandAt, target, targetAt, bytes);
            }
        } catch (RuntimeException | Error e) {
            program.threw(e);
        }
        engine.combined(bytes);
    }
}
