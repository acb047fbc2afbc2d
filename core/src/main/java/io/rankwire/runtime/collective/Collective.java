package io.rankwire.runtime.collective;

import io.rankwire.collective.Schedule;
import io.rankwire.collective.Step;
import io.rankwire.device.Operation;
import io.rankwire.device.work.WorkProgram;
import io.rankwire.device.work.WorkQueue;
import io.rankwire.runtime.CallName;
import io.rankwire.runtime.Contexts;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Host;
import io.rankwire.runtime.RankSet;
import io.rankwire.type.Combination;
import io.rankwire.type.ElementType;
import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A collective call of this rank with its algorithm: it needs only its buffers, and can be made again. What it does
 * with messages becomes a work program when it is first made so.
 */
public final class Collective {
    private static final long LARGEST_ARRAY = 1L << 30;
    /** Receives of a pipe that are posted ahead. */
    private static final int CHUNKS_AHEAD = 8;

    public final Shape shape;
    /** The part of its tags that all ranks must agree on. */
    public final int agreement;
    /** What the calls behind it remember of it, to be the same on all ranks too. */
    public final long remembered;
    /** All of the shape that they must agree on, element types aside. */
    public final long signature;
    /** The type that ranks must agree on too: of nothing there is none. */
    public final ElementType agreedType;
    /** How a call is made that returns when it is done, if not with messages; else null. */
    public final Algorithm.InMemory inMemory;
    public Object input;
    public long inputAt;
    public Object output;
    public long outputAt;
    /** What reports call it. */
    public final String call;
    public final CallName name;
    private final Endpoint on;
    private final Algorithm withMessages;
    private WorkProgram program;
    private int firstGiven;
    private String algorithm;
    private Combination combination;
    private Object scratch;

    Collective(Endpoint on, Shape shape, Algorithm.Choice choice) {
        this.on = on;
        this.shape = shape;
        this.inMemory = choice.best().inMemory();
        this.withMessages = choice.withMessages();
        this.signature = shape.signature();
        this.agreedType = shape.bytes() == 0 ? ElementType.RAW : shape.type();
        this.agreement = shape.kind().ordinal() << CallLog.KIND_SHIFT | shape.agreement();
        boolean rootIsKnown = shape.kind().hasRoot() && !shape.team().isBetweenGroups();
        boolean knownToAll = shape.kind().hasRoot() ? rootIsKnown : shape.kind().isAlike();
        this.remembered = shape.kind().ordinal() + (knownToAll ? signature : 0);
        this.call = shape.describe();
        this.name = new CallName(shape.kind().call, call);
        this.algorithm = choice.best().name();
        if (inMemory == null) {
            compile();
        }
    }

    /** What it is made with, for people. */
    public String algorithm() {
        return algorithm;
    }

    /** Its program, compiled when it is first needed. */
    WorkProgram program() {
        if (program == null) {
            compile();
        }
        return program;
    }

    /** Whether it was ever made with messages, or is not made without. */
    public boolean hasProgram() {
        return program != null;
    }

    boolean isActive() {
        return program != null && program.active();
    }

    /** Ends its program early. */
    public void stop() {
        if (program != null) {
            program.stop();
        }
    }

    private void compile() {
        long unit = shape.unit();
        Schedule schedule = inPieces(withMessages.schedule().apply(shape));
        ElementType[] types = shape.uneven() == null ? new ElementType[0] : shape.uneven().types();
        firstGiven = Schedule.TEMPORARY + schedule.temporaries().length;
        long[] extents = extents(schedule, firstGiven, types.length);
        WorkProgram made = new WorkProgram(on.context() | Contexts.HIDDEN, on.session().size());
        for (int i = 0; i < extents.length; i++) {
            int buffer = made.buffer(extents[i] * unit);
            if (i >= Schedule.TEMPORARY && i < firstGiven) {
                made.bind(buffer, memory(shape.type(), extents[i] * unit), 0);
            }
        }
        if (shape.op() != null) {
            made.combination(shape.op().combination(shape.type()));
        }
        for (int i = 0; i < schedule.transfers(); i++) {
            made.counter();
        }
        if (schedule.steps().stream().noneMatch(step -> step.kind() == Step.Kind.PIPE)) {
            made.informPeers();
        }
        if (shape.team().tree() != null) {
            int root = shape.kind().hasRoot() ? on.team().worldRankOf(shape.root()) : -1;
            boolean gives = shape.kind() == Shape.Kind.BROADCAST;
            made.tree(shape.team().tree(), gives ? root : -1, gives ? -1 : root);
        }
        new Compilation(on.team(), made, made.queue(false), shape, unit, types, firstGiven).add(schedule);
        program = made;
        algorithm = inMemory == null ? schedule.algorithm() : algorithm;
    }

    /** Long messages cut into pieces, as all ranks cut them, where what comes is used before the rest is there. */
    private Schedule inPieces(Schedule schedule) {
        if (shape.op() == null && (shape.team().ranks() == 2 || !shape.kind().passesOn())) {
            return schedule;
        }
        long piece = on.host().device.eagerBytes() / Shape.WIDEST_ELEMENT * Shape.WIDEST_ELEMENT;
        return schedule.cut(Math.max(1, piece / shape.unit()));
    }

    /** Units of all buffers of a program: of the caller's, as far as a schedule touches them. */
    private static long[] extents(Schedule schedule, int firstGiven, int given) {
        long[] extents = new long[firstGiven + given];
        for (Step step : schedule.steps()) {
            for (Step.Part part : new Step.Part[] {step.target(), step.operand()}) {
                if (part != null) {
                    int buffer = buffer(part, firstGiven);
                    extents[buffer] = Math.max(extents[buffer], part.offset() + part.units());
                }
            }
        }
        System.arraycopy(schedule.temporaries(), 0, extents, Schedule.TEMPORARY, firstGiven - Schedule.TEMPORARY);
        return extents;
    }

    /** The program's number of a part's buffer. */
    private static int buffer(Step.Part part, int firstGiven) {
        return part.buffer() <= Schedule.GIVEN ? firstGiven + Schedule.GIVEN - part.buffer() : part.buffer();
    }

    /** Turns steps into entries. */
    private record Compilation(
            RankSet team, WorkProgram program, WorkQueue queue, Shape shape, long unit, ElementType[] types,
            int firstGiven, Map<Integer, Step> whole, Map<Integer, Integer> aside) {
        Compilation(RankSet team, WorkProgram program, WorkQueue queue, Shape shape, long unit, ElementType[] types,
                int firstGiven) {
            this(team, program, queue, shape, unit, types, firstGiven, new LinkedHashMap<>(), new HashMap<>());
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
            int buffer = buffer(step.target(), firstGiven);
            long at = step.target().offset() * unit;
            long bytes = step.target().units() * unit;
            int operand = step.operand() == null ? 0 : buffer(step.operand(), firstGiven);
            long operandAt = step.operand() == null ? 0 : step.operand().offset() * unit;
            int given = Schedule.GIVEN - step.target().buffer();
            ElementType type = bytes == 0 ? ElementType.RAW : given >= 0 ? types[given] : shape.type();
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
                case PIPE -> queue.pass(peer, step.to() < 0 ? -1 : team.worldRankOf(step.to()), buffer,
                        step.operand().units() * unit, CHUNKS_AHEAD, bytes, type, step.id());
                case TREE -> queue.tree(shape.op() == null ? -1 : 0, operand, operandAt, buffer, at, bytes, type);
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
    void bindGiven(int number, Object base, long at) {
        program().bind(firstGiven + number, base, at);
    }

    /** The operation, for parts that are not combined by the program. */
    public Combination combination() {
        if (combination == null) {
            combination = shape.op().combination(shape.type());
        }
        return combination;
    }

    /** Memory that is kept for the next call; every call asks for the same size. */
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
        WorkProgram ready = program();
        ready.bind(Schedule.INPUT, input, inputAt);
        ready.bind(Schedule.OUTPUT, output, outputAt);
        return host.device.start(ready, tag);
    }
}
