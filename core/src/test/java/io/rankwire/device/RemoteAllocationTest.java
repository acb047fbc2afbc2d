package io.rankwire.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.rankwire.device.Operation.Mode;
import io.rankwire.device.onesided.RegionTable;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.PortLayer;
import io.rankwire.fabric.PrivateMemory;
import io.rankwire.fabric.RemoteMemory;
import io.rankwire.fabric.Shared;
import io.rankwire.fabric.SharedMemory;
import io.rankwire.fabric.local.LocalFabric;
import io.rankwire.type.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import jdk.jfr.FlightRecorder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages and accesses that the network makes allocate nothing once a program has warmed up. */
@Timeout(300)
final class RemoteAllocationTest {
    private static final int BYTES = 1_200_000;
    private static final int WARM_UP = 3_000;
    private static final int BATCHES = 20;
    private static final int BATCH = 50;
    private static final int EVENT = 64;
    private static final int RAW = ElementType.RAW.code();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final LocalFabric fabric = new LocalFabric(2, 2048);
    private final CopyingPort[] ports = {new CopyingPort(fabric.open(0)), new CopyingPort(fabric.open(1))};
    private final Device a = new Device(DeviceConfig.DEFAULT, ports[0]);
    private final Device b = new Device(DeviceConfig.DEFAULT, ports[1]);
    private final Shared atA = ports[0].memory().allocate(BYTES);
    private final Shared atB = ports[1].memory().allocate(BYTES);
    private long now;

    /** Rings for frames; memory of the peer is copied at once, and shown as done the second time. */
    private final class CopyingPort extends PortLayer implements RemoteMemory {
        private final PrivateMemory memory = new PrivateMemory(self());
        private long asked;
        private long accesses;

        CopyingPort(Port below) {
            super(below);
        }

        @Override
        public SharedMemory memory() {
            return memory;
        }

        @Override
        public SharedMemory messageMemory() {
            return memory;
        }

        @Override
        public RemoteMemory remoteMemory() {
            return this;
        }

        @Override
        public boolean reaches(int rank) {
            return rank != self();
        }

        @Override
        public long worthFrom(int rank) {
            return 1;
        }

        @Override
        public void offer(Shared shared) {}

        @Override
        public void withdraw(Shared shared) {}

        @Override
        public long read(int rank, long place, long offset, Shared to, long toOffset, long bytes) {
            MemorySegment.copy(ports[rank].memory.peer(rank, place), offset, to.memory(), toOffset, bytes);
            return ++accesses;
        }

        @Override
        public long write(int rank, long place, long offset, Shared from, long fromOffset, long bytes) {
            MemorySegment.copy(from.memory(), fromOffset, ports[rank].memory.peer(rank, place), offset, bytes);
            return ++accesses;
        }

        @Override
        public int state(long ticket) {
            return ++asked % 2 == 0 ? DONE : PENDING;
        }
    }

    @AfterEach
    void close() {
        for (CopyingPort port : ports) {
            port.memory.close();
        }
        fabric.close();
    }

    private void progress() {
        now += 1_000;
        a.progress(now);
        b.progress(now);
    }

    private static void assertNoBytes(long ofEvents, Runnable round) {
        for (int i = 0; i < WARM_UP; i++) {
            round.run();
        }
        long least = Long.MAX_VALUE;
        for (int batch = 0; batch < BATCHES; batch++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < BATCH; i++) {
                round.run();
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertTrue(least <= BATCH * ofEvents, least + " bytes allocated for " + BATCH + " rounds");
    }

    @Test
    void shouldAllocateNothingForAMessage() {
        // Once there was a recording in this process, each end of a large message asks whether there is one.
        assertNoBytes(FlightRecorder.isInitialized() ? 2 * EVENT : 0, () -> {
            Operation received = b.receive(0, 0, 1, atB.memory(), 0, BYTES, RAW);
            Operation sent = a.send(Mode.STANDARD, 0, 1, 1, atA.memory(), 0, BYTES, RAW);
            while (!sent.isDone() || !received.isDone()) {
                progress();
            }
            a.release(sent);
            b.release(received);
        });
        assertTrue(ports[1].accesses > WARM_UP, "the network reads");
    }

    @Test
    void shouldAllocateNothingForAnAccess() {
        int key = b.oneSided().regions().add(atB.memory(), 0, BYTES, RAW, RegionTable.READ | RegionTable.WRITE);
        Channel channel = a.oneSided().open(1, key);
        channel.byEngine(atB.id(), 0);
        assertNoBytes(0, () -> {
            assertTrue(a.oneSided().putByEngine(channel, RAW, atA.memory(), 0, BYTES, 0, null));
            assertTrue(a.oneSided().getByEngine(channel, RAW, atA.memory(), 0, BYTES, 0, null));
            a.oneSided().flush(channel);
            while (!channel.flushed()) {
                progress();
            }
        });
        assertEquals(Code.OK, channel.takeRefusal());
    }
}
