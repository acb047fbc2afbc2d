package io.rankwire.fabric;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.rankwire.fabric.tcp.LoopbackRanks;
import io.rankwire.fabric.tcp.TcpConfig;
import io.rankwire.fabric.tcp.TcpFabric;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

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
    void shouldTakeFewBytesForASilentPeer(TestReporter reporter) throws Exception {
        loopback = new LoopbackRanks(1);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] taken = new long[2];
        int[] sizes = {100, 10_100};
        // The first one also loads classes.
        for (int i = -1; i < sizes.length; i++) {
            int size = sizes[Math.max(i, 0)];
            InetSocketAddress nowhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 9);
            Members members = new Members(0, Collections.nCopies(size, nowhere), Collections.nCopies(size, "a host"),
                    LoopbackRanks.SECRET);
            try (ServerSocketChannel listening = ServerSocketChannel.open().bind(null)) {
                long before = threads.getCurrentThreadAllocatedBytes();
                try (Port port = TcpFabric.open(members, listening, CONFIG)) {
                    for (int poll = 0; poll < 1_000; poll++) {
                        port.advance(System.nanoTime());
                        port.poll((peer, meta, header, memory, payload, bytes) -> { }, 16);
                    }
                    taken[Math.max(i, 0)] = threads.getCurrentThreadAllocatedBytes() - before;
                }
            }
        }
        double each = (double) (taken[1] - taken[0]) / (sizes[1] - sizes[0]);
        reporter.publishEntry("bytes for a silent peer", Double.toString(each));
        assertTrue(each <= 64, each + " bytes for a silent peer");
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
