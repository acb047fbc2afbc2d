package io.rankwire.sim.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class CampaignTest {
    private static final long FIRST = Long.getLong("rankwire.sim.from", 1);
    private static final long SEEDS = Long.getLong("rankwire.sim.seeds", 3_500);
    private static final long AGREE_SEEDS = Long.getLong("rankwire.sim.agree.seeds", 10_000);
    private static final long PROGRAM_SEEDS = Long.getLong("rankwire.sim.program.seeds", 10_000);
    private static final long TCP_SEEDS = Long.getLong("rankwire.sim.tcp.seeds", 100);
    /** Seeds that have failed once. What they draw changes; the bug that they showed has a test of its own. */
    private static final long[] KEPT =
            {15, 6_716, 1_009_542, 2_014_292, 2_028_263, 2_029_266, 2_038_493, 2_039_684, 2_051_098, 3_006_000,
                5_003_847};

    /** The last five: a damaged frame was taken, or frames overtook others that waited for their match. */
    private static final long[] KEPT_PROGRAMS =
            {21_260, 47_247, 78_958, 100_184, 253_415, 123_724, 362_275, 640_191, 690_365, 793_649};
    /** Of devices over tcp: ranks took others that live for dead. */
    private static final long[] KEPT_OVER_TCP = {359, 408, 2_998, 3_739, 5_046, 5_625, 5_982};

    @Test
    void shouldKeepEveryPromiseUnderFaults() {
        Campaign campaign = new Campaign();
        List<String> failures = new ArrayList<>();
        campaign.run(FIRST, SEEDS, 5, failures::add);
        assertEquals("", String.join("\n", failures));
        assertEquals(SEEDS, campaign.trials());
        if (SEEDS >= 1_000) {
            for (Fault fault : Fault.values()) {
                assertTrue(campaign.happened(fault) > SEEDS / 100, () -> fault + " is rare: " + campaign.summary());
            }
            assertTrue(campaign.passing() > SEEDS / 10, () -> campaign.passing() + " messages have passed others");
            assertTrue(campaign.ended() > 0 && campaign.ended() < SEEDS / 50, campaign.summary());
        }
    }

    @Test
    void shouldKeepEveryPromiseOverConnectionsThatBreak() {
        Campaign campaign = new Campaign(Campaign.Kind.TCP);
        List<String> failures = new ArrayList<>();
        campaign.run(FIRST, TCP_SEEDS, 5, failures::add);
        assertEquals("", String.join("\n", failures));
        assertEquals(TCP_SEEDS, campaign.trials());
        if (TCP_SEEDS >= 100) {
            for (Breaks.Kind kind : Breaks.Kind.values()) {
                assertTrue(campaign.happened(kind) > TCP_SEEDS / 10, () -> kind + " is rare: " + campaign.summary());
            }
            assertTrue(campaign.happened(Fault.KILL) > TCP_SEEDS / 50, campaign::summary);
        }
    }

    @Test
    void shouldAgreeWhoeverDies() {
        Campaign campaign = new Campaign(Campaign.Kind.AGREE);
        List<String> failures = new ArrayList<>();
        campaign.run(FIRST, AGREE_SEEDS, 5, failures::add);
        assertEquals("", String.join("\n", failures));
        assertEquals(AGREE_SEEDS, campaign.trials());
        assertTrue(AGREE_SEEDS < 1_000 || campaign.deaths() > AGREE_SEEDS, campaign::summary);
    }

    @Test
    void shouldGoOnWhoeverIsKilled() {
        Campaign campaign = new Campaign(Campaign.Kind.PROGRAM);
        List<String> failures = new ArrayList<>();
        campaign.run(FIRST, PROGRAM_SEEDS, 5, failures::add);
        assertEquals("", String.join("\n", failures));
        assertEquals(PROGRAM_SEEDS, campaign.trials());
        assertTrue(PROGRAM_SEEDS < 1_000 || campaign.deaths() > PROGRAM_SEEDS / 2, campaign::summary);
    }

    @Test
    void shouldKeepPromisesThatWereBrokenOnce() {
        for (long seed : KEPT_PROGRAMS) {
            assertEquals(null, new Campaign(Campaign.Kind.PROGRAM).one(seed), () -> "seed " + seed);
        }
        for (long seed : KEPT) {
            assertEquals(null, new Campaign().one(seed), () -> "seed " + seed);
        }
        for (long seed : KEPT_OVER_TCP) {
            assertEquals(null, new Campaign(Campaign.Kind.TCP).one(seed), () -> "seed " + seed);
        }
    }

    @Test
    void shouldDoTheSameAgain() {
        for (long seed = 1; seed <= 40; seed++) {
            boolean overTcp = seed % 4 == 0;
            Trial first = new Trial(seed, overTcp);
            Trial again = new Trial(seed, overTcp);
            Trial other = new Trial(seed + 1_000, overTcp);
            assertEquals(first.drawn(), again.drawn());
            assertNotEquals(first.drawn(), other.drawn());
            first.run();
            again.run();
            other.run();
            assertEquals(first.hash(), again.hash());
            assertNotEquals(first.hash(), other.hash());
            AgreeTrial agree = new AgreeTrial(seed);
            AgreeTrial repeated = new AgreeTrial(seed);
            agree.run();
            repeated.run();
            assertEquals(agree.hash(), repeated.hash());
        }
    }
}
