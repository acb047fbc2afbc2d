package io.rankwire.tools.bench;

import io.rankwire.World;

/**
 * The loops of {@code rankwire bench}, run by two ranks, or more for some collective calls; the resources
 * {@code peer.c} and {@code coll.c} have the same ones, step for step. Arguments are the kind of work and its cells.
 * Rank 0 prints a line for each cell, or several. Every message carries a new value, and every receiver checks it.
 */
public final class BenchRank {
    private BenchRank() {}

    public static void main(String[] args) {
        try (World world = World.join()) {
            int size = world.communicator().size();
            int wanted = Work.COLL.ranks(args[0]);
            if (size != wanted) {
                throw new IllegalStateException("needs " + wanted + " ranks, not " + size);
            }
            if (Work.DEATHS.has(args[0]) && !args[0].startsWith("deaths.agree")) {
                new DeathLoops(world, args[0]).run(Cell.parse(args[1]));
                return;
            }
            Loops loops = loops(world, args[0]);
            for (int i = 1; i < args.length; i++) {
                loops.measure(Cell.parse(args[i]));
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
            case "warm.lat", "warm.large" -> new BallLoops(world, kind, BallLoops.Scene.WARMING);
            case "warm.first" -> new BallLoops(world, kind, BallLoops.Scene.FIRST);
            case "warm.allreduce" -> new CallLoops(world, kind);
            case "rate" -> new StreamLoops(world, kind, Measure.RATE, false);
            case "bw" -> new StreamLoops(world, kind, Measure.BANDWIDTH, false);
            case "bibw" -> new StreamLoops(world, kind, Measure.BANDWIDTH, true);
            case "overlap", "overlap.alloc" -> new OverlapLoops(world, kind);
            case "rma" -> new RmaLoops(world, kind);
            case "active" -> new ActiveLoops(world, kind);
            case "deaths.agree", "deaths.agree.x8" -> new AgreeLoops(world, kind);
            case "coll.persistent" -> new PersistentLoops(world, kind);
            case "coll.overlap" -> new CallOverlapLoops(world, kind);
            default -> {
                if (!Work.COLL.has(kind)) {
                    throw new IllegalArgumentException("unknown work " + kind);
                }
                yield new CallLoops(world, kind);
            }
        };
    }
}
