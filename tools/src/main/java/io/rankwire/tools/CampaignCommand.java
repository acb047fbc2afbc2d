package io.rankwire.tools;

import io.rankwire.sim.fault.AgreeTrial;
import io.rankwire.sim.fault.Campaign;
import io.rankwire.sim.fault.Trial;
import io.rankwire.sim.program.SurvivorTrial;
import io.rankwire.tools.options.Given;
import io.rankwire.tools.options.Option;
import io.rankwire.tools.options.Syntax;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** {@code rankwire sim campaign} and {@code rankwire sim replay}: devices on fabrics that fail. */
final class CampaignCommand {
    private static final Option FROM = Option.seed("SEED", "--from").otherwise("1").help("the first seed");
    private static final Option SEEDS = Option.number("N", 1, Long.MAX_VALUE, "--seeds")
            .help("the number of seeds; without it, the campaign goes on until it is interrupted");
    private static final Option SEED = Option.seed("", "SEED").required("which seed? Give the one to repeat")
            .help("a seed that a campaign has printed");

    private static final Option FABRIC = Option.choice("NAME", List.of("device", "tcp", "none", "program"), "--fabric")
            .otherwise("device").help("""
                    what carries the frames
                      device  the modelled devices, on half of the seeds with the layer that repeats lost frames
                      tcp     connections that break
                      none    nothing: the calls on which groups agree, without devices, while ranks die
                      program programs on the modelled devices that go on when ranks are killed""");

    static final Syntax CAMPAIGN = new Syntax("sim campaign", "test devices on fabrics that fail, seed by seed", FROM,
            SEEDS, FABRIC)
            .forms("sim campaign [--fabric NAME] [--from SEED] [--seeds N]")
            .about("Runs devices on simulated fabrics with faults drawn from seeds, one seed after another, and prints"
                    + " a line for each that fails. The exit status is 1 when one fails.");
    static final Syntax REPLAY = new Syntax("sim replay", "repeat one seed of a campaign", SEED, FABRIC)
            .forms("sim replay [--fabric NAME] SEED")
            .about("Runs the faults of one seed once more and prints what was drawn and how it ended.");

    private static final int MOST_FAILURES = 100;

    private CampaignCommand() {}

    static int campaign(Given given) {
        return campaign(kind(given), given.seed(FROM),
                given.has(SEEDS) ? Long.parseLong(given.text(SEEDS)) : -1);
    }

    static int replay(Given given) {
        Campaign.Kind kind = kind(given);
        long seed = given.seed(SEED);
        return switch (kind) {
            case AGREE -> {
                AgreeTrial trial = new AgreeTrial(seed);
                yield replay(trial.drawn(), trial::run, () -> "well", () -> hash(trial.hash(), trial.eventCount()));
            }
            case PROGRAM -> {
                SurvivorTrial trial = new SurvivorTrial(seed);
                yield replay(trial.drawn(), trial::run, () -> "well, without " + trial.deaths() + " ranks",
                        () -> hash(trial.hash(), trial.eventCount()));
            }
            default -> {
                Trial trial = new Trial(seed, kind == Campaign.Kind.TCP);
                yield replay(trial.drawn(), trial::run, () -> trial.ended() ? "by the policy of its devices" : "well",
                        () -> hash(trial.hash(), trial.eventCount()) + ", " + trial.timePs() / 1_000 + " ns");
            }
        };
    }

    /** Prints what was drawn, how it ended, and the line of its hash. */
    private static int replay(String drawn, Runnable trial, Supplier<String> ended, Supplier<String> hash) {
        System.out.println(drawn);
        int status = 0;
        try {
            trial.run();
            System.out.println("ended   " + ended.get());
        } catch (RuntimeException | AssertionError | StackOverflowError failure) {
            failure.printStackTrace(System.out);
            status = 1;
        }
        System.out.println("hash    " + hash.get());
        return status;
    }

    private static String hash(long hash, long events) {
        return Long.toHexString(hash) + " of " + events + " events";
    }

    private static Campaign.Kind kind(Given given) {
        return Arrays.stream(Campaign.Kind.values()).filter(each -> each.text.equals(given.text(FABRIC))).findFirst()
                .orElseThrow();
    }

    private static int campaign(Campaign.Kind kind, long first, long seeds) {
        Campaign campaign = new Campaign(kind);
        try (StatusLine status = StatusLine.open(System.out, System.out)) {
            // Ctrl-C ends a campaign without a number of seeds.
            status.onInterrupt(campaign::summary);
            for (long seed = first; seed != first + seeds && campaign.failures() < MOST_FAILURES; seed++) {
                campaign.run(seed, 1, MOST_FAILURES, status::println);
                status.doing(Main.IS_TERMINAL
                        ? "seed " + seed + ": " + campaign.trials() + " seeds, " + campaign.failures() + " failed"
                        : campaign.summary());
            }
            status.finish(campaign.summary());
        }
        return campaign.failures() == 0 ? 0 : 1;
    }
}
