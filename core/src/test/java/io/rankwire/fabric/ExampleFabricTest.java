package io.rankwire.fabric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.memory.Rand;
import io.rankwire.type.ElementType;
import org.junit.jupiter.api.Test;

/** The smallest backend keeps the contract, and devices work on it. */
final class ExampleFabricTest extends FabricContract {
    private ExampleFabric fabric;

    @Override
    Port open(int rank, int ranks) {
        if (fabric == null) {
            fabric = new ExampleFabric(ranks);
        }
        return fabric.open(rank);
    }

    @Test
    void shouldCarryMessagesOfDevices() throws Exception {
        Device a = new Device(DeviceConfig.DEFAULT, port(0, 2));
        Device b = new Device(DeviceConfig.DEFAULT, port(1, 2));
        Rand rand = new Rand(3);
        for (int bytes : new int[] {0, 1, 2048, 2049, 8000, 100_000, 3_000_000}) {
            byte[] message = new byte[bytes];
            for (int i = 0; i < bytes; i++) {
                message[i] = (byte) rand.nextLong();
            }
            byte[] got = new byte[bytes];
            int type = ElementType.BYTE.code();
            Operation receive = b.receive(0, 0, 1, got, 0, bytes, type);
            Operation send = a.send(Operation.Mode.STANDARD, 0, 1, 1, message, 0, bytes, type);
            for (int rounds = 0; !receive.isDone() || !send.isDone(); rounds++) {
                assertTrue(rounds < 100_000, "a message of " + bytes + " bytes does not arrive");
                a.progress(rounds);
                b.progress(rounds);
            }
            assertEquals(Code.OK, receive.code());
            assertArrayEquals(message, got);
            a.release(send);
            b.release(receive);
        }
    }
}
