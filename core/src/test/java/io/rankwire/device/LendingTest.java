package io.rankwire.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.tcp.LoopbackRanks;
import io.rankwire.fabric.tcp.TcpConfig;
import io.rankwire.type.Copy;
import io.rankwire.type.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Large messages over sockets, which the port reads and writes where they are. */
final class LendingTest {
    private static final long DEADLINE_NS = 120_000_000_000L;
    private static final int BYTES = 3_000_008;

    private LoopbackRanks ranks;
    private Device sender;
    private Device receiver;

    @BeforeEach
    void open() throws Exception {
        ranks = new LoopbackRanks(2);
        sender = new Device(DeviceConfig.DEFAULT, ranks.open(0, TcpConfig.DEFAULT));
        receiver = new Device(DeviceConfig.DEFAULT, ranks.open(1, TcpConfig.DEFAULT));
    }

    @AfterEach
    void close() throws Exception {
        sender.close();
        receiver.close();
        ranks.close();
    }

    private static void drive(Operation until, Device... devices) {
        long start = System.nanoTime();
        while (!until.isDone()) {
            long now = System.nanoTime();
            assertTrue(now - start < DEADLINE_NS, "the operation does not end");
            for (Device device : devices) {
                device.advance(now);
                device.progressAll(now);
            }
        }
    }

    private static Operation send(Device from, Object buffer, int bytes) {
        return from.send(Operation.Mode.STANDARD, 0, 1, 5, buffer, 0, bytes, ElementType.BYTE.code());
    }

    private static Operation receive(Device at, Object buffer, int bytes) {
        return at.receive(0, 0, 5, buffer, 0, bytes, ElementType.BYTE.code());
    }

    private static byte[] bytes(Object buffer, int count) {
        byte[] all = new byte[count];
        Copy.toBytes(buffer, 0, all);
        return all;
    }

    @Test
    void shouldLeaveABufferAloneOnceItsSendHasEnded() {
        List<Object> buffers = List.of(new byte[BYTES], new double[BYTES / 8], new int[BYTES / 4], new char[BYTES / 2],
                MemorySegment.ofArray(new long[BYTES / 8]), Arena.ofAuto().allocate(BYTES));
        byte[] nothing = new byte[BYTES];
        for (int turn = 0; turn < 2 * buffers.size(); turn++) {
            Object from = buffers.get(turn % buffers.size());
            Object to = turn % 3 == 0 ? Arena.ofAuto().allocate(BYTES) : new byte[BYTES];
            byte[] pattern = DevicePair.pattern(turn, BYTES);
            Copy.between(pattern, 0, from, 0, BYTES);
            Operation received = turn % 2 == 0 ? receive(receiver, to, BYTES) : null;
            Operation sent = send(sender, from, BYTES);
            if (received == null) {
                long now = System.nanoTime();
                receiver.progressAll(now);
                received = receive(receiver, to, BYTES);
            }
            drive(sent, sender, receiver);
            Copy.between(nothing, 0, from, 0, BYTES);
            drive(received, sender, receiver);
            assertArrayEquals(pattern, bytes(to, BYTES), "message " + turn);
            sender.release(sent);
            receiver.release(received);
        }
        assertEquals(0, DeviceAudit.operations(sender));
    }

    @Test
    void shouldEndASendThoughTheReceiverDoesNothingAfterItsAnswer() {
        int bytes = 200_000;
        byte[] from = DevicePair.pattern(1, bytes);
        byte[] to = new byte[bytes];
        Operation received = receive(receiver, to, bytes);
        Operation sent = send(sender, from, bytes);
        while (received.matchedBytes() != bytes) {
            sender.advance(System.nanoTime());
            receiver.advance(System.nanoTime());
            sender.progressAll(System.nanoTime());
            receiver.progress(System.nanoTime());
        }
        drive(sent, sender);
        assertEquals(Code.OK, sent.code());
        drive(received, sender, receiver);
        assertArrayEquals(from, to);
        sender.release(sent);
        assertFalse(sender.hasOperations());
    }
}
