package io.rankwire.sim;

import io.rankwire.sim.net.TreeModel;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;

/**
 * The part of a combining tree that some ranks span: their nodes, and all nodes between these and the lowest one above
 * all of them. Node n of the tree has the children 2n + 1 and 2n + 2. The nodes of the part have numbers of their own,
 * from the top on.
 */
final class TreeGroup {
    /** Numbers of ports, in the order of the group. */
    final int[] members;
    /** By number in the part: which node it is, and the number of its parent (the top has -1). */
    final int[] nodes;
    final int[] parents;
    /** By number: the numbers of its two children, or -1. */
    final int[] children;
    /** By member: the number of its node. */
    final int[] nodeOf;
    /** Members by node: those of number i from {@code firstAt[i]} on. */
    final int[] firstAt;
    final int[] membersAt;
    private final int[] sorted;
    private final int[] places;
    private final int levels;
    private final int mostInputs;

    TreeGroup(int[] ports, IntUnaryOperator treeNodes) {
        members = ports.clone();
        int top = treeNodes.applyAsInt(members[0]);
        for (int rank : members) {
            int other = treeNodes.applyAsInt(rank);
            while (top != other) {
                if (top > other) {
                    top = parent(top);
                } else {
                    other = parent(other);
                }
            }
        }
        TreeSet<Integer> part = new TreeSet<>();
        part.add(top);
        for (int rank : members) {
            for (int node = treeNodes.applyAsInt(rank); part.add(node); node = parent(node)) {
                // Up to one that is known.
            }
        }
        nodes = part.stream().mapToInt(Integer::intValue).toArray();
        parents = new int[nodes.length];
        int[] depths = new int[nodes.length];
        int[] inputs = new int[nodes.length];
        int deepest = 0;
        parents[0] = -1;
        for (int i = 1; i < nodes.length; i++) {
            parents[i] = Arrays.binarySearch(nodes, parent(nodes[i]));
            depths[i] = depths[parents[i]] + 1;
            inputs[parents[i]]++;
            deepest = Math.max(deepest, depths[i]);
        }
        levels = deepest;
        children = new int[2 * nodes.length];
        Arrays.fill(children, -1);
        for (int i = 1; i < nodes.length; i++) {
            children[2 * parents[i] + (nodes[i] & 1 ^ 1)] = i;
        }
        nodeOf = new int[members.length];
        firstAt = new int[nodes.length + 1];
        for (int member = 0; member < members.length; member++) {
            nodeOf[member] = Arrays.binarySearch(nodes, treeNodes.applyAsInt(members[member]));
            inputs[nodeOf[member]]++;
            firstAt[nodeOf[member] + 1]++;
        }
        for (int i = 0; i < nodes.length; i++) {
            firstAt[i + 1] += firstAt[i];
        }
        membersAt = new int[members.length];
        int[] next = firstAt.clone();
        for (int member = 0; member < members.length; member++) {
            membersAt[next[nodeOf[member]]++] = member;
        }
        mostInputs = Arrays.stream(inputs).max().orElse(1);
        sorted = members.clone();
        Arrays.sort(sorted);
        places = new int[members.length];
        for (int member = 0; member < members.length; member++) {
            places[Arrays.binarySearch(sorted, members[member])] = member;
        }
    }

    private static int parent(int node) {
        return (node - 1) / 2;
    }

    /** The place of a port in the group; -1 stays -1. */
    int member(int port) {
        return port < 0 ? -1 : places[Arrays.binarySearch(sorted, port)];
    }

    /** The time of a call that all join at once and no other disturbs, about. */
    long ps(TreeModel model, long bytes, boolean combines) {
        int size = model.size(bytes, 0);
        long keeps = model.links().keeps(size);
        long alu = combines ? model.combines(mostInputs - 1, size) : 0;
        long first = 2 * levels * (keeps + model.links().latencyPs()) + (levels + 1) * alu;
        return first + (model.packets(bytes) - 1L) * Math.max(keeps, alu);
    }
}
