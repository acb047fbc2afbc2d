package io.rankwire.sim.program;

import io.rankwire.memory.Rand;
import java.util.StringJoiner;

/** What a seed decides about a program that goes on when ranks die: the machine, the calls, and who dies when. */
final class SurvivorPlan {
    private static final long US = 1_000_000;
    /** Places of new ranks that may be killed too. */
    private static final int MOST_NEW = 4;

    final long seed;
    final int ranks;
    /** Whether dead ranks are replaced; otherwise the others shrink their communicator. */
    final boolean replaces;
    final int partners;
    final int steps;
    final int stepsBetweenSaves;
    final Settings settings;
    final String kill;
    /** The seed of other faults, or null. */
    final Long faults;
    /** Whether a rank revokes the communicator though no rank has died: at this step, and which one. */
    final int revokedStep;
    final int revoker;

    SurvivorPlan(long seed) {
        this.seed = seed;
        Rand rand = new Rand(seed);
        ranks = rand.chance(1, 8) ? rand.between(6, 12) : rand.between(2, 5);
        replaces = rand.chance(5, 6);
        partners = rand.between(1, Math.min(2, ranks - 1));
        steps = rand.between(2, 8);
        stepsBetweenSaves = rand.between(1, 3);
        long notice = pick(rand, 1, 5, 20) * US;
        Settings machine = Settings.DEFAULT.with("seed", Long.toString(rand.below(1_000_000)))
                .with("launcher.notice", Units.time(notice) + " to "
                        + Units.time(notice + pick(rand, 1, 10, 40, 150) * US))
                .with("launcher.answer", rand.between(1, 10) + " us")
                .with("launcher.start", rand.between(1, 40) + " us");
        int kind = rand.below(16);
        settings = kind == 0 ? machine.with("fabric", "tcp") : kind == 1 ? machine.with("fabric", "udp")
                : kind < 5 ? machine.with("device.offload", "no") : machine;
        faults = kind == 6 ? rand.nextLong() : null;
        kill = kills(rand);
        revokedStep = rand.chance(1, 6) ? rand.below(steps) : -1;
        revoker = rand.below(ranks);
    }

    /** At least one rank lives to the end. */
    private String kills(Rand rand) {
        StringJoiner text = new StringJoiner(",");
        long span = pick(rand, 20, 60, 200, 600) * 1_000;
        int spared = rand.below(ranks);
        int victims = rand.chance(1, 8) ? 0 : rand.between(1, rand.chance(1, 3) ? ranks : 2);
        boolean together = rand.chance(1, 4);
        long at = rand.below((int) span);
        for (int i = 0; i < victims; i++) {
            int victim = rand.below(ranks);
            if (victim != spared) {
                text.add(victim + "@" + (together ? at : rand.below((int) span)) + " ns");
            }
        }
        for (int i = 0; replaces && victims > 0 && i < MOST_NEW; i++) {
            if (rand.chance(1, 3)) {
                text.add(ranks + i + "@" + rand.below((int) (3 * span)) + " ns");
            }
        }
        return text.length() == 0 ? null : text.toString();
    }

    private static int pick(Rand rand, int... choices) {
        return choices[rand.below(choices.length)];
    }

    /** What is drawn for a step, the same at all ranks. */
    Rand ofStep(int step) {
        return new Rand(seed * 31 + step);
    }

    @Override
    public String toString() {
        return "program " + ranks + " ranks, " + steps + " steps, " + (replaces ? "replace, " + partners
                + " partners, saved every " + stepsBetweenSaves + " steps" : "shrink")
                + (revokedStep < 0 ? "" : ", rank " + revoker + " revokes at step " + revokedStep) + "\n"
                + "machine fabric " + Units.name(settings.fabric()) + ", offload " + settings.offload() + ", seed "
                + settings.seed() + settings.host().launcher().text().stripTrailing().replace("\n", ", ") + "\n"
                + "faults  " + (faults == null ? "none" : faults.toString()) + ", kill " + kill;
    }
}
