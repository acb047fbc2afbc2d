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

class DevicesTest {
    private static final DeviceConfig CONFIG = new DeviceConfig(4096, 1 << 18, 64, 64, 64, 1 << 16,
            DeviceConfig.Overflow.GROW, DeviceConfig.Truncation.DELIVER, 1 << 16, 8, DeviceConfig.Large.TWO_ENDED,
            1 << 20);

    private record Message(int from, int to, int tag, byte[] bytes) {}

    @Test
    void shouldDeliverMessagesOfAllSizesOverAllNetworks() {
        int seed = 0;
        for (String topology : List.of("torus:3x3x2", "fattree:4", "crossbar")) {
            for (int i = 0; i < 20; i++) {
                long hash = exchange(topology, ++seed);
                assertEquals(hash, exchange(topology, seed));
                assertNotEquals(hash, exchange(topology, seed + 1_000));
            }
        }
    }

    private static long exchange(String topology, int seed) {
        Rand rand = new Rand(seed);
        int ranks = 18;
        DeviceModel model = new DeviceModel(rand.below(90_000), 1 + rand.below(8), rand.below(90_000),
                1 + rand.below(8), rand.below(100_000), 8192 + rand.below(100_000), 4096, true);
        LinkModel links = new LinkModel(1 + rand.below(200_000), rand.below(200_000), 2 + rand.below(16), 32);
        Devices devices = new Devices(Topology.parse(topology, ranks), links, model, CONFIG, ranks);
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
