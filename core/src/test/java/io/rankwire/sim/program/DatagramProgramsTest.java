package io.rankwire.sim.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.Datagram;
import io.rankwire.ErrorClass;
import io.rankwire.Op;
import io.rankwire.RankwireException;
import io.rankwire.World;
import io.rankwire.memory.Rand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs with datagrams on a machine where much goes wrong: queues of all sizes, all ways to learn of arrivals. */
@Timeout(300)
class DatagramProgramsTest {
    private static final int STEPS = 30;
    private static final int HEAD = 4;

    /** Each rank sends to random nodes and queues, and counts what has come; nothing is lost, doubled or reordered. */
    private static final class Chatter {
        private final World world;
        private final Communicator all;
        private final Rand rand;
        private final List<Datagram> sockets = new ArrayList<>();
        private final int[] sent;
        /** By sender: the numbers of the messages that have come. */
        private final BitSet[] seen;
        private int received;

        Chatter(World world, long seed) {
            this.world = world;
            this.all = world.communicator();
            this.rand = new Rand(seed * 31 + all.rank());
            this.sent = new int[all.size()];
            this.seen = new BitSet[all.size()];
            Arrays.setAll(seen, rank -> new BitSet());
        }

        void run() {
            // Queue 0 is the sender's own; the sizes are the same on all ranks.
            sockets.add(Datagram.open(world, 0, 1 + all.rank() % 3, 64));
            sockets.add(Datagram.openReceiver(world));
            sockets.get(1).bind(1, 2, 64);
            // A rank takes what comes also while it waits in a collective call.
            sockets.forEach(socket -> socket.onArrival(() -> takeAll(socket)));
            all.barrier();
            for (int step = 0; step < STEPS; step++) {
                send();
                if (rand.chance(1, 2)) {
                    Datagram.awaitAny(Duration.ofNanos(1 + rand.below(20_000)), sockets.toArray(Datagram[]::new));
                }
                world.spend(rand.below(5_000));
            }
            int[] total = new int[all.size()];
            all.allreduce(sent, total, Op.SUM);
            while (received < total[all.rank()]) {
                Datagram.awaitAny(Duration.ofNanos(1_000), sockets.toArray(Datagram[]::new));
            }
            all.barrier();
            assertEquals(total[all.rank()], received);
            sockets.forEach(Datagram::close);
        }

        private void send() {
            int node = rand.below(all.size());
            if (rand.chance(1, 10)) {
                refused(node);
            }
            byte[] bytes = new byte[HEAD + rand.below(64 - HEAD)];
            bytes[0] = (byte) all.rank();
            bytes[1] = (byte) (sent[node] + 1);
            bytes[2] = (byte) bytes.length;
            Datagram socket = sockets.get(0);
            socket.retries(rand.chance(1, 3) ? 2 : 1_000_000);
            try {
                if (rand.chance(1, 2)) {
                    assertTrue(socket.trySendTo(bytes, node, rand.below(2)));
                    while (!socket.sendDone()) {
                        world.spend(500);
                    }
                } else {
                    socket.sendTo(bytes, node, rand.below(2));
                }
                sent[node]++;
            } catch (RankwireException e) {
                assertEquals(ErrorClass.DATAGRAM, e.errorClass());
                assertTrue(e.getMessage().contains("stayed full"), e.getMessage());
            }
        }

        /** The error of a message to a queue that does not exist comes once. */
        private void refused(int node) {
            Datagram socket = sockets.get(0);
            assertTrue(socket.trySendTo(new byte[1], node, 77));
            RankwireException error = assertThrows(RankwireException.class, () -> {
                while (!socket.sendDone()) {
                    world.spend(500);
                }
            });
            assertTrue(error.getMessage().contains("no such queue"), error.getMessage());
            assertTrue(socket.sendDone());
        }

        private void takeAll(Datagram socket) {
            byte[] in = new byte[64];
            for (var got = socket.tryReceiveFrom(in); got.isPresent(); got = socket.tryReceiveFrom(in)) {
                int from = got.get().node();
                assertEquals(from, in[0]);
                assertEquals(got.get().messageBytes(), in[2]);
                assertFalse(seen[from].get(in[1]), () -> "message " + in[1] + " of rank " + from + " again");
                seen[from].set(in[1]);
                received++;
            }
        }
    }

    private static SimulatedRanks run(Settings settings, int ranks, long seed, Adversity adversity) {
        return SimulatedRanks.run(settings, ranks, null, adversity,
                MixedCalls.body((world, all) -> new Chatter(world, seed).run()));
    }

    @Test
    void shouldCarryEachDatagramOnceWhateverGoesWrong() {
        for (long seed = 1; seed <= 12; seed++) {
            int ranks = 2 + (int) seed % 4;
            Settings settings = Settings.DEFAULT.with("device.offload", seed % 3 == 0 ? "no" : "yes");
            SimulatedRanks good = run(settings, ranks, seed, null);
            SimulatedRanks first = run(settings, ranks, seed, new Adversity(seed, null, settings, ranks, ranks));
            SimulatedRanks again = run(settings, ranks, seed, new Adversity(seed, null, settings, ranks, ranks));
            assertEquals(first.hash(), again.hash(), "seed " + seed);
            assertNotEquals(good.hash(), first.hash(), "nothing went wrong, seed " + seed);
        }
    }
}
