package io.rankwire.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Operation.Mode;
import io.rankwire.fabric.local.LocalFabric;
import io.rankwire.type.ElementType;
import java.util.Arrays;

/** Some devices on one fabric, moved by hand. */
final class DevicePair {
    static final int BYTE = ElementType.BYTE.code();
    static final int INT = ElementType.INT.code();

    final Device[] devices;
    final Device a;
    final Device b;
    long now;

    DevicePair(DeviceConfig config) {
        this(config, 2, 2048);
    }

    DevicePair(DeviceConfig config, int ranks, int ringLines) {
        LocalFabric fabric = new LocalFabric(ranks, ringLines);
        devices = new Device[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            devices[rank] = new Device(config, fabric.open(rank));
        }
        a = devices[0];
        b = devices[Math.min(1, ranks - 1)];
    }

    DevicePair(Device a, Device b) {
        this.devices = new Device[] {a, b};
        this.a = a;
        this.b = b;
    }

    /** Moves everything until nothing moves. */
    void settle() {
        int work = 1;
        for (int rounds = 0; work > 0; rounds++) {
            assertTrue(rounds < 1_000_000, "never comes to rest");
            work = 0;
            now += 10_000;
            for (Device device : devices) {
                work += device.progressAll(now);
                device.rest();
            }
        }
    }

    static Operation send(Device from, Mode mode, int to, int tag, byte[] buffer) {
        return from.send(mode, 0, to, tag, buffer, 0, buffer.length, BYTE);
    }

    static Operation receive(Device at, int from, int tag, byte[] buffer) {
        return at.receive(0, from, tag, buffer, 0, buffer.length, BYTE);
    }

    static byte[] pattern(int id, int bytes) {
        byte[] buffer = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            buffer[i] = (byte) (i * (2 * id + 1) + (i >> 7) + id);
        }
        return buffer;
    }

    static void assertPattern(int id, int bytes, byte[] found) {
        byte[] expected = Arrays.copyOf(pattern(id, bytes), found.length);
        assertEquals(-1, Arrays.mismatch(expected, found), "first byte that differs");
    }

    /** Releases a done operation after a look at its code. */
    static void assertDone(int code, Device device, Operation operation) {
        assertTrue(operation.isDone(), "not done");
        assertEquals(code, operation.code(), "code");
        device.release(operation);
    }

    void assertNothingLeft() {
        for (Device device : devices) {
            assertEquals(0, device.operations().inUse(), "operations");
            assertEquals(0, device.headers.inUse(), "headers");
            assertEquals(0, device.payloads.bytesHeld(), "bytes of payload");
            device.payloads.checkInvariants();
        }
    }
}
