package io.rankwire;

import static io.rankwire.Worlds.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.DeviceConfig;
import io.rankwire.sim.program.Settings;
import io.rankwire.sim.program.SimulatedRanks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Byte counters at both ends of large messages, and priorities as programs set them. */
@Timeout(300)
final class ByteCounterTest {
    private static final int BYTES = 4 << 20;
    private static final DeviceConfig IN_FRAMES =
            DeviceConfig.DEFAULT.withLarge(DeviceConfig.Large.TWO_ENDED, 64L << 20);

    private static void countDown(World world, int steps) {
        Communicator all = world.communicator();
        byte[] first = new byte[BYTES];
        byte[] second = new byte[BYTES];
        ByteCounter counter = new ByteCounter(world);
        boolean sends = all.rank() == 0;
        Request one = sends ? all.isend(first, 1, 1) : all.irecv(first, 0, 1);
        Request two = sends ? all.isend(second, 1, 2) : all.irecv(second, 0, 2);
        counter.add(one);
        counter.add(two);
        long before = 2L * BYTES;
        int between = 0;
        for (long left = counter.left(); left > BYTES / 2; left = counter.left()) {
            assertTrue(left <= before, left + " after " + before);
            between += left < before ? 1 : 0;
            before = left;
        }
        assertTrue(between >= steps, "counted down in " + between + " steps");
        counter.await(0);
        assertEquals(0, counter.left());
        assertTrue(one.test() && two.test());
        one.await();
        two.await();
    }

    @Test
    void shouldCountDownAtBothEnds() {
        SimulatedRanks.run(Settings.DEFAULT, 2, World.rank(IN_FRAMES, world -> countDown(world, 5)));
        // A rank that does not run for a moment may see no number between the first and the last.
        Worlds.run(2, IN_FRAMES, world -> countDown(world, 0));
    }

    @Test
    void shouldRefuseWrongArguments() {
        Worlds.run(1, world -> {
            assertFails(ErrorClass.ARGUMENT, () -> new ByteCounter(null), "world is null");
            ByteCounter counter = new ByteCounter(world);
            assertFails(ErrorClass.REQUEST, () -> counter.add(null), "request is null");
            assertFails(ErrorClass.ARGUMENT, () -> counter.await(-1), "most: -1");
            counter.await(0);
            assertFails(ErrorClass.ARGUMENT, () -> world.communicator().priority(null), "other is null");
        });
    }

    /** The virtual time at which a message of 256 KiB is here that was sent behind one of 4 MiB. */
    private static long arrivalNs(Priority bulk, Priority other) {
        long[] arrival = new long[1];
        SimulatedRanks.run(Settings.DEFAULT, 2, World.rank(IN_FRAMES, world -> {
            Communicator all = world.communicator();
            Communicator second = all.duplicate();
            all.priority(bulk);
            second.priority(other);
            assertEquals(other, second.priority());
            byte[] large = new byte[BYTES];
            byte[] small = new byte[256 << 10];
            boolean sends = all.rank() == 0;
            Request first = sends ? all.isend(large, 1, 1) : all.irecv(large, 0, 1);
            Request then = sends ? second.isend(small, 1, 1) : second.irecv(small, 0, 1);
            then.await();
            arrival[0] = sends ? arrival[0] : world.time();
            first.await();
            second.free();
        }));
        return arrival[0];
    }

    @Test
    void shouldLetUrgentMessagesPassABulkTransfer() {
        long plain = arrivalNs(Priority.NORMAL, Priority.NORMAL);
        long urgent = arrivalNs(Priority.NORMAL, Priority.HIGH);
        long beforeBulk = arrivalNs(Priority.LOW, Priority.NORMAL);
        assertTrue(urgent < plain / 3, urgent + " ns, without priority " + plain);
        assertTrue(beforeBulk < plain / 3, beforeBulk + " ns, without priority " + plain);
    }
}
