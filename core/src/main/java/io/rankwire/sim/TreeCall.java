package io.rankwire.sim;

import io.rankwire.device.EndListener;
import io.rankwire.type.Combination;
import io.rankwire.type.Copy;
import io.rankwire.type.ElementType;

/**
 * A call on a combining tree: what each adapter has got of it, packet by packet, and the content. The content goes up
 * as soon as all of it is at a node, and is combined in a fixed order: the node's own ranks, then its children. So the
 * result does not depend on which rank was late. When packets move is for {@link TreeNetwork} to find out.
 */
final class TreeCall {
    final TreeGroup group;
    final int number;
    final long bytes;
    final ElementType type;
    /** Members of the group that alone give and take, or -1. */
    final int giver;
    final int taker;
    final int packets;
    /** By input of a node: packets that have come. Those of node i begin at {@code firstInput[i]}. */
    final int[] got;
    final int[] firstInput;
    /** By node: which of the parent's inputs it is; -1 if it gives nothing. By member likewise. */
    final int[] inputOfNode;
    final int[] inputOfMember;
    /** By node: packets sent up, and gone down. */
    final int[] up;
    final int[] down;
    /** By node: members at it or below it that take the result. */
    final int[] takers;
    final boolean[] joined;
    /** By member: whether the time has come at which it joined. */
    final boolean[] here;
    final boolean[] done;
    /** What notes that a member's part is over; null for none. */
    final EndListener[] listeners;
    int joinedCount;
    int doneCount;
    private final Object[] parts;
    private final int[] missing;
    private Object result;
    /** A member whose arguments differ from those of the first; -1 while there is none. */
    int stranger = -1;
    long strangeBytes;
    ElementType strangeType;
    int first = -1;

    TreeCall(TreeGroup group, int number, int giver, int taker, ElementType type, long bytes, int packets) {
        this.group = group;
        this.number = number;
        this.giver = giver;
        this.taker = taker;
        this.type = type;
        this.bytes = bytes;
        this.packets = packets;
        int nodes = group.nodes.length;
        int members = group.members.length;
        joined = new boolean[members];
        here = new boolean[members];
        done = new boolean[members];
        listeners = new EndListener[members];
        up = new int[nodes];
        down = new int[nodes];
        takers = new int[nodes];
        missing = new int[nodes];
        inputOfNode = new int[nodes];
        inputOfMember = new int[members];
        firstInput = new int[nodes + 1];
        for (int member = 0; member < members; member++) {
            missing[group.nodeOf[member]] += gives(member) ? 1 : 0;
            takers[group.nodeOf[member]] += takes(member) ? 1 : 0;
        }
        for (int i = nodes - 1; i > 0; i--) {
            missing[group.parents[i]] += missing[i] > 0 ? 1 : 0;
            takers[group.parents[i]] += takers[i];
        }
        int[] next = new int[nodes];
        for (int i = 0; i < nodes; i++) {
            firstInput[i + 1] = firstInput[i] + missing[i];
            next[i] = firstInput[i];
        }
        for (int member = 0; member < members; member++) {
            inputOfMember[member] = gives(member) ? next[group.nodeOf[member]]++ : -1;
        }
        inputOfNode[0] = -1;
        for (int i = 1; i < nodes; i++) {
            inputOfNode[i] = missing[i] > 0 ? next[group.parents[i]]++ : -1;
        }
        got = new int[firstInput[nodes]];
        parts = new Object[got.length];
    }

    boolean gives(int member) {
        return giver < 0 || giver == member;
    }

    /** The one that alone gives has the result. */
    boolean takes(int member) {
        return (taker < 0 || taker == member) && giver != member;
    }

    int inputs(int node) {
        return firstInput[node + 1] - firstInput[node];
    }

    /** Packets that are complete at a node: there from every input. */
    int ready(int node) {
        int least = packets;
        for (int i = firstInput[node]; i < firstInput[node + 1]; i++) {
            least = Math.min(least, got[i]);
        }
        return least;
    }

    boolean is(int otherGiver, int otherTaker, ElementType otherType, long otherBytes) {
        return giver == otherGiver && taker == otherTaker && bytes == otherBytes
                && ElementType.compatible(type.code(), otherType.code());
    }

    /** Reads a member's part. */
    Object read(Object base, long offset) {
        Object part = type.newArray((int) (bytes / type.bytes()));
        Copy.between(base, offset, part, 0, bytes);
        return part;
    }

    /** A member's part is there; what is complete goes up. */
    void add(int member, Object part, Combination op) {
        int node = group.nodeOf[member];
        parts[inputOfMember[member]] = part;
        while (--missing[node] == 0) {
            Object combined = parts[firstInput[node]];
            parts[firstInput[node]] = null;
            for (int i = firstInput[node] + 1; i < firstInput[node + 1]; i++) {
                op.combine(combined, 0, parts[i], 0, combined, 0, bytes);
                parts[i] = null;
            }
            if (node == 0) {
                result = combined;
                return;
            }
            parts[inputOfNode[node]] = combined;
            node = group.parents[node];
        }
    }

    void take(Object base, long offset) {
        Copy.between(result, 0, base, offset, bytes);
    }
}
