package io.rankwire.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.DeviceConfig.Overflow;
import io.rankwire.device.Operation;
import io.rankwire.memory.Rand;
import io.rankwire.sim.match.MatcherConfig;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.sim.net.Topology;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Requesters and responders as a number of threads that frames keep and wait for. */
class ThreadsTest {
    private static final DeviceConfig CONFIG = new DeviceConfig(4096, 1 << 24, 64, 64, 64, 1 << 16,
            DeviceConfig.Overflow.GROW, DeviceConfig.Truncation.DELIVER, 1 << 16, 8, DeviceConfig.Large.TWO_ENDED,
            1 << 20);

    /** A frame that is begun when a thread and room are free, looked for moment by moment. */
    private static final class Naive {
        final int count;
        final long buffer;
        /** Frames that have begun: when they end, or -1 if that is not known; and their bytes. */
        final List<long[]> begun = new ArrayList<>();
        /** Frames in line: number, bytes, since when. */
        final Queue<long[]> line = new ArrayDeque<>();

        Naive(int count, long buffer) {
            this.count = count;
            this.buffer = buffer;
        }

        boolean isFree(long bytes, long now) {
            long threads = begun.stream().filter(each -> each[0] < 0 || each[0] > now).count();
            long full = begun.stream().filter(each -> each[0] < 0 || each[0] > now).mapToLong(each -> each[1]).sum();
            return threads < count && (full == 0 || full + bytes <= buffer);
        }
    }

    /** Frames come, end and begin as in a model that knows every moment. */
    @Test
    void shouldGiveThreadsInOrderAndAsEarlyAsPossible() {
        for (int seed = 0; seed < 200; seed++) {
            Rand rand = new Rand(seed);
            Frames frames = new Frames(4096);
            int count = rand.between(1, 4);
            long buffer = rand.chance(1, 2) ? Long.MAX_VALUE : 4096 + rand.below(8192);
            Threads threads = new Threads(frames, count, buffer);
            Naive naive = new Naive(count, buffer);
            long look = Threads.UNKNOWN;
            for (long now = 0; now < 300; now++) {
                while (!naive.line.isEmpty() && naive.line.peek()[2] <= now
                        && naive.isFree(naive.line.peek()[1], now)) {
                    long[] first = naive.line.remove();
                    naive.begun.add(new long[] {-1, first[1]});
                    assertTrue(look <= now, "seed " + seed + ": at " + now + " no event looks after the line");
                    assertEquals(first[0], threads.beginFirst(now), "seed " + seed + " at " + now);
                }
                assertEquals(-1, threads.beginFirst(now), "seed " + seed + " at " + now);
                look = look <= now ? Threads.UNKNOWN : look;
                if (rand.chance(1, 3)) {
                    int bytes = rand.below(4097);
                    int frame = frames.take(bytes);
                    frames.fill(frame, 0, 1, 0, 0, bytes);
                    frames.waits(frame, now, -1);
                    boolean begins = naive.line.isEmpty() && naive.isFree(bytes, now);
                    assertEquals(begins, threads.begin(frame, now, now), "seed " + seed + " at " + now);
                    if (begins) {
                        naive.begun.add(new long[] {-1, bytes});
                    } else {
                        naive.line.add(new long[] {frame, bytes, now});
                    }
                }
                for (long[] each : naive.begun) {
                    if (each[0] < 0 && rand.chance(1, 6)) {
                        each[0] = now + rand.below(20);
                        threads.end((int) each[1], each[0]);
                    }
                }
                look = Math.min(look, threads.lookAt(now));
            }
        }
    }

    private static DeviceModel device(int requesters, int responders, int buffer, long respondPs) {
        return new DeviceModel(50_000, requesters, respondPs, responders, 51_200, 1 << 18, 4096, true,
                MatcherConfig.DEFAULT, 0, Overflow.GROW, 0, 0, 0)
                .withLimits(new DeviceModel.Limits(0, buffer));
    }

    /**
     * In a fat tree, nodes of one switch send to node 0, which is at another; one more sends to a node at a third. That
     * shares with the others only the link from their switch to a root.
     *
     * @param idle receives at node 0 that nothing is sent for
     * @return when node 0 has all that is for it, and the other
     */
    private static long[] incast(DeviceModel model, int senders, int idle) {
        int radix = 8;
        int other = 2 * radix;
        int bystander = other - 1;
        int messages = 40;
        Devices devices = new Devices(Topology.parse("fattree:" + radix, other + 1),
                new LinkModel(100_000, 102_400, 4, 32), model, CONFIG, other + 1);
        List<Operation> receives = new ArrayList<>();
        byte[] memory = new byte[1000];
        boolean[] started = new boolean[other + 1];
        long[] done = new long[2];
        for (int rank = 0; rank <= other; rank++) {
            devices.wake(rank, rank < radix || rank == other ? 0 : 1_000_000);
        }
        devices.run(rank -> {
            Device device = devices.device(rank);
            for (int i = 0; i < idle && rank == 0 && !started[0]; i++) {
                device.receive(1, other, 0, memory, 0, memory.length, 1);
            }
            boolean sends = rank >= radix && rank < radix + senders || rank == bystander;
            for (int i = 0; i < messages && !started[rank]; i++) {
                for (int from = radix; rank == 0 && from < radix + senders; from++) {
                    receives.add(device.receive(1, from, i, memory, 0, memory.length, 1));
                }
                if (rank == other) {
                    receives.add(device.receive(1, bystander, i, memory, 0, memory.length, 1));
                }
                if (sends) {
                    device.send(Operation.Mode.STANDARD, 1, rank == bystander ? other : 0, i, memory, 0,
                            memory.length, 1);
                }
            }
            started[rank] = true;
            if (rank == 0 || rank == other) {
                done[rank / other] = devices.events().now();
            }
        });
        assertEquals(0, devices.fabric().underWay());
        assertEquals((senders + 1) * messages, receives.stream().filter(Operation::isDone).count());
        return done;
    }

    @Test
    void shouldCongestTheNetworkWhenRespondersAreFew() {
        long[] many = incast(device(64, 32, 0, 2_000_000), 7, 0);
        long[] few = incast(device(64, 1, 0, 2_000_000), 7, 0);
        long[] none = incast(device(64, 1, 0, 2_000_000), 0, 0);
        assertTrue(few[0] > 280 * 2_000_000L, few[0] + " ps: one responder takes 280 messages in, one by one");
        assertTrue(many[0] < few[0] / 10, many[0] + " and " + few[0] + " ps");
        assertTrue(few[1] > 1.5 * none[1], "what shares a link with them: " + few[1] + " and " + none[1] + " ps");
        long[] narrow = incast(device(64, 32, 4096, 2_000_000), 7, 0);
        assertTrue(narrow[0] > 3 * many[0] && narrow[0] < few[0], narrow[0] + " ps with room for four messages");
    }

    @Test
    void shouldSendOneFrameARoundTripWithOneRequester() {
        long[] many = incast(device(64, 32, 0, 50_000), 1, 0);
        long[] one = incast(device(1, 32, 0, 50_000), 1, 0);
        // To the other switch and back are eight hops of 100 ns.
        assertTrue(one[0] - 1_000_000 > 40 * 900_000L && many[0] < one[0] / 3, one[0] + " and " + many[0] + " ps");
    }

    /** A search walks 300 receives, 2 ns each. */
    @Test
    void shouldKeepAResponderUntilTheMatchIsKnown() {
        long[] many = incast(device(64, 32, 0, 50_000), 7, 300);
        long[] few = incast(device(64, 2, 0, 50_000), 7, 300);
        assertTrue(few[0] > 280 / 2 * 600_000L && many[0] < few[0] / 2, few[0] + " and " + many[0] + " ps");
    }
}
