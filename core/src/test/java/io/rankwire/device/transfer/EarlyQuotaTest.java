package io.rankwire.device.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class EarlyQuotaTest {
    private static final long LEAST = 8_000;
    private static final long FIRST = 64_000;
    private static final long LARGE = 1 << 20;

    private final EarlyQuota quota = new EarlyQuota(LEAST, FIRST);

    /** A peer whose answer comes when so many bytes could have been pushed. */
    private void answer(long roundTrip, int times) {
        for (int i = 0; i < times; i++) {
            quota.answered(Math.min(roundTrip, quota.bytes()), LARGE);
        }
    }

    @Test
    void shouldSettleOnTheBytesOfARoundTrip() {
        answer(20_000, 50);
        assertTrue(quota.bytes() >= 20_000 && quota.bytes() <= 40_000, "quota " + quota.bytes());
    }

    @Test
    void shouldFollowAPeerThatBecomesSlower() {
        answer(10_000, 50);
        answer(50_000, 50);
        assertTrue(quota.bytes() >= 50_000, "quota " + quota.bytes());
    }

    @Test
    void shouldNotFallBelowOneChunk() {
        answer(1, 100);
        assertEquals(LEAST, quota.bytes());
    }

    /** A message that is longer than the quota so far, and an answer that comes when all of the quota has gone. */
    @Test
    void shouldGrowToWhatALongRoundTripHolds() {
        answer(LARGE - 1, 50);
        assertTrue(quota.bytes() >= LARGE - 1, "quota " + quota.bytes());
    }

    @Test
    void shouldLearnNothingFromAMessageThatEndedBeforeTheQuota() {
        long before = quota.bytes();
        quota.answered(9_000, 9_000);
        assertEquals(before, quota.bytes());
    }
}
