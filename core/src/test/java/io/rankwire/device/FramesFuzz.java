package io.rankwire.device;

import io.rankwire.device.BoundedFabric.Sent;
import io.rankwire.device.Operation.Mode;
import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Frames at a device with a receive, a posted large one, and sends under way. A frame in the input: meta (2), bytes of
 * the payload (2), header (8), payload.
 */
public final class FramesFuzz {
    private static final DeviceConfig CONFIG = new DeviceConfig(64, 1 << 16, 64, 64, 16, 1 << 10,
            DeviceConfig.Overflow.GROW, DeviceConfig.Truncation.DELIVER, 1 << 16, 8, DeviceConfig.Large.TWO_ENDED,
            1 << 20);

    private FramesFuzz() {}

    private static byte[] frame(int kind, int high, int low, long... words) {
        ByteBuffer frame = ByteBuffer.allocate(12 + 8 * words.length).order(ByteOrder.LITTLE_ENDIAN);
        frame.putShort((short) Frame.meta(kind, 0)).putShort((short) (8 * words.length));
        frame.putLong(Frame.header(high, low));
        for (long word : words) {
            frame.putLong(word);
        }
        return frame.array();
    }

    private static byte[] frames(byte[]... frames) {
        ByteBuffer all = ByteBuffer.allocate(1024);
        for (byte[] frame : frames) {
            all.put(frame);
        }
        return Arrays.copyOf(all.array(), all.position());
    }

    public static List<byte[]> samples() {
        // The first operation of the device is its send: place 0, used once before.
        int send = 1 << 24;
        return List.of(
                frames(frame(Frame.EAGER, 0, 1, 7, 8), frame(Frame.EAGER_SYNC, 0, 3, 5, 1, 2)),
                frames(frame(Frame.REQUEST_TO_SEND, 0, 2, 9, 4096, 1, 0, 0, 0), frame(Frame.EARLY, 9, 0, 0, 0, 0, 0, 0,
                        0, 1, 2, 3, 4, 5, 6, 7, 8)),
                frames(frame(Frame.PENDING, send, 0), frame(Frame.REMOTE_GET, send, 5, 2048)),
                frames(frame(Frame.CLEAR_TO_SEND, send, 5, 4096), frame(Frame.CREDIT, 0, 1000)),
                frames(frame(Frame.REQUEST_TO_SEND, 0, 2, 9, 128, 0, 0, 0, 0), frame(Frame.DATA, 3 << 24 | 2, 0, 64, 0,
                        0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8)),
                frames(frame(Frame.GET, 0, 3, 0, 64), frame(Frame.PUT, 0, 3, 0, 16, 0, 1, 2), frame(Frame.FLUSH, 0, 3)),
                frames(frame(Frame.LOCK, 0, 3, 1), frame(Frame.UNLOCK, 0, 3, 1), frame(Frame.DATAGRAM, 1, 2, 3, 4)));
    }

    public static void fuzzerTestOneInput(byte[] data) {
        BoundedFabric fabric = new BoundedFabric(2);
        Device device = new Device(CONFIG, fabric.open(0));
        device.send(Mode.STANDARD, 0, 1, 1, new byte[4096], 0, 4096, DevicePair.BYTE);
        device.receive(0, 1, MatchWord.ANY, new byte[64], 0, 64, DevicePair.BYTE);
        device.receive(0, 1, 2, new byte[4096], 0, 4096, DevicePair.BYTE);
        device.oneSided().regions().add(new byte[256], 0, 256, DevicePair.BYTE, 3);
        device.datagrams().open(1, 2, 64);
        ByteBuffer in = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
        while (in.remaining() >= 12 && device.lost(1) == null) {
            int meta = in.getShort() & 0xFFFF;
            int bytes = Math.min(in.getShort() & 0xFFFF, Math.min(in.remaining() - 8, BoundedFabric.MOST_PAYLOAD));
            long header = in.getLong();
            MemorySegment payload = BoundedFabric.payload(bytes);
            MemorySegment.copy(MemorySegment.ofArray(data), in.position(), payload, 0, bytes);
            in.position(in.position() + bytes);
            fabric.way(1, 0).add(new Sent(meta, header, payload));
            device.progressAll(0);
            device.advance(0);
        }
        DeviceAudit.structures(device);
        fabric.close();
    }
}
