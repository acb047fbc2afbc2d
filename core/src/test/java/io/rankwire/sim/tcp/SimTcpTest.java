package io.rankwire.sim.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import io.rankwire.sim.DeviceModel;
import io.rankwire.sim.Events;
import io.rankwire.sim.SimFabric;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.sim.net.Topology;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** The sockets of simulated hosts, without ports above them. */
class SimTcpTest {
    private static final int SEEDS = 25;
    private static final int STEPS = 200;

    /** Hosts and what they have under way. */
    private static final class Hosts {
        final Events events;
        final SimFabric fabric;
        final SimTcp tcp;

        Hosts(String topology, int ranks, int window) {
            Topology nodes = Topology.parse(topology, ranks);
            events = new Events(SimFabric.actors(nodes, ranks), 64);
            fabric = new SimFabric(events, nodes, LinkModel.DEFAULT, DeviceModel.DEFAULT, ranks, 1);
            tcp = new SimTcp(fabric, events, window);
        }

        void settle() {
            while (events.next()) {
                fabric.happen();
            }
        }

        ByteChannel dial(int from, int to) {
            return tcp.host(from).dial(to, null);
        }

        ByteChannel accept(int rank) {
            return tcp.host(rank).accept(null);
        }
    }

    /** One direction of a connection: what was written and not read. */
    private record Way(ByteChannel from, ByteChannel to, Queue<Byte> written) {}

    private static ByteBuffer bytes(int count) {
        return ByteBuffer.allocate(count);
    }

    private static void read(Way way, Rand rand, long seed) throws IOException {
        ByteBuffer into = bytes(1 + rand.below(5_000));
        int count = way.to.read(into);
        for (int i = 0; i < count; i++) {
            assertEquals(way.written.poll(), into.get(i), () -> "seed " + seed);
        }
        if (count < 0) {
            assertFalse(way.from.isOpen(), () -> "seed " + seed);
        }
    }

    private static void write(Way way, Rand rand) throws IOException {
        ByteBuffer from = bytes(1 + rand.below(rand.chance(1, 4) ? 20_000 : 100));
        for (int i = 0; i < from.capacity(); i++) {
            from.put(i, (byte) rand.nextLong());
        }
        int count = way.from.write(from);
        assertEquals(count, from.position());
        for (int i = 0; i < count; i++) {
            way.written.add(from.get(i));
        }
    }

    @Test
    void shouldCarryBytesInOrderToTheLast() throws IOException {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Rand rand = new Rand(seed);
            String[] topologies = {"crossbar", "torus", "fattree"};
            Hosts hosts = new Hosts(topologies[rand.below(3)], 4, 1 << rand.between(8, 16));
            boolean inParts = rand.chance(1, 2);
            hosts.tcp.trouble(inParts ? new Parts(rand) : null);
            List<Way> ways = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int from = rand.below(4);
                int to = (from + 1 + rand.below(3)) % 4;
                ByteChannel near = hosts.dial(from, to);
                hosts.settle();
                assertTrue(hosts.tcp.host(from).finish(near));
                ByteChannel far = hosts.accept(to);
                ways.add(new Way(near, far, new ArrayDeque<>()));
                ways.add(new Way(far, near, new ArrayDeque<>()));
            }
            for (int step = 0; step < STEPS; step++) {
                Way way = ways.get(rand.below(ways.size()));
                if (rand.chance(1, 2)) {
                    write(way, rand);
                } else {
                    read(way, rand, seed);
                }
                for (int count = rand.below(10); count > 0 && hosts.events.next(); count--) {
                    hosts.fabric.happen();
                }
            }
            long number = seed;
            for (int turns = 0; ways.stream().anyMatch(way -> !way.written.isEmpty()); turns++) {
                assertTrue(turns < 10_000, () -> "seed " + number);
                hosts.settle();
                for (Way way : ways) {
                    read(way, rand, seed);
                }
            }
            for (Way way : ways) {
                way.from.close();
            }
            hosts.settle();
            for (int rank = 0; rank < 4; rank++) {
                assertEquals(0, hosts.tcp.sockets(rank));
            }
            assertEquals(0, hosts.fabric.underWay());
        }
    }

    private record Parts(Rand rand) implements SimTcp.Trouble {
        @Override
        public long late(int from, int to) {
            return rand.chance(1, 10) ? rand.below(10_000_000) : 0;
        }

        @Override
        public int part(int bytes) {
            return rand.below(bytes + 1);
        }
    }

    /** Two connections of one pair share its links; those of other pairs have links of their own. */
    @Test
    void shouldShareTheBandwidthOfTheWay() throws IOException {
        long one = timeOf(new int[][] {{0, 1}});
        long two = timeOf(new int[][] {{0, 1}, {0, 1}});
        long apart = timeOf(new int[][] {{0, 1}, {2, 3}});
        assertTrue(two > one * 19 / 10 && two < one * 21 / 10, one + " and " + two);
        assertTrue(apart < one * 11 / 10, one + " and " + apart);
    }

    /** The time in which 300 kB go over each of some connections, which are written to in turn. */
    private static long timeOf(int[][] pairs) throws IOException {
        Hosts hosts = new Hosts("crossbar", 4, 1 << 17);
        List<ByteChannel> from = new ArrayList<>();
        List<ByteChannel> to = new ArrayList<>();
        for (int[] pair : pairs) {
            from.add(hosts.dial(pair[0], pair[1]));
            hosts.settle();
            to.add(hosts.accept(pair[1]));
        }
        int left = pairs.length * 300_000;
        int[] unwritten = new int[pairs.length];
        Arrays.fill(unwritten, 300_000);
        ByteBuffer some = bytes(1 << 17);
        long begun = hosts.events.now();
        while (left > 0) {
            for (int i = 0; i < pairs.length; i++) {
                unwritten[i] -= from.get(i).write(some.clear().limit(Math.min(unwritten[i], 4096)));
                left -= to.get(i).read(some.clear());
            }
            if (hosts.events.next()) {
                hosts.fabric.happen();
            }
        }
        return hosts.events.now() - begun;
    }

    @Test
    void shouldLetConnectionsWaitForAProcessThatDoesNotRun() throws IOException {
        Hosts hosts = new Hosts("crossbar", 2, 1 << 14);
        ByteChannel near = hosts.dial(0, 1);
        assertFalse(hosts.tcp.host(0).finish(near));
        hosts.settle();
        assertTrue(hosts.tcp.host(0).finish(near));
        assertEquals(100, near.write(bytes(100)));
        hosts.settle();
        ByteChannel far = hosts.accept(1);
        assertEquals(100, far.read(bytes(200)));
        assertEquals(0, far.read(bytes(200)));
        assertNull(hosts.accept(1));
    }

    @Test
    void shouldKeepMoreConnectionsThanFitWaiting() throws IOException {
        Hosts hosts = new Hosts("crossbar", 2, 1 << 14);
        List<ByteChannel> near = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            near.add(hosts.dial(0, 1));
        }
        assertEquals(128, accepted(hosts, 500_000_000_000L));
        assertEquals(72, accepted(hosts, Long.MAX_VALUE));
        for (ByteChannel each : near) {
            assertTrue(hosts.tcp.host(0).finish(each));
        }
    }

    /** How many connections a process accepts at that time, or when nothing is pending. */
    private static int accepted(Hosts hosts, long at) {
        while (hosts.events.nextTime() >= 0 && hosts.events.nextTime() < at && hosts.events.next()) {
            hosts.fabric.happen();
        }
        int count = 0;
        while (hosts.accept(1) != null) {
            count++;
        }
        return count;
    }

    @Test
    void shouldEndAfterTheLastByteAndResetWhatWasNotRead() throws IOException {
        Hosts hosts = new Hosts("torus", 3, 1 << 14);
        ByteChannel near = hosts.dial(0, 2);
        hosts.settle();
        ByteChannel far = hosts.accept(2);
        near.write(bytes(10));
        near.close();
        hosts.settle();
        assertEquals(10, far.read(bytes(20)));
        assertEquals(-1, far.read(bytes(20)));
        far.write(bytes(5));
        hosts.settle();
        assertThrows(IOException.class, () -> far.write(bytes(5)));
        ByteChannel other = hosts.dial(1, 2);
        hosts.settle();
        ByteChannel unread = hosts.accept(2);
        other.write(bytes(10));
        hosts.settle();
        unread.close();
        hosts.settle();
        assertEquals("Connection reset",
                assertThrows(IOException.class, () -> other.read(bytes(1))).getMessage());
    }

    @Test
    void shouldRefuseConnectionsToADeadProcessAndEndThoseItHas() throws IOException {
        Hosts hosts = new Hosts("crossbar", 2, 1 << 14);
        ByteChannel near = hosts.dial(0, 1);
        hosts.settle();
        assertTrue(hosts.tcp.host(0).finish(near));
        hosts.tcp.kill(1);
        hosts.settle();
        assertEquals("Connection reset",
                assertThrows(IOException.class, () -> near.read(bytes(1))).getMessage());
        ByteChannel late = hosts.dial(0, 1);
        hosts.settle();
        assertEquals("Connection refused",
                assertThrows(ConnectException.class, () -> hosts.tcp.host(0).finish(late)).getMessage());
    }

    /** The side that has dropped the connection answers with a reset when the other one writes. */
    @Test
    void shouldLeaveAHalfOpenConnectionUntilItIsUsed() throws IOException {
        int open = 0;
        for (long seed = 1; seed <= 20; seed++) {
            Hosts hosts = new Hosts("crossbar", 2, 1 << 14);
            ByteChannel near = hosts.dial(0, 1);
            hosts.settle();
            assertTrue(hosts.tcp.host(0).finish(near));
            ByteChannel far = hosts.accept(1);
            assertTrue(hosts.tcp.resetOne(new Rand(seed)));
            hosts.settle();
            int[] failed = {0};
            for (ByteChannel each : List.of(near, far)) {
                try {
                    assertEquals(0, each.read(bytes(1)));
                    open++;
                    assertEquals(2, each.write(bytes(2)));
                    hosts.settle();
                    assertThrows(IOException.class, () -> each.write(bytes(2)));
                } catch (IOException e) {
                    failed[0]++;
                }
            }
            assertTrue(failed[0] > 0);
        }
        assertTrue(open > 0 && open < 20, open + " half-open connections");
    }

    @Test
    void shouldPassNothingOfAForgottenConnection() throws IOException {
        Hosts hosts = new Hosts("crossbar", 2, 1 << 14);
        ByteChannel near = hosts.dial(0, 1);
        hosts.settle();
        ByteChannel far = hosts.accept(1);
        assertNotNull(far);
        Rand rand = new Rand(3);
        while (!hosts.tcp.forgetOne(rand)) {
            hosts.settle();
        }
        for (int i = 0; i < 10; i++) {
            hosts.tcp.forgetOne(rand);
        }
        near.write(bytes(100));
        far.write(bytes(100));
        near.close();
        hosts.settle();
        assertEquals(0, far.read(bytes(200)));
        ByteChannel again = hosts.dial(0, 1);
        hosts.settle();
        assertTrue(hosts.tcp.host(0).finish(again));
    }
}
