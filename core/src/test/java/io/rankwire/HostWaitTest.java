package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rankwire.runtime.Host;
import org.junit.jupiter.api.Test;

final class HostWaitTest {
    /** A condition that had become true while the thread slept was evaluated again, and the wait did not end. */
    @Test
    void shouldNotEvaluateAConditionAgainThatWasTrue() {
        int[] taken = {0};
        Worlds.run(1, world -> {
            long free = System.nanoTime() + 100_000_000;
            Host host = world.session().host();
            host.lock();
            try {
                host.await(() -> System.nanoTime() > free && taken[0]++ == 0, new Host.Waiting() {
                    @Override
                    public String describe() {
                        return "a word";
                    }

                    @Override
                    public int peer() {
                        return -1;
                    }
                });
            } finally {
                host.unlock();
            }
        });
        assertEquals(1, taken[0]);
    }
}
