package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.fabric.Members;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.tcp.LoopbackRanks;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SilentPeersTest {
    private static final int[] SIZES = {100, 10_100};

    /** The port and the device of a rank; the table of addresses is that of the job. */
    @ParameterizedTest
    @ValueSource(strings = {Fabrics.TCP, Fabrics.UDP})
    void shouldTakeFewBytesForASilentPeer(String fabric, TestReporter reporter) throws Exception {
        // The first one also loads classes.
        taken(fabric, SIZES[0]);
        double each = (double) (taken(fabric, SIZES[1]) - taken(fabric, SIZES[0])) / (SIZES[1] - SIZES[0]);
        reporter.publishEntry("bytes for a silent peer over " + fabric, Double.toString(each));
        assertTrue(each <= 64, each + " bytes for a silent peer");
    }

    private static long taken(String fabric, int size) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        InetSocketAddress nowhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 9);
        Members members = new Members(0, Collections.nCopies(size, nowhere), Collections.nCopies(size, "a host"),
                LoopbackRanks.SECRET);
        RankSocket socket = Fabrics.bind(fabric, InetAddress.getLoopbackAddress(), 0);
        long before = threads.getCurrentThreadAllocatedBytes();
        try (Port port = socket.open(members, 0, 2)) {
            Device device = new Device(DeviceConfig.DEFAULT, port);
            for (int poll = 0; poll < 1_000; poll++) {
                device.progress(System.nanoTime());
            }
            return threads.getCurrentThreadAllocatedBytes() - before;
        }
    }
}
