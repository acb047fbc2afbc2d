package io.rankwire.sim.schedule;

import io.rankwire.sim.Events;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.sim.net.Network;
import io.rankwire.sim.net.Topology;
import java.util.Arrays;

/**
 * Runs a pattern over links and switches, a rank a node: messages are packets that meet others on their way. Latency
 * and G of the costs do not count then. With two ports, the packets of a message go by both ways in turn; messages
 * between two ranks are handed over in order all the same.
 */
public final class Routed implements Carrier {
    private static final int HEAD = Ranks.OTHERS;

    private final Events events;
    private final Network network;
    private final Ranks ranks;
    private final int vertices;
    private final int maxPayload;
    private final int ways;

    // messages under way, in a line by sender
    private final int[] firstOf;
    private final int[] lastOf;
    private int[] next = new int[64];
    private int[] sender = new int[64];
    private int[] receiver = new int[64];
    private int[] kind = new int[64];
    private int[] packets = new int[64];
    private long[] first = new long[64];
    private long[] second = new long[64];
    private long[] arrives = new long[64];
    private int free = -1;
    private int made;

    private Routed(Pattern pattern, Setting setting, Topology topology, LinkModel links, int maxPayload,
            Watcher watcher) {
        if (topology.nodes() < pattern.ranks()) {
            throw new IllegalArgumentException(topology + " has too few nodes for " + pattern.ranks() + " ranks");
        }
        this.vertices = topology.vertices();
        this.maxPayload = maxPayload;
        this.ways = Math.min(setting.ports(), Topology.WAYS);
        LogGops costs = setting.costs();
        LogGops withoutWay = new LogGops(1, costs.overheadPs(), costs.gapPs(), 0, costs.overheadPsPerKib(),
                costs.eagerBytes());
        Setting near = new Setting(withoutWay, setting.driver(), setting.noise(), setting.load(), setting.ports());
        events = new Events(vertices + pattern.ranks(), 1 << 12);
        network = new Network(topology, links, events, HEAD, this::arrived, (cargo, at) -> { });
        ranks = new Ranks(pattern, near, events, 0, pattern.ranks(), vertices, watcher);
        firstOf = new int[pattern.ranks()];
        lastOf = new int[pattern.ranks()];
        Arrays.fill(firstOf, -1);
    }

    /** What the run leaves behind beside its outcome: for how long each link was busy. */
    public record Traffic(Outcome outcome, long[] busyPs) {}

    public static Traffic run(Pattern pattern, Setting setting, Topology topology, LinkModel links, int maxPayload) {
        return run(pattern, setting, topology, links, maxPayload, null);
    }

    static Traffic run(Pattern pattern, Setting setting, Topology topology, LinkModel links, int maxPayload,
            Watcher watcher) {
        return new Routed(pattern, setting, topology, links, maxPayload, watcher).run();
    }

    private Traffic run() {
        ranks.start(this);
        while (events.next()) {
            if (events.kind() == HEAD) {
                network.head();
            } else {
                ranks.happen();
            }
        }
        if (ranks.running != 0) {
            throw new IllegalStateException("nothing is left to happen, and " + ranks.stuck());
        }
        long[] busyPs = new long[network.topology().links()];
        for (int link = 0; link < busyPs.length; link++) {
            busyPs[link] = network.busyPs(link);
        }
        return new Traffic(new Outcome(ranks.lastEnd, events.count(), events.hash()), busyPs);
    }

    @Override
    public void carry(long at, int from, int to, int messageKind, long bytes, long one, long other) {
        if (free < 0) {
            makeMore();
        }
        int message = free;
        free = next[message];
        sender[message] = from;
        receiver[message] = to;
        kind[message] = messageKind;
        first[message] = one;
        second[message] = other;
        arrives[message] = 0;
        int count = (int) Math.max(1, (bytes + maxPayload - 1) / maxPayload);
        packets[message] = count;
        next[message] = -1;
        if (firstOf[from] < 0) {
            firstOf[from] = message;
        } else {
            next[lastOf[from]] = message;
        }
        lastOf[from] = message;
        long rest = bytes;
        for (int i = 0; i < count; i++) {
            int payload = (int) Math.min(rest, maxPayload);
            network.send(at, from, to, payload, i % ways, message);
            rest -= payload;
        }
    }

    private boolean arrived(int message, long at, int buffer) {
        arrives[message] = Math.max(arrives[message], at);
        if (--packets[message] == 0) {
            handOver(sender[message], receiver[message]);
        }
        return true;
    }

    /** All messages between two ranks that are there, up to the first that is not. */
    private void handOver(int from, int to) {
        int before = -1;
        for (int message = firstOf[from]; message >= 0; ) {
            int following = next[message];
            if (receiver[message] != to) {
                before = message;
            } else if (packets[message] > 0) {
                return;
            } else {
                if (before < 0) {
                    firstOf[from] = following;
                } else {
                    next[before] = following;
                }
                if (following < 0) {
                    lastOf[from] = before;
                }
                next[message] = free;
                free = message;
                long at = Math.max(events.now(), arrives[message]);
                events.add(at, vertices + to, vertices + from, kind[message], first[message], second[message]);
            }
            message = following;
        }
    }

    private void makeMore() {
        if (made == next.length) {
            next = Arrays.copyOf(next, 2 * made);
            sender = Arrays.copyOf(sender, 2 * made);
            receiver = Arrays.copyOf(receiver, 2 * made);
            kind = Arrays.copyOf(kind, 2 * made);
            packets = Arrays.copyOf(packets, 2 * made);
            first = Arrays.copyOf(first, 2 * made);
            second = Arrays.copyOf(second, 2 * made);
            arrives = Arrays.copyOf(arrives, 2 * made);
        }
        next[made] = free;
        free = made++;
    }
}
