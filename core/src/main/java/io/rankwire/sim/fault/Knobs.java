package io.rankwire.sim.fault;

import io.rankwire.device.DeviceConfig;
import io.rankwire.device.flow.FlowConfig;
import io.rankwire.device.match.Split;
import io.rankwire.memory.Rand;
import io.rankwire.sim.DeviceModel;
import io.rankwire.sim.net.LinkModel;

/** How the world of a run is made: sizes, policies, topology, costs. */
final class Knobs {
    /** The least credit that a sender has, in bytes. */
    private static final long NARROWEST = 4 * 64;

    final int ranks;
    final int ranksPerNode;
    final String topology;
    final LinkModel links;
    final DeviceModel model;
    final DeviceConfig config;
    /** Whether what meets what is judged in the end: for divided devices, with cancels. */
    final boolean ordered;
    /** The layer that repairs losses, between the device and the fabric; null where nothing is lost. */
    final FlowConfig flow;
    /** Calls of all hosts together. */
    final int steps;
    /** Time between two calls of a host, on average. */
    final long gapPs;
    /** Messages that may wait on the way to a rank, or there. */
    final int depth;
    final int mostBytes;
    /** Of 100 calls this many are of messages; the others access memory, send datagrams, call collectives. */
    final int messages;
    /** Bytes of a rank's own part of each other's memory. */
    final int slice;
    final int entries;
    final int entryBytes;
    /** Frames that a device gets at once. */
    final int mostPolled;
    final boolean collectives;
    /** Elements of a block of a collective call. */
    final int units;

    /** How much slower all hosts call: connections break and are mended in milliseconds and seconds. */
    final int slower;

    /**
     * @param overTcp whether connections carry the frames; otherwise the seed decides whether some are lost
     */
    Knobs(Rand rand, boolean overTcp) {
        ranks = rand.chance(1, 40) ? 1 : rand.between(2, rand.chance(1, 3) ? 9 : 4);
        ranksPerNode = rand.chance(1, 4) ? rand.between(1, 3) : 1;
        topology = pick(rand, "crossbar", "torus", "fattree");
        links = new LinkModel(1 + rand.below(300_000), rand.below(300_000), rand.between(2, rand.chance(1, 2) ? 3 : 16),
                32);
        int maxPayload = pick(rand, 256, 512, 1024, 4096, 16 << 10);
        int room = rand.chance(1, 2) ? 2 * maxPayload + rand.below(2 * maxPayload) : 64 * maxPayload;
        model = new DeviceModel(rand.below(100_000), rand.between(1, 4), rand.below(100_000), rand.between(1, 4),
                rand.below(100_000), room, maxPayload, true)
                .withLimits(new DeviceModel.Limits(0, ranks % 2 == 0 ? maxPayload : 0));
        boolean few = rand.chance(1, 3);
        DeviceConfig drawn = new DeviceConfig(
                pick(rand, 0, 64, 1024, 16 << 10),
                pick(rand, 4 << 10, 8 << 10, 64 << 10, 1 << 20),
                pick(rand, 64, 128),
                pick(rand, 4, 64, 512),
                few ? rand.between(1, 8) : 64,
                few ? rand.between(8, 16) : 1 << 14,
                rand.chance(1, 12) ? DeviceConfig.Overflow.FAIL
                        : rand.chance(1, 2) ? DeviceConfig.Overflow.GROW : DeviceConfig.Overflow.SOFTWARE,
                DeviceConfig.Truncation.values()[rand.below(2)],
                1 << rand.between(10, 20),
                rand.between(1, 8),
                DeviceConfig.Large.values()[rand.below(DeviceConfig.Large.values().length)],
                pick(rand, 64, 3_000, 1 << 20)).withSplit(rand.chance(1, 5) ? split(rand) : null);
        ordered = drawn.split() != null && rand.chance(2, 3);
        FlowConfig repairs = rand.chance(1, 2) ? flow(rand, ranks) : null;
        int calls = rand.chance(1, 4) ? rand.between(100, 400) : rand.between(20, 100);
        gapPs = pick(rand, 100_000, 1_000_000, 5_000_000);
        int waiting = pick(rand, 4, 12, 40);
        mostBytes = pick(rand, 2_000, 8_000, 40_000);
        messages = pick(rand, 100, 90, 75, 40);
        slice = pick(rand, 40, 500, 6_000);
        entries = rand.between(1, 4);
        entryBytes = pick(rand, 16, 150);
        mostPolled = rand.chance(1, 4) ? rand.between(1, 3) : 32;
        collectives = rand.chance(1, 2);
        units = pick(rand, 1, 20, 300);
        // Hardly any credit, and many messages that wait for it.
        boolean narrow = rand.chance(1, 5);
        DeviceConfig divided = drawn.split() == null ? drawn : divided(drawn, ordered);
        config = narrow ? divided.withUnexpectedBytes(NARROWEST * ranks) : divided;
        steps = narrow ? calls + 150 : calls;
        depth = narrow ? 40 : waiting;
        slower = overTcp ? pick(rand, 1, 100, 3_000, 30_000) : 1;
        flow = overTcp || repairs == null ? null : rand.chance(1, 2) ? paced(rand, repairs) : repairs;
    }

    private static Split split(Rand rand) {
        return new Split(rand.between(1, 4), Split.Closing.values()[rand.below(2)], rand.below(5),
                rand.between(2, 8), rand.chance(1, 2) ? 0 : rand.below(3_000));
    }

    /**
     * What is on its way inside a divided device is not in the model's books, so a full store cannot be foretold.
     */
    private static DeviceConfig divided(DeviceConfig drawn, boolean ordered) {
        DeviceConfig.Overflow overflow = drawn.overflow() == DeviceConfig.Overflow.FAIL
                ? DeviceConfig.Overflow.GROW : drawn.overflow();
        return drawn.withEagerBytes(ordered ? drawn.eagerBytes() : Math.min(drawn.eagerBytes(), 1024))
                .withHeaders(drawn.headers(), drawn.maxHeaders(), overflow);
    }

    private static FlowConfig flow(Rand rand, int ranks) {
        int window = rand.between(2, 64);
        long minTimeout = rand.between(1_024, 10_000);
        long firstTimeout = minTimeout + rand.below(40_000);
        return new FlowConfig(
                rand.chance(1, 6) ? rand.between(3, Math.max(3, ranks)) : 16,
                window,
                8 + rand.below(rand.chance(1, 3) ? 8 : 200),
                firstTimeout,
                minTimeout,
                // Longer together than any spell or backlog lasts: a peer that lives must not be given up.
                firstTimeout + rand.between(100_000, 400_000),
                rand.between(40, 62),
                rand.below(4_000),
                minTimeout + rand.below(200_000),
                rand.chance(1, 3) ? window + rand.below(64) : Integer.MAX_VALUE - 64);
    }

    /** With congestion control, and windows that may be longer than a word of a report. */
    private static FlowConfig paced(Rand rand, FlowConfig drawn) {
        int window = rand.chance(1, 4) ? rand.between(65, 300) : drawn.window();
        return new FlowConfig(drawn.peers(), window, drawn.frames(), drawn.firstTimeoutNs(), drawn.minTimeoutNs(),
                drawn.maxTimeoutNs(), drawn.tries(), drawn.ackDelayNs(), drawn.idleNs(),
                Math.clamp(drawn.streamFrames(), window, Integer.MAX_VALUE - window), true,
                rand.chance(1, 3) ? 0 : rand.between(1, 200));
    }

    private static int pick(Rand rand, int... choices) {
        return choices[rand.below(choices.length)];
    }

    private static String pick(Rand rand, String... choices) {
        return choices[rand.below(choices.length)];
    }

    @Override
    public String toString() {
        return "world   " + ranks + " ranks, " + ranksPerNode + " a node, " + topology + ", " + links + "\n"
                + "        " + model + "\n"
                + "        " + config + "\n"
                + (flow == null ? "" : "        " + flow + "\n")
                + "calls   " + steps + ", every " + slower * gapPs / 1_000 + " ns a rank, depth " + depth + ", up to "
                + mostBytes + " bytes; " + messages + " of 100 messages, slices of " + slice + " bytes, queues of "
                + entries + " x " + entryBytes + " bytes, " + mostPolled + " frames a poll"
                + (ordered ? ", judged in the end" : "")
                + (collectives ? ", collective calls with " + units + " elements" : "");
    }
}
