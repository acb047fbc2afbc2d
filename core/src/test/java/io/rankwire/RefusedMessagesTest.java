package io.rankwire;

import static io.rankwire.Worlds.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rankwire.device.DeviceConfig;
import io.rankwire.sim.program.Settings;
import io.rankwire.sim.program.SimulatedRanks;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that their receivers refuse: both sides get an error that names the other, the tag and the reason. */
@Timeout(300)
final class RefusedMessagesTest {
    private static final DeviceConfig REFUSE = DeviceConfig.DEFAULT.withTruncation(DeviceConfig.Truncation.REFUSE);

    private static final long DEADLINE_NS = 100_000_000_000L;

    private static byte[] ones(int bytes) {
        byte[] made = new byte[bytes];
        java.util.Arrays.fill(made, (byte) 1);
        return made;
    }

    /** Makes calls until one of them throws. */
    private static void call(Communicator all) {
        for (long end = System.nanoTime() + DEADLINE_NS; System.nanoTime() < end; ) {
            all.iprobe(1 - all.rank(), 99);
        }
    }

    private static void refuse(Communicator all, int size, boolean posted, boolean sync) {
        if (all.rank() == 1) {
            byte[] room = new byte[10];
            Request receive = posted ? all.irecv(room, 0, 5) : null;
            all.send(new byte[0], 0, 6);
            if (!posted) {
                all.receive(new byte[0], 0, 7);
                receive = all.irecv(room, 0, 5);
            }
            assertFails(ErrorClass.TRUNCATE, receive::await, "rank 1", "from rank 0", "tag 5", size + " bytes",
                    "only 10");
            assertArrayEquals(new byte[10], room);
            all.receive(room, 0, 8);
            return;
        }
        List<String> handled = new ArrayList<>();
        all.errorHandler((on, error) -> handled.add(on.name()));
        all.receive(new byte[0], 1, 6);
        Request send = sync ? all.issend(ones(size), 1, 5) : all.isend(ones(size), 1, 5);
        if (!posted) {
            all.send(new byte[0], 1, 7);
        }
        boolean late = !sync && size < 1000;
        if (late) {
            send.await();
        }
        RankwireException error = assertFails(ErrorClass.TRUNCATE, () -> {
            if (late) {
                call(all);
            } else {
                send.await();
            }
        }, "rank 0: ", "to rank 1, tag 5, on world", "refused the message", size + " bytes", "only 10");
        assertEquals(List.of("world"), handled, error.getMessage());
        all.send(ones(10), 1, 8);
    }

    @ParameterizedTest
    @ValueSource(ints = {11, 100_000})
    void shouldFailAtBothEndsIfAMessageIsTooLong(int size) {
        for (boolean posted : new boolean[] {true, false}) {
            for (boolean sync : new boolean[] {true, false}) {
                Worlds.run(2, REFUSE, world -> refuse(world.communicator(), size, posted, sync));
                SimulatedRanks.run(Settings.DEFAULT.with("device.truncation", "refuse"), 2, job -> {
                    try (World world = World.join()) {
                        refuse(world.communicator(), size, posted, sync);
                    }
                });
            }
        }
    }

    /** A call that waits for an answer which will not come ends too. */
    @Test
    void shouldEndTheCallThatWaits() {
        World.Body body = world -> {
            Communicator all = world.communicator();
            if (all.rank() == 1) {
                all.send(new byte[0], 0, 6);
                assertFails(ErrorClass.TRUNCATE, () -> all.receive(new byte[3], 0, 5), "4 bytes", "only 3");
                all.receive(new byte[0], 0, 8);
            } else {
                all.receive(new byte[0], 1, 6);
                all.send(new byte[4], 1, 5);
                assertFails(ErrorClass.TRUNCATE, () -> all.receive(new byte[1], 1, 9), "tag 5", "4 bytes", "only 3");
                all.send(new byte[0], 1, 8);
            }
        };
        Worlds.run(2, REFUSE, body);
        SimulatedRanks.run(Settings.DEFAULT.with("device.truncation", "refuse"), 2, job -> {
            try (World world = World.join()) {
                body.run(world);
            }
        });
    }

    @Test
    void shouldFailForAMessageToItself() {
        Worlds.run(1, REFUSE, world -> {
            Communicator all = world.communicator();
            all.send(new byte[4], 0, 5);
            assertFails(ErrorClass.TRUNCATE, () -> all.receive(new byte[3], 0, 5), "4 bytes", "only 3");
            assertFails(ErrorClass.TRUNCATE, () -> all.send(new byte[1], 0, 6), "to rank 0, tag 5", "only 3");
            assertFails(ErrorClass.REQUEST, () -> all.rsend(new byte[1], 0, 7), "rsend", "to rank 0", "tag 7",
                    "no receive was posted", "RefusedMessagesTest.java");
            Request receive = all.irecv(new byte[1], 0, 7);
            all.rsend(new byte[1], 0, 7);
            receive.await();
        });
    }

    private static void ready(Communicator all, int size) {
        byte[] room = new byte[size];
        if (all.rank() == 1) {
            all.send(new byte[0], 0, 6);
            assertFails(ErrorClass.REQUEST, () -> call(all), "rank 1: ", "rank 0 has called rsend", "tag 5",
                    "on world", size + " bytes", "no receive was posted", "RefusedMessagesTest.java:");
            Request receive = all.irecv(room, 0, 5);
            all.send(new byte[0], 0, 6);
            receive.await();
            assertArrayEquals(ones(size), room);
            return;
        }
        all.receive(new byte[0], 1, 6);
        assertFails(ErrorClass.REQUEST, () -> {
            all.rsend(ones(size), 1, 5);
            call(all);
        }, "rank 0: ", "rsend to rank 1, tag 5, on world", "rank 1 refused", "no receive was posted");
        all.receive(new byte[0], 1, 6);
        all.rsend(ones(size), 1, 5);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100, 100_000})
    void shouldRefuseAReadySendThatCameBeforeItsReceive(int size) {
        Worlds.run(2, DeviceConfig.DEFAULT, world -> ready(world.communicator(), size));
        SimulatedRanks.run(Settings.DEFAULT, 2, job -> {
            try (World world = World.join()) {
                ready(world.communicator(), size);
            }
        });
    }

    /** Where a receive may be on its way inside a divided matcher, nothing is proven, and nothing is refused. */
    @Test
    void shouldRefuseNoReadySendWhereMatchingIsDivided() {
        System.setProperty("rankwire.match", "optimistic:1:0");
        try {
            Worlds.run(2, world -> {
                Communicator all = world.communicator();
                for (int i = 0; i < 200; i++) {
                    byte[] in = new byte[8];
                    Request receive = all.irecv(in, 1 - all.rank(), i);
                    Worlds.meet(all);
                    all.rsend(ones(8), 1 - all.rank(), i);
                    receive.await();
                    assertArrayEquals(ones(8), in);
                }
            });
        } finally {
            System.clearProperty("rankwire.match");
        }
    }
}
