package io.rankwire.runtime;

import io.rankwire.collective.Schedule;
import io.rankwire.collective.Step;
import io.rankwire.device.Operation;
import io.rankwire.device.work.WorkProgram;
import io.rankwire.device.work.WorkQueue;
import io.rankwire.type.Combination;
import io.rankwire.type.ElementType;
import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A collective call compiled for this rank: a work program that needs only its buffers, and can be run again. */
public final class Collective {
    private static final long LARGEST_ARRAY = 1L << 30;

    public final Shape shape;
    /** The part of its tags that all ranks must agree on. */
    public final int agreement;
    /** What the calls behind it remember of it, to be the same on all ranks too. */
    public final long remembered;
    /** All of the shape that they must agree on, element types aside. */
    public final long signature;
    /** The type that ranks must agree on too: of nothing there is none. */
    public final ElementType agreedType;
    /** Whether a call that returns when it is done is made with {@link LineCalls}. */
    public final boolean byLines;
    public final WorkProgram program;
    public Object input;
    public long inputAt;
    public Object output;
    public long outputAt;
    private Combination combination;
    private Object scratch;
    public final String algorithm;
    /** What reports call it. */
    public final String call;
    public final CallName name;

    private Collective(
            Endpoint on, Shape shape, boolean byLines, WorkProgram program, String algorithm, String call) {
        this.shape = shape;
        this.byLines = byLines;
        this.signature = shape.signature();
        this.agreedType = shape.bytes() == 0 ? ElementType.RAW : shape.type();
        this.agreement = shape.kind().ordinal() << CollectivePrograms.KIND_SHIFT | shape.agreement();
        boolean rootIsKnown = shape.kind().hasRoot() && !on.isBetweenGroups();
        boolean knownToAll = shape.kind().hasRoot() ? rootIsKnown : shape.kind().isAlike();
        this.remembered = shape.kind().ordinal() + (knownToAll ? signature : 0);
        this.program = program;
        this.algorithm = algorithm;
        this.call = call;
        this.name = new CallName(shape.kind().call, call);
    }

    /**
     * @param unit bytes of a unit of the schedule
     * @param input bytes of the caller's buffers
     * @param types of the messages from and to buffers other than the input and output, where the shape's is not for
     *     all; else null
     */
    public static Collective compile(Endpoint on, Shape shape, boolean byLines, Schedule schedule, long unit, long input,
            long output, ElementType[] types, String call) {
        WorkProgram program = new WorkProgram(on.context() | Contexts.HIDDEN, on.session().size());
        program.buffer(input);
        program.buffer(output);
        boolean combines = shape.op() != null;
        if (combines) {
            program.combination(shape.op().combination(shape.type()));
        }
        for (int i = 0; i < schedule.transfers(); i++) {
            program.counter();
        }
        long[] temporaries = schedule.temporaries();
        for (int i = 0; i < temporaries.length; i++) {
            int buffer = program.buffer(temporaries[i] * unit);
            if (i >= schedule.given()) {
                program.bind(buffer, memory(shape.type(), temporaries[i] * unit), 0);
            }
        }
        program.informPeers();
        new Compilation(on.team(), program, program.queue(false), shape, unit, types).add(schedule);
        return new Collective(on, shape, byLines, program, schedule.algorithm(), call);
    }

    /** Turns steps into entries. */
    private record Compilation(
            RankSet team, WorkProgram program, WorkQueue queue, Shape shape, long unit, ElementType[] types,
            Map<Integer, Step> whole, Map<Integer, Integer> aside) {
        Compilation(RankSet team, WorkProgram program, WorkQueue queue, Shape shape, long unit, ElementType[] types) {
            this(team, program, queue, shape, unit, types, new LinkedHashMap<>(), new HashMap<>());
        }

        void add(Schedule schedule) {
            for (Step step : schedule.steps()) {
                if (step.kind() == Step.Kind.WAIT) {
                    queue.await(step.id(), 1);
                    combineWhole(step.id());
                } else {
                    add(step);
                }
            }
            for (int id : List.copyOf(whole.keySet())) {
                queue.await(id, 1);
                combineWhole(id);
            }
        }

        private void add(Step step) {
            int peer = step.peer() < 0 ? -1 : team.worldRankOf(step.peer());
            int buffer = step.target().buffer();
            long at = step.target().offset() * unit;
            long bytes = step.target().units() * unit;
            int operand = step.operand() == null ? 0 : step.operand().buffer();
            long operandAt = step.operand() == null ? 0 : step.operand().offset() * unit;
            ElementType type = bytes == 0 ? ElementType.RAW : types != null && buffer >= Schedule.TEMPORARY
                    ? types[buffer - Schedule.TEMPORARY] : shape.type();
            switch (step.kind()) {
                case SEND -> queue.send(peer, buffer, at, bytes, type, step.id());
                case RECEIVE -> queue.receive(peer, buffer, at, bytes, type, step.id());
                case RECEIVE_COMBINE -> {
                    if (shape.op().group() == 1) {
                        queue.receiveCombine(peer, buffer, at, operand, operandAt, bytes, type, 0,
                                step.operandFirst(), step.id());
                    } else {
                        receiveWhole(step, peer, bytes);
                    }
                }
                case COMBINE -> queue.calc(0, buffer, at, operand, operandAt, bytes, step.operandFirst());
                case COPY -> queue.copy(operand, operandAt, buffer, at, bytes);
                case WAIT -> throw new AssertionError(step);
            }
        }

        /** Parts of a message may end inside a group of elements, so it is combined only when it is whole. */
        private void receiveWhole(Step step, int peer, long bytes) {
            int buffer = program.buffer(bytes);
            program.bind(buffer, memory(shape.type(), bytes), 0);
            queue.receive(peer, buffer, 0, bytes, shape.type(), step.id());
            whole.put(step.id(), step);
            aside.put(step.id(), buffer);
        }

        private void combineWhole(int id) {
            Step step = whole.remove(id);
            if (step == null) {
                return;
            }
            Step.Part target = step.target();
            Step.Part local = step.operand();
            if (!target.equals(local)) {
                queue.copy(local.buffer(), local.offset() * unit, target.buffer(), target.offset() * unit,
                        target.units() * unit);
            }
            queue.calc(0, target.buffer(), target.offset() * unit, aside.get(id), 0, target.units() * unit,
                    step.operandFirst());
        }
    }

    private static Object memory(ElementType type, long bytes) {
        return bytes <= LARGEST_ARRAY
                ? type.newArray((int) (bytes / type.bytes())) : Arena.ofAuto().allocate(bytes, 64);
    }

    public void bind(Object input, long inputAt, Object output, long outputAt) {
        // Storing a reference costs more than finding that it is there already.
        if (this.input != input) {
            this.input = input;
        }
        if (this.output != output) {
            this.output = output;
        }
        this.inputAt = inputAt;
        this.outputAt = outputAt;
    }

    /** Binds a further buffer of the caller's, by its number among these. */
    public void bindGiven(int number, Object base, long at) {
        program.bind(Schedule.TEMPORARY + number, base, at);
    }

    /** The operation, for parts that are not combined by the program. */
    public Combination combination() {
        if (combination == null) {
            combination = shape.op().combination(shape.type());
        }
        return combination;
    }

    /** Memory for so many bytes, kept; always asked for the same. */
    public Object scratch(long bytes) {
        if (scratch == null) {
            scratch = memory(shape.type(), bytes);
        }
        return scratch;
    }

    /** Throws if its memory cannot be used by this call; the caller has the lock. */
    public void admit(Host host, boolean waits) {
        host.confined.inCollective(input, waits);
        host.confined.inCollective(output, waits);
    }

    /** It starts; the caller has the lock. */
    public Operation start(Host host, int tag, boolean waits) {
        admit(host, waits);
        host.beginsCollective();
        program.bind(Schedule.INPUT, input, inputAt);
        program.bind(Schedule.OUTPUT, output, outputAt);
        return host.device.start(program, tag);
    }
}
