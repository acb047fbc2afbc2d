package io.rankwire.device;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Frames that no device sends, at a device with operations of all kinds under way. */
final class MalformedFramesTest {
    private static final long SEED = Long.getLong("rankwire.hostile.seed", 20261116);
    private static final int EPISODES = Integer.getInteger("rankwire.hostile.episodes", 160);
    private static final int FRAMES = 4_000;

    @Test
    void shouldRefuseThemAndWorkOnWithOthers() throws InterruptedException {
        long[] counts = new long[2];
        Throwable[] failure = new Throwable[1];
        // A thread of its own has a short stack, which makes exceptions cheap.
        Thread thread = new Thread(() -> {
            long seed = SEED;
            try {
                for (; seed < SEED + EPISODES; seed++) {
                    HostileEpisode episode = new HostileEpisode(seed);
                    episode.run(FRAMES);
                    counts[0] += episode.malformed;
                    counts[1] += episode.refused;
                }
            } catch (Throwable e) {
                failure[0] = new AssertionError("-Drankwire.hostile.seed=" + seed, e);
            }
        });
        thread.start();
        thread.join();
        if (failure[0] instanceof AssertionError e) {
            throw e;
        }
        assertTrue(EPISODES < 160 || counts[0] >= 600_000 && counts[1] >= counts[0] / 4,
                () -> counts[0] + " frames, " + counts[1] + " refused");
    }
}
