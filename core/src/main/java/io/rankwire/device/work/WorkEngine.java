package io.rankwire.device.work;

import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.Hardware;
import io.rankwire.device.Operation;
import io.rankwire.type.Combining;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs work programs, several side by side. It is moved by {@link #start} and by the device's progress. Whatever a
 * program waits for puts the program on a list when it comes; {@link #progress} visits the programs on this list, and
 * no others, and lets each go on as far as it can.
 */
public final class WorkEngine {
    /** Visits in one round of progress. */
    private static final int MOST_VISITS = 256;

    private final Device device;
    private final Hardware hardware;
    private final Runnable addChore;
    private WorkProgram[] active = new WorkProgram[4];
    private int activeCount;
    /** The programs to visit: a ring. */
    private WorkProgram[] ready = new WorkProgram[4];
    private int firstReady;
    private int readyCount;
    /** Operations of programs that have failed, which are not over yet. */
    private final List<Operation> left = new ArrayList<>();
    /** Programs with a message that waits to be sent again, and when the first of them is due. */
    private final List<WorkProgram> timed = new ArrayList<>();
    private long dueNs = Long.MAX_VALUE;
    private final DatagramSends datagrams;
    private final RemoteAccesses remote;
    private final Entries entries;
    private final Deferrals deferrals;
    private int programs;
    private long visits;

    /**
     * Made by its device.
     *
     * @param addChore called when something has to be done though nothing comes, see {@link #waiting}
     */
    public WorkEngine(Device device, Hardware hardware, Runnable addChore) {
        this.device = device;
        this.hardware = hardware;
        this.addChore = addChore;
        this.datagrams = new DatagramSends(device);
        this.remote = new RemoteAccesses(device);
        this.deferrals = new Deferrals(this, device);
        this.entries = new Entries(this, device, hardware, datagrams, remote);
    }

    /** Whether {@link #progress} would do something. */
    public boolean isDue() {
        return readyCount != 0 || !left.isEmpty() || !timed.isEmpty() || datagrams.count() != 0
                || deferrals.count() != 0;
    }

    /** Programs with messages to be sent again when their time has come. */
    public int waiting() {
        return timed.size();
    }

    /** When the first of these messages is to be sent again; the largest number if there is none. */
    public long dueNs() {
        return dueNs;
    }

    /** How often a program was looked at so far. */
    public long visits() {
        return visits;
    }

    void ready(WorkProgram program) {
        if (readyCount == ready.length) {
            WorkProgram[] inOrder = new WorkProgram[2 * readyCount];
            for (int i = 0; i < readyCount; i++) {
                inOrder[i] = ready[(firstReady + i) % readyCount];
            }
            ready = inOrder;
            firstReady = 0;
        }
        ready[(firstReady + readyCount++) % ready.length] = program;
    }

    /** Programs that run, and what is left of others. */
    public int active() {
        return activeCount + left.size() + datagrams.count() + deferrals.count();
    }

    /** The programs whose runs are not over. */
    public List<WorkProgram> programs() {
        return Arrays.asList(active).subList(0, activeCount);
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
        if (program.engine == null) {
            program.engine = this;
            program.number = programs++;
        }
        Operation run = device.begin(program.context, -2, 0);
        program.tag = tag;
        program.code = Code.OK;
        program.run = run;
        program.active = true;
        program.rewind();
        if (program.deferring.isAllowed) {
            deferrals.begin(program);
        }
        if (!advance(program)) {
            if (activeCount == active.length) {
                active = Arrays.copyOf(active, 2 * activeCount);
            }
            program.index = activeCount;
            active[activeCount++] = program;
        }
        return run;
    }

    /** One round: sends again what is due, and visits the programs that can go on; returns how many have moved. */
    public int progress(long nowNs) {
        if (!timed.isEmpty()) {
            long next = Long.MAX_VALUE;
            for (int i = timed.size() - 1; i >= 0; i--) {
                ConfirmedSends sends = timed.get(i).confirmed;
                long due = sends.resend(device, nowNs);
                if (due == Long.MAX_VALUE) {
                    timed.remove(i);
                }
                next = Math.min(next, due);
            }
            dueNs = next;
        }
        return progress();
    }

    /** As above without the time. */
    public int progress() {
        for (int i = left.size() - 1; i >= 0; i--) {
            if (left.get(i).isDone()) {
                device.release(left.remove(i));
            }
        }
        if (deferrals.count() != 0) {
            deferrals.progress();
        }
        int moved = datagrams.count() == 0 ? 0 : datagrams.move();
        for (int round = 0; readyCount > 0 && round < MOST_VISITS; round++) {
            WorkProgram program = ready[firstReady];
            ready[firstReady] = null;
            firstReady = firstReady + 1 < ready.length ? firstReady + 1 : 0;
            readyCount--;
            program.ready = false;
            if (program.active) {
                moved += visit(program);
            }
        }
        return moved;
    }

    /** 1 if the program has moved, else 0. */
    private int visit(WorkProgram program) {
        visits++;
        int before = program.underWay;
        if (!advance(program)) {
            return program.underWay == before ? 0 : 1;
        }
        WorkProgram last = active[--activeCount];
        active[activeCount] = null;
        if (last != program) {
            active[program.index] = last;
            last.index = program.index;
        }
        return 1;
    }

    /** Goes on as far as it can; true if the run is over. */
    private boolean advance(WorkProgram program) {
        if (program.confirmed != null) {
            confirm(program);
        }
        WorkQueue[] queues = program.queues;
        if (program.deferral != null) {
            program.deferral.pull();
        }
        if (queues.length == 1 && !queues[0].refuses) {
            WorkQueue queue = queues[0];
            entries.work(program, queue);
            if (queue.head == queue.tail) {
                settleLast(program);
            }
            checkDeferred(program);
            return (queue.head == queue.tail && isIdle(program)
                    || program.code != Code.OK && !Entries.isInVain(program)) && end(program);
        }
        boolean moved;
        boolean over;
        settle(program);
        do {
            moved = false;
            over = true;
            for (WorkQueue queue : queues) {
                moved |= entries.work(program, queue);
                over &= queue.head == queue.tail;
                if (queue.refuses) {
                    queue.guards.post(device, program, queue);
                }
            }
        } while (moved && program.code == Code.OK);
        checkDeferred(program);
        return (over && isIdle(program) || program.code != Code.OK) && end(program);
    }

    private static boolean isIdle(WorkProgram program) {
        return program.underWay == 0 && program.beside == 0
                && (program.confirmed == null || program.confirmed.isEmpty())
                && (program.deferral == null || program.deferral.isOver());
    }

    private static void checkDeferred(WorkProgram program) {
        if (program.deferral != null && program.code == Code.OK) {
            program.deferral.check();
        }
    }

    /** An epoch of a window has ended: puts that the network was to make in it go back to the device. */
    public void epochClosed() {
        deferrals.epochClosed();
    }

    /** Moves the confirmed sends of a program. */
    void confirm(WorkProgram program) {
        if (program.confirmed.move(this, device) && !timed.contains(program)) {
            timed.add(program);
            addChore.run();
        }
    }

    /** Ends the programs of a context that run, with a code that no operation of theirs may have. */
    public void interrupt(int context, int code, int peer) {
        for (int i = 0; i < activeCount; i++) {
            WorkProgram program = active[i];
            if (program.context == context && !isInterrupted(program)) {
                program.code = Code.OK;
                program.failed(peer, code);
                program.wake();
            }
        }
        progress();
    }

    /**
     * Ends a run. One that was interrupted, or has lost a peer, first waits until no other peer reads or writes its
     * memory: those may not know of it yet, and would take what the program puts there next for a part of this run.
     */
    private boolean end(WorkProgram program) {
        if (isInterrupted(program) && !isWithdrawn(program)) {
            return false;
        }
        for (int i = program.underWay - 1; i >= 0; i--) {
            Operation operation = program.operations[i];
            program.drop(i);
            giveUp(operation);
        }
        for (WorkQueue queue : program.queues) {
            withdraw(queue);
        }
        if (program.confirmed != null) {
            program.confirmed.end(this);
            timed.remove(program);
        }
        if (program.deferral != null) {
            deferrals.end(program);
        }
        if (!program.accesses.isEmpty()) {
            remote.end(program);
        }
        if (program.code != Code.OK) {
            program.endWatches();
        }
        program.active = false;
        Operation run = program.run;
        program.run = null;
        device.finish(run, program.code);
        return true;
    }

    private static boolean isInterrupted(WorkProgram program) {
        return program.code == Code.PEER_DEAD || program.code == Code.REVOKED;
    }

    /** Asks for the end of the messages under way; whether all are over. */
    private boolean isWithdrawn(WorkProgram program) {
        boolean over = true;
        for (int i = program.underWay - 1; i >= 0; i--) {
            over &= isWithdrawn(program.operations[i]);
        }
        for (WorkQueue queue : program.queues) {
            over &= (queue.pipe == null || queue.pipe.isWithdrawn(this))
                    && (queue.named == null || isWithdrawn(queue.named));
        }
        return over;
    }

    /** The same for one message; accesses to memory are given up. */
    boolean isWithdrawn(Operation operation) {
        if (!operation.isDone() && operation.buffer() != null) {
            device.cancel(operation);
        }
        return operation.isDone() || operation.buffer() == null;
    }

    /** Withdraws an operation, or has it end without its program. One without a buffer is an access. */
    void giveUp(Operation operation) {
        if (!operation.isDone()) {
            operation.noteEnd(null, 0);
        }
        boolean access = operation.buffer() == null;
        if (access ? !operation.isDone() : !device.giveUp(operation)) {
            left.add(operation);
        } else if (access) {
            device.release(operation);
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
        if (queue.pipe != null) {
            queue.pipe.end(this);
            queue.pipe = null;
        }
        if (queue.watch != null) {
            queue.watch.end();
            queue.watch = null;
        }
        if (queue.guards != null) {
            queue.guards.withdraw(this);
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
    boolean settled(WorkProgram program, int counter, long value) {
        int place = program.placeOf(counter);
        if (place == WorkProgram.SEVERAL) {
            settle(program);
        } else if (place >= 0 && program.operations[place].isDone()) {
            settle(program, place);
        }
        return program.counters[counter] >= value;
    }

    void over(WorkProgram program, Operation operation, int counter) {
        DeferralPlan.Step again = program.deferral == null ? null : program.deferral.answered(operation);
        if (again != null) {
            device.release(operation);
            entries.access(program, again.queue(), again.entry());
            return;
        }
        if (operation.code() != Code.OK) {
            program.failed(operation, operation.code());
        } else if (operation.isReceive() && operation.matchedBytes() != operation.bytes()) {
            program.failed(operation, Code.BAD_SIZE);
        }
        Combining combining = operation.combining();
        if (combining != null) {
            combined(operation.bytes());
            if (combining.thrown() != null) {
                program.threw(combining.thrown());
            }
        }
        if (!program.accesses.isEmpty()) {
            remote.check(program);
        }
        device.release(operation);
        if (program.code == Code.OK || Entries.isInVain(program)) {
            program.advance(counter);
        }
    }

    /** Charges for a combination. */
    void combined(long bytes) {
        if (hardware != null) {
            hardware.combined(bytes);
        }
    }
}
