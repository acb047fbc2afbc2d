package io.rankwire.sim.fault;

import io.rankwire.collective.BinomialBroadcast;
import io.rankwire.collective.Blocks;
import io.rankwire.collective.CirculantAllreduce;
import io.rankwire.collective.DisseminationBarrier;
import io.rankwire.collective.DoublingAllreduce;
import io.rankwire.collective.PairwiseAlltoall;
import io.rankwire.collective.RingAllgather;
import io.rankwire.collective.Schedule;
import io.rankwire.collective.Step;
import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.Operation;
import io.rankwire.device.work.WorkProgram;
import io.rankwire.device.work.WorkQueue;
import io.rankwire.memory.Rand;
import io.rankwire.type.Combination;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;

/** Collective calls, as work programs that run beside everything else: all ranks make the same ones, in order. */
final class CollectiveLoad implements Load {
    static final int CONTEXT = 77;
    private static final int UNIT = Long.BYTES;

    /** Which call. */
    private enum Kind { ALLREDUCE, CIRCULANT, ALLTOALL, ALLGATHER, BROADCAST, BARRIER }

    private final int rank;
    private final Device device;
    private final CollectiveLoad[] all;
    private final long draws;
    private final int units;
    private final WorkProgram[] programs = new WorkProgram[Kind.values().length];
    private int started;
    private Operation running;
    private Kind kind;
    private long[] output;
    private boolean hasLost;
    /** A call has failed because a peer is lost; none is made after it. */
    private boolean broken;

    /**
     * @param draws from this and its number all ranks know which call one is
     * @param units elements of a block
     */
    CollectiveLoad(int rank, Device device, CollectiveLoad[] all, long draws, int units) {
        this.rank = rank;
        this.device = device;
        this.all = all;
        this.draws = draws;
        this.units = units;
    }

    @Override
    public void step() {
        sweep();
        if (running == null && !broken) {
            start();
        }
    }

    private void start() {
        int number = started++;
        int ranks = all.length;
        kind = Kind.values()[new Rand(draws + number).below(Kind.values().length)];
        if (programs[kind.ordinal()] == null) {
            programs[kind.ordinal()] = compile(kind, ranks);
        }
        WorkProgram program = programs[kind.ordinal()];
        long[] input = new long[ranks * units];
        for (int i = 0; i < input.length; i++) {
            input[i] = value(number, rank, i);
        }
        output = new long[ranks * units];
        if (kind == Kind.BROADCAST && rank == root()) {
            System.arraycopy(input, 0, output, 0, units);
        }
        program.bind(Schedule.INPUT, input, 0);
        program.bind(Schedule.OUTPUT, output, 0);
        running = device.start(program, number);
    }

    private int root() {
        return all.length - 1;
    }

    private static long value(int number, int of, int i) {
        return (number * 31L + of) * 0x9E37_79B9L + i;
    }

    private Schedule schedule(Kind of, int ranks) {
        Blocks blocks = Blocks.even(ranks, units);
        return switch (of) {
            case ALLREDUCE -> DoublingAllreduce.of(rank, ranks, units, false);
            case CIRCULANT -> CirculantAllreduce.of(rank, ranks, units, false);
            case ALLTOALL -> PairwiseAlltoall.of(
                    rank, ranks, blocks.parts(Schedule.INPUT), blocks.parts(Schedule.OUTPUT));
            case ALLGATHER -> RingAllgather.of(
                    rank, ranks, blocks.parts(Schedule.OUTPUT), new Step.Part(Schedule.INPUT, 0, units));
            case BROADCAST -> BinomialBroadcast.of(rank, ranks, root(), units);
            case BARRIER -> DisseminationBarrier.of(rank, ranks);
        };
    }

    private WorkProgram compile(Kind of, int ranks) {
        Schedule schedule = schedule(of, ranks);
        WorkProgram program = new WorkProgram(CONTEXT, ranks);
        program.buffer((long) ranks * units * UNIT);
        program.buffer((long) ranks * units * UNIT);
        program.combination(Combination.of(Reduction.SUM, ElementType.LONG));
        for (int i = 0; i < schedule.transfers(); i++) {
            program.counter();
        }
        for (long length : schedule.temporaries()) {
            program.bind(program.buffer(length * UNIT), new long[(int) length], 0);
        }
        WorkQueue queue = program.queue(false);
        for (Step step : schedule.steps()) {
            add(queue, step);
        }
        return program;
    }

    private static void add(WorkQueue queue, Step step) {
        if (step.kind() == Step.Kind.WAIT) {
            queue.await(step.id(), 1);
            return;
        }
        Step.Part target = step.target();
        Step.Part operand = step.operand() == null ? target : step.operand();
        long at = target.offset() * UNIT;
        long bytes = target.units() * UNIT;
        long operandAt = operand.offset() * UNIT;
        switch (step.kind()) {
            case SEND -> queue.send(step.peer(), target.buffer(), at, bytes, ElementType.LONG, step.id());
            case RECEIVE -> queue.receive(step.peer(), target.buffer(), at, bytes, ElementType.LONG, step.id());
            case RECEIVE_COMBINE -> queue.receiveCombine(step.peer(), target.buffer(), at, operand.buffer(), operandAt,
                    bytes, ElementType.LONG, 0, step.operandFirst(), step.id());
            case COMBINE -> queue.calc(0, target.buffer(), at, operand.buffer(), operandAt, bytes,
                    step.operandFirst());
            default -> queue.copy(operand.buffer(), operandAt, target.buffer(), at, bytes);
        }
    }

    @Override
    public void sweep() {
        if (running == null || !running.isDone()) {
            return;
        }
        int number = started - 1;
        if (running.code() == Code.PEER_DEAD && hasLost) {
            device.release(running);
            running = null;
            broken = true;
            return;
        }
        if (running.code() != Code.OK) {
            throw new Violation("collective call " + number + " (" + kind + ") of rank " + rank + " ended with code "
                    + running.code());
        }
        device.release(running);
        running = null;
        for (CollectiveLoad other : all) {
            if (kind != Kind.BROADCAST && other.started < started) {
                throw new Violation("rank " + rank + " is done with collective call " + number + " (" + kind
                        + "), which rank " + other.rank + " has not begun");
            }
        }
        for (int i = 0; i < output.length; i++) {
            if (output[i] != expected(number, i)) {
                throw new Violation("element " + i + " of collective call " + number + " (" + kind + ") at rank "
                        + rank + " is " + output[i] + ", not " + expected(number, i));
            }
        }
    }

    private long expected(int number, int i) {
        long sum = 0;
        for (CollectiveLoad other : all) {
            sum += value(number, other.rank, i);
        }
        return switch (kind) {
            case ALLREDUCE, CIRCULANT -> i < units ? sum : 0;
            case ALLTOALL -> value(number, i / units, rank * units + i % units);
            case ALLGATHER -> value(number, i / units, i % units);
            case BROADCAST -> i < units ? value(number, root(), i) : 0;
            case BARRIER -> 0;
        };
    }

    private int mostStarted() {
        int most = 0;
        for (CollectiveLoad other : all) {
            most = Math.max(most, other.started);
        }
        return most;
    }

    @Override
    public void drain() {
        sweep();
        if (running == null && !broken && started < mostStarted()) {
            start();
        }
    }

    @Override
    public void lose(int peer) {
        hasLost = true;
    }

    /** A call that fails at one rank never ends at the ranks that wait for that one, since none informs them. */
    @Override
    public Object waitsFor(Faults faults) {
        return faults.anyDead() ? null : running != null ? "collective call " + (started - 1) + " (" + kind + ")"
                : started < mostStarted() ? "a collective call to begin" : null;
    }

    @Override
    public void finish(Faults faults) {
        sweep();
    }
}
