package io.rankwire.sim.schedule;

import io.rankwire.sim.Events;
import io.rankwire.sim.net.TreeModel;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/**
 * A network of its own for collectives: a binary tree of adapters, each linked with its parent and two children,
 * each with an ALU. What comes from the children is combined with the node's own on the way up, packet by packet; the
 * root sends the result down. Hosts give and get; nothing in between needs them. Node n has the children 2n + 1 and
 * 2n + 2.
 *
 * <p>The first word is really combined, so that what is missing or counted twice can be seen.
 */
public final class CombiningTree {
    private static final int CALL = 0;
    private static final int UP = 1;
    private static final int DOWN = 2;

    private final TreeModel adapter;
    private final Setting setting;
    private final LongBinaryOperator operation;
    private final LongUnaryOperator values;
    private final Events events;
    private final int nodes;
    private final long bytes;
    private final int packets;

    /** Packets from the two children and the host, in threes; and those sent on. */
    private final int[] got;
    private final int[] sent;
    private final int[] down;
    private final long[] aluFree;
    private final long[] upFree;
    private final long[] downFree;
    /** The first word so far: what was combined, then the result. */
    private final long[] word;
    private final boolean[] hasWord;
    private long lastEnd;
    private int ended;

    private CombiningTree(int nodes, long bytes, TreeModel adapter, Setting setting, LongBinaryOperator operation,
            LongUnaryOperator values) {
        this.nodes = nodes;
        this.bytes = bytes;
        this.adapter = adapter;
        this.setting = setting;
        this.operation = operation;
        this.values = values;
        packets = adapter.packets(bytes);
        events = new Events(nodes, nodes + 64);
        got = new int[Math.multiplyExact(3, nodes)];
        sent = new int[nodes];
        down = new int[nodes];
        aluFree = new long[nodes];
        upFree = new long[nodes];
        downFree = new long[nodes];
        word = new long[nodes];
        hasWord = new boolean[nodes];
    }

    /** What came out: the result's first word at each node. */
    public record Combined(Outcome outcome, long[] words) {}

    /** A barrier: an allreduce of no bytes. */
    public static Outcome barrier(int nodes, TreeModel adapter, Setting setting) {
        return allreduce(nodes, 0, adapter, setting, (x, y) -> 0, node -> 0).outcome;
    }

    /** One allreduce that all nodes call at time 0. Of the setting, o and the noise count. */
    public static Combined allreduce(int nodes, long bytes, TreeModel adapter, Setting setting,
            LongBinaryOperator operation, LongUnaryOperator values) {
        CombiningTree tree = new CombiningTree(nodes, bytes, adapter, setting, operation, values);
        return tree.run();
    }

    private Combined run() {
        for (int node = 0; node < nodes; node++) {
            events.add(0, node, node, CALL, 0, 0);
        }
        while (events.next()) {
            int node = events.target();
            int kind = events.kind();
            long value = events.second();
            events.note(node, value);
            switch (kind) {
                case CALL -> call(node);
                case UP -> {
                    int child = events.source() & 1;
                    if (got[3 * node + child]++ == 0) {
                        combine(node, value);
                    }
                    goUp(node, events.now());
                }
                default -> {
                    word[node] = value;
                    goDown(node, (int) events.first(), events.now());
                }
            }
        }
        if (ended != nodes) {
            throw new IllegalStateException(nodes - ended + " of " + nodes + " nodes never got the result");
        }
        return new Combined(new Outcome(lastEnd, events.count(), events.hash()), word);
    }

    private void call(int node) {
        long given = setting.noise().end(node, 0, setting.costs().overheadPs());
        got[3 * node + 2] = packets;
        if (2 * node + 1 >= nodes) {
            got[3 * node + 1] = packets;
        }
        if (2 * node + 2 >= nodes) {
            got[3 * node] = packets;
        }
        combine(node, values.applyAsLong(node));
        aluFree[node] = Math.max(aluFree[node], given);
        goUp(node, given);
    }

    private void combine(int node, long value) {
        word[node] = hasWord[node] ? operation.applyAsLong(word[node], value) : value;
        hasWord[node] = true;
    }

    /** Sends up what is complete. */
    private void goUp(int node, long at) {
        int children = Math.min(2, Math.max(0, nodes - 1 - 2 * node));
        while (sent[node] < Math.min(got[3 * node], Math.min(got[3 * node + 1], got[3 * node + 2]))) {
            int packet = sent[node]++;
            int size = adapter.size(bytes, packet);
            long work = adapter.combines(children, size);
            aluFree[node] = Math.max(at, aluFree[node]) + work;
            if (node == 0) {
                goDown(0, packet, aluFree[0]);
                continue;
            }
            long begun = Math.max(aluFree[node], upFree[node]);
            upFree[node] = begun + adapter.links().keeps(size);
            events.add(upFree[node] + adapter.links().latencyPs(), (node - 1) / 2, node, UP, packet, word[node]);
        }
    }

    private void goDown(int node, int packet, long at) {
        int size = adapter.size(bytes, packet);
        long begun = Math.max(at, downFree[node]);
        downFree[node] = begun + adapter.links().keeps(size);
        for (int child = 2 * node + 1; child <= 2 * node + 2 && child < nodes; child++) {
            events.add(downFree[node] + adapter.links().latencyPs(), child, node, DOWN, packet, word[node]);
        }
        if (++down[node] == packets) {
            long end = setting.noise().end(node, at, setting.costs().overheadPs());
            lastEnd = Math.max(lastEnd, end);
            ended++;
        }
    }
}
