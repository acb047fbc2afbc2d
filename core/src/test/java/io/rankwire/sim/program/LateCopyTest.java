package io.rankwire.sim.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.Message;
import io.rankwire.World;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a message that came before its receive costs simulated programs: a copy, unless it is only looked at. */
@Timeout(300)
final class LateCopyTest {
    private static final int BYTES = 4000;
    /** Of so many bytes at 20 GB/s, the default of device.copy. */
    private static final long COPY_NS = 200;

    private enum Way { RECEIVE, TAKE, VIEW }

    /** Nanoseconds that rank 1 needs for the last of some messages, all of which have come before. */
    private static long takes(Way way, int messages, String... lines) {
        Settings settings = Settings.DEFAULT;
        for (String line : lines) {
            settings = settings.read(line, "test");
        }
        long[] took = new long[1];
        SimulatedRanks.run(settings, 2, null, null, job -> {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                byte[] payload = new byte[BYTES];
                if (all.rank() == 0) {
                    for (int i = 0; i < messages; i++) {
                        payload[0] = (byte) i;
                        all.send(payload, 1, i);
                    }
                } else {
                    world.spend(10_000_000);
                    took[0] = last(world, all, way, messages - 1);
                    for (int i = 0; i < messages - 1; i++) {
                        all.receive(payload, 0, i);
                    }
                }
            }
        });
        return took[0];
    }

    private static long last(World world, Communicator all, Way way, int tag) {
        byte[] in = new byte[BYTES];
        if (way == Way.RECEIVE) {
            long start = world.time();
            all.receive(in, 0, tag);
            assertEquals((byte) tag, in[0]);
            return world.time() - start;
        }
        Message message = all.mprobe(0, tag);
        long start = world.time();
        if (way == Way.TAKE) {
            message.receive(in);
            assertEquals((byte) tag, in[0]);
            return world.time() - start;
        }
        assertEquals((byte) tag, message.view().get(ValueLayout.JAVA_BYTE, 0));
        message.release();
        return world.time() - start;
    }

    @ParameterizedTest
    @ValueSource(strings = {"matcher.units = 64", "matcher.units = none", "device.offload = no"})
    void shouldCopyALateMessageInTimeAndSaveThatByAView(String device) {
        for (Way way : Way.values()) {
            long slow = takes(way, 1, device, "device.copy = 2 GB/s");
            // A host that drives its device by itself sees the message after it has posted the receive.
            boolean copies = way == Way.TAKE || way == Way.RECEIVE && !device.equals("device.offload = no");
            assertEquals(copies ? 9 * COPY_NS : 0, slow - takes(way, 1, device), 2, device + ", " + way);
        }
        assertTrue(takes(Way.VIEW, 1, device) + COPY_NS <= takes(Way.TAKE, 1, device), device);
    }

    @Test
    void shouldCopyTwiceWhatHasSpilledToHostMemory() {
        String searches = "matcher.cycle = 1 ps";
        long kept = takes(Way.RECEIVE, 10, searches, "device.spill = 40 kB");
        assertEquals(kept + COPY_NS, takes(Way.RECEIVE, 10, searches, "device.spill = 39 kB"), 2);
        assertEquals(kept + COPY_NS, takes(Way.RECEIVE, 10, searches, "device.spill = 0 B"), 2);
        assertTrue(takes(Way.VIEW, 10, "device.spill = 0 B") < COPY_NS);
    }
}
