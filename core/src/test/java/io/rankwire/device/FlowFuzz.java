package io.rankwire.device;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.BoundedFabric.Sent;
import io.rankwire.device.flow.FlowConfig;
import io.rankwire.device.flow.FlowPort;
import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Outlet;
import io.rankwire.wire.FlowFrame;
import io.rankwire.wire.Frame;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Frames of the flow layer, with the right sum, at a port with frames under way. */
public final class FlowFuzz {
    private static final int OWN = 7;
    private static final int PEER = 9;

    private FlowFuzz() {}

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void frame(ByteBuffer all, int kind, int sequence, int acked, long answer, long report, int data) {
        int bytes = kind == FlowFrame.DATA ? FlowFrame.LEAD + data : FlowFrame.CONTROL_BYTES;
        int end = all.position() + 7 + bytes;
        all.put((byte) kind).putInt(sequence).putShort((short) bytes).putLong(Frame.header(PEER, 1))
                .putLong(acked == 0 ? 0 : Frame.header(OWN, acked)).putLong(answer).putLong(report).position(end);
    }

    /** A stream that is asked about, confirmed and read; acknowledgements of what the port has sent; the end. */
    public static List<byte[]> samples() {
        ByteBuffer in = buffer(400);
        frame(in, FlowFrame.DATA, 0, 0, FlowFrame.answer(0, 1, 0), 0, 8);
        frame(in, FlowFrame.CONFIRM, 0, 1, FlowFrame.answer(1, 0, 0), 0, 0);
        frame(in, FlowFrame.DATA, 2, 1, FlowFrame.answer(1, 1, 0), 1, 16);
        frame(in, FlowFrame.DATA, 1, 1, FlowFrame.answer(2, 1, 0), 0, 0);
        ByteBuffer out = buffer(200);
        frame(out, FlowFrame.ACK, 0, 1, FlowFrame.answer(0, 0, FlowFrame.NOT_READY), 3, 0);
        frame(out, FlowFrame.ACK, 0, 1, FlowFrame.answer(4, 0, 0), 0, 0);
        frame(out, FlowFrame.CLOSED, 0, 1, 0, 0, 0);
        frame(out, FlowFrame.ASK, 0, 1, FlowFrame.answer(5, 0, 0), 0, 0);
        // A peer that has started anew, and a stream of a start that cannot be.
        ByteBuffer anew = buffer(150);
        for (long stream : new long[] {Frame.header(PEER, 1), Frame.header(PEER + 1, 1), -1}) {
            int at = anew.position() + 7;
            frame(anew, stream < 0 ? FlowFrame.DATA : FlowFrame.ACK, 0, 1, 0, 0, 0);
            anew.putLong(at, stream);
        }
        return List.of(in.array(), out.array(), anew.array());
    }

    public static void fuzzerTestOneInput(byte[] data) {
        BoundedFabric fabric = new BoundedFabric(2);
        FlowPort port = new FlowPort(fabric.open(0), FlowConfig.DEFAULT, OWN, 0);
        Outlet outlet = port.outlet(1);
        for (int i = 0; i < 4; i++) {
            outlet.commit(outlet.claim(8), 8, Frame.EAGER, i);
        }
        FrameSink sink = (peer, meta, header, memory, payload, bytes) ->
                assertTrue(bytes >= 0 && memory.asSlice(payload, bytes).byteSize() == bytes);
        ByteBuffer in = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
        for (long now = 0; in.remaining() >= 7; now += 100_000) {
            int kind = in.get() & 0xFF;
            int sequence = in.getInt();
            int bytes = Math.min(in.getShort() & 0xFFFF, Math.min(in.remaining(), BoundedFabric.MOST_PAYLOAD));
            MemorySegment payload = BoundedFabric.payload(bytes);
            MemorySegment.copy(MemorySegment.ofArray(data), in.position(), payload, 0, bytes);
            in.position(in.position() + bytes);
            int sum = FlowFrame.isWhole(kind, bytes) ? FlowFrame.sum(1, 0, kind, sequence, payload, 0, bytes) : 0;
            fabric.way(1, 0).add(new Sent(kind, Frame.header(sum, sequence), payload));
            fabric.way(0, 1).clear();
            port.advance(now);
            port.pollAll(sink, 16);
            port.checkInvariants();
        }
        fabric.close();
    }
}
