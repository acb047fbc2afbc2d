package io.rankwire.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Device;
import io.rankwire.device.DeviceAudit;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.DeviceConfig.Overflow;
import io.rankwire.device.Operation;
import io.rankwire.device.match.Split;
import io.rankwire.memory.Rand;
import io.rankwire.sim.match.MatchRate;
import io.rankwire.sim.match.MatcherConfig;
import io.rankwire.sim.match.MatcherUnits;
import io.rankwire.sim.net.Crossbar;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.wire.MatchWord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real devices that pay for matching and share hardware: what they match is what it was, and takes what models say. */
@Timeout(300)
class MatchTimeTest {
    private static final long SEEDS = Long.getLong("rankwire.matchtime.seeds", 200);
    private static final long SEED = Long.getLong("rankwire.matchtime.seed", 1);
    private static final int IDLE = 1;
    private static final int BUSY = 2;
    private static final int BURST = 256;
    private static final DeviceConfig CONFIG = DeviceConfig.DEFAULT.withUnexpectedBytes(1L << 30);
    private static final LinkModel FAST = new LinkModel(1_000, 0, 1_024, 0);

    private static DeviceModel model(MatcherConfig matcher) {
        return new DeviceModel(0, DeviceModel.UNLIMITED, 0, DeviceModel.UNLIMITED, 0, 1 << 20, 4096, true, matcher, 0,
                Overflow.GROW, 0, 0, 0);
    }

    private static Split division(Rand rand) {
        return new Split(rand.between(1, 6), Split.Closing.values()[rand.below(2)], rand.below(5), rand.between(2, 8),
                rand.below(600));
    }

    private static Devices devices(MatcherConfig matcher, int ranks, int ranksPerNode, NodeModel node) {
        return new Devices(new Crossbar((ranks + ranksPerNode - 1) / ranksPerNode), FAST, model(matcher), CONFIG,
                ranks, ranksPerNode, node);
    }

    /** What a burst takes from the first message's coming to the last one's match, behind receives nothing meets. */
    private static long burst(MatcherConfig matcher, int depth) {
        Devices devices = devices(matcher, 2, 1, NodeModel.DEFAULT);
        List<Operation> receives = new ArrayList<>();
        long[] ends = new long[2];
        devices.wake(0, 1_000_000_000);
        devices.wake(1, 0);
        devices.run(rank -> {
            Device device = devices.device(rank);
            if (rank == 0 && devices.events().now() == 1_000_000_000) {
                for (int i = 0; i < BURST; i++) {
                    assertTrue(device.sendNow(1, 1, BUSY, new byte[8], 0, 8, 1));
                }
            }
            if (rank == 1 && receives.isEmpty()) {
                for (int i = 0; i < depth; i++) {
                    device.receive(1, 0, IDLE, new byte[8], 0, 8, 1);
                }
                for (int i = 0; i < BURST; i++) {
                    receives.add(device.receive(1, 0, BUSY, new byte[8], 0, 8, 1));
                }
            }
            if (rank == 1 && receives.getFirst().isDone()) {
                ends[0] = ends[0] == 0 ? devices.events().now() : ends[0];
                ends[1] = receives.getLast().isDone() && ends[1] == 0 ? devices.events().now() : ends[1];
            }
        });
        return ends[1] - ends[0] + matcher.searchPs(depth + 1);
    }

    @Test
    void shouldMatchAtTheRateOfTheUnits() {
        for (int matchers : new int[] {1, 2, 4, 16, 64}) {
            for (int depth : new int[] {0, 1, 16, 256, 1_024}) {
                for (int banks : new int[] {4, 64}) {
                    MatcherConfig config = new MatcherConfig(
                            matchers, 1, banks, 4, 4, 32_768, 1, MatcherConfig.By.SOURCE, 2_000);
                    double expected = BURST * 1e12 / MatchRate.perSecond(config, depth, 1);
                    assertEquals(expected, burst(config, depth), 0.01 * expected,
                            matchers + " units, " + banks + " banks, depth " + depth);
                }
            }
        }
    }

    @Test
    void shouldShortenSearchesByUnitsThatShareARequestAndByQueues() {
        MatcherConfig four = MatcherConfig.DEFAULT.withMatchers(4, 1);
        assertTrue(2 * burst(four.withMatchers(4, 4), 1_024) < 2.1 * burst(four, 1_024));
        MatcherConfig byTag = new MatcherConfig(1, 1, 64, 4, 4, 32_768, 8, MatcherConfig.By.TAG, 2_000);
        assertTrue(20 * burst(byTag, 1_024) < burst(MatcherConfig.DEFAULT.withMatchers(1, 1), 1_024));
    }

    /** A receive that finds its message shows that after the search, and holds nobody up meanwhile. */
    @Test
    void shouldShowAWaitingMessageAfterItsSearch() {
        for (int depth : new int[] {0, 1, 100, 1_000}) {
            Devices devices = devices(MatcherConfig.DEFAULT, 2, 1, NodeModel.DEFAULT);
            long postAt = 1_000_000_000;
            Operation[] receive = new Operation[1];
            long[] shown = new long[1];
            devices.wake(0, 0);
            devices.wake(1, postAt);
            devices.run(rank -> {
                if (rank == 0 && devices.events().now() == 0) {
                    for (int i = 0; i <= depth; i++) {
                        assertTrue(devices.device(0).sendNow(1, 1, i < depth ? IDLE : BUSY, new byte[8], 0, 8, 1));
                    }
                }
                if (rank == 1 && devices.events().now() == postAt) {
                    receive[0] = devices.device(1).receive(1, 0, BUSY, new byte[8], 0, 8, 1);
                    assertTrue(!receive[0].isDone() && !devices.device(1).cancel(receive[0]), "met, and not shown");
                }
                if (rank == 1 && receive[0] != null && receive[0].isDone() && shown[0] == 0) {
                    shown[0] = devices.events().now();
                }
            });
            assertEquals(MatcherConfig.DEFAULT.searchPs(depth + 1), shown[0] - postAt);
        }
    }

    private record Sent(int from, int to, int context, int tag) {}

    private record Posted(int rank, int context, int from, int tag, byte[] bytes, Operation operation) {
        boolean fits(Sent message) {
            return rank == message.to && context == message.context && (from < 0 || from == message.from)
                    && (tag < 0 || tag == message.tag);
        }

        boolean isCancelled() {
            return operation.isDone() && !operation.isReceived();
        }

        /** Number of the message it got, or -1. */
        int message() {
            return operation.isDone() && operation.isReceived() ? bytes[0] & 0xFF | (bytes[1] & 0xFF) << 8 : -1;
        }
    }

    @Test
    void shouldMatchInOrderHoweverDevicesAreShared() {
        long cancelled = 0;
        long met = 0;
        for (long seed = SEED; seed < SEED + SEEDS; seed++) {
            for (Sharing sharing : Sharing.values()) {
                try {
                    long[] first = exchange(sharing, seed);
                    cancelled += first[1];
                    met += first[2];
                    assertEquals(first[0], exchange(sharing, seed)[0], "the same again");
                    if (seed % 20 == 0) {
                        assertNotEquals(first[0], exchange(sharing, seed + 1)[0]);
                    }
                } catch (AssertionError | RuntimeException failure) {
                    throw new AssertionError("-Drankwire.matchtime.seed=" + seed + ", " + sharing + ": " + failure,
                            failure);
                }
            }
        }
        assertTrue(cancelled > SEEDS && met > 100 * SEEDS, cancelled + " cancelled, " + met + " met");
    }

    /** Random traffic between ranks of several nodes; returns the hash, and how many were cancelled and met. */
    private static long[] exchange(Sharing sharing, long seed) {
        Rand rand = new Rand(seed);
        int ranks = 6;
        int ranksPerNode = rand.between(1, 3);
        int matchers = rand.between(1, 5);
        MatcherConfig matcher = new MatcherConfig(matchers, rand.between(1, matchers), rand.between(1, 8),
                rand.below(6), rand.below(6), 64, rand.chance(1, 3) ? rand.between(2, 4) : 1,
                MatcherConfig.By.values()[rand.below(2)], 1_000 * rand.between(1, 100));
        NodeModel node = new NodeModel(rand.below(4), sharing, rand.below(300_000));
        boolean any = sharing != Sharing.BY_SOURCE || node.devices() < 2;
        DeviceModel model = new DeviceModel(rand.below(90_000), 2, rand.below(90_000), 2, rand.below(90_000), 1 << 20,
                4096, true, matcher, rand.chance(1, 3) ? rand.between(4, 20) : 0,
                rand.chance(1, 2) ? Overflow.GROW : Overflow.SOFTWARE, rand.below(300_000), 0, 0)
                .withSplit(rand.chance(1, 3) ? division(rand) : DeviceModel.UNDIVIDED);
        Devices devices = new Devices(new Crossbar((ranks + ranksPerNode - 1) / ranksPerNode), LinkModel.DEFAULT,
                model, CONFIG, ranks, ranksPerNode, node);
        List<Sent> sent = new ArrayList<>();
        List<Posted> posted = new ArrayList<>();
        int gap = new int[] {20_000, 200_000, 2_000_000}[rand.below(3)];
        for (int rank = 0; rank < ranks; rank++) {
            for (int turn = 0; turn < 25; turn++) {
                devices.wake(rank, (long) turn * gap + rand.below(gap));
            }
        }
        int[] actions = new int[ranks];
        int[] cancelled = new int[1];
        devices.run(rank -> {
            for (int i = rand.below(3); i > 0 && actions[rank] < 60; i--, actions[rank]++) {
                act(devices.device(rank), rank, ranks, any, rand, sent, posted, cancelled);
            }
        });
        assertEquals(0, devices.fabric().underWay());
        int expected = waiting(devices, ranks);
        int headers = headers(devices, ranks);
        if (model.divided() != null) {
            int places = ranks * model.split().posted() * devices.fabric().devices.ways();
            assertTrue(headers <= places, headers + " headers, " + places + " places");
        } else if (model.headers() == 0) {
            boolean copies = sharing == Sharing.CLAIMED && node.devices() > 1;
            assertTrue(headers == expected || copies && headers > expected, headers + " headers for " + expected);
        }
        return new long[] {devices.events().hash(), cancelled[0], audit(sent, posted)};
    }

    private static void act(Device device, int rank, int ranks, boolean any, Rand rand, List<Sent> sent,
            List<Posted> posted, int[] cancelled) {
        int what = rand.below(20);
        int context = 1 + rand.below(2);
        if (what < 9) {
            int to = rand.below(ranks);
            Sent message = new Sent(rank, to, context, rand.below(3));
            // To itself too; large ones are announced, and take more than one frame.
            byte[] bytes = new byte[rand.chance(1, 10) ? 20_000 : 4];
            bytes[0] = (byte) sent.size();
            bytes[1] = (byte) (sent.size() >> 8);
            sent.add(message);
            device.send(Operation.Mode.STANDARD, context, to, message.tag, bytes, 0, bytes.length, 1);
        } else if (what < 19) {
            byte[] bytes = new byte[20_000];
            int from = any && rand.chance(1, 3) ? MatchWord.ANY : rand.below(ranks);
            int tag = rand.chance(1, 4) ? MatchWord.ANY : rand.below(3);
            posted.add(new Posted(rank, context, from, tag, bytes,
                    device.receive(context, from, tag, bytes, 0, bytes.length, 1)));
        } else {
            for (Posted receive : posted) {
                if (receive.rank == rank && !receive.operation.isDone() && device.cancel(receive.operation)) {
                    cancelled[0]++;
                    break;
                }
            }
        }
    }

    /** Every message was given once, in order, and none waits that a receive would take; how many were given. */
    private static int audit(List<Sent> sent, List<Posted> posted) {
        int[] receiveOf = new int[sent.size()];
        Arrays.fill(receiveOf, -1);
        int met = 0;
        for (int i = 0; i < posted.size(); i++) {
            int message = posted.get(i).message();
            if (message >= 0) {
                assertEquals(-1, receiveOf[message], "given once");
                assertTrue(posted.get(i).fits(sent.get(message)), "fits");
                receiveOf[message] = i;
                met++;
            }
        }
        for (int message = 0; message < receiveOf.length; message++) {
            Sent one = sent.get(message);
            int receive = receiveOf[message];
            for (Posted other : posted) {
                assertTrue(receive >= 0 || other.operation.isDone() || !other.fits(one), "both wait though they fit");
            }
            for (int later = message + 1; later < receiveOf.length; later++) {
                Sent two = sent.get(later);
                int next = receiveOf[later];
                if (two.from == one.from && two.to == one.to && next >= 0 && posted.get(next).fits(one)) {
                    assertTrue(receive >= 0 && (receive < next || !posted.get(receive).fits(two)), "overtaken");
                }
            }
        }
        return met;
    }

    /** Receives and messages in the queues of all devices. */
    private static int waiting(Devices devices, int ranks) {
        int count = 0;
        for (int rank = 0; rank < ranks; rank++) {
            for (int context = 1; context <= 2; context++) {
                count += DeviceAudit.posted(devices.device(rank), context)
                        + DeviceAudit.unexpected(devices.device(rank), context);
            }
            DeviceAudit.structures(devices.device(rank));
        }
        return count;
    }

    /** Headers in the lists of all hardware, or about to be. */
    private static int headers(Devices devices, int ranks) {
        NodeDevices hardware = devices.fabric().devices;
        Set<MatcherUnits> units = new HashSet<>();
        for (int rank = 0; rank < ranks; rank++) {
            for (int way = 0; way < hardware.ways(); way++) {
                units.add(hardware.units(rank, way));
            }
        }
        int count = 0;
        for (MatcherUnits one : units) {
            count += one.headers();
        }
        for (int rank = 0; rank < ranks; rank++) {
            count += devices.fabric().port(rank).timer().postponed();
        }
        return count;
    }

    /** All for one rank: by its one device, by four of the sources, by four with flags. */
    @Test
    void shouldServeOneRankFasterByAllDevices() {
        long pinned = serve(Sharing.PINNED, false);
        long bySource = serve(Sharing.BY_SOURCE, false);
        long claimed = serve(Sharing.CLAIMED, false);
        long claimedAny = serve(Sharing.CLAIMED, true);
        assertTrue(pinned > 3.9 * bySource && claimed == bySource && claimedAny > bySource,
                pinned + ", " + bySource + ", " + claimed + ", " + claimedAny);
    }

    private static long serve(Sharing sharing, boolean any) {
        int messages = 1_000;
        long claimPs = 20_000;
        MatcherConfig one = MatcherConfig.DEFAULT.withMatchers(1, 1);
        Devices devices = devices(one, 9, 1, new NodeModel(4, sharing, claimPs));
        List<Operation> receives = new ArrayList<>();
        long from = 1_000_000_000;
        for (int i = 0; i < messages; i++) {
            devices.wake(1 + i % 8, from + i);
        }
        devices.wake(0, 0);
        long[] end = new long[1];
        devices.run(rank -> {
            Device device = devices.device(rank);
            for (int i = 0; rank == 0 && receives.size() < messages; i++) {
                receives.add(device.receive(1, any ? MatchWord.ANY : 1 + i % 8, 0, new byte[8], 0, 8, 1));
            }
            if (rank != 0) {
                assertTrue(device.sendNow(1, 0, 0, new byte[8], 0, 8, 1));
            }
            end[0] = devices.events().now();
        });
        for (Operation receive : receives) {
            assertTrue(receive.isDone());
        }
        if (!any) {
            // Receives and messages come in the same order, so each search meets the first header.
            double expected = (double) messages / (sharing == Sharing.PINNED ? 1 : 4) * one.searchPs(1);
            assertEquals(expected, end[0] - from, 0.02 * expected, sharing.toString());
        }
        return end[0] - from;
    }
}
