package io.rankwire.device.work;

import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.NetworkSends;
import io.rankwire.device.Operation;
import io.rankwire.device.work.DeferralPlan.Step;
import io.rankwire.fabric.Shared;
import io.rankwire.fabric.TriggeredProgram;
import io.rankwire.type.Prefixed;
import io.rankwire.wire.Frame;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A run of a program by the network. All sends and puts are given to the port when the run starts, each with the
 * counter of the port that lets it begin. Receives stay with the device, which advances the counters of the port when
 * they are over; it walks the queues as ever, but leaves sends and puts out.
 */
final class Deferral {
    private static final long[] NO_LEAD = {};
    private static final int WITHDRAWN = Frame.meta(Frame.WITHDRAWN, 0);

    private final WorkProgram program;
    private final NetworkSends sends;
    private final DeferralPlan plan;
    private final List<Step> steps;
    private final DeferredPuts puts;
    private TriggeredProgram port;
    /** The memory that each step reads, or null. */
    private final Shared[] memory;
    /** How often the device itself has advanced each counter. */
    private final long[] byDevice;

    Deferral(WorkProgram program, Device device, DeferralPlan plan) {
        this.program = program;
        this.sends = device.networkSends;
        this.puts = new DeferredPuts(program, device);
        this.plan = plan;
        this.steps = plan.steps();
        this.memory = new Shared[steps.size()];
        this.byDevice = new long[program.counters.length];
    }

    /** Gives the run to the port; returns null, or what stands in the way: then the device runs it. */
    String begin(WorkEngine engine) {
        String obstacle = reserve();
        if (obstacle != null) {
            return obstacle;
        }
        port = sends.work().program(plan.counters(), steps.size());
        if (port == null) {
            giveBack(0, steps.size());
            puts.release();
            return "the network has no room for " + steps.size() + " entries and " + plan.counters() + " counters";
        }
        for (int i = 0; i < steps.size(); i++) {
            if (memory[i] != null) {
                sends.memory().lend(memory[i]);
            }
        }
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (!give(step, memory[i])) {
                giveBack(i, steps.size());
                cancel(i);
                puts.end(engine);
                return "the network took " + i + " of " + steps.size() + " entries";
            }
        }
        port.advance(DeferralPlan.GO);
        return null;
    }

    private boolean give(Step step, Shared from) {
        return switch (step.kind()) {
            case SEND -> send(step, from);
            case PUT -> puts.give(port, step, from, offset(step, from), bytes(step));
            case PROOF -> puts.prove(port, step);
            case ADD -> port.add(step.counter(), step.value(), step.advances());
        };
    }

    /** Withdraws what has not begun of the first entries, which the port has. */
    private void cancel(int given) {
        for (int i = 0; i < given; i++) {
            if (steps.get(i).isSend()) {
                port.replace(i, WITHDRAWN);
            }
        }
        puts.cancel(port);
        port.beginAll();
    }

    /** Finds the memory of all sends and puts, and takes the credit of sends. */
    private String reserve() {
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            String obstacle = switch (step.kind()) {
                case SEND -> reserve(step, i);
                case PUT -> reservePut(step, i);
                default -> null;
            };
            if (obstacle != null) {
                giveBack(0, i);
                puts.release();
                return "entry " + step.entry() + " of queue " + step.queue() + " " + obstacle;
            }
        }
        return null;
    }

    private String reserve(Step step, int number) {
        long bytes = bytes(step);
        int peer = peer(step);
        String obstacle = sends.obstacle(peer, lead(step) + bytes);
        obstacle = obstacle == null ? find(step, number) : obstacle;
        return obstacle != null || sends.reserve(peer, lead(step) + bytes) ? obstacle
                : "finds no credit for a message to rank " + peer + " of the world";
    }

    private String reservePut(Step step, int number) {
        String obstacle = find(step, number);
        return obstacle != null ? obstacle
                : puts.reserve(step, number, program.accesses.get(Entry.peer(word(step, 0))), bytes(step));
    }

    /** Finds the memory of a step; returns why the network cannot read it, or null. */
    private String find(Step step, int number) {
        long bytes = bytes(step);
        if (bytes > sends.work().mostBytes()) {
            return "sends " + bytes + " bytes, and the network takes " + sends.work().mostBytes() + " of memory";
        }
        if (bytes > 0) {
            int buffer = Entry.buffer(place(step));
            memory[number] = !(program.bases[buffer] instanceof MemorySegment segment) ? null
                    : sends.find(segment, program.origins[buffer] + Entry.offset(place(step)), bytes);
        }
        return bytes > 0 && memory[number] == null ? "sends memory that is not from World.allocate" : null;
    }

    /** Where the bytes of a step lie in their allocation. */
    private long offset(Step step, Shared from) {
        int buffer = Entry.buffer(place(step));
        return from == null ? 0 : ((MemorySegment) program.bases[buffer]).address() + program.origins[buffer]
                + Entry.offset(place(step)) - from.memory().address();
    }

    private boolean send(Step step, Shared from) {
        return port.send(step.counter(), step.value(), step.advances(), peer(step),
                Frame.meta(Frame.EAGER, Entry.type(word(step, 0))),
                Frame.header(program.context, program.tag + program.queues[step.queue()].channel),
                lead(step) == 0 ? NO_LEAD : new long[] {word(step, 2)}, from, offset(step, from), (int) bytes(step));
    }

    private long word(Step step, int word) {
        return program.queues[step.queue()].cells[step.entry() * Entry.WORDS + word];
    }

    private int peer(Step step) {
        return Entry.peer(word(step, 0));
    }

    private long place(Step step) {
        return word(step, 1);
    }

    private long bytes(Step step) {
        return word(step, 3);
    }

    private int lead(Step step) {
        return Entry.opcode(word(step, 0)) == Entry.SEND_NAMING ? Prefixed.BYTES : 0;
    }

    /** Gives the credit of some steps back. */
    private void giveBack(int from, int to) {
        for (int i = from; i < to; i++) {
            if (steps.get(i).isSend()) {
                sends.giveBack(peer(steps.get(i)), lead(steps.get(i)) + bytes(steps.get(i)));
            }
        }
    }

    /** A counter advances by one that the device has carried out; false if the port has no such counter. */
    boolean advance(int counter) {
        if (plan.portOf(counter) < 0) {
            return false;
        }
        byDevice[counter]++;
        port.advance(plan.portOf(counter));
        pull(counter);
        return true;
    }

    /** The device has passed an entry that held its queue until a message had come. */
    void passed(WorkQueue queue) {
        port.advance(plan.passing(queue.number, queue.head));
    }

    /** The device has come to a put; returns the operation that is done when the put is over. */
    Operation passedPut(WorkQueue queue) {
        return puts.passed(queue.number, queue.head);
    }

    /** An operation of the program is over; returns the step that the device has to make again, or null. */
    Step answered(Operation operation) {
        return puts.answered(operation);
    }

    /** An epoch of a window has ended. */
    void epochClosed() {
        puts.epochClosed(port);
    }

    /** Takes in what the port has counted; whether that was something. */
    boolean pull() {
        boolean moved = false;
        for (int counter = 0; counter < byDevice.length; counter++) {
            moved |= plan.portOf(counter) >= 0 && pull(counter);
        }
        return moved;
    }

    private boolean pull(int counter) {
        long value = port.count(plan.portOf(counter));
        boolean moved = value != program.counters[counter];
        if (moved) {
            program.counted(counter, value);
        }
        return moved;
    }

    /** Whether each entry that advances a counter has done so. */
    boolean isOver() {
        long sum = 0;
        for (long count : program.counters) {
            sum += count;
        }
        return sum == plan.advances();
    }

    /** Whether a peer of the program is lost. */
    boolean isLost() {
        boolean lost = false;
        for (int i = 0; i < steps.size() && sends.anyLost(); i++) {
            lost |= steps.get(i).isSend() && sends.isLost(peer(steps.get(i)));
        }
        return lost;
    }

    /** Ends the run if a message to a rank that is lost has not gone. */
    void check() {
        for (int i = 0; i < steps.size() && sends.anyLost(); i++) {
            Step step = steps.get(i);
            if (step.isSend() && isDue(step) && sends.isLost(peer(step)) && isShort(step.advances())) {
                program.failed(peer(step), Code.PEER_DEAD);
            }
        }
    }

    private boolean isDue(Step step) {
        return program.queues[step.queue()].head > step.entry();
    }

    /** Whether a counter of the port is behind the sends that the device has passed and what it has done itself. */
    private boolean isShort(int portCounter) {
        int counter = 0;
        while (plan.portOf(counter) != portCounter) {
            counter++;
        }
        long due = byDevice[counter];
        for (Step step : steps) {
            due += step.isSend() && step.advances() == portCounter && isDue(step) ? 1 : 0;
        }
        return program.counters[counter] < due;
    }

    /** The run is over, in order or not. */
    void end(WorkEngine engine) {
        if (program.code != Code.OK) {
            cancel(steps.size());
            puts.end(engine);
            return;
        }
        puts.end(engine);
        for (Step step : steps) {
            if (step.isSend()) {
                sends.sent(peer(step), lead(step) + bytes(step));
            }
        }
    }

    /** Whether the port has something left of a run that is over. */
    boolean isLeft() {
        if (port != null && port.isSettled()) {
            port.close();
            port = null;
            for (Shared each : memory) {
                if (each != null) {
                    sends.memory().takeBack(each);
                }
            }
        }
        return puts.isLeft() | port != null;
    }
}
