package io.rankwire.tools;

import io.rankwire.sim.fault.Campaign;
import io.rankwire.sim.fault.Trial;
import java.util.Collections;
import java.util.List;

/** {@code rankwire sim --campaign} and {@code rankwire sim --seed S --replay}: devices on fabrics that fail. */
final class CampaignCommand {
    static final String HELP = """
            rankwire sim --campaign [--from SEED] [--seeds N]   faults drawn from seeds, one after another, for ever
                                                                or N of them; a line for each that fails
            rankwire sim --seed SEED --replay                   the same faults once more, told in full
            """;
    private static final long FIRST = 1;
    private static final int MOST_FAILURES = 100;

    private CampaignCommand() {}

    /** Whether the words behind {@code rankwire sim} are for this command: they name no number of ranks. */
    static boolean isMeant(String[] args) {
        List<String> words = List.of(args);
        return Collections.disjoint(words, List.of("-n", "-np", "--ranks"))
                && (words.contains("--campaign") || words.contains("--replay"));
    }

    static int run(String[] args) {
        Words words = new Words("sim", args);
        long seed = FIRST;
        long seeds = -1;
        boolean replay = false;
        while (!words.isEmpty()) {
            String option = words.detach(words.next());
            switch (option) {
                case "--campaign" -> { }
                case "--replay" -> replay = true;
                case "--seed", "--from" -> seed = seed(option, words.valueOf(option));
                case "--seeds" -> seeds = words.numberOf(option);
                default -> throw words.wrong("option " + option + " does not go with --campaign or --replay");
            }
        }
        return replay ? replay(seed) : campaign(seed, seeds);
    }

    private static long seed(String option, String text) {
        try {
            return Long.decode(text);
        } catch (NumberFormatException e) {
            throw new UsageException("sim: option " + option + " needs a number, not " + text);
        }
    }

    private static int replay(long seed) {
        Trial trial = new Trial(seed);
        System.out.println(trial.drawn());
        int status = 0;
        try {
            trial.run();
            System.out.println(trial.ended() ? "ended   by the policy of its devices" : "ended   well");
        } catch (RuntimeException | AssertionError | StackOverflowError failure) {
            failure.printStackTrace(System.out);
            status = 1;
        }
        System.out.println("hash    " + Long.toHexString(trial.hash()) + " of " + trial.eventCount() + " events, "
                + trial.timePs() / 1_000 + " ns");
        return status;
    }

    private static int campaign(long first, long seeds) {
        Campaign campaign = new Campaign();
        StatusLine status = StatusLine.open(System.out, System.out);
        // A campaign without an end is ended by Ctrl-C.
        Thread interrupted = new Thread(() -> {
            status.close();
            System.out.println(campaign.summary());
        });
        Runtime.getRuntime().addShutdownHook(interrupted);
        for (long seed = first; seed != first + seeds && campaign.failures() < MOST_FAILURES; seed++) {
            campaign.run(seed, 1, MOST_FAILURES, status::println);
            status.doing(StatusLine.TERMINAL
                    ? "seed " + seed + ": " + campaign.trials() + " seeds, " + campaign.failures() + " failed"
                    : campaign.summary());
        }
        if (removed(interrupted)) {
            status.close();
            System.out.println(campaign.summary());
        }
        return campaign.failures() == 0 ? 0 : 1;
    }

    /** False while the command is being ended, when the hook has the last word. */
    private static boolean removed(Thread hook) {
        try {
            return Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return false;
        }
    }
}
