package io.rankwire.sim.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.CompletionQueue;
import io.rankwire.Datagram;
import io.rankwire.Op;
import io.rankwire.RankwireException;
import io.rankwire.Request;
import io.rankwire.Window;
import io.rankwire.Work;
import io.rankwire.WorkBuffer;
import io.rankwire.WorkPair;
import io.rankwire.WorkQueue;
import io.rankwire.WorkTarget;
import io.rankwire.World;
import io.rankwire.memory.Rand;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work programs that run unchanged on threads, on simulated devices, and on a simulated machine with faults. */
@Timeout(300)
class WorkInBothWorldsTest {
    private static final int TAG = 40;

    private static void everywhere(int ranks, MixedCalls.Program program) {
        World.run(ranks, world -> program.run(world, world.communicator()));
        SimulatedRanks.run(Settings.DEFAULT, ranks, null, null, MixedCalls.body(program));
        SimulatedRanks.run(
                Settings.DEFAULT.with("device.offload", "no"), ranks, null, null, MixedCalls.body(program));
        for (long seed = 1; seed <= 4; seed++) {
            SimulatedRanks.run(Settings.DEFAULT, ranks, null, new Adversity(seed, null, Settings.DEFAULT, ranks, ranks),
                    MixedCalls.body(program));
        }
    }

    private static RankwireException failure(Work work) {
        return assertThrows(RankwireException.class, () -> work.start(TAG).await());
    }

    private static void assertContains(String text, RankwireException e) {
        assertTrue(e.getMessage().contains(text), e.getMessage());
    }

    /** Program 2 waits for what program 1 receives, though it was started first, in each of several runs. */
    @Test
    void shouldWaitForCountersOfAnotherProgram() {
        everywhere(2, (world, all) -> {
            if (all.rank() == 1) {
                for (int run = 1; run <= 3; run++) {
                    all.send(new int[] {run}, 0, TAG);
                    all.send(new int[] {10 * run}, 0, TAG);
                    int[] sum = new int[1];
                    all.receive(sum, 0, TAG + 1);
                    assertEquals(11 * run, sum[0]);
                }
                return;
            }
            Work first = all.work();
            int[] came = new int[2];
            int arrived = first.counter();
            WorkBuffer both = first.buffer(came);
            first.queue().receive(1, both.slice(0, 1), arrived).receive(1, both.slice(1, 1), arrived)
                    .await(arrived, 2);
            Work second = all.work();
            WorkBuffer sum = second.buffer(new int[1]);
            WorkBuffer seen = second.buffer(came);
            second.queue().await(first, arrived, 2).copy(seen.slice(0, 1), sum)
                    .combine(Op.SUM, sum, seen.slice(1, 1)).send(1, sum, second.counter());
            for (int run = 1; run <= 3; run++) {
                Request before = run == 1 ? second.start(TAG + 1) : null;
                first.start(TAG).await();
                assertEquals(2, first.count(arrived));
                (before == null ? second.start(TAG + 1) : before).await();
            }
            Work endless = all.work();
            endless.queue().await(first, arrived, 3);
            assertContains("waits for 3 of counter 0 of another program, which comes to 2 at most in a run",
                    failure(endless));
        });
    }

    @Test
    void shouldEndWithTheProgramThatIsAwaited() {
        everywhere(2, (world, all) -> {
            if (all.rank() == 1) {
                all.send(new int[3], 0, TAG);
                return;
            }
            Work first = all.work();
            int arrived = first.counter();
            first.queue().receive(1, first.buffer(new int[5]), arrived);
            Work second = all.work();
            second.queue().await(first, arrived, 1);
            Request waits = second.start(TAG + 1);
            assertContains("a message from rank 1 did not fit its receive: it has 12 bytes of int, and 20 bytes of int"
                    + " were expected", failure(first));
            assertContains("ended early: the program with the counter that it awaits has ended early",
                    assertThrows(RankwireException.class, waits::await));
            assertContains("has ended early", failure(second));
        });
    }

    /** The program answers after each three requests of the completion queue, of which some are done before it runs. */
    @Test
    void shouldWaitForRequestsOfACompletionQueue() {
        everywhere(2, (world, all) -> {
            int runs = 3;
            if (all.rank() == 1) {
                for (int run = 0; run < runs; run++) {
                    for (int i = 0; i < 3; i++) {
                        all.send(new int[] {i}, 0, TAG + i);
                    }
                    all.receive(new int[1], 0, TAG);
                }
                return;
            }
            CompletionQueue<Integer> requests = new CompletionQueue<>(world, 3);
            Work work = all.work();
            int sent = work.counter();
            work.queue().await(requests, 2).await(requests, 1).send(1, work.buffer(new int[1]), sent).await(sent, 1);
            for (int run = 0; run < runs; run++) {
                Request early = run == 1 ? work.start(TAG) : null;
                for (int i = 2; i >= 0; i--) {
                    requests.add(all.irecv(new int[1], 1, TAG + i), i);
                }
                (early == null ? work.start(TAG) : early).await();
                assertEquals(3 * (run + 1), requests.produced());
                for (int i = 0; i < 3; i++) {
                    requests.await();
                }
            }
        });
    }

    /** Messages of two channels pass each other; those of one stay in order. */
    @Test
    void shouldKeepTheChannelsOfPairsApart() {
        everywhere(2, (world, all) -> {
            int other = 1 - all.rank();
            Work work = all.work();
            int sent = work.counter();
            int arrived = work.counter();
            long[] out = {1, 2, 3, 4};
            long[] in = new long[4];
            WorkBuffer from = work.buffer(out);
            WorkBuffer into = work.buffer(in);
            WorkPair one = work.pair(other, 1);
            WorkPair two = work.disabledPair(other, 2);
            two.receive(into.slice(2, 1), arrived).receive(into.slice(3, 1), arrived);
            two.send(from.slice(2, 1), sent).send(from.slice(3, 1), sent);
            one.receive(into.slice(0, 1), arrived).receive(into.slice(1, 1), arrived);
            // The second channel sends first and receives last.
            one.sends().enable(two.sends(), 2).await(sent, 2);
            one.send(from.slice(0, 1), sent).send(from.slice(1, 1), sent);
            one.receives().await(arrived, 2).enable(two.receives(), 2);
            for (int run = 0; run < 2; run++) {
                Arrays.fill(in, 0);
                work.start(TAG + 10 * run).await();
                assertArrayEquals(out, in);
            }
            assertContains("leaves no tags for channel 2", assertThrows(RankwireException.class,
                    () -> work.start(Integer.MAX_VALUE - 1)));
        });
    }

    /** Each rank learns by messages, while its program runs, to whom it sends and from whom it receives. */
    @Test
    void shouldSendToRanksThatComeInMessages() {
        int ranks = 5;
        everywhere(ranks, (world, all) -> {
            // The ranks of the program are not those of the world.
            Communicator turned = all.split(0, ranks - all.rank()).orElseThrow();
            Work work = turned.work();
            long[] peers = new long[2];
            int[] got = new int[1];
            WorkBuffer both = work.buffer(peers);
            int known = work.counter();
            int moved = work.counter();
            work.queue().receive(0, both, known).await(known, 1)
                    .receiveFrom(both.slice(1, 1), work.buffer(got), moved)
                    .sendTo(both.slice(0, 1), work.buffer(new int[] {100 + turned.rank()}), moved).await(moved, 2);
            for (int seed = 1; seed <= 4; seed++) {
                Request run = work.start(TAG + seed);
                int[] next = permutation(new Rand(seed), ranks);
                for (int rank = 0; rank < ranks && turned.rank() == 0; rank++) {
                    int before = 0;
                    while (next[before] != rank) {
                        before++;
                    }
                    turned.send(new long[] {next[rank], before}, rank, TAG + seed);
                }
                run.await();
                assertEquals(100 + peers[1], got[0], "seed " + seed);
                assertEquals(turned.rank(), next[(int) peers[1]]);
            }
            Work lost = turned.work();
            lost.queue().sendTo(lost.buffer(new int[] {ranks}), lost.buffer(new int[1]), lost.counter());
            assertContains("entry 0 of queue 0 found rank 5 in memory, which does not exist", failure(lost));
            turned.free();
        });
    }

    private static int[] permutation(Rand rand, int length) {
        int[] numbers = new int[length];
        for (int i = 0; i < length; i++) {
            int at = rand.below(i + 1);
            numbers[i] = numbers[at];
            numbers[at] = i;
        }
        return numbers;
    }

    /** Refused messages come again, in order, until their receives are enabled one by one. */
    @Test
    void shouldSendDiscardedMessagesAgainInOrder() {
        int count = 6;
        everywhere(2, (world, all) -> {
            Work work = all.work();
            int done = work.counter();
            int go = work.counter();
            if (all.rank() == 0) {
                WorkQueue queue = work.queue();
                for (int i = 0; i < count; i++) {
                    queue.sendConfirmed(1, work.buffer(new int[] {i}), done);
                }
                work.start(TAG).await();
                assertEquals(count, work.count(done));
                return;
            }
            int[] came = new int[count];
            WorkBuffer all6 = work.buffer(came);
            WorkQueue receives = work.refusingQueue();
            WorkQueue queue = work.queue();
            for (int i = 0; i < count; i++) {
                receives.receive(0, all6.slice(i, 1), done);
                // A message of this rank to itself enables each receive, long after its message has come.
                queue.receive(1, work.buffer(new byte[1]), go).await(go, i + 1).enable(receives).await(done, i + 1);
            }
            Request run = work.start(TAG);
            for (int i = 0; i < count; i++) {
                world.spend(20_000);
                all.iprobe(0, TAG + 1);
                all.send(new byte[1], 1, TAG);
            }
            run.await();
            assertArrayEquals(new int[] {0, 1, 2, 3, 4, 5}, came);
        });
    }

    @Test
    void shouldNameBothEndsOfAMessageThatWasDiscardedTooOften() {
        everywhere(3, (world, all) -> {
            Work work = all.work();
            int done = work.counter();
            if (all.rank() == 0) {
                work.queue().copy(work.buffer(new int[1]), work.buffer(new int[1]))
                        .sendConfirmed(1, work.buffer(new int[1]), done, 4);
                assertContains("rank 0: work program, on world", failure(work));
                assertContains("ended early: rank 1 refused the message of entry 1 of queue 0, which rank 0 sent 5"
                        + " times: its receive was not enabled at any of them",
                        assertThrows(RankwireException.class, () -> work.start(TAG).await()));
                all.send(new byte[1], 2, TAG);
                all.receive(new byte[1], 1, TAG + 1);
                all.send(new int[] {8}, 1, TAG);
            } else if (all.rank() == 1) {
                int go = work.counter();
                int[] came = new int[1];
                WorkQueue receives = work.refusingQueue();
                receives.receive(0, work.buffer(came), done);
                work.queue().receive(2, work.buffer(new byte[1]), go).await(go, 1).enable(receives);
                Request run = work.start(TAG);
                all.receive(new byte[1], 2, TAG + 1);
                // From here on the receive is enabled.
                all.send(new byte[1], 0, TAG + 1);
                run.await();
                assertEquals(8, came[0]);
            } else {
                all.receive(new byte[1], 0, TAG);
                all.send(new byte[1], 1, TAG);
                all.send(new byte[1], 1, TAG + 1);
            }
        });
    }

    /** A sum goes to a rank as a message, to another one as a datagram, and into two buffers. */
    @Test
    void shouldSendResultsToADatagramQueue() {
        everywhere(3, (world, all) -> {
            Work work = all.work();
            if (all.rank() == 1) {
                long[] sum = new long[2];
                all.receive(sum, 0, TAG);
                assertArrayEquals(new long[] {11, 22}, sum);
            } else if (all.rank() == 2) {
                try (Datagram socket = Datagram.open(world)) {
                    socket.bind(7);
                    all.send(new byte[1], 0, TAG + 1);
                    byte[] text = new byte[64];
                    Datagram.Received from = socket.receiveFrom(text).orElseThrow();
                    assertEquals(16, from.bytes());
                    assertEquals(0, from.node());
                    assertEquals(22, ByteBuffer.wrap(text).order(ByteOrder.nativeOrder()).getLong(8));
                    all.send(new byte[1], 0, TAG + 1);
                }
            } else {
                all.receive(new byte[1], 2, TAG + 1);
                long[] copy = new long[2];
                WorkBuffer one = work.buffer(new long[] {1, 2});
                WorkBuffer two = work.buffer(new long[] {10, 20});
                WorkBuffer sum = work.buffer(new long[2]);
                int sent = work.counter();
                work.queue().combine(Op.SUM, List.of(one, two), List.of(sum, work.buffer(copy)), sent, 1)
                        .datagram(2, 7, sum, sent).await(sent, 2);
                work.start(TAG).await();
                assertArrayEquals(new long[] {11, 22}, copy);
                all.receive(new byte[1], 2, TAG + 1);
                Work astray = all.work();
                astray.queue().datagram(2, 8, astray.buffer(new long[1]), astray.counter());
                assertContains("ended early: rank 2: queue 8 there did not take a datagram of 8 bytes: there is no such"
                        + " queue", failure(astray));
            }
            all.barrier();
        });
    }

    /** Random accesses to memory that is mapped and to memory that is not, compared with arrays. */
    @Test
    void shouldAccessWindowsAsAModelDoes() {
        everywhere(3, (world, all) -> {
            for (int kind = 0; kind < 2; kind++) {
                long[] part = new long[8 * all.size() + 1];
                Window window = kind == 0 ? all.window(part, 8) : all.allocateWindow(8L * part.length, 8);
                window.lockAll();
                for (long seed = 1; seed <= 3; seed++) {
                    accesses(all, window, seed * 10 + all.rank());
                }
                window.unlockAll();
                all.barrier();
                long total = kind == 0 ? part[part.length - 1]
                        : window.memory().get(ValueLayout.JAVA_LONG, 8L * (part.length - 1));
                assertEquals(3 * all.size(), total, "kind " + kind);
                window.free();
            }
        });
    }

    private static final Op[] OPS = {Op.SUM, Op.PROD, Op.MAX, Op.BXOR};

    private static long combine(int op, long a, long b) {
        return op == 0 ? a + b : op == 1 ? a * b : op == 2 ? Math.max(a, b) : a ^ b;
    }

    /** Each rank changes cells of its own in each part, and one that all share. */
    private static void accesses(Communicator all, Window window, long seed) {
        Rand rand = new Rand(seed);
        int steps = 24;
        Work work = all.work();
        int done = work.counter();
        long[] in = new long[steps];
        long[] out = new long[2 * steps];
        long[] expected = new long[steps];
        WorkBuffer results = work.buffer(in);
        WorkBuffer operands = work.buffer(out);
        WorkQueue queue = work.queue();
        long[][] model = new long[all.size()][8];
        int expectedCount = 0;
        for (int rank = 0; rank < all.size(); rank++) {
            queue.put(work.buffer(new long[8]), work.target(window, rank, 8L * all.rank()), done);
            queue.accumulate(work.buffer(new long[] {1}), work.target(window, rank, 8L * all.size()), Op.SUM, done);
            expectedCount += 2;
        }
        queue.await(done, expectedCount);
        for (int i = 0; i < steps; i++) {
            int rank = rand.below(all.size());
            int cell = rand.below(8);
            WorkTarget target = work.target(window, rank, 8L * all.rank() + cell);
            long[] there = model[rank];
            WorkBuffer operand = operands.slice(2 * i, 1);
            WorkBuffer result = results.slice(i, 1);
            out[2 * i] = rand.below(9);
            out[2 * i + 1] = rand.below(9);
            int op = rand.below(OPS.length);
            switch (rand.below(5)) {
                case 0 -> {
                    queue.put(operand, target, done);
                    there[cell] = out[2 * i];
                }
                case 1 -> {
                    queue.get(target, result, done);
                    expected[i] = there[cell];
                }
                case 2 -> {
                    queue.accumulate(operand, target, OPS[op], done);
                    there[cell] = combine(op, there[cell], out[2 * i]);
                }
                case 3 -> {
                    queue.fetch(operand, target, OPS[op], result, done);
                    expected[i] = there[cell];
                    there[cell] = combine(op, there[cell], out[2 * i]);
                }
                default -> {
                    out[2 * i] = rand.below(2) == 0 ? there[cell] : out[2 * i];
                    queue.compareAndSwap(operand, operands.slice(2 * i + 1, 1), target, result, done);
                    expected[i] = there[cell];
                    there[cell] = there[cell] == out[2 * i] ? out[2 * i + 1] : there[cell];
                }
            }
            queue.await(done, ++expectedCount);
        }
        work.start(TAG).await();
        assertArrayEquals(expected, in, "seed " + seed);
    }

    @Test
    void shouldRefuseAccessesThatAreNotAllowed() {
        everywhere(2, (world, all) -> {
            ByteBuffer part = ByteBuffer.allocate(16);
            Window window = all.window(all.rank() == 1 ? part.asReadOnlyBuffer() : part, 8);
            Work work = all.work();
            int done = work.counter();
            if (all.rank() == 0) {
                WorkBuffer cell = work.buffer(new long[1]);
                assertContains("is outside the 16 bytes of that rank's part", assertThrows(RankwireException.class,
                        () -> work.queue().put(cell, work.target(window, 1, 2), done)));
                Work early = all.work();
                early.queue().get(early.target(window, 1, 0), early.buffer(new long[1]), early.counter());
                assertContains("rank 1: no epoch of world.window is open towards it", failure(early));
                work.queue().put(cell, work.target(window, 1, 1), done).await(done, 1);
                window.lock(Window.Lock.SHARED, 1);
                assertContains("ended early: rank 1 refused an access to 8 bytes at byte 8 of its memory: the memory is"
                        + " read-only", failure(work));
                early.start(TAG).await();
                window.unlock(1);
            }
            all.barrier();
            window.free();
            if (all.rank() == 0) {
                assertContains("rank 1: world.window was freed", failure(work));
            }
        });
    }

    /** A message names a counter of its receiver, and all its bytes are the user's. */
    @Test
    void shouldNameCountersBesideTheBytes() {
        everywhere(2, (world, all) -> {
            for (int length : new int[] {0, 1, 7, 5_001, 100_003}) {
                Work work = all.work();
                int other = work.counter();
                int named = work.counter();
                byte[] out = new byte[length];
                Rand rand = new Rand(length + 1);
                for (int i = 0; i < length; i++) {
                    out[i] = (byte) rand.nextLong();
                }
                byte[] in = new byte[length];
                WorkBuffer into = work.buffer(all.rank() == 0 ? out.clone() : in);
                if (all.rank() == 0) {
                    work.queue().sendNaming(1, named, into, other).await(other, 1);
                } else {
                    work.queue().receiveNamed(0, into).await(named, 1);
                }
                for (int run = 0; run < 2; run++) {
                    work.start(TAG + run).await();
                    assertEquals(1, work.count(all.rank() == 0 ? other : named));
                    assertArrayEquals(all.rank() == 0 ? new byte[length] : out, in);
                    Arrays.fill(in, (byte) 0);
                }
            }
        });
    }

    /** Long broadcasts, which are pipes from rank to rank, from each root, and those that await nothing. */
    @Test
    void shouldBroadcastLongVectorsExactly() {
        everywhere(4, (world, all) -> {
            for (int root = 0; root < all.size(); root++) {
                int length = 40_000 + 13 * root;
                double[] vector = new double[length];
                double[] expected = new double[length];
                int factor = root + 3;
                Arrays.setAll(expected, i -> factor * i + 0.5);
                for (int call = 0; call < 2; call++) {
                    Arrays.setAll(vector, i -> all.rank() == factor - 3 ? expected[i] : -1);
                    if (call == 0) {
                        all.broadcast(vector, root);
                    } else {
                        all.ibroadcast(vector, root).await();
                    }
                    assertArrayEquals(expected, vector, "root " + root + ", call " + call);
                }
            }
        });
    }

    /** Every rank gets and gives all bytes once, so that a broadcast takes little longer than one message. */
    @Test
    void shouldBroadcastInTheTimeOfOneMessage() {
        int bytes = 4 << 20;
        long[] took = new long[1];
        SimulatedRanks.run(Settings.DEFAULT, 8, null, null, MixedCalls.body((world, all) -> {
            byte[] vector = new byte[bytes];
            all.barrier();
            long start = world.time();
            all.broadcast(vector, 0);
            all.barrier();
            took[0] = all.rank() == 7 ? world.time() - start : took[0];
        }));
        // 10 GB/s: a tenth of a nanosecond for a byte.
        assertTrue(took[0] > bytes / 10 && took[0] < 1.6 * bytes / 10, "took " + took[0] + " ns");
    }

    /** What entries cost shows, and so does a cache that is too small for the program. */
    @Test
    void shouldTakeTimeForEntries() {
        long free = sumOfCopies(Settings.DEFAULT);
        Settings entries = Settings.DEFAULT.with("device.entry", "30 ns");
        assertEquals(free + 2 * 100 * 30, sumOfCopies(entries));
        Settings cached = entries.with("device.entries", "100").with("device.fetch", "400 ns");
        assertEquals(free + 2 * 100 * 30 + 100 * 400, sumOfCopies(cached));
        Settings small = cached.with("device.entries", "99");
        assertEquals(free + 2 * 100 * (30 + 400), sumOfCopies(small));
        assertTrue(cached.text().contains("device.entries = 100\ndevice.fetch = 400 ns"), cached.text());
    }

    /** Time of two runs of a program of 100 copies. */
    private static long sumOfCopies(Settings settings) {
        long[] took = new long[1];
        SimulatedRanks.run(settings, 1, null, null, MixedCalls.body((world, all) -> {
            Work work = all.work();
            WorkBuffer from = work.buffer(new int[] {1});
            WorkBuffer to = work.buffer(new int[1]);
            WorkQueue queue = work.queue();
            for (int i = 0; i < 100; i++) {
                queue.copy(from, to);
            }
            long start = world.time();
            work.start(TAG).await();
            work.start(TAG).await();
            took[0] = world.time() - start;
        }));
        return took[0];
    }
}
