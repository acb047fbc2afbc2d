package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.DeviceConfig;
import io.rankwire.sim.program.Settings;
import io.rankwire.sim.program.SimulatedRanks;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Large messages over a long simulated link, whose round trip holds many frames. */
@Timeout(300)
final class EarlyBytesTest {
    private static final int BYTES = 1 << 20;
    private static final int MESSAGES = 16;
    /** From the call to the end of the receive, by a link of 10 GB/s. */
    private static final long ON_THE_WIRE_NS = BYTES / 10;

    /** The time of the last of some messages, each sent when the one before has been received. */
    private static long lastNs(String latency) {
        AtomicLong last = new AtomicLong();
        Settings settings = Settings.DEFAULT.with("link.latency", latency).with("link.slots", "1024")
                .with("device.requesters", "1024");
        SimulatedRanks.run(settings, 2,
                World.rank(DeviceConfig.DEFAULT.withLarge(DeviceConfig.Large.TWO_ENDED, 64L << 20), world -> {
                    Communicator all = world.communicator();
                    byte[] message = new byte[BYTES];
                    long[] sentAt = new long[1];
                    for (int i = 0; i < MESSAGES; i++) {
                        if (all.rank() == 0) {
                            all.receive(new byte[0], 1, 2);
                            sentAt[0] = world.time();
                            all.send(message, 1, 1);
                            all.send(sentAt, 1, 3);
                        } else {
                            Request received = all.irecv(message, 0, 1);
                            all.send(new byte[0], 0, 2);
                            received.await();
                            long now = world.time();
                            all.receive(sentAt, 0, 3);
                            last.set(now - sentAt[0]);
                        }
                    }
                }));
        return last.get();
    }

    /**
     * Two links of 30 us leave some 120 us, more than the message takes, between the announcement and what the answer
     * lets go. When that is known, the message takes one way and its bytes; with fewer early bytes it takes three ways.
     */
    @Test
    void shouldFillTheRoundTripOfALongLink() {
        long near = lastNs("100 ns");
        long far = lastNs("30 us");
        long ways = (far - near) / (2 * 30_000 - 2 * 100);
        assertTrue(near < 2 * ON_THE_WIRE_NS, near + " ns on a short link");
        assertTrue(far < near + 2 * 30_000 + ON_THE_WIRE_NS / 4, far + " ns on a long link, " + near
                + " on a short one: some " + ways + " ways");
    }
}
