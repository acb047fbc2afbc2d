package io.rankwire.device.work;

import io.rankwire.device.Code;
import io.rankwire.device.CombiningNetwork;
import io.rankwire.device.Device;
import io.rankwire.device.Operation;
import io.rankwire.type.Combination;
import io.rankwire.type.Combining;
import io.rankwire.type.Copy;
import io.rankwire.type.ElementType;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs work programs, several side by side. It is moved by {@link #start} and by the device's progress: whatever a
 * program waits for, the next look after it has come lets the program go on as far as it can.
 */
public final class WorkEngine {
    private static final byte[] NOTHING = {};

    private final Device device;
    /** The number of a counter on its way into a message, or out of one. */
    private final long[] name = new long[1];
    private WorkProgram[] active = new WorkProgram[4];
    private int activeCount;
    /** Operations of programs that have failed, which are not over yet. */
    private final List<Operation> left = new ArrayList<>();

    /** Made by its device. */
    public WorkEngine(Device device) {
        this.device = device;
    }

    /** Programs that run, and what is left of others. */
    public int active() {
        return activeCount + left.size();
    }

    /** Whether a run with this tag is not over: one that was started before others may still await its messages. */
    public boolean isRunning(int context, int tag) {
        for (int i = 0; i < activeCount; i++) {
            if (active[i].context == context && active[i].tag == tag) {
                return true;
            }
        }
        return false;
    }

    /**
     * Starts a run. The operation is done when the program is over; the caller releases it. A program that is wrong is
     * refused with an {@link IllegalArgumentException}, and nothing has happened.
     *
     * @param tag of all messages of this run
     */
    public Operation start(WorkProgram program, int tag) {
        if (program.active) {
            throw new IllegalArgumentException("the program is running");
        }
        program.close();
        Operation run = device.begin(program.context, -2, 0);
        program.tag = tag;
        program.code = Code.OK;
        program.run = run;
        program.active = true;
        program.rewind();
        if (!advance(program)) {
            if (activeCount == active.length) {
                active = Arrays.copyOf(active, 2 * activeCount);
            }
            active[activeCount++] = program;
        }
        return run;
    }

    /** One round over the programs; returns how many have moved. */
    public int progress() {
        int moved = 0;
        for (int i = left.size() - 1; i >= 0; i--) {
            if (left.get(i).isDone()) {
                device.release(left.remove(i));
            }
        }
        for (int i = 0; i < activeCount; i++) {
            WorkProgram program = active[i];
            int before = program.underWay;
            if (advance(program)) {
                active[i--] = active[--activeCount];
                active[activeCount] = null;
                moved++;
            } else if (program.underWay != before) {
                moved++;
            }
        }
        return moved;
    }

    /** Goes on as far as it can; true if the run is over. */
    private boolean advance(WorkProgram program) {
        WorkQueue[] queues = program.queues;
        if (queues.length == 1 && !queues[0].refuses) {
            WorkQueue queue = queues[0];
            work(program, queue);
            if (queue.head == queue.tail) {
                settleLast(program);
            }
            return (queue.head == queue.tail && program.underWay == 0
                    || program.code != Code.OK && !isInVain(program)) && end(program);
        }
        boolean moved;
        boolean over;
        settle(program);
        do {
            moved = false;
            over = true;
            for (WorkQueue queue : queues) {
                moved |= work(program, queue);
                over &= queue.head == queue.tail;
                if (queue.refuses) {
                    guard(program, queue);
                }
            }
        } while (moved && program.code == Code.OK);
        return (over && program.underWay == 0 || program.code != Code.OK) && end(program);
    }

    private boolean end(WorkProgram program) {
        for (int i = program.underWay - 1; i >= 0; i--) {
            Operation operation = program.operations[i];
            program.drop(i);
            giveUp(operation);
        }
        for (WorkQueue queue : program.queues) {
            withdraw(queue);
            withdrawGuards(queue);
        }
        program.active = false;
        Operation run = program.run;
        program.run = null;
        device.finish(run, program.code);
        return true;
    }

    private void giveUp(Operation operation) {
        if (!device.giveUp(operation)) {
            left.add(operation);
        }
    }

    /** What holds the queue itself is given up. */
    private void withdraw(WorkQueue queue) {
        if (queue.joined != null) {
            queue.joined.abandon();
            queue.joined = null;
        }
        if (queue.named != null) {
            giveUp(queue.named);
            queue.named = null;
        }
        Pipe pipe = queue.pipe;
        if (pipe != null) {
            queue.pipe = null;
            int slots = pipe.incoming.length;
            for (long i = pipe.gone; i < pipe.passed; i++) {
                giveUp(pipe.outgoing[(int) (i % slots)]);
            }
            for (long i = pipe.passed; i < pipe.asked; i++) {
                giveUp(pipe.incoming[(int) (i % slots)]);
            }
        }
    }

    /** Takes in what is over. */
    private void settle(WorkProgram program) {
        for (int i = program.underWay - 1; i >= 0; i--) {
            if (program.operations[i].isDone()) {
                settle(program, i);
            }
        }
    }

    /** Takes in what is over, up to one that is not: for a program that waits for all. */
    private void settleLast(WorkProgram program) {
        while (program.underWay > 0 && program.operations[program.underWay - 1].isDone()) {
            settle(program, program.underWay - 1);
        }
    }

    private void settle(WorkProgram program, int place) {
        Operation operation = program.operations[place];
        int counter = program.advances[place];
        program.drop(place);
        over(program, operation, counter);
    }

    /** Whether a counter has come to a value after all. Most counters have one transfer; only that is looked at. */
    private boolean settled(WorkProgram program, int counter, long value) {
        int place = program.placeOf(counter);
        if (place == WorkProgram.SEVERAL) {
            settle(program);
        } else if (place >= 0 && program.operations[place].isDone()) {
            settle(program, place);
        }
        return program.counters[counter] >= value;
    }

    private void over(WorkProgram program, Operation operation, int counter) {
        if (operation.code() != Code.OK) {
            program.failed(operation, operation.code());
        } else if (operation.isReceive() && operation.matchedBytes() != operation.bytes()) {
            program.failed(operation, Code.BAD_SIZE);
        }
        Combining combining = operation.combining();
        if (combining != null) {
            device.combined(operation.bytes());
            if (combining.thrown() != null) {
                program.threw(combining.thrown());
            }
        }
        device.release(operation);
        program.counters[counter]++;
    }

    /** Works a queue off until it has to wait; whether it came further. */
    private boolean work(WorkProgram program, WorkQueue queue) {
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
                        && (program.underWay == 0 || !settled(program, Entry.counter(head), cells[at + 2]))) {
                    break;
                }
            } else if (opcode == Entry.SEND) {
                send(program, head, cells[at + 1], cells[at + 3]);
            } else if (opcode == Entry.RECEIVE) {
                receive(program, head, cells[at + 1], cells[at + 3]);
            } else if (!rare(program, queue, opcode, head, cells[at + 1], cells[at + 2], cells[at + 3])) {
                break;
            }
            if (program.code == Code.OK) {
                queue.head++;
            } else if (isInVain(program)) {
                queue.head++;
                workInVain(program, queue);
            }
        }
    }

    private static boolean isInVain(WorkProgram program) {
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
                            && !settled(program, Entry.counter(head), cells[at + 2])) {
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

    private void send(WorkProgram program, long head, long place, long bytes) {
        int buffer = Entry.buffer(place);
        Object base = program.bases[buffer];
        long offset = program.origins[buffer] + Entry.offset(place);
        int peer = Entry.peer(head);
        if (device.sendNow(program.context, peer, program.tag, base, offset, bytes, Entry.type(head))) {
            program.counters[Entry.counter(head)]++;
        } else {
            track(program, device.send(Operation.Mode.STANDARD, program.context, peer, program.tag, base, offset,
                    bytes, Entry.type(head)), Entry.counter(head));
        }
    }

    private void receive(WorkProgram program, long head, long place, long bytes) {
        int buffer = Entry.buffer(place);
        track(program, device.receive(program.context, Entry.peer(head), program.tag, program.bases[buffer],
                program.origins[buffer] + Entry.offset(place), bytes, Entry.type(head)), Entry.counter(head));
    }

    private void track(WorkProgram program, Operation operation, int counter) {
        if (operation.isDone()) {
            over(program, operation, counter);
        } else {
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
            case Entry.SEND_CONFIRMED -> track(program, device.send(Operation.Mode.SYNCHRONOUS, program.context,
                    Entry.peer(head), program.tag, program.bases[Entry.buffer(place)],
                    program.origins[Entry.buffer(place)] + Entry.offset(place), bytes, Entry.type(head)),
                    Entry.counter(head));
            case Entry.SEND_ENABLE, Entry.RECEIVE_ENABLE -> {
                WorkQueue target = program.queues[Entry.peer(head)];
                int index = other == Entry.ONE_MORE ? target.enabled + 1 : (int) other;
                if (index > target.enabled) {
                    withdrawGuards(target);
                    target.enabled = index;
                }
            }
            case Entry.SEND_NAMING -> {
                name[0] = other;
                Copy.between(name, 0, program.bases[Entry.buffer(place)],
                        program.origins[Entry.buffer(place)] + Entry.offset(place), Entry.NAME_BYTES);
                send(program, head, place, bytes);
            }
            case Entry.RECEIVE_NAMED -> {
                return receiveNamed(program, queue, head, place, bytes);
            }
            case Entry.TREE -> {
                return tree(program, queue, head, place, other, bytes);
            }
            case Entry.PIPE -> {
                return pipe(program, queue, head, place, (int) other, bytes);
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

    private boolean receiveNamed(WorkProgram program, WorkQueue queue, long head, long place, long bytes) {
        int buffer = Entry.buffer(place);
        long at = program.origins[buffer] + Entry.offset(place);
        if (queue.named == null) {
            queue.named = device.receive(program.context, Entry.peer(head), program.tag, program.bases[buffer], at,
                    bytes, Entry.type(head));
        }
        Operation got = queue.named;
        if (!got.isDone()) {
            return false;
        }
        boolean good = got.code() == Code.OK && got.matchedBytes() == bytes;
        if (good) {
            Copy.between(program.bases[buffer], at, name, 0, Entry.NAME_BYTES);
            good = name[0] >= 0 && name[0] < program.counters.length;
        }
        if (good) {
            program.counters[(int) name[0]]++;
        } else {
            program.failed(got, got.code() == Code.OK ? Code.BAD_SIZE : got.code());
        }
        queue.named = null;
        device.release(got);
        return good;
    }

    private void receiveCombine(WorkProgram program, WorkQueue queue, long head, long place, long other, long bytes) {
        int first = 0;
        for (int i = 0; i < queue.number; i++) {
            first += program.queues[i].tail;
        }
        Combining combining = program.combining[first + queue.head];
        if (combining == null) {
            combining = new Combining(program.combinationOf(Entry.combination(head)), operandFirst(head));
            program.combining[first + queue.head] = combining;
        }
        int buffer = Entry.buffer(place);
        long offset = program.origins[buffer] + Entry.offset(place);
        int local = Entry.buffer(other);
        combining.bind(program.bases[buffer], program.bases[local],
                program.origins[local] + Entry.offset(other) - offset);
        track(program, device.receive(program.context, Entry.peer(head), program.tag, combining, offset, bytes,
                Entry.type(head)), Entry.counter(head));
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
        device.combined(bytes);
    }

    private boolean pipe(WorkProgram program, WorkQueue queue, long head, long place, int to, long bytes) {
        int slots = Entry.combination(head);
        long chunk = Entry.offset(place);
        long chunks = (bytes + chunk - 1) / chunk;
        if (queue.pipe == null) {
            queue.pipe = new Pipe(slots);
        }
        Pipe pipe = queue.pipe;
        Object base = program.bases[Entry.buffer(place)];
        long origin = program.origins[Entry.buffer(place)];
        int type = Entry.type(head);
        boolean moved;
        do {
            moved = false;
            int slot = (int) (pipe.gone % slots);
            if (pipe.gone < pipe.passed && pipe.outgoing[slot].isDone()) {
                over(program, pipe.outgoing[slot], Entry.counter(head));
                pipe.gone++;
                moved = true;
            }
            slot = (int) (pipe.passed % slots);
            if (pipe.passed < pipe.asked && pipe.incoming[slot].isDone()) {
                Operation got = pipe.incoming[slot];
                long length = got.bytes();
                if (got.code() != Code.OK || got.matchedBytes() != length) {
                    program.failed(got, got.code() != Code.OK ? got.code() : Code.BAD_SIZE);
                    return false;
                }
                device.release(got);
                pipe.outgoing[slot] = device.send(Operation.Mode.STANDARD, program.context, to, program.tag, base,
                        origin + slot * chunk, length, type);
                pipe.passed++;
                moved = true;
            }
            if (pipe.asked < chunks && pipe.asked - pipe.gone < slots) {
                slot = (int) (pipe.asked % slots);
                long length = Math.min(chunk, bytes - pipe.asked * chunk);
                pipe.incoming[slot] = device.receive(program.context, Entry.peer(head), program.tag, base,
                        origin + slot * chunk, length, type);
                pipe.asked++;
                moved = true;
            }
        } while (moved);
        if (pipe.gone == chunks) {
            queue.pipe = null;
            return true;
        }
        return false;
    }

    /**
     * Posts a receive that no message fits for each peer of a disabled receive: what comes now is refused. They come
     * after all real receives, so those are met first.
     */
    private void guard(WorkProgram program, WorkQueue queue) {
        for (int i = queue.guards.size() - 1; i >= 0; i--) {
            if (queue.guards.get(i).isDone()) {
                device.release(queue.guards.remove(i));
            }
        }
        for (int i = queue.head < queue.enabled ? queue.tail : queue.enabled; i < queue.tail; i++) {
            long head = queue.cells[i * Entry.WORDS];
            int peer = Entry.peer(head);
            if (Entry.isReceive(head) && !guarded(queue, peer)) {
                queue.guards.add(device.receive(program.context, peer, program.tag, NOTHING, 0, 0,
                        ElementType.OBJECT.code()));
            }
        }
    }

    private static boolean guarded(WorkQueue queue, int peer) {
        for (int i = 0; i < queue.guards.size(); i++) {
            Operation guard = queue.guards.get(i);
            if (guard.peer() == peer && !guard.isDone()) {
                return true;
            }
        }
        return false;
    }

    private void withdrawGuards(WorkQueue queue) {
        // An iterator would be allocated at the end of every program until the second compiler has removed it.
        for (int i = 0; i < queue.guards.size(); i++) {
            giveUp(queue.guards.get(i));
        }
        queue.guards.clear();
    }
}
