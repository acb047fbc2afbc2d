package io.rankwire.sim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.memory.Rand;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.sim.net.Topology;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class DevicesTest {
    private static final DeviceConfig CONFIG = new DeviceConfig(4096, 1 << 18, 64, 64, 64, 1 << 16,
            DeviceConfig.Overflow.GROW, DeviceConfig.Truncation.DELIVER, 1 << 16, 8, DeviceConfig.Large.TWO_ENDED,
            1 << 20);

    /** Only devices that have threads for all frames are moved late. */
    private static final int WITH_ALL_THREADS = DeviceModel.UNLIMITED;
    private static final DeviceModel WIDE =
            new DeviceModel(50_000, WITH_ALL_THREADS, 50_000, WITH_ALL_THREADS, 51_200, 1 << 18, 4096, true);

    private record Message(int from, int to, int tag, byte[] bytes) {}

    @Test
    void shouldDeliverMessagesOfAllSizesOverAllNetworks() {
        int seed = 0;
        for (String topology : List.of("torus:3x3x2", "fattree:4", "crossbar")) {
            for (int i = 0; i < 20; i++) {
                long hash = exchange(topology, ++seed, WITH_ALL_THREADS, true);
                assertEquals(hash, exchange(topology, seed, WITH_ALL_THREADS, true));
                assertEquals(hash, exchange(topology, seed, WITH_ALL_THREADS, false),
                        () -> "in the order of all events: " + topology);
                assertNotEquals(hash, exchange(topology, seed + 1_000, WITH_ALL_THREADS, true));
                long few = exchange(topology, seed, 1 + seed % 8, true);
                assertEquals(few, exchange(topology, seed, 1 + seed % 8, false));
            }
        }
    }

    /** Many ranks, several frames for each at about the same time, and answers to them: as in the order of all. */
    @Test
    void shouldComeToTheSameWhenDevicesAreMovedLate() {
        for (int seed = 0; seed < 6; seed++) {
            long hash = rounds(seed, WIDE.requestPs() / 2);
            assertEquals(hash, rounds(seed, 0), "seed " + seed);
            assertEquals(hash, rounds(seed, WIDE.requestPs() / 7), "seed " + seed);
        }
    }

    /** Every rank gets a message of each of a few others, then goes to the next round. */
    private static long rounds(int seed, long patiencePs) {
        Rand rand = new Rand(seed);
        int ranks = 300;
        int partners = 5;
        int[] shifts = new int[partners];
        for (int i = 0; i < partners; i++) {
            shifts[i] = seed % 2 == 0 ? 1 + i : 1 + rand.below(ranks - 1);
        }
        LinkModel links = new LinkModel(20_000, 102_400, 2 + rand.below(8), 32);
        Devices devices = new Devices(Topology.parse("torus", ranks), links, WIDE,
                CONFIG.withUnexpectedBytes(1 << 24), ranks, 1, NodeModel.DEFAULT, patiencePs);
        Operation[] receives = new Operation[ranks * partners];
        int[] round = new int[ranks];
        byte[] out = new byte[64];
        byte[] in = new byte[64];
        for (int rank = 0; rank < ranks; rank++) {
            devices.wake(rank, rank % 3 * 1_000L);
        }
        devices.run(rank -> {
            Device device = devices.device(rank);
            for (int i = 0; i < partners && round[rank] > 0; i++) {
                if (!receives[rank * partners + i].isDone()) {
                    return;
                }
            }
            for (int i = 0; i < partners && round[rank] > 0; i++) {
                device.release(receives[rank * partners + i]);
            }
            if (++round[rank] > 12) {
                return;
            }
            for (int i = 0; i < partners; i++) {
                int from = Math.floorMod(rank - shifts[i], ranks);
                receives[rank * partners + i] = device.receive(1, from, round[rank] * 8 + i, in, 0, in.length, 1);
            }
            for (int i = 0; i < partners; i++) {
                assertTrue(device.sendNow(1, (rank + shifts[i]) % ranks, round[rank] * 8 + i, out, 0, out.length, 1));
            }
        });
        for (int rank = 0; rank < ranks; rank++) {
            assertEquals(13, round[rank]);
        }
        return devices.events().hash();
    }

    private static long exchange(String topology, int seed, int threads, boolean late) {
        Rand rand = new Rand(seed);
        int ranks = 18;
        DeviceModel model = new DeviceModel(rand.below(90_000), threads, rand.below(90_000), threads,
                rand.below(100_000), 8192 + rand.below(100_000), 4096, true)
                .withLimits(new DeviceModel.Limits(0, 4096 + rand.below(8192)));
        LinkModel links = new LinkModel(1 + rand.below(200_000), rand.below(200_000), 2 + rand.below(16), 32);
        Devices devices = new Devices(Topology.parse(topology, ranks), links, model, CONFIG, ranks, 1,
                NodeModel.DEFAULT, late ? model.requestPs() / 2 : 0);
        List<Message> messages = new ArrayList<>();
        List<byte[]> received = new ArrayList<>();
        List<Operation> operations = new ArrayList<>();
        int[] tags = new int[ranks * ranks];
        for (int i = 0; i < 200; i++) {
            int from = rand.below(ranks);
            int to = rand.below(ranks);
            byte[] bytes = new byte[rand.chance(1, 6) ? rand.below(200_000) : rand.below(3_000)];
            for (int at = 0; at < bytes.length; at++) {
                bytes[at] = (byte) rand.nextLong();
            }
            messages.add(new Message(from, to, tags[from * ranks + to]++, bytes));
            received.add(new byte[bytes.length]);
        }
        for (int rank = 0; rank < ranks; rank++) {
            devices.wake(rank, rand.below(5_000_000));
        }
        boolean[] started = new boolean[ranks];
        devices.run(rank -> {
            if (!started[rank]) {
                started[rank] = true;
                start(devices.device(rank), rank, messages, received, operations);
            }
        });
        assertEquals(0, devices.fabric().underWay());
        for (Operation operation : operations) {
            assertTrue(operation.isDone());
        }
        for (int i = 0; i < messages.size(); i++) {
            assertArrayEquals(messages.get(i).bytes, received.get(i));
        }
        return devices.events().hash();
    }

    private static void start(Device device, int rank, List<Message> messages, List<byte[]> received,
            List<Operation> operations) {
        for (int i = 0; i < messages.size(); i++) {
            Message message = messages.get(i);
            if (message.to == rank) {
                operations.add(device.receive(1, message.from, message.tag, received.get(i), 0, message.bytes.length,
                        1));
            }
            if (message.from == rank) {
                operations.add(device.send(Operation.Mode.STANDARD, 1, message.to, message.tag, message.bytes, 0,
                        message.bytes.length, 1));
            }
        }
    }
}
