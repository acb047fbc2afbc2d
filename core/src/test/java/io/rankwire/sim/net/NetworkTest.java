package io.rankwire.sim.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import io.rankwire.sim.Events;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NetworkTest {
    private static final int HEAD = 0;

    private static List<Topology> topologies() {
        return List.of(new Torus(4, 4, 4), new Torus(5, 3, 2), new Torus(7, 1, 1), new Torus(2, 2, 2),
                new FatTree(16, 4), new FatTree(17, 5), new Crossbar(9), new Torus(4, 3, 2, false),
                new FatTree(27, 3, 3), new FatTree(29, 2, 3, 2));
    }

    @Test
    void shouldLeadEveryPacketToItsNode() {
        for (Topology topology : topologies()) {
            for (int from = 0; from < topology.nodes(); from++) {
                for (int to = 0; to < topology.nodes(); to++) {
                    if (from != to) {
                        int other = links(topology, from, to, 1);
                        assertTrue(links(topology, from, to, 0) <= other && other < 40,
                                topology + ": " + from + " to " + to);
                    }
                }
            }
        }
    }

    private static int links(Topology topology, int from, int to, int way) {
        int route = topology.route(from, to, way);
        int links = 0;
        for (int at = from; at != to; links++) {
            at = topology.end(topology.next(at, to, route));
        }
        return links;
    }

    @Test
    void shouldHaveTwoWaysWithoutACommonLinkInATorus() {
        Torus torus = new Torus(4, 5, 6);
        for (int from = 0; from < torus.nodes(); from++) {
            for (int to = 0; to < torus.nodes(); to++) {
                Set<Integer> links = new HashSet<>();
                int hops = 0;
                for (int way = 0; way < 2 && from != to; way++) {
                    int route = torus.route(from, to, way);
                    for (int at = from; at != to; hops++) {
                        int link = torus.next(at, to, route);
                        links.add(link);
                        at = torus.end(link);
                    }
                }
                assertEquals(hops, links.size(), from + " to " + to);
            }
        }
    }

    @Test
    void shouldTakeLatencyAndSizeForAPacketAlone() {
        LinkModel model = new LinkModel(100_000, 102_400, 4, 0);
        Torus torus = new Torus(8, 8, 8);
        Events events = new Events(torus.vertices());
        long[] arrived = {-1};
        Network network = new Network(torus, model, events, HEAD, (packet, at, buffer) -> {
            arrived[0] = at;
            return true;
        }, (p, at) -> {});
        network.send(5_000, torus.at(0, 0, 0), torus.at(2, 7, 3), 1024, 0, 0);
        run(events, network);
        assertEquals(5_000 + 6 * 100_000 + 102_400, arrived[0]);
    }

    @Test
    void shouldSendOnePacketAfterAnotherOverALink() {
        LinkModel model = new LinkModel(1_000, 1 << 20, 4, 0);
        Crossbar crossbar = new Crossbar(3);
        Events events = new Events(crossbar.vertices());
        List<Long> arrived = new ArrayList<>();
        Network network = new Network(crossbar, model, events, HEAD, (packet, at, buffer) -> arrived.add(at),
                (p, at) -> {});
        for (int i = 0; i < 20; i++) {
            network.send(0, i % 2, 2, 64, 0, i);
        }
        run(events, network);
        long keeps = model.keeps(64);
        for (int i = 0; i < 20; i++) {
            assertEquals(2_000 + (i + 1) * keeps, arrived.get(i));
        }
        assertEquals(20 * keeps, network.busyPs(3 + 2));
    }

    /** The least buffers, rings full of packets, hot spots: whatever is sent arrives, pairs in order. */
    @Test
    void shouldDeliverEverythingInOrderHoweverFullItGets() {
        for (int seed = 0; seed < 84; seed++) {
            for (Topology topology : topologies()) {
                flood(topology, seed);
            }
        }
    }

    private static void flood(Topology topology, int seed) {
        Rand rand = new Rand(seed);
        LinkModel model = new LinkModel(1 + rand.below(5_000), rand.below(1 << 21), 2 + rand.below(3), rand.below(40));
        Events events = new Events(topology.vertices());
        int nodes = topology.nodes();
        int[] numberOf = new int[1_000];
        int[] pairOf = new int[1_000];
        int[] sent = new int[nodes * nodes * 2];
        int[] seen = new int[nodes * nodes * 2];
        int[] left = {0};
        Network network = new Network(topology, model, events, HEAD, (packet, at, buffer) -> {
            assertTrue(at >= events.now());
            assertEquals(seen[pairOf[packet]]++, numberOf[packet]);
            return true;
        }, (packet, at) -> left[0]++);
        int hot = rand.below(3) == 0 ? rand.below(nodes) : -1;
        int count = 200 + rand.below(600);
        for (int i = 0; i < count; i++) {
            int from = rand.below(nodes);
            int to = hot >= 0 && rand.chance(2, 3) ? hot : rand.below(nodes);
            if (from != to) {
                int way = rand.below(2);
                pairOf[i] = (from * nodes + to) * 2 + way;
                numberOf[i] = sent[pairOf[i]]++;
                network.send(events.now() + i, from, to, rand.below(4_000), way, i);
            }
        }
        run(events, network);
        int all = 0;
        for (int i = 0; i < sent.length; i++) {
            assertEquals(sent[i], seen[i], topology + ", seed " + seed);
            all += sent[i];
        }
        assertEquals(all, left[0]);
    }

    private static void run(Events events, Network network) {
        while (events.next()) {
            network.head();
        }
    }

    /** Who waits for two slots must not keep the link from those who need one. */
    @Test
    void shouldKeepTheLinksOfAFullRingBusy() {
        for (int slots : new int[] {2, 4, 16}) {
            LinkModel model = new LinkModel(100_000, 102_400, slots, 0);
            Torus ring = new Torus(16, 1, 1);
            Events events = new Events(ring.vertices());
            long[] last = {0};
            Network network = new Network(ring, model, events, HEAD, (cargo, at, buffer) -> {
                last[0] = Math.max(last[0], at);
                return true;
            }, (cargo, at) -> {});
            for (int i = 0; i < 64; i++) {
                for (int node = 0; node < 16; node++) {
                    network.send(0, node, (node + 7) % 16, 4096, 0, 0);
                }
            }
            run(events, network);
            long busy = network.busyPs(0);
            assertTrue(busy > 9 * last[0] / 10, slots + " slots: " + busy + " of " + last[0]);
        }
    }

    @Test
    void shouldReadTopologies() {
        assertEquals("torus of 8 x 8 x 8", Topology.parse("torus:8x8x8", 512).toString());
        assertEquals(27, Topology.parse("torus", 27).nodes());
        assertTrue(Topology.parse("torus", 1_000_003).nodes() >= 1_000_003);
        assertEquals("fat tree of 100, 10 a switch", Topology.parse("fattree", 100).toString());
        assertEquals("fat tree of 100, 4 a switch, 5 switches a group",
                Topology.parse("fattree:4,5", 100).toString());
        assertEquals("mesh of 2 x 3 x 2", Topology.parse("mesh:2x3x2", 9).toString());
        assertEquals(27, Topology.parse("mesh", 27).nodes());
        assertEquals("crossbar of 5", Topology.parse("crossbar", 5).toString());
        for (String wrong : List.of("ring", "torus:8", "torus:2x2x2", "torus:0x2x9", "fattree:no", "fattree:4,",
                "mesh:3", "fattree:4000,4000")) {
            assertThrows(IllegalArgumentException.class, () -> Topology.parse(wrong, 9), wrong);
        }
    }
}
