package io.rankwire;

import io.rankwire.device.Code;
import io.rankwire.device.Operation;
import io.rankwire.type.Copy;

/** How a compiled collective call begins and ends, in each of its three forms. */
abstract sealed class CollectiveStarts extends TypedMessages permits TypedCollectives {
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
            int tag = programs().nextTag(call, false);
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
        Operation whole = start(call, programs().nextTag(call, false));
        host().leaveBehind();
        return new Request(this, call, whole);
    }

    final Request persistent(Collective call) {
        int tag = programs().nextTag(call, true);
        return new Request(this, call, () -> start(call, tag));
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
