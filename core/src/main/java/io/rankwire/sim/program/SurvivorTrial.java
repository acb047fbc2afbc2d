package io.rankwire.sim.program;

import static io.rankwire.sim.fault.Violation.check;

import io.rankwire.launch.Job;
import io.rankwire.launch.Patience;
import io.rankwire.launch.ThreadRanks;

/**
 * One seed of a program whose ranks are killed, and that goes on: with revocations, agreements, smaller communicators,
 * new ranks and checkpoints.
 */
public final class SurvivorTrial {
    private static final long TIMEOUT_NS = 60_000_000_000L;

    private final SurvivorPlan plan;
    private SimulatedRanks ranks;
    private RuntimeException failure;

    public SurvivorTrial(long seed) {
        plan = new SurvivorPlan(seed);
    }

    /** All that was drawn, in a readable block. */
    public String drawn() {
        return "seed    " + plan.seed + "\n" + plan;
    }

    /**
     * Runs it.
     *
     * @throws RuntimeException if it fails
     */
    public void run() {
        SurvivorAudit audit = new SurvivorAudit();
        Adversity adversity = new Adversity(
                plan.faults, plan.kill, plan.settings, plan.ranks, SimulatedRanks.places(plan.ranks));
        try {
            ranks = SimulatedRanks.goOn(plan.settings, plan.ranks, adversity, job -> run(audit, job),
                    Patience.of(TIMEOUT_NS, 0));
        } catch (ThreadRanks.Failed e) {
            throw failure == null ? e : failure;
        }
        if (failure != null) {
            throw failure;
        }
        ranks.outcome().deaths().forEach((rank, how) -> check(
                adversity.kills().stream().anyMatch(kill -> kill.rank() == rank),
                "rank " + rank + " has died: " + how.getMessage()));
    }

    private void run(SurvivorAudit audit, Job job) {
        try {
            new SurvivorProgram(plan, audit, job).run();
        } catch (RuntimeException | AssertionError e) {
            failure = failure == null ? new IllegalStateException("rank " + job.rank() + ": " + e, e) : failure;
            throw e;
        }
    }

    /** The hash of all that has happened. */
    public long hash() {
        return ranks == null ? 0 : ranks.hash();
    }

    public long eventCount() {
        return ranks == null ? 0 : ranks.events();
    }

    /** The ranks that were killed. */
    public int deaths() {
        return ranks == null ? 0 : ranks.outcome().deaths().size();
    }
}
