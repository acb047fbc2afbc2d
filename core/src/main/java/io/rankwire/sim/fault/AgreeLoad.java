package io.rankwire.sim.fault;

import static io.rankwire.sim.fault.Violation.check;

import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.agree.Agreed;
import io.rankwire.memory.Rand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/** Calls on which all ranks agree, some of them at a time. */
final class AgreeLoad implements Load {
    private static final int CONTEXT = 78;
    private static final int MOST_PENDING = 3;

    private record Pending(AgreeAudit audit, Agreed agreed) {}

    private final int rank;
    private final Rand rand;
    private final Device device;
    private final AgreeLoad[] all;
    private final IntPredicate survives;
    /** Of all ranks. */
    private final List<AgreeAudit> audits;
    private final List<Pending> pending = new ArrayList<>();
    private int begun;

    /**
     * @param rand of the agreements of all ranks, and of nothing else
     * @param audits empty, the same list for all ranks
     * @param survives whether a rank is not going to be killed
     */
    AgreeLoad(int rank, Rand rand, Device device, AgreeLoad[] all, List<AgreeAudit> audits, IntPredicate survives) {
        this.rank = rank;
        this.rand = rand;
        this.device = device;
        this.all = all;
        this.audits = audits;
        this.survives = survives;
        int[] ranks = new int[all.length];
        Arrays.setAll(ranks, i -> i);
        device.agreements().join(CONTEXT, 0, ranks, rank);
    }

    @Override
    public void step() {
        if (pending.size() < MOST_PENDING && rand.chance(1, 3)) {
            begin();
        }
    }

    private void begin() {
        if (begun == audits.size()) {
            audits.add(new AgreeAudit("call " + begun, all.length, survives, true));
        }
        AgreeAudit audit = audits.get(begun);
        pending.add(new Pending(audit, device.agreements().begin(CONTEXT, begun++, audit.vote(rank, rand))));
    }

    @Override
    public void sweep() {
        for (int i = pending.size() - 1; i >= 0; i--) {
            Agreed agreed = pending.get(i).agreed;
            if (agreed.operation().isDone()) {
                check(agreed.operation().code() == Code.OK, "an agreement of rank " + rank + " ended with code "
                        + agreed.operation().code());
                pending.remove(i).audit.decided(rank, agreed.value());
                device.release(agreed.operation());
            }
        }
    }

    /** Makes the calls that others have made. */
    @Override
    public void drain() {
        while (begun < audits.size()) {
            begin();
        }
        sweep();
    }

    @Override
    public void lose(int peer) {
        // A death ends no agreement.
    }

    @Override
    public Object waitsFor(Faults faults) {
        return pending.isEmpty() && begun == audits.size() ? null : "an agreement, call " + begun + " of "
                + audits.size();
    }

    @Override
    public void finish(Faults faults) {
        check(device.agreements().undecided() == 0 && device.agreements().early() == 0, "rank " + rank + " keeps "
                + device.agreements().undecided() + " calls and " + device.agreements().early() + " votes");
    }
}
