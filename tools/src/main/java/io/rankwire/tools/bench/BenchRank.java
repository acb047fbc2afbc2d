package io.rankwire.tools.bench;

import io.rankwire.World;

/**
 * The loops of {@code rankwire bench}, run by two ranks; the resource {@code peer.c} has the same ones, step for step.
 * Arguments are the kind of work and its cells. Rank 0 prints a line for each cell, or several. Every message carries a
 * new value, and every receiver checks it.
 */
public final class BenchRank {
    private BenchRank() {}

    public static void main(String[] args) {
        try (World world = World.join()) {
            int size = world.communicator().size();
            if (size != Side.RANKS) {
                throw new IllegalStateException("needs " + Side.RANKS + " ranks, not " + size);
            }
            Loops loops = loops(world, args[0]);
            for (int i = 1; i < args.length; i++) {
                loops.run(Cell.parse(args[i]));
            }
        }
    }

    private static Loops loops(World world, String kind) {
        return switch (kind) {
            case "lat", "lat.alloc", "curve.eager", "curve.rendezvous", "curve.twoended" ->
                    new BallLoops(world, kind, BallLoops.Scene.NOTHING);
            case "prq" -> new BallLoops(world, kind, BallLoops.Scene.POSTED);
            case "ueq" -> new BallLoops(world, kind, BallLoops.Scene.UNEXPECTED);
            case "alloc" -> new BallLoops(world, kind, BallLoops.Scene.HEAP_COUNTED);
            case "rate" -> new StreamLoops(world, kind, Measure.RATE, false);
            case "bw" -> new StreamLoops(world, kind, Measure.BANDWIDTH, false);
            case "bibw" -> new StreamLoops(world, kind, Measure.BANDWIDTH, true);
            case "overlap", "overlap.alloc" -> new OverlapLoops(world, kind);
            case "rma" -> new RmaLoops(world, kind);
            default -> throw new IllegalArgumentException("unknown work " + kind);
        };
    }
}
