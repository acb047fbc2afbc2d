package io.rankwire.sim.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.Hints;
import io.rankwire.Op;
import io.rankwire.RankwireException;
import io.rankwire.Request;
import io.rankwire.World;
import io.rankwire.launch.ThreadRanks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs on devices as model files describe them: matcher units, header store, unexpected buffer, sharing. */
@Timeout(300)
class ModelledDeviceTest {
    @FunctionalInterface
    private interface Program {
        void run(World world, Communicator all) throws Exception;
    }

    private static Settings settings(String... keysAndValues) {
        Settings settings = Settings.DEFAULT;
        for (String line : keysAndValues) {
            settings = settings.read(line, "test");
        }
        return settings;
    }

    private static SimulatedRanks run(Settings settings, int ranks, Program program) {
        return run(settings, ranks, null, program);
    }

    private static SimulatedRanks run(Settings settings, int ranks, Adversity adversity, Program program) {
        return SimulatedRanks.run(settings, ranks, null, adversity, job -> {
            try (World world = World.join()) {
                program.run(world, world.communicator());
            }
        });
    }

    /** Time of a ping-pong between ranks that both have receives posted which nothing meets. */
    private static long pingPong(Settings settings, int posted) {
        return pingPong(settings, posted, null);
    }

    private static long pingPong(Settings settings, int posted, Adversity adversity) {
        return pingPong(settings, posted, adversity, Hints.NONE, false);
    }

    /** As above, with hints, or with the receives that nothing meets on another communicator. */
    private static long pingPong(Settings settings, int posted, Adversity adversity, Hints hints, boolean apart) {
        long[] took = new long[1];
        run(settings, 2, adversity, (world, all) -> {
            Communicator other = apart ? all.duplicate() : all;
            all.hints(hints);
            int peer = 1 - all.rank();
            List<Request> idle = new ArrayList<>();
            for (int i = 0; i < posted; i++) {
                idle.add(other.irecv(new byte[8], peer, 9));
            }
            all.barrier();
            long[] word = new long[1];
            long start = world.time();
            for (int i = 0; i < 20; i++) {
                if (all.rank() == 0) {
                    all.send(word, peer, 1);
                    all.receive(word, peer, 1);
                } else {
                    all.receive(word, peer, 1);
                    all.send(word, peer, 1);
                }
            }
            took[0] = all.rank() == 0 ? world.time() - start : took[0];
            for (Request request : idle) {
                request.cancel();
                request.await();
            }
        });
        return took[0];
    }

    @Test
    void shouldPayACycleForEachReceiveThatIsWalked() {
        for (String units : List.of("1", "16", "64")) {
            Settings settings = settings("matcher.units = " + units, "matcher.cycle = 5 ns");
            long none = pingPong(settings, 0);
            assertEquals(none + 40 * 300 * 5, pingPong(settings, 300), 40 * 5, units + " units");
        }
        Settings together = settings("matcher.together = 4", "matcher.cycle = 5 ns");
        assertEquals(pingPong(together, 0) + 40 * 75 * 5, pingPong(together, 300), 40 * 5);
    }

    @Test
    void shouldWalkShorterListsWhereHintsSpreadThem() {
        Settings settings = settings("matcher.cycle = 5 ns");
        long none = pingPong(settings, 0);
        assertEquals(none + 40 * 300 * 5, pingPong(settings, 300, null, Hints.NONE.spreadBySource(8), false), 40 * 5);
        assertEquals(none, pingPong(settings, 300, null, Hints.NONE.spreadByTag(8), false), 40 * 5);
        Settings spread = settings("matcher.cycle = 5 ns", "matcher.queues = 8", "matcher.by = source");
        assertEquals(none, pingPong(spread, 300, null, Hints.NONE.spreadByTag(8), false), 40 * 5);
    }

    /** Where the context is a field of the words, all communicators of a rank are in one list. */
    @Test
    void shouldWalkOtherCommunicatorsWhereTheWordTellsThemApart() {
        Settings apart = settings("matcher.cycle = 5 ns");
        Settings together = settings("matcher.cycle = 5 ns", "matcher.source-bits = 8", "matcher.tag-bits = 20",
                "matcher.context-bits = 4");
        long none = pingPong(together, 0, null, Hints.NONE, true);
        assertEquals(pingPong(apart, 0, null, Hints.NONE, true), pingPong(apart, 300, null, Hints.NONE, true), 40 * 5);
        assertEquals(none + 40 * 300 * 5, pingPong(together, 300, null, Hints.NONE, true), 40 * 5);
    }

    @Test
    void shouldRefuseWhatWordsAreTooNarrowFor() {
        Settings narrow = settings("matcher.source-bits = 2", "matcher.tag-bits = 16", "matcher.context-bits = 2");
        run(narrow, 3, (world, all) -> {
            assertEquals(65_535, world.maxTag());
            RankwireException tag = assertThrows(RankwireException.class, () -> all.send(new byte[1], 0, 65_536));
            assertTrue(tag.getMessage().contains("argument tag: 65536 is above 65535"), tag.getMessage());
            all.duplicate();
            RankwireException many = assertThrows(RankwireException.class, all::duplicate);
            assertTrue(many.getMessage().contains("duplicate: the match words of this device are for 2 communicators"),
                    many.getMessage());
        });
        ThreadRanks.Failed ranks = assertThrows(ThreadRanks.Failed.class, () -> run(narrow, 4, (world, all) -> {}));
        assertTrue(ranks.getMessage().contains("with 2 bits for the source are for 3 ranks, and the job has 4"),
                ranks.getMessage());
        assertThrows(IllegalArgumentException.class, () -> settings("matcher.tag-bits = 14"));
        assertThrows(IllegalArgumentException.class, () -> settings("matcher.context-bits = 1"));
    }

    /**
     * One communicator takes all headers: software, whose matching takes long, gets the next that needs one. With
     * headers set aside, that is the same communicator.
     */
    @Test
    void shouldKeepHeadersOfEachCommunicatorFromTheOthers() {
        long[] took = new long[2];
        for (int run = 0; run < 2; run++) {
            int number = run;
            Settings few = settings("device.headers = 32", "device.overflow = software", "device.software = 100 us",
                    "matcher.receives = " + 4 * run, "matcher.messages = " + 4 * run);
            run(few, 2, (world, all) -> {
                Communicator quiet = all.duplicate();
                assertEquals(4 * number, quiet.hints().messages());
                int peer = 1 - all.rank();
                for (int i = 0; i < 32; i++) {
                    all.send(new byte[1], peer, i);
                }
                world.spend(50_000_000);
                quiet.barrier();
                long start = world.time();
                byte[] word = new byte[1];
                quiet.sendReceive(word, peer, 1, word, peer, 1);
                took[number] = Math.max(took[number], world.time() - start);
                for (int i = 0; i < 32; i++) {
                    all.receive(word, peer, i);
                }
            });
        }
        assertTrue(took[0] >= 100_000 && took[1] < 100_000, took[0] + " ns without and " + took[1] + " ns with shares");
    }

    @Test
    void shouldPayNothingWithoutUnitsOrWhereTheHostMatches() {
        Settings none = settings("matcher.units = none");
        assertEquals(pingPong(none, 0), pingPong(none, 300));
        Settings host = settings("device.offload = no");
        assertEquals(pingPong(host, 0), pingPong(host, 300));
        assertTrue(pingPong(none, 0) < pingPong(Settings.DEFAULT, 0));
    }

    /** The layer that repairs losses lies between the fabric and the device: matching comes behind it. */
    @Test
    void shouldPayTheSameOverAFabricThatLosesFrames() {
        Settings settings = settings("matcher.cycle = 5 ns");
        long none = pingPong(settings, 0, killAfterTheEnd());
        assertEquals(none + 40 * 300 * 5, pingPong(settings, 300, killAfterTheEnd()), 40 * 5);
        Settings free = settings("matcher.units = none");
        assertEquals(pingPong(free, 0, killAfterTheEnd()), pingPong(free, 300, killAfterTheEnd()));
        Settings slower = settings("matcher.cycle = 50 ns");
        for (long seed = 1; seed <= 5; seed++) {
            long slow = pingPong(slower, 300, new Adversity(seed, null, settings, 2, 2));
            long fast = pingPong(free, 300, new Adversity(seed, null, free, 2, 2));
            assertTrue(slow > fast, "seed " + seed + ": " + slow + " ns with units, " + fast + " ns without");
        }
        long unbounded = overflow(settings("device.software = 1 ms"));
        long bounded =
                overflow(settings("device.software = 1 ms", "device.headers = 16", "device.overflow = software"));
        assertTrue(bounded > unbounded + 20_000_000_000L, bounded + " ps, " + unbounded + " ps");
    }

    /** No fault happens, but the fabric could lose frames, and so has the layer that repairs that. */
    private static Adversity killAfterTheEnd() {
        return new Adversity(null, "1@3600 s", Settings.DEFAULT, 2, 2);
    }

    /** Time of a run with more messages that wait than a small device has headers for. */
    private static long overflow(Settings settings) {
        return run(settings, 2, killAfterTheEnd(), (world, all) -> {
            for (int i = 0; i < 40; i++) {
                if (all.rank() == 0) {
                    all.send(new byte[8], 1, i);
                }
            }
            all.barrier();
            for (int i = 39; i >= 0 && all.rank() == 1; i--) {
                all.receive(new byte[8], 0, i);
            }
        }).timePs();
    }

    @Test
    void shouldSearchBesideTheHost() {
        shouldSearchBesideTheHost(null);
        shouldSearchBesideTheHost(killAfterTheEnd());
    }

    /** A receive that finds its message behind many others; the host may compute meanwhile. */
    private static void shouldSearchBesideTheHost(Adversity adversity) {
        long[] took = new long[3];
        run(settings("matcher.cycle = 10 ns"), 2, adversity, (world, all) -> {
            if (all.rank() == 0) {
                for (int i = 0; i < 1_000; i++) {
                    all.send(new byte[8], 1, i);
                }
            }
            all.barrier();
            if (all.rank() == 1) {
                long start = world.time();
                Request last = all.irecv(new byte[8], 0, 999);
                took[0] = world.time() - start;
                last.await();
                took[1] = world.time() - start;
                start = world.time();
                Request other = all.irecv(new byte[8], 0, 998);
                world.spend(9_000);
                other.await();
                took[2] = world.time() - start;
                for (int i = 0; i < 998; i++) {
                    all.receive(new byte[8], 0, i);
                }
            }
        });
        assertTrue(took[0] < 1_000, "irecv returns at once: " + took[0]);
        assertEquals(10_000 + 80, took[1], 300);
        assertEquals(10_000 + 80, took[2], 300);
    }

    /** Where idle receives take all places of the device, each message crosses to software and back. */
    @Test
    void shouldPayTheCrossingForReceivesThatAreNotInTheDevice() {
        for (String closing : List.of("optimistic", "handshake")) {
            Settings few = settings("split.posted = 4", "split.closing = " + closing, "split.crossing = 2 us",
                    "device.software = 1 us");
            long all = pingPong(few.with("split.posted", "all"), 40);
            long outside = pingPong(few, 40);
            // Less the walk over 36 headers, and less host.receive: software has had its time.
            assertEquals(all + 40 * (3_000 - 72 - 200), outside, 40 * 60, closing);
            long inside = pingPong(few.with("split.posted", "64"), 40);
            assertTrue(all < inside && inside < outside, closing + ": " + all + ", " + inside + ", " + outside);
            long underFaults = pingPong(few, 40, new Adversity(3L, null, few, 2, 2));
            assertTrue(underFaults > outside, closing);
        }
    }

    /** A post that waits for the device to stop takes two crossings more than one that goes ahead. */
    @Test
    void shouldPayForStoppingTheDevice() {
        long[] took = new long[2];
        for (int i = 0; i < 2; i++) {
            took[i] = promotions(settings("split.posted = 2", "split.crossing = 5 us",
                    "split.closing = " + (i == 0 ? "optimistic" : "handshake")));
        }
        assertTrue(took[1] > took[0] + 200_000, took[0] + " and " + took[1]);
    }

    /** Receives for one sender, in the order of its messages, which come while receives are on their way down. */
    private static long promotions(Settings settings) {
        long[] ends = new long[1];
        run(settings, 2, (world, all) -> {
            List<Request> receives = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                if (all.rank() == 1) {
                    receives.add(all.irecv(new int[1], 0, i));
                } else {
                    world.spend(6_000);
                    all.send(new int[] {i}, 1, i);
                }
            }
            for (Request receive : receives) {
                receive.await();
                ends[0] += world.time();
            }
        });
        return ends[0];
    }

    /** The device answers while its host computes, and software gets what crosses when it has crossed. */
    @Test
    void shouldCrossWhileTheHostComputes() {
        long[] took = new long[1];
        run(settings("split.posted = 1", "split.crossing = 2 us"), 2, (world, all) -> {
            int[] word = {all.rank()};
            if (all.rank() == 0) {
                all.send(word, 1, 1);
                all.send(word, 1, 0);
            } else {
                long start = world.time();
                Request first = all.irecv(word, 0, 0);
                Request second = all.irecv(word, 0, 1);
                world.spend(50_000);
                first.await();
                second.await();
                took[0] = world.time() - start;
            }
        });
        assertEquals(50_000, took[0], 1_500);
    }

    private static long flood(Settings settings) {
        return run(settings, 3, (world, all) -> {
            if (all.rank() != 0) {
                for (int i = 0; i < 100; i++) {
                    all.send(new int[] {i}, 0, i % 7);
                }
                all.send(new int[] {-1}, 0, 50);
            } else {
                int[] got = new int[1];
                all.receive(got, 1, 50);
                all.receive(got, 2, 50);
                for (int i = 0; i < 200; i++) {
                    all.receive(got, 1 + i / 100, i % 100 % 7);
                    assertEquals(i % 100, got[0]);
                }
            }
        }).timePs();
    }

    @Test
    void shouldDoWhatTheModelSaysWhenTheHeaderStoreIsFull() {
        long grown = flood(settings("device.headers = 16"));
        assertEquals(flood(Settings.DEFAULT), grown);
        long software = flood(settings("device.headers = 16", "device.overflow = software"));
        assertNotEquals(grown, software);
        long slow = flood(settings("device.headers = 16", "device.overflow = software", "device.software = 1 us"));
        assertTrue(slow > software + 50_000_000, slow + " and " + software);
        ThreadRanks.Failed failed = assertThrows(ThreadRanks.Failed.class,
                () -> flood(settings("device.headers = 16", "device.overflow = fail")));
        String told = failed.getCause().getMessage();
        assertTrue(told.startsWith("rank 0: ") && told.contains("the header store is full: 16"), told);
    }

    @Test
    void shouldSlowSendersWhenTheUnexpectedBufferIsSmall() {
        long[] sent = new long[2];
        for (int i = 0; i < 2; i++) {
            int place = i;
            run(settings("device.unexpected = " + (i == 0 ? "4 KiB" : "1 MiB")), 2, (world, all) -> {
                if (all.rank() == 0) {
                    for (int number = 0; number < 100; number++) {
                        all.send(new int[] {number}, 1, 0);
                    }
                    sent[place] = world.time();
                } else {
                    world.spend(100_000);
                    int[] got = new int[1];
                    for (int number = 0; number < 100; number++) {
                        all.receive(got, 0, 0);
                        assertEquals(number, got[0]);
                    }
                }
            });
        }
        assertTrue(sent[0] > 100_000 && sent[1] < 50_000, sent[0] + " and " + sent[1]);
    }

    /**
     * When a message of 1 MiB has come. The sender computes for 5 ms after it has started the send, or waits for it.
     */
    private static long largeMessage(boolean posted, boolean computes, String... model) {
        long[] came = new long[1];
        run(settings(model), 2, (world, all) -> {
            byte[] memory = new byte[1 << 20];
            if (all.rank() == 0) {
                for (int i = 0; i < memory.length; i++) {
                    memory[i] = (byte) (i * 31 >> 3);
                }
                world.spend(posted ? 100_000 : 0);
                Request send = all.isend(memory, 1, 0);
                world.spend(computes ? 5_000_000 : 0);
                send.await();
            } else {
                world.spend(posted ? 0 : 100_000);
                all.receive(memory, 0, 0);
                came[0] = world.time();
                for (int i = 0; i < memory.length; i++) {
                    assertEquals((byte) (i * 31 >> 3), memory[i]);
                }
            }
        });
        return came[0];
    }

    /** Cases (a) and (c) need no host; in cases (b) and (d) the host makes sixteen puts, one after another. */
    @Test
    void shouldMakeThePutsOfAVeryLargeMessageInSoftware() {
        for (boolean posted : List.of(true, false)) {
            String within = "device.rendezvous = 1 MiB";
            long alone = largeMessage(posted, true, within);
            assertTrue(alone < 300_000, posted + ": the device alone takes " + alone + " ns");
            long away = largeMessage(posted, true, "device.rendezvous = 64 KiB");
            assertTrue(away > 5_000_000, posted + ": " + away + " ns, but the sender computes for 5 ms");
            long one = largeMessage(posted, false, within, "host.send = 20 us");
            long many = largeMessage(posted, false, "device.rendezvous = 64 KiB", "host.send = 20 us");
            assertEquals(one + 16 * 20_000, many, 40_000, posted + ": a call of the host for each put");
        }
    }

    /** What comes ahead of the answer is copied by the receiver's processor, the rest is put to its place. */
    @Test
    void shouldCopyEarlyBytesWithTheProcessorOfTheTarget() {
        String within = "device.rendezvous = 1 MiB";
        long free = largeMessage(true, true, within, "node.copy = unlimited");
        long fast = largeMessage(true, true, within, "node.copy = 10 GB/s");
        long slow = largeMessage(true, true, within, "node.copy = 50 MB/s");
        // Four frames of 4 KiB go ahead, which takes 320 us at 50 MB/s, while the rest comes; all would take 21 ms.
        assertTrue(slow > free + 150_000 && slow < free + 2_000_000, free + " and " + slow + " ns");
        assertTrue(fast - free < 2_000, "it is copied while more of it comes: " + free + " and " + fast + " ns");
    }

    /**
     * Time of 8 MiB between two ranks of a node whose processors copy 1 GB/s.
     *
     * @param from whether the sender's memory can be mapped
     * @param to the same for the receiver's
     * @param helps whether the sender waits for the send, or computes for 50 ms
     */
    private static double neighbours(boolean from, boolean to, boolean helps, String... model) {
        double[] came = new double[1];
        Settings settings = settings("ranks-per-node = 2", "node.copy = 1 GB/s").read(String.join("\n", model), "test");
        run(settings, 2, (world, all) -> {
            int bytes = 8 << 20;
            boolean shared = all.rank() == 0 ? from : to;
            MemorySegment memory = shared ? world.allocate(bytes) : Arena.ofAuto().allocate(bytes);
            if (all.rank() == 0) {
                for (int i = 0; i < bytes; i++) {
                    memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 >> 3));
                }
                Request send = all.isend(memory, 1, 0);
                world.spend(helps ? 0 : 50_000_000);
                send.await();
            } else {
                long start = world.time();
                all.receive(memory, 0, 0);
                came[0] = world.time() - start;
                for (int i = 0; i < bytes; i++) {
                    assertEquals((byte) (i * 31 >> 3), memory.get(ValueLayout.JAVA_BYTE, i));
                }
            }
        });
        return came[0] / 8_388_608;
    }

    @Test
    void shouldCopyWithTwoProcessorsBetweenRanksOfANode() {
        assertEquals(0.5, neighbours(true, true, true), 0.01, "both copy");
        assertEquals(1, neighbours(true, true, false), 0.01, "the receiver copies, while the sender computes");
        assertEquals(1, neighbours(true, false, true), 0.01, "the receiver copies");
        assertEquals(1, neighbours(false, true, true), 0.01, "the sender copies");
        assertEquals(0.25, neighbours(true, true, true, "node.copy = 2 GB/s"), 0.01, "both copy faster");
        assertEquals(0.5, neighbours(true, true, true, "device.offload = no"), 0.01, "both copy without a device");
        double frames = neighbours(false, false, true, "device.copy = 500 MB/s");
        assertEquals(2, frames, 0.1, "through the device");
    }

    @Test
    void shouldSayThatDevicesDividedBySourceHaveNoAnySource() {
        Settings divided = settings("ranks-per-node = 2", "node.devices = 2", "node.sharing = by-source");
        Program program = (world, all) -> {
            int[] got = new int[1];
            if (all.rank() == 0) {
                for (int i = 1; i < 4; i++) {
                    all.receive(got, Communicator.ANY_SOURCE, 3);
                }
            } else {
                all.send(got, 0, 3);
            }
        };
        ThreadRanks.Failed failed = assertThrows(ThreadRanks.Failed.class, () -> run(divided, 4, program));
        String told = failed.getCause().getMessage();
        assertTrue(told.startsWith("rank 0: receive: a receive from any source"), told);
        assertTrue(told.contains("divided by source"), told);
        run(divided.with("node.sharing", "claimed"), 4, program);
        run(divided.with("node.devices", "1"), 4, program);
    }

    /** All ranks of one node send to all of another. */
    private static SimulatedRanks allToAll(String... keysAndValues) {
        Settings settings = settings("ranks-per-node = 4", "device.receive = 1 us", "device.responders = 1")
                .read(String.join("\n", keysAndValues), "test");
        return run(settings, 8, (world, all) -> {
            List<Request> requests = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                for (int peer = 0; peer < 4; peer++) {
                    // Not all to the same at the same time: there is one responder for each.
                    requests.add(all.rank() < 4 ? all.isend(new byte[16], 4 + (all.rank() + peer) % 4, i)
                            : all.irecv(new byte[16], peer, i));
                }
            }
            requests.forEach(Request::await);
            long[] sum = new long[1];
            all.allreduce(new long[] {1}, sum, Op.SUM);
            assertEquals(8, sum[0]);
        });
    }

    @Test
    void shouldTakeLongerWhereRanksShareADevice() {
        double own = allToAll("node.devices = own").timePs();
        assertEquals(own, allToAll("node.devices = 4").timePs(), 0.02 * own);
        double one = allToAll("node.devices = 1").timePs();
        double two = allToAll("node.devices = 2").timePs();
        assertTrue(one > 3 * own && two > 1.6 * own && two < 0.6 * one, own + ", " + two + ", " + one);
        for (String sharing : List.of("by-source", "claimed")) {
            double all = allToAll("node.devices = 4", "node.sharing = " + sharing).timePs();
            assertEquals(own, all, 0.25 * own, sharing);
        }
    }

    @Test
    void shouldRunTheSameEveryTimeHoweverDevicesAreShared() {
        List<Long> hashes = new ArrayList<>();
        for (String sharing : List.of("pinned", "by-source", "claimed")) {
            for (String units : List.of("1", "none")) {
                String[] model = {"node.devices = 3", "node.sharing = " + sharing, "matcher.units = " + units};
                long hash = allToAll(model).hash();
                assertEquals(hash, allToAll(model).hash());
                hashes.add(hash);
            }
        }
        assertEquals(4, hashes.stream().distinct().count(), "the last two differ only for any source: " + hashes);
    }
}
