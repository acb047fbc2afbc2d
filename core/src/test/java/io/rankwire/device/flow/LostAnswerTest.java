package io.rankwire.device.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Outlet;
import io.rankwire.memory.Rand;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The last answer of several is lost, and an earlier one has said of all frames left that they have come. */
class LostAnswerTest {
    private static final FlowConfig CONFIG =
            new FlowConfig(4, 16, 64, 20_000, 5_000, 100_000, 30, 2_000, 10_000_000, 1 << 20);

    private final LossyNet net = new LossyNet(new Rand(1), 2, 256);
    private final FlowPort sender = new FlowPort(net.open(0), CONFIG, 1, 0);
    private final FlowPort receiver = new FlowPort(net.open(1), CONFIG, 1, 0);
    private final List<Long> received = new ArrayList<>();

    private static void send(FlowPort port, int to, long header) {
        Outlet outlet = port.outlet(to);
        outlet.commit(outlet.claim(8), 8, 1, header);
    }

    private void run(long ns, FrameSink sink) {
        for (long end = net.now + ns; net.now < end; net.now += 500) {
            sender.advance(net.now);
            sender.poll((from, meta, header, memory, payload, bytes) -> { }, 32);
            receiver.advance(net.now);
            receiver.poll(sink, 32);
            sender.checkInvariants();
            receiver.checkInvariants();
        }
    }

    @Test
    void shouldAskAgainWhenAllThatIsLeftHasCome() {
        FrameSink sink = (from, meta, header, memory, payload, bytes) -> {
            received.add(header);
            if (header == 1) {
                // It takes along that frame 1 is here and what was held behind it; all later answers are lost.
                send(receiver, 0, 100);
                net.cut(1, 0, true);
            }
        };
        send(sender, 1, 0);
        send(receiver, 0, 99);
        run(100_000, sink);
        assertEquals(0, sender.underWay() + receiver.underWay());
        net.cut(0, 1, true);
        send(sender, 1, 1);
        net.cut(0, 1, false);
        for (int i = 2; i <= 5; i++) {
            send(sender, 1, i);
        }
        run(8_000, sink);
        assertEquals(6, received.size());
        net.cut(1, 0, false);
        run(2_000_000, sink);
        assertEquals(List.of(0L, 1L, 2L, 3L, 4L, 5L), received);
        assertEquals(0, sender.underWay());
    }
}
