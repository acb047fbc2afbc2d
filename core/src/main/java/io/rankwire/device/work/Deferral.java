package io.rankwire.device.work;

import io.rankwire.device.Code;
import io.rankwire.device.NetworkSends;
import io.rankwire.device.work.DeferralPlan.Step;
import io.rankwire.fabric.Shared;
import io.rankwire.fabric.TriggeredProgram;
import io.rankwire.type.Prefixed;
import io.rankwire.wire.Frame;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A run of a program by the network. All sends are given to the port when the run starts, each with the counter of the
 * port that lets it begin. Receives stay with the device, which advances the counters of the port when they are over;
 * it walks the queues as ever, but leaves sends out.
 */
final class Deferral {
    private static final int WITHDRAWN = Frame.meta(Frame.WITHDRAWN, 0);

    private final WorkProgram program;
    private final NetworkSends sends;
    private final DeferralPlan plan;
    private final List<Step> steps;
    private TriggeredProgram port;
    /** The memory that each step reads, or null. */
    private final Shared[] memory;
    /** How often the device itself has advanced each counter. */
    private final long[] byDevice;

    Deferral(WorkProgram program, NetworkSends sends, DeferralPlan plan) {
        this.program = program;
        this.sends = sends;
        this.plan = plan;
        this.steps = plan.steps();
        this.memory = new Shared[steps.size()];
        this.byDevice = new long[program.counters.length];
    }

    /** Gives the run to the port; returns null, or what stands in the way: then the device runs it. */
    String begin() {
        String obstacle = reserve();
        if (obstacle != null) {
            return obstacle;
        }
        port = sends.work().program(plan.counters(), steps.size());
        if (port == null) {
            giveBack(0, steps.size());
            return "the network has no room for " + steps.size() + " entries and " + plan.counters() + " counters";
        }
        for (int i = 0; i < steps.size(); i++) {
            if (memory[i] != null) {
                sends.memory().lend(memory[i]);
            }
        }
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            boolean isTaken = step.isSend() ? send(step, memory[i])
                    : port.add(step.counter(), step.value(), step.advances());
            if (!isTaken) {
                giveBack(i, steps.size());
                port.cancel(WITHDRAWN);
                return "the network took " + i + " of " + steps.size() + " entries";
            }
        }
        port.advance(DeferralPlan.GO);
        return null;
    }

    /** Finds the memory of all sends, and takes their credit. */
    private String reserve() {
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            String obstacle = step.isSend() ? reserve(step, i) : null;
            if (obstacle != null) {
                giveBack(0, i);
                return "entry " + step.entry() + " of queue " + step.queue() + " " + obstacle;
            }
        }
        return null;
    }

    private String reserve(Step step, int number) {
        long bytes = bytes(step);
        int peer = peer(step);
        String obstacle = sends.obstacle(peer, lead(step) + bytes);
        if (obstacle == null && bytes > sends.work().mostBytes()) {
            obstacle = "sends " + bytes + " bytes, and the network takes " + sends.work().mostBytes() + " of memory";
        }
        if (obstacle == null && bytes > 0) {
            int buffer = Entry.buffer(place(step));
            memory[number] = !(program.bases[buffer] instanceof MemorySegment segment) ? null
                    : sends.find(segment, program.origins[buffer] + Entry.offset(place(step)), bytes);
            obstacle = memory[number] == null ? "sends memory that is not from World.allocate" : null;
        }
        return obstacle != null || sends.reserve(peer, lead(step) + bytes) ? obstacle
                : "finds no credit for a message to rank " + peer + " of the world";
    }

    private boolean send(Step step, Shared from) {
        WorkQueue queue = program.queues[step.queue()];
        long offset = 0;
        if (from != null) {
            int buffer = Entry.buffer(place(step));
            offset = ((MemorySegment) program.bases[buffer]).address() + program.origins[buffer]
                    + Entry.offset(place(step)) - from.memory().address();
        }
        return port.send(step.counter(), step.value(), step.advances(), peer(step),
                Frame.meta(Frame.EAGER, Entry.type(word(step, 0))),
                Frame.header(program.context, program.tag + queue.channel), lead(step), word(step, 2), from, offset,
                (int) bytes(step));
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
    void end() {
        if (program.code != Code.OK) {
            port.cancel(WITHDRAWN);
            return;
        }
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
        return port != null;
    }
}
