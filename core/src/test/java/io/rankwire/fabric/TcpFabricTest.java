package io.rankwire.fabric;

import static org.junit.jupiter.api.Assertions.assertNull;

import io.rankwire.fabric.tcp.LoopbackRanks;
import io.rankwire.fabric.tcp.TcpConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ports over real sockets of one process keep the contract of all fabrics. */
final class TcpFabricTest extends FabricContract {
    /** A connection needs this many visits of both ranks before it carries frames. */
    private static final int ROUNDS = 8;
    /** One thread closes all ports here: a port that waits for the others would wait in vain. */
    private static final TcpConfig CONFIG = new TcpConfig(0, 60_000_000_000L, 0);

    private LoopbackRanks loopback;
    private final List<Port> opened = new ArrayList<>();

    @Override
    Port open(int rank, int ranks) throws Exception {
        if (loopback == null) {
            loopback = new LoopbackRanks(ranks);
        }
        Port port = loopback.open(rank, CONFIG);
        opened.add(port);
        return port;
    }

    @AfterEach
    void closeListening() throws IOException {
        loopback.close();
    }

    @Test
    void shouldCarryMessagesOfDevices() throws Exception {
        carryMessages(port(0, 2), port(1, 2));
    }

    @Override
    void pass() {
        for (int round = 0; round < ROUNDS; round++) {
            for (Port port : opened) {
                assertNull(port.advance(System.nanoTime()));
                port.rest();
            }
        }
    }
}
