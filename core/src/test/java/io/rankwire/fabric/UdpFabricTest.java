package io.rankwire.fabric;

import static org.junit.jupiter.api.Assertions.assertNull;

import io.rankwire.device.flow.FlowConfig;
import io.rankwire.device.flow.FlowPort;
import io.rankwire.fabric.udp.LoopbackSockets;
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
        carryMessages(port(0, 2), port(1, 2));
    }
}
