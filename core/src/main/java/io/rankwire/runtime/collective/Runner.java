package io.rankwire.runtime.collective;

import io.rankwire.RankwireException;
import io.rankwire.device.Code;
import io.rankwire.device.Operation;
import io.rankwire.runtime.CallName.Form;
import io.rankwire.runtime.CallSite;
import io.rankwire.runtime.ConfinedMemory;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Host;
import io.rankwire.runtime.Messenger;
import io.rankwire.runtime.Neighbourhood;
import io.rankwire.runtime.Operator;
import io.rankwire.runtime.collective.Shape.Kind;
import io.rankwire.type.Copy;
import java.util.function.Supplier;

/**
 * The collective calls of one endpoint: how a bound call begins and ends in each of its three forms, and which were
 * made.
 */
public final class Runner {
    private final Endpoint on;
    private final CallLog calls = new CallLog(false);
    private final CallLog persistentCalls = new CallLog(true);
    private Binder binder;
    private SharedCollectives shared;
    private Neighbourhood around;
    private Runnable checkNeighbours;

    public Runner(Endpoint on) {
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

    /** Elements of a block of a call with neighbours whose buffers hold nothing else. */
    public int neighbourElements(Kind kind, Object in, Object out) {
        return binder().neighbourElements(kind, in, out);
    }

    /** As {@link Binder#bind(Kind, Object, long, Object, long, long, Operator, int, boolean)}. */
    public Collective bind(Kind kind, Object in, long inOffset, Object out, long outOffset, long count, Operator op,
            int root, boolean fresh) {
        return binder().bind(kind, in, inOffset, out, outOffset, count, op, root, fresh);
    }

    /** As {@link Binder#bind(Kind, Side, Side, Operator, int, boolean)}. */
    public Collective bind(Kind kind, Side in, Side out, Operator op, int root, boolean fresh) {
        return binder().bind(kind, in, out, op, root, fresh);
    }

    private Binder binder() {
        on.checkUsable();
        if (binder == null) {
            binder = new Binder(on, around, checkNeighbours);
        }
        return binder;
    }

    public CallLog calls() {
        return calls;
    }

    public CallLog persistentCalls() {
        return persistentCalls;
    }

    /** Made at the first call that needs it. */
    SharedCollectives shared() {
        if (shared == null) {
            shared = new SharedCollectives(on);
        }
        return shared;
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
            on.members().checkAtBegin(call.call);
            if (call.inMemory == null) {
                call.admit(host, true);
            }
            int tag = calls.add(call, Form.BLOCKING);
            host.counts.collectives++;
            if (call.inMemory != null && call.inMemory.run(shared(), call, tag)) {
                return;
            }
            // A call in memory may have waited, and learned of a death, before it goes on with messages.
            on.members().checkInterrupted(call.call);
            Operation whole = call.start(host, tag, true);
            await(whole, call);
            int code = whole.code();
            host.device.release(whole);
            if (code != Code.OK) {
                throw Mismatch.failed(on, call);
            }
        } catch (RuntimeException e) {
            throw host.translate(e, call.call, Copy.hasEnded(call.input) ? call.input : call.output);
        } finally {
            host.unlock();
        }
    }

    CallLog logOf(int tag) {
        return (tag & CallLog.PERSISTENT) == 0 ? calls : persistentCalls;
    }

    /** Whether a tag is of a call that returns when it is done. */
    public boolean isBlocking(int tag) {
        int number = logOf(tag).numberOf(tag);
        return number >= 0 && logOf(tag).form(number) == Form.BLOCKING;
    }

    /** This rank is inside the call of this tag, or awaits it; of the former the line is known now. */
    public void isInside(int tag) {
        if (isBlocking(tag)) {
            calls.name(calls.numberOf(tag)).from(CallSite.find());
        }
    }

    /** The call of this tag in its form, with its arguments; if it is not remembered, what is given for it. */
    public String nameOf(int tag, String otherwise) {
        int number = logOf(tag).numberOf(tag);
        return number < 0 ? otherwise : logOf(tag).name(number).name(logOf(tag).form(number));
    }

    private void await(Operation whole, Collective call) {
        try {
            on.host().await(whole, call.call, on);
        } catch (RuntimeException e) {
            whole.keepOutOfReports();
            call.stop();
            throw e;
        }
    }

    public Operation start(Collective call) {
        admit(call);
        Operation whole = start(call, calls.add(call, Form.NONBLOCKING));
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
        int tag = persistentCalls.add(call, Form.PERSISTENT);
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
            on.members().checkAtBegin(call.call);
            host.counts.collectives++;
            return Messenger.keepLine(call.start(host, tag, false));
        } catch (RuntimeException e) {
            failure = host.translate(e, call.call);
        } finally {
            host.unlock();
        }
        throw on.failed(failure);
    }
}
