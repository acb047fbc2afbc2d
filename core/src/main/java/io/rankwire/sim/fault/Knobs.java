package io.rankwire.sim.fault;

import io.rankwire.device.DeviceConfig;
import io.rankwire.memory.Rand;
import io.rankwire.sim.DeviceModel;
import io.rankwire.sim.net.LinkModel;

/** How the world of a run is made: sizes, policies, topology, costs. */
final class Knobs {
    final int ranks;
    final int ranksPerNode;
    final String topology;
    final LinkModel links;
    final DeviceModel model;
    final DeviceConfig config;
    /** Whether a layer that repairs losses lies between the device and the fabric. */
    final boolean flow;
    /** Calls of all hosts together. */
    final int steps;
    /** Time between two calls of a host, on average. */
    final long gapPs;
    /** Messages that may wait on the way to a rank, or there. */
    final int depth;
    final int mostBytes;
    /** Of 100 calls so many are of messages; the others access memory or send datagrams. */
    final int messages;
    /** Bytes of a rank's own part of each other's memory. */
    final int slice;
    final int entries;
    final int entryBytes;

    Knobs(Rand rand) {
        ranks = rand.chance(1, 40) ? 1 : rand.between(2, rand.chance(1, 3) ? 9 : 4);
        ranksPerNode = rand.chance(1, 4) ? rand.between(1, 3) : 1;
        topology = pick(rand, "crossbar", "torus", "fattree");
        links = new LinkModel(1 + rand.below(300_000), rand.below(300_000), rand.between(2, rand.chance(1, 2) ? 3 : 16),
                32);
        int maxPayload = pick(rand, 256, 512, 1024, 4096, 16 << 10);
        int room = rand.chance(1, 2) ? 2 * maxPayload + rand.below(2 * maxPayload) : 64 * maxPayload;
        model = new DeviceModel(rand.below(100_000), rand.between(1, 4), rand.below(100_000), rand.between(1, 4),
                rand.below(100_000), room, maxPayload, true);
        boolean few = rand.chance(1, 3);
        config = new DeviceConfig(
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
                pick(rand, 64, 3_000, 1 << 20));
        flow = false;
        steps = rand.chance(1, 4) ? rand.between(100, 400) : rand.between(20, 100);
        gapPs = pick(rand, 100_000, 1_000_000, 5_000_000);
        depth = pick(rand, 4, 12, 40);
        mostBytes = pick(rand, 2_000, 8_000, 40_000);
        messages = pick(rand, 100, 90, 75, 40);
        slice = pick(rand, 40, 500, 6_000);
        entries = rand.between(1, 4);
        entryBytes = pick(rand, 16, 150);
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
                + "calls   " + steps + ", every " + gapPs / 1_000 + " ns a rank, depth " + depth + ", up to "
                + mostBytes + " bytes; " + messages + " of 100 messages, slices of " + slice + " bytes, queues of "
                + entries + " x " + entryBytes + " bytes";
    }
}
