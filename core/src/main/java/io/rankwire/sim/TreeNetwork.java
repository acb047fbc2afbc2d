package io.rankwire.sim;

import io.rankwire.device.Code;
import io.rankwire.device.CombiningNetwork;
import io.rankwire.device.EndListener;
import io.rankwire.sim.net.TreeModel;
import io.rankwire.type.Combination;
import io.rankwire.type.ElementType;
import java.nio.IntBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The combining tree of a simulated machine, beside the network that carries messages: an adapter with an ALU in each
 * node, linked with its parent and its children. Packets of a call go up, are combined on the way, and the result goes
 * down to the ranks that take it. Ranks of several groups make calls at the same time; packets share links and ALUs in
 * the order in which they are ready.
 */
final class TreeNetwork {
    private static final int GIVEN = 0;
    private static final int UP = 1;
    private static final int DOWN = 2;
    private static final int DONE = 3;
    private static final int ACTIONS_SHIFT = 2;
    private static final double PS_PER_NS = 1_000;

    /** Which calls could be the same one. */
    private record Key(TreeGroup group, int context, int tag) {}

    private final SimFabric fabric;
    private final TreeModel model;
    /** What a call costs the processors, at its begin and end together. */
    private final long hostPs;
    /** By node of the tree: when its ALU and its links are free again. */
    private final long[] aluFree;
    private final long[] upFree;
    private final long[] downFree;
    private final Map<IntBuffer, TreeGroup> groups = new HashMap<>();
    private final Map<Key, ArrayDeque<TreeCall>> open = new HashMap<>();
    /** By number; null where a number is free. */
    private final List<TreeCall> calls = new ArrayList<>();
    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    TreeNetwork(SimFabric fabric, TreeModel model, int nodes, long hostPs) {
        this.fabric = fabric;
        this.model = model;
        this.hostPs = hostPs;
        aluFree = new long[nodes];
        upFree = new long[nodes];
        downFree = new long[nodes];
    }

    /** The tree as the rank of a port sees it. */
    CombiningNetwork of(SimPort port) {
        return ranks -> {
            int[] members = Arrays.stream(ranks).map(port::number).toArray();
            TreeGroup group = groups.computeIfAbsent(
                    IntBuffer.wrap(members), all -> new TreeGroup(all.array(), fabric::node));
            return new Seat(port, group, group.member(port.number()));
        };
    }

    /** A rank's place in a group. */
    private final class Seat implements CombiningNetwork.Group {
        private final SimPort port;
        private final TreeGroup group;
        private final int member;

        Seat(SimPort port, TreeGroup group, int member) {
            this.port = port;
            this.group = group;
            this.member = member;
        }

        @Override
        public double ns(long bytes, boolean combines) {
            return (hostPs + group.ps(model, bytes, combines)) / PS_PER_NS;
        }

        @Override
        public CombiningNetwork.Call join(int context, int tag, int giver, int taker, Combination op,
                ElementType type, Object base, long offset, long bytes) {
            Key key = new Key(group, context, tag);
            int from = group.member(giver < 0 ? -1 : port.number(giver));
            int to = group.member(taker < 0 ? -1 : port.number(taker));
            TreeCall call = find(key, member, from, to, type, bytes);
            boolean same = call.is(from, to, type, bytes);
            Object part = same && bytes > 0 && call.gives(member) ? call.read(base, offset) : null;
            call.joined[member] = true;
            if (++call.joinedCount == group.members.length) {
                close(key, call);
            }
            Ticket ticket = new Ticket(key, call, member, bytes, type);
            long at = port.leaves();
            if (!same && call.stranger < 0) {
                call.stranger = member;
                call.strangeBytes = bytes;
                call.strangeType = type;
                for (int other = 0; other < group.members.length; other++) {
                    if (call.joined[other]) {
                        end(call, other, Math.max(at, fabric.events.now()));
                    }
                }
                return ticket;
            }
            if (call.stranger >= 0) {
                end(call, member, at);
                return ticket;
            }
            call.first = call.first < 0 ? member : call.first;
            if (part != null) {
                call.add(member, part, op);
            }
            int node = group.nodes[group.nodeOf[member]];
            fabric.events.add(at, node, fabric.actor(port.number()), SimFabric.TREE, word(call, 0),
                    (long) member << ACTIONS_SHIFT | GIVEN);
            return ticket;
        }
    }

    /** What a rank holds of a call that it has joined. */
    private final class Ticket implements CombiningNetwork.Call {
        private final Key key;
        private final TreeCall call;
        private final int member;
        private final boolean strange;

        Ticket(Key key, TreeCall call, int member, long bytes, ElementType type) {
            this.key = key;
            this.call = call;
            this.member = member;
            this.strange = bytes != call.bytes || !ElementType.compatible(type.code(), call.type.code());
        }

        @Override
        public void noteEnd(EndListener by) {
            call.listeners[member] = by;
        }

        @Override
        public boolean isDone() {
            return call.done[member];
        }

        @Override
        public int code() {
            return call.stranger < 0 ? Code.OK : Code.TYPE_MISMATCH;
        }

        @Override
        public void take(Object base, long offset) {
            if (call.bytes > 0 && call.takes(member)) {
                call.take(base, offset);
            }
        }

        @Override
        public int otherRank() {
            int other = call.stranger == member || strange ? call.first : call.stranger;
            return fabric.placement().rank(call.group.members[other]);
        }

        @Override
        public long otherBytes() {
            return call.stranger == member || strange ? call.bytes : call.strangeBytes;
        }

        @Override
        public ElementType otherType() {
            return call.stranger == member || strange ? call.type : call.strangeType;
        }

        @Override
        public void abandon() {
            close(key, call);
        }
    }

    /** The oldest call that this member has not joined, or a new one. */
    private TreeCall find(Key key, int member, int giver, int taker, ElementType type, long bytes) {
        ArrayDeque<TreeCall> pending = open.computeIfAbsent(key, k -> new ArrayDeque<>(1));
        for (TreeCall call : pending) {
            if (!call.joined[member]) {
                return call;
            }
        }
        int number = free.isEmpty() ? calls.size() : free.pop();
        TreeCall made = new TreeCall(key.group, number, giver, taker, type, bytes, model.packets(bytes));
        if (number == calls.size()) {
            calls.add(made);
        } else {
            calls.set(number, made);
        }
        pending.add(made);
        return made;
    }

    /** No rank joins this call any more. */
    private void close(Key key, TreeCall call) {
        ArrayDeque<TreeCall> pending = open.get(key);
        if (pending != null && pending.remove(call) && pending.isEmpty()) {
            open.remove(key);
        }
    }

    private static long word(TreeCall call, int packet) {
        return (long) call.number << Integer.SIZE | packet;
    }

    /** The event at hand is one of this network's; returns the rank that has something to do now, or -1. */
    int happen() {
        TreeCall call = calls.get((int) (fabric.events.first() >>> Integer.SIZE));
        int packet = (int) fabric.events.first();
        int index = (int) (fabric.events.second() >>> ACTIONS_SHIFT);
        long now = fabric.events.now();
        int action = (int) fabric.events.second() & (1 << ACTIONS_SHIFT) - 1;
        if (call.stranger >= 0 && action != DONE) {
            return -1;
        }
        switch (action) {
            case GIVEN -> {
                call.here[index] = true;
                if (call.takes(index) && call.down[call.group.nodeOf[index]] == call.packets) {
                    end(call, index, now);
                }
                if (call.gives(index)) {
                    call.got[call.inputOfMember[index]] = call.packets;
                    goUp(call, call.group.nodeOf[index], now);
                }
            }
            case UP -> {
                call.got[call.inputOfNode[index]]++;
                goUp(call, call.group.parents[index], now);
            }
            case DOWN -> goDown(call, index, packet, now);
            default -> {
                return isOver(call, index) ? call.group.members[index] : -1;
            }
        }
        return -1;
    }

    /** Sends up what is complete at a node. */
    private void goUp(TreeCall call, int node, long at) {
        int place = call.group.nodes[node];
        for (int ready = call.ready(node); call.up[node] < ready;) {
            int packet = call.up[node]++;
            int size = model.size(call.bytes, packet);
            aluFree[place] = Math.max(at, aluFree[place]) + model.combines(call.inputs(node) - 1, size);
            long gone = aluFree[place];
            if (node == 0) {
                gone = goDown(call, 0, packet, gone);
            } else {
                gone = Math.max(gone, upFree[place]) + model.links().keeps(size);
                upFree[place] = gone;
                int parent = call.group.nodes[call.group.parents[node]];
                fabric.events.add(gone + model.links().latencyPs(), parent, place, SimFabric.TREE, word(call, packet),
                        (long) node << ACTIONS_SHIFT | UP);
            }
            if (packet == call.packets - 1) {
                endThoseWhoGive(call, node, gone);
            }
        }
    }

    /** The last packet has left a node: its ranks that take nothing have no more to do. */
    private void endThoseWhoGive(TreeCall call, int node, long at) {
        for (int i = call.group.firstAt[node]; i < call.group.firstAt[node + 1]; i++) {
            int member = call.group.membersAt[i];
            if (call.gives(member) && !call.takes(member)) {
                end(call, member, at);
            }
        }
    }

    /** Sends a packet of the result on, to those who take it; returns when it has gone. */
    private long goDown(TreeCall call, int node, int packet, long at) {
        TreeGroup group = call.group;
        int place = group.nodes[node];
        int size = model.size(call.bytes, packet);
        long gone = at;
        for (int i = 2 * node; i < 2 * node + 2; i++) {
            int number = group.children[i];
            if (number < 0 || call.takers[number] == 0) {
                continue;
            }
            if (gone == at) {
                gone = Math.max(at, downFree[place]) + model.links().keeps(size);
                downFree[place] = gone;
            }
            fabric.events.add(gone + model.links().latencyPs(), group.nodes[number], place, SimFabric.TREE,
                    word(call, packet),
                    (long) number << ACTIONS_SHIFT | DOWN);
        }
        if (++call.down[node] == call.packets) {
            for (int i = group.firstAt[node]; i < group.firstAt[node + 1]; i++) {
                int member = group.membersAt[i];
                if (call.here[member] && call.takes(member)) {
                    end(call, member, at);
                }
            }
        }
        return gone;
    }

    private void end(TreeCall call, int member, long at) {
        int actor = fabric.actor(call.group.members[member]);
        fabric.events.add(at, actor, actor, SimFabric.TREE, word(call, 0), (long) member << ACTIONS_SHIFT | DONE);
    }

    /** A member's part is over; false if it was before. */
    private boolean isOver(TreeCall call, int member) {
        if (call.done[member]) {
            return false;
        }
        call.done[member] = true;
        fabric.port(call.group.members[member]).ended();
        if (call.listeners[member] != null) {
            call.listeners[member].ended(0);
        }
        // Packets of a call that has failed may still be on their way.
        if (++call.doneCount == call.joined.length && call.stranger < 0) {
            calls.set(call.number, null);
            free.push(call.number);
        }
        return true;
    }
}
