package io.rankwire;

import io.rankwire.device.Code;
import io.rankwire.device.Operation;
import io.rankwire.type.Copy;

/** How a compiled collective call begins and ends, in each of its three forms. */
abstract sealed class CollectiveStarts extends TypedMessages permits TypedCollectives {
    final CallLog calls = new CallLog(false);
    final CallLog persistentCalls = new CallLog(true);

    CollectiveStarts(World world, Group group, Group peers, int context, String name) {
        super(world, group, peers, context, name);
    }

    abstract CollectivePrograms programs();

    /** For calls that are made by them. */
    abstract LineCalls lines();

    final void run(Collective call) {
        try {
            runLocked(call);
        } catch (RankwireException e) {
            throw failed(e);
        }
    }

    private void runLocked(Collective call) {
        Host host = host();
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
                throw CollectiveMismatch.failed(this, call);
            }
        } catch (RuntimeException e) {
            throw host.translate(e, call.call, Copy.hasEnded(call.input) ? call.input : call.output);
        } finally {
            host.unlock();
        }
    }

    /** Among the calls of this tag's kind, the number of the one that has it, as far as it is remembered; else -1. */
    final int numberOf(int tag) {
        CallLog log = logOf(tag);
        int number = log.numberOf(tag >>> CollectivePrograms.SEQUENCE_SHIFT & CollectivePrograms.SEQUENCES - 1,
                CollectivePrograms.SEQUENCES - 1);
        return (tag & CollectivePrograms.TAG_MARK) != 0 && log.has(number) ? number : -1;
    }

    final CallLog logOf(int tag) {
        return (tag & CollectivePrograms.PERSISTENT) == 0 ? calls : persistentCalls;
    }

    /** Whether a tag is of a call that returns when it is done. */
    final boolean isBlocking(int tag) {
        int number = numberOf(tag);
        return number >= 0 && logOf(tag).form(number) == CallLog.Form.BLOCKING;
    }

    /** This rank is inside the call of this tag, or awaits it; of the former the line is known now. */
    final void isInside(int tag) {
        if (isBlocking(tag)) {
            calls.name(numberOf(tag)).from(CallSite.find());
        }
    }

    /** The call of this tag in its form, with its arguments; if it is not remembered, what is given for it. */
    final String nameOf(int tag, String otherwise) {
        int number = numberOf(tag);
        return number < 0 ? otherwise : logOf(tag).name(number).name(logOf(tag).form(number));
    }

    private void await(Operation whole, Collective call) {
        try {
            host().await(whole, call.call, this);
        } catch (RuntimeException e) {
            whole.keepOutOfReports();
            call.program.stop();
            throw e;
        }
    }

    final Request start(Collective call) {
        admit(call);
        Operation whole = start(call, programs().nextTag(call, CallLog.Form.NONBLOCKING));
        host().leaveBehind();
        return new Request(this, call, whole);
    }

    /** A call that is refused takes no number: the other ranks may not have made it. */
    private void admit(Collective call) {
        if (!ConfinedMemory.is(call.input) && !ConfinedMemory.is(call.output)) {
            return;
        }
        Host host = host();
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
        throw failed(failure);
    }

    final Request persistent(Collective call) {
        int tag = programs().nextTag(call, CallLog.Form.PERSISTENT);
        return new Request(this, call, () -> {
            call.name.started = true;
            return start(call, tag);
        });
    }

    private Operation start(Collective call, int tag) {
        Host host = host();
        RuntimeException failure;
        host.lock();
        try {
            return call.start(host, tag, false);
        } catch (RuntimeException e) {
            failure = host.translate(e, call.call);
        } finally {
            host.unlock();
        }
        throw failed(failure);
    }
}
