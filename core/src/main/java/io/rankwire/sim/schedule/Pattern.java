package io.rankwire.sim.schedule;

import io.rankwire.collective.BinomialBroadcast;
import io.rankwire.collective.Blocks;
import io.rankwire.collective.CirculantAllgather;
import io.rankwire.collective.CirculantAllreduce;
import io.rankwire.collective.DisseminationBarrier;
import io.rankwire.collective.DoublingAllreduce;
import io.rankwire.collective.Exchange;
import io.rankwire.collective.PairwiseAlltoall;
import io.rankwire.collective.Schedule;
import io.rankwire.collective.Step.Part;
import io.rankwire.sim.net.Torus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The schedules of all ranks, made when they are asked for.
 *
 * @param name with its sizes, for reports
 * @param unitBytes what a unit of the schedules is
 */
public record Pattern(String name, int ranks, long unitBytes, Symmetry symmetry, IntFunction<Schedule> schedules) {
    /** How the steps of all ranks follow from those of rank 0, which differ by the peers alone. */
    public enum Symmetry {
        /** Each rank has steps of its own. */
        NONE,
        /** Peers are as far away. */
        SHIFT,
        /** Peers differ in the same bits. */
        XOR
    }

    private static final int TORUS_SIDES = 6;

    Schedule of(int rank) {
        return schedules.apply(rank);
    }

    /** The peer of a rank, given that of the rank whose steps it goes by. */
    int peer(int rank, int peer) {
        return switch (symmetry) {
            case NONE -> peer;
            case SHIFT -> peer + rank >= ranks ? peer + rank - ranks : peer + rank;
            case XOR -> peer ^ rank;
        };
    }

    public static Pattern barrier(int ranks) {
        return new Pattern("barrier (dissemination)", ranks, 1, Symmetry.SHIFT,
                rank -> DisseminationBarrier.of(rank, ranks));
    }

    /** An allreduce of few bytes: recursive doubling. */
    public static Pattern allreduce(int ranks, long bytes) {
        return new Pattern("allreduce of " + bytes + " B (" + DoublingAllreduce.NAME + ")", ranks, bytes,
                Integer.bitCount(ranks) == 1 ? Symmetry.XOR : Symmetry.NONE,
                rank -> DoublingAllreduce.of(rank, ranks, 1, false));
    }

    /** An allreduce of many bytes: reduce-scatter and allgather. */
    public static Pattern largeAllreduce(int ranks, long words) {
        return new Pattern("allreduce of " + 8 * words + " B (" + CirculantAllreduce.NAME + ")", ranks, 8,
                Symmetry.NONE, rank -> CirculantAllreduce.of(rank, ranks, words, false));
    }

    public static Pattern broadcast(int ranks, int root, long bytes) {
        return new Pattern("broadcast of " + bytes + " B (" + BinomialBroadcast.NAME + ")", ranks, bytes,
                Symmetry.NONE, rank -> BinomialBroadcast.of(rank, ranks, root, 1));
    }

    public static Pattern allgather(int ranks, long bytes) {
        Blocks blocks = Blocks.even(ranks, 1);
        return new Pattern("allgather of " + bytes + " B each (circulant)", ranks, bytes, Symmetry.NONE,
                rank -> CirculantAllgather.of(rank, ranks, blocks, false));
    }

    public static Pattern alltoall(int ranks, long bytes) {
        Part[] from = Blocks.even(ranks, 1).parts(Schedule.INPUT);
        Part[] to = Blocks.even(ranks, 1).parts(Schedule.OUTPUT);
        return new Pattern("alltoall of " + bytes + " B each (" + PairwiseAlltoall.NAME + ")", ranks, bytes,
                Symmetry.SHIFT, rank -> PairwiseAlltoall.of(rank, ranks, from, to));
    }

    /** Every node of a torus with its six neighbours. */
    public static Pattern halo(Torus torus, long bytes) {
        return new Pattern("halo of " + bytes + " B a face", torus.nodes(), bytes, Symmetry.NONE,
                rank -> Exchange.of(rank, faces(torus, rank, 0), faces(torus, rank, 1)));
    }

    /** As if each rank sat elsewhere: the rank at a node does what the rank with the node's number would. */
    public static Pattern halo(Torus torus, long bytes, int[] nodes) {
        int[] ranks = new int[nodes.length];
        for (int rank = 0; rank < nodes.length; rank++) {
            ranks[nodes[rank]] = rank;
        }
        Pattern inOrder = halo(torus, bytes);
        return new Pattern(inOrder.name + ", ranks elsewhere", torus.nodes(), bytes, Symmetry.NONE,
                node -> inOrder.of(ranks[node]).among(nodes));
    }

    /** What goes out by each side, or comes in by the opposite one of the neighbour there. */
    private static List<Exchange.End> faces(Torus torus, int rank, int in) {
        List<Exchange.End> ends = new ArrayList<>();
        for (int side = 0; side < TORUS_SIDES; side++) {
            int towards = side ^ in;
            ends.add(new Exchange.End(torus.end(TORUS_SIDES * rank + towards),
                    new Part(in == 0 ? Schedule.INPUT : Schedule.OUTPUT, towards, 1)));
        }
        return ends;
    }
}
