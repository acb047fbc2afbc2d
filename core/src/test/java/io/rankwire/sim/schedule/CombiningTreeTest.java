package io.rankwire.sim.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import io.rankwire.sim.Noise;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.sim.net.TreeModel;
import org.junit.jupiter.api.Test;

class CombiningTreeTest {
    private static final Setting HOST = Setting.of(LogGops.DEFAULT, Driver.HOST);

    /** A bit of each rank: their sum is all ones when each is there exactly once. */
    @Test
    void shouldCombineEachContributionOnce() {
        Rand rand = new Rand(3);
        for (int i = 0; i < 200; i++) {
            int nodes = 1 + rand.below(63);
            TreeModel adapter = new TreeModel(
                    new LinkModel(1 + rand.below(1_000_000), rand.below(200_000), 2, 8), 64 + rand.below(500),
                    rand.below(50_000), rand.below(100_000));
            Setting setting = HOST.with(new Noise(10_000_000, rand.below(9_000_000), rand.chance(1, 2), i));
            int bytes = rand.below(5_000);
            CombiningTree.Combined sum = CombiningTree.allreduce(nodes, bytes, adapter, setting, Long::sum,
                    node -> 1L << node);
            for (long word : sum.words()) {
                assertEquals((1L << nodes) - 1, word, nodes + " nodes");
            }
            CombiningTree.Combined again = CombiningTree.allreduce(nodes, bytes, adapter, setting, Long::sum,
                    node -> 1L << node);
            assertEquals(sum.outcome().hash(), again.outcome().hash());
        }
    }

    /** 31 nodes, four levels: o, four times a link and an ALU for two children, four links down, o. */
    @Test
    void shouldTakeTheDepthOfTheTree() {
        TreeModel adapter = new TreeModel(new LinkModel(100_000, 1_024_000, 2, 8), 256, 20_000,
                0);
        long link = 100_000 + 8_000;
        assertEquals(2 * 1_500_000 + 4 * (link + 2 * 20_000) + 4 * link,
                CombiningTree.barrier(31, adapter, HOST).ps());
    }

    /** A long vector streams: its time is near that of its bytes on one link, whatever the depth. */
    @Test
    void shouldStreamLongVectors() {
        TreeModel adapter = TreeModel.DEFAULT;
        long bytes = 1 << 19;
        long stream = bytes / adapter.packetBytes() * Math.max(adapter.links().keeps(256),
                2 * (adapter.aluPs() + 256 * adapter.aluPsPerKib() / 1024));
        long time = CombiningTree.allreduce(127, bytes, adapter, HOST, Long::sum, node -> node).outcome().ps();
        assertTrue(time > stream && time < 1.01 * stream + 8_000_000, time + ", " + stream);
    }

    @Test
    void shouldBeAheadOfDissemination() {
        long tree = CombiningTree.barrier(4096, TreeModel.DEFAULT, HOST).ps();
        long rounds = Uniform.run(Pattern.barrier(4096), HOST).ps();
        assertTrue(tree < rounds / 8, tree + ", " + rounds);
    }
}
