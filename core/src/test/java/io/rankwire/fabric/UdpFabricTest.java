package io.rankwire.fabric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.device.flow.FlowConfig;
import io.rankwire.device.flow.FlowPort;
import io.rankwire.fabric.udp.LoopbackSockets;
import io.rankwire.type.ElementType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ports over real datagrams, with the flow layer above, keep the contract of all fabrics. */
final class UdpFabricTest extends FabricContract {
    private LoopbackSockets sockets;
    private final List<Port> opened = new ArrayList<>();

    @Override
    Port open(int rank, int ranks) throws Exception {
        if (sockets == null) {
            sockets = new LoopbackSockets(ranks);
        }
        Port port = FlowPort.over(sockets.open(rank), FlowConfig.DATAGRAMS, 1, System.nanoTime());
        opened.add(port);
        return port;
    }

    @AfterEach
    void closeSockets() {
        sockets.close();
    }

    @Override
    void pass() {
        for (Port port : opened) {
            assertNull(port.advance(System.nanoTime()));
        }
    }

    @Override
    boolean handsOverLate() {
        return true;
    }

    @Test
    void shouldCarryMessagesOfDevices() throws Exception {
        Device a = new Device(DeviceConfig.DEFAULT, port(0, 2));
        Device b = new Device(DeviceConfig.DEFAULT, port(1, 2));
        int type = ElementType.BYTE.code();
        for (int bytes : new int[] {0, 8, 20_000, 3_000_000}) {
            byte[] message = new byte[bytes];
            for (int i = 0; i < bytes; i++) {
                message[i] = (byte) (i * 31 >>> 3);
            }
            byte[] got = new byte[bytes];
            Operation receive = b.receive(0, 0, 1, got, 0, bytes, type);
            Operation send = a.send(Operation.Mode.STANDARD, 0, 1, 1, message, 0, bytes, type);
            long until = System.nanoTime() + 120_000_000_000L;
            while (!receive.isDone() || !send.isDone()) {
                assertTrue(System.nanoTime() < until, "a message of " + bytes + " bytes does not arrive");
                for (Device device : new Device[] {a, b}) {
                    assertNull(device.advance(System.nanoTime()));
                    device.progress(System.nanoTime());
                }
            }
            assertEquals(Code.OK, receive.code());
            assertArrayEquals(message, got);
            a.release(send);
            b.release(receive);
        }
    }
}
