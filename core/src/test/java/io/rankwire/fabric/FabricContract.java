package io.rankwire.fabric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.memory.Rand;
import io.rankwire.type.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every fabric promises, whatever carries its frames. A backend that passes this can carry devices. */
abstract class FabricContract {
    static final int MANY = 70;
    static final int LIMIT = 32;
    private static final int MOST_STEPS = 200_000;

    /** A frame as it arrived; the payload is checked on the spot and only its size kept. */
    record Got(int to, int peer, int meta, long header, int bytes) {}

    private final List<Port> ports = new ArrayList<>();
    final List<Got> got = new ArrayList<>();

    /** Opens a rank's port; all ports of a test are on one fabric, which is made with the first of them. */
    abstract Port open(int rank, int ranks) throws Exception;

    /** Lets time pass, on a fabric that needs some to carry a frame, or that has a layer with timeouts above it. */
    void pass() {}

    /** Whether a port may hand over more frames than the limit: those that had to wait for a missing one. */
    boolean handsOverLate() {
        return false;
    }

    final Port port(int rank, int ranks) throws Exception {
        return opened(open(rank, ranks));
    }

    final Port opened(Port port) {
        ports.add(port);
        return port;
    }

    @AfterEach
    final void closePorts() {
        ports.forEach(Port::close);
    }

    final FrameSink sink(int to) {
        return (peer, meta, header, memory, payload, bytes) -> {
            for (int i = 0; i < bytes; i++) {
                if (memory.get(ValueLayout.JAVA_BYTE, payload + i) != (byte) (header * 7 + i)) {
                    throw new AssertionError("byte " + i + " of frame " + header + " from " + peer + " was changed");
                }
            }
            got.add(new Got(to, peer, meta, header, bytes));
        };
    }

    static boolean send(Port from, int to, int meta, long header, int bytes) {
        Outlet outlet = from.outlet(to);
        long at = outlet.claim(bytes);
        if (at == Outlet.FULL) {
            return false;
        }
        write(outlet, at, meta, header, bytes);
        return true;
    }

    private static void write(Outlet outlet, long at, int meta, long header, int bytes) {
        for (int i = 0; i < bytes; i++) {
            outlet.memory().set(ValueLayout.JAVA_BYTE, at + i, (byte) (header * 7 + i));
        }
        outlet.commit(at, bytes, meta, header);
    }

    /** Polls every port once. */
    final void step() {
        pass();
        for (Port port : ports) {
            port.poll(sink(port.self()), LIMIT);
            port.rest();
        }
    }

    /** Polls every port until this many frames have come that were not taken, and no more. */
    final List<Got> await(int frames) {
        for (int steps = 0; got.size() < frames; steps++) {
            assertTrue(steps < MOST_STEPS, () -> got.size() + " of " + frames + " frames have come");
            step();
        }
        for (int steps = 0; steps < 10; steps++) {
            step();
        }
        assertEquals(frames, got.size());
        return taken();
    }

    final List<Got> taken() {
        List<Got> result = List.copyOf(got);
        got.clear();
        return result;
    }

    /** Sends messages of devices in real time. */
    static void carryMessages(Port first, Port second) {
        Device a = new Device(DeviceConfig.DEFAULT, first);
        Device b = new Device(DeviceConfig.DEFAULT, second);
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

    @Test
    void shouldSayWhoIsWho() throws Exception {
        Port port = port(1, 3);
        assertEquals(1, port.self());
        assertEquals(3, port.peers());
        assertTrue(port.traits().isExact(), () -> port.traits().toString());
        assertTrue(port.traits().maxPayload() >= 4096, () -> port.traits().toString());
        assertEquals(0, port.poll(sink(1), LIMIT));
        assertEquals(0, port.pollAll(sink(1), LIMIT));
        port.rest();
    }

    @Test
    void shouldCarryEverySizeInOrder() throws Exception {
        Port a = port(0, 2);
        Port b = port(1, 2);
        int max = a.traits().maxPayload();
        int sent = 0;
        for (int bytes = 0; bytes <= max; bytes += bytes < 200 || bytes > max - 70 ? 1 : 37) {
            while (!send(a, 1, 1 + bytes % 999, sent, bytes)) {
                step();
            }
            while (!send(b, 0, 5, -sent, 3)) {
                step();
            }
            sent++;
        }
        int[] received = new int[2];
        for (Got frame : await(2 * sent)) {
            int number = received[frame.to]++;
            assertEquals(frame.to == 1 ? number : -number, frame.header);
            assertEquals(1 - frame.to, frame.peer);
        }
        assertEquals(sent, received[0]);
        // A layer may still send acknowledgements of its own.
        for (int steps = 0; a.mayHaveFrames() || b.mayHaveFrames(); steps++) {
            assertTrue(steps < MOST_STEPS, "a port may have frames although all have come");
            step();
        }
    }

    @Test
    void shouldKeepMetaAndHeaderWhole() throws Exception {
        Port a = port(0, 2);
        port(1, 2);
        long[] headers = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0x0123_4567_89AB_CDEFL};
        List<Got> expected = new ArrayList<>();
        for (long header : headers) {
            assertTrue(send(a, 1, 0xFFFF, header, 9));
            assertTrue(send(a, 1, 1, header, 0));
            expected.add(new Got(1, 0, 0xFFFF, header, 9));
            expected.add(new Got(1, 0, 1, header, 0));
        }
        assertEquals(expected, await(expected.size()));
    }

    @Test
    void shouldRefuseWhenFullAndTakeMoreLater() throws Exception {
        Port a = port(0, 2);
        port(1, 2);
        Rand rand = new Rand(5);
        int max = a.traits().maxPayload();
        int next = 0;
        int expected = 0;
        for (int round = 0; round < 20; round++) {
            int bytes = rand.between(max / 4, max);
            int before = next;
            while (send(a, 1, 9, next, bytes)) {
                next++;
                assertTrue(next - before <= 1 << 16, "room without end");
            }
            assertTrue(next > before, "an empty fabric takes no frame of " + bytes);
            assertEquals(Outlet.FULL, a.outlet(1).claim(bytes), "full stays full");
            for (Got frame : await(next - before)) {
                assertEquals(new Got(1, 0, 9, expected++, bytes), frame);
            }
        }
    }

    @Test
    void shouldHandOutNoMoreThanTheLimit() throws Exception {
        Port a = port(0, 2);
        Port b = port(1, 2);
        for (int i = 0; i < 10; i++) {
            assertTrue(send(a, 1, 1, i, 0));
        }
        if (!handsOverLate()) {
            pass();
            assertTrue(b.mayHaveFrames());
            assertEquals(4, b.poll(sink(1), 4));
            assertEquals(4, b.poll(sink(1), 4));
            assertEquals(2, b.pollAll(sink(1), 4));
        }
        await(10);
    }

    @Test
    void shouldHearEachOfManyPeers() throws Exception {
        List<Port> all = new ArrayList<>();
        for (int rank = 0; rank < MANY; rank++) {
            all.add(port(rank, MANY));
        }
        for (int rank = MANY - 1; rank > 0; rank--) {
            assertTrue(send(all.get(rank), 0, 3, rank, 8));
            assertTrue(send(all.get(0), rank, 4, 1000 + rank, 8));
        }
        boolean[] heard = new boolean[2 * MANY];
        for (Got frame : await(2 * (MANY - 1))) {
            int rank = Math.max(frame.to, frame.peer);
            Got expected = frame.to == 0 ? new Got(0, rank, 3, rank, 8) : new Got(rank, 0, 4, 1000 + rank, 8);
            assertEquals(expected, frame);
            assertFalse(heard[frame.to == 0 ? rank : MANY + rank], () -> frame + " came twice");
            heard[frame.to == 0 ? rank : MANY + rank] = true;
        }
    }

    @Test
    void shouldFindItsOwnMemoryByAddress() throws Exception {
        SharedMemory memory = port(0, 2).memory();
        Rand rand = new Rand(11);
        List<Shared> live = new ArrayList<>();
        for (int round = 0; round < 300; round++) {
            if (live.isEmpty() || rand.below(3) > 0 && live.size() < 40) {
                live.add(memory.allocate(rand.below(5000)));
            } else {
                memory.free(live.remove(rand.below(live.size())));
            }
            for (Shared each : live) {
                MemorySegment all = each.memory();
                long size = all.byteSize();
                long offset = rand.below((int) size + 1);
                assertSame(size == 0 ? null : each, size == 0 ? null : memory.find(all, offset, size - offset));
                assertSame(each, memory.find(all.asSlice(0, 0), 0, 0));
                assertNull(memory.find(all, 0, size + 1));
                if (size > 8) {
                    MemorySegment view = MemorySegment.ofBuffer(all.asSlice(8).asByteBuffer());
                    assertSame(each, memory.find(view, 0, size - 8));
                    assertEquals(8, view.address() - memory.find(view, 0, 1).memory().address());
                }
            }
        }
        assertNull(memory.find(MemorySegment.ofArray(new byte[9]), 0, 9));
        assertNull(memory.find(Arena.ofAuto().allocate(100), 0, 100));
    }
}
