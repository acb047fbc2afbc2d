package io.rankwire.runtime;

import io.rankwire.RankwireException;
import io.rankwire.device.Code;
import io.rankwire.device.Operation;
import io.rankwire.type.Copy;
import java.util.function.Supplier;

/** The collective calls of one endpoint: how a bound call begins and ends in each of its three forms, and which were made. */
public final class CollectiveRunner {
    public final Endpoint on;
    final CallLog calls = new CallLog(false);
    final CallLog persistentCalls = new CallLog(true);
    private CollectiveCalls plain;
    private TypedCalls typed;
    private LineCalls lines;
    private NeighbourCalls neighbours;
    private Neighbourhood around;
    private Runnable checkNeighbours;

    CollectiveRunner(Endpoint on) {
        this.on = on;
    }

    /** Gives the ranks a topology. The check throws if it is known that some rank would wait for a block in vain. */
    public void topology(Neighbourhood neighbourhood, Runnable check) {
        around = neighbourhood;
        checkNeighbours = check;
    }

    public Neighbourhood neighbourhood() {
        return around;
    }

    public CollectiveCalls calls() {
        on.checkUsable();
        if (plain == null) {
            plain = on.isBetweenGroups() ? new InterCalls(on) : new CollectiveCalls(on);
        }
        return plain;
    }

    public InterCalls interCalls() {
        return (InterCalls) calls();
    }

    public TypedCalls typed() {
        CollectiveCalls made = calls();
        if (typed == null) {
            typed = on.isBetweenGroups() ? new TypedInterCalls(on, (InterCalls) made)
                    : new TypedCalls(on, made.programs);
        }
        return typed;
    }

    public NeighbourCalls neighbours() {
        TypedCalls made = typed();
        if (neighbours == null) {
            checkNeighbours.run();
            neighbours = new NeighbourCalls(on, around, plain.programs, made);
        }
        return neighbours;
    }

    CollectivePrograms programs() {
        return plain.programs;
    }

    /** Made at the first call that needs them. */
    LineCalls lines() {
        if (lines == null) {
            lines = new LineCalls(on);
        }
        return lines;
    }

    public void run(Collective call) {
        try {
            runLocked(call);
        } catch (RankwireException e) {
            throw on.failed(e);
        }
    }

    private void runLocked(Collective call) {
        Host host = on.host();
        host.lock();
        try {
            if (!call.byLines) {
                call.admit(host, true);
            }
            int tag = programs().nextTag(call, CallLog.Form.BLOCKING);
            if (call.byLines && lines().run(call, tag)) {
                return;
            }
            Operation whole = call.start(host, tag, true);
            await(whole, call);
            int code = whole.code();
            host.device.release(whole);
            if (code != Code.OK) {
                throw CollectiveMismatch.failed(on, call);
            }
        } catch (RuntimeException e) {
            throw host.translate(e, call.call, Copy.hasEnded(call.input) ? call.input : call.output);
        } finally {
            host.unlock();
        }
    }

    /** Among the calls of this tag's kind, the number of the one that has it, as far as it is remembered; else -1. */
    int numberOf(int tag) {
        CallLog log = logOf(tag);
        int number = log.numberOf(tag >>> CollectivePrograms.SEQUENCE_SHIFT & CollectivePrograms.SEQUENCES - 1,
                CollectivePrograms.SEQUENCES - 1);
        return (tag & CollectivePrograms.TAG_MARK) != 0 && log.has(number) ? number : -1;
    }

    CallLog logOf(int tag) {
        return (tag & CollectivePrograms.PERSISTENT) == 0 ? calls : persistentCalls;
    }

    /** Whether a tag is of a call that returns when it is done. */
    boolean isBlocking(int tag) {
        int number = numberOf(tag);
        return number >= 0 && logOf(tag).form(number) == CallLog.Form.BLOCKING;
    }

    /** This rank is inside the call of this tag, or awaits it; of the former the line is known now. */
    void isInside(int tag) {
        if (isBlocking(tag)) {
            calls.name(numberOf(tag)).from(CallSite.find());
        }
    }

    /** The call of this tag in its form, with its arguments; if it is not remembered, what is given for it. */
    String nameOf(int tag, String otherwise) {
        int number = numberOf(tag);
        return number < 0 ? otherwise : logOf(tag).name(number).name(logOf(tag).form(number));
    }

    private void await(Operation whole, Collective call) {
        try {
            on.host().await(whole, call.call, on);
        } catch (RuntimeException e) {
            whole.keepOutOfReports();
            call.program.stop();
            throw e;
        }
    }

    public Operation start(Collective call) {
        admit(call);
        Operation whole = start(call, programs().nextTag(call, CallLog.Form.NONBLOCKING));
        on.host().wakeProgress();
        return whole;
    }

    /** A call that is refused takes no number: the other ranks may not have made it. */
    private void admit(Collective call) {
        if (!ConfinedMemory.is(call.input) && !ConfinedMemory.is(call.output)) {
            return;
        }
        Host host = on.host();
        RuntimeException failure;
        host.lock();
        try {
            call.admit(host, false);
            return;
        } catch (RuntimeException e) {
            failure = host.translate(e, call.call);
        } finally {
            host.unlock();
        }
        throw on.failed(failure);
    }

    /** Starts the same call each time that it is asked. */
    public Supplier<Operation> persistent(Collective call) {
        int tag = programs().nextTag(call, CallLog.Form.PERSISTENT);
        return () -> {
            call.name.started = true;
            return start(call, tag);
        };
    }

    private Operation start(Collective call, int tag) {
        Host host = on.host();
        RuntimeException failure;
        host.lock();
        try {
            return call.start(host, tag, false);
        } catch (RuntimeException e) {
            failure = host.translate(e, call.call);
        } finally {
            host.unlock();
        }
        throw on.failed(failure);
    }
}
