package io.rankwire.tools;

import static io.rankwire.tools.Programs.check;

import io.rankwire.AttributeKey;
import io.rankwire.CartesianCommunicator;
import io.rankwire.Communicator;
import io.rankwire.DistributedGraphCommunicator;
import io.rankwire.ErrorHandler;
import io.rankwire.Group;
import io.rankwire.Intercommunicator;
import io.rankwire.Op;
import io.rankwire.RankwireException;
import io.rankwire.Request;
import io.rankwire.World;
import java.util.Arrays;
import java.util.Optional;

/** Programs with communicators of all kinds that tests run as ranks. Each checks its own results. */
final class TopologyPrograms {
    private TopologyPrograms() {}

    static String name(String program) {
        return TopologyPrograms.class.getName() + "$" + program;
    }

    /** Every way to make a communicator, a message over each, and its end. */
    static final class Everything {
        public static void main(String[] args) {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                for (int round = 0; round < 3; round++) {
                    exercise(all);
                }
                if (all.rank() == 0) {
                    System.out.println("all is well");
                }
            }
        }

        private static void exercise(Communicator all) {
            Communicator near = all.splitShared(-all.rank());
            check(near.size() == all.size() && near.rank() == all.size() - 1 - all.rank(), "splitShared");
            around(near);

            int[] dims = CartesianCommunicator.balanced(all.size(), 0, 0);
            CartesianCommunicator grid = all.cartesian(dims, new boolean[] {true, true}).orElseThrow();
            for (int dimension = 0; dimension < 2; dimension++) {
                CartesianCommunicator.Shift shift = grid.shift(dimension, 1);
                int[] in = new int[1];
                grid.sendReceive(new int[] {grid.rank()}, shift.dest(), 1, in, shift.source(), 1);
                check(in[0] == shift.source(), "shift");
            }
            CartesianCommunicator row = grid.sub(false, true);
            around(row);

            AttributeKey<Integer> key =
                    AttributeKey.of("key", (from, value) -> Optional.of(value + 1), (from, value) -> {});
            grid.attribute(key, 1);
            CartesianCommunicator copy = grid.duplicate();
            check(copy.attribute(key).orElse(0) == 2, "attribute of a duplicate");

            int next = (all.rank() + 1) % all.size();
            DistributedGraphCommunicator ring = all.distributedGraph(new int[] {next}, new int[] {1},
                    new int[] {all.rank()}, new int[] {all.rank()});
            check(ring.sources()[0] == next && ring.sourceWeights()[0] == all.rank(), "edges given by their end");
            around(ring);

            if (all.size() > 1) {
                Group part = all.group().exclude(0);
                if (all.rank() > 0) {
                    Communicator few = all.createGroup(part, 8);
                    around(few);
                    few.free();
                }
                facing(all);
            }
            for (Communicator each : new Communicator[] {near, row, copy, grid, ring}) {
                each.free();
            }
        }

        /** Rank 0 alone on one side. */
        private static void facing(Communicator all) {
            Communicator side = all.split(all.rank() == 0 ? 0 : 1, 0).orElseThrow();
            Intercommunicator inter = side.intercommunicator(0, all, all.rank() == 0 ? 1 : 0, 3);
            if (all.rank() == 0) {
                for (int to = 0; to < inter.remoteSize(); to++) {
                    inter.sendObject("to " + to, to, 1);
                }
            } else {
                check(inter.receiveObject(String.class, 0, 1).equals("to " + inter.rank()), "message across");
            }
            Communicator merged = inter.merge(all.rank() == 0);
            check(merged.rank() == (all.rank() + all.size() - 1) % all.size(), "the high side comes last");
            around(merged);
            merged.free();
            inter.free();
            side.free();
        }

        private static void around(Communicator ring) {
            int[] in = new int[1];
            int size = ring.size();
            int previous = (ring.rank() + size - 1) % size;
            ring.sendReceive(new int[] {ring.rank()}, (ring.rank() + 1) % size, 1, in, previous, 1);
            check(in[0] == previous, "ring on " + ring.name());
        }
    }

    /** Collectives between two groups, small and large: the first third of the ranks against the others. */
    static final class AcrossGroups {
        public static void main(String[] args) {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                int first = Math.max(1, all.size() / 3);
                boolean low = all.rank() < first;
                Communicator side = all.split(low ? 0 : 1, 0).orElseThrow();
                Intercommunicator inter = side.intercommunicator(0, all, low ? first : 0, 3);
                for (int count : new int[] {1, 200, 40_000}) {
                    exchange(inter, low, count);
                }
                inter.free();
                if (all.rank() == 0) {
                    System.out.println("all is well");
                }
            }
        }

        private static void exchange(Intercommunicator inter, boolean low, int count) {
            double[] mine = new double[count];
            Arrays.fill(mine, inter.rank() + (low ? 1 : 100));
            double[] sum = new double[count];
            inter.allreduce(mine, sum, Op.SUM);
            int far = inter.remoteSize();
            int firstThere = low ? 100 : 1;
            double total = far * (far - 1) / 2 + far * firstThere;
            check(sum[0] == total && sum[count - 1] == total, "allreduce across");
            double[] theirs = new double[count * far];
            Request gathered = inter.iallgather(mine, theirs);
            inter.barrier();
            gathered.await();
            check(theirs[count * far - 1] == far - 1 + firstThere, "allgather across");
            int root = !low ? 0 : inter.rank() == 0 ? Intercommunicator.ROOT : Intercommunicator.NONE;
            double[] news = low ? mine : new double[count];
            inter.broadcast(news, root);
            check(low || news[count - 1] == 1, "broadcast across");
            inter.reduce(mine, sum, Op.MAX, root);
            check(root != Intercommunicator.ROOT || sum[count - 1] == far - 1 + 100, "reduce across");
        }
    }

    /** Rank 1 makes a mistake, and would live with it. */
    static final class Aborts {
        public static void main(String[] args) {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                all.errorHandler(ErrorHandler.ABORT);
                if (all.rank() == 1) {
                    try {
                        all.send(new int[1], 77, 0);
                    } catch (RankwireException e) {
                        System.out.println("caught");
                    }
                }
                all.receive(new int[1], 0, 0);
            }
        }
    }

    /** Rank 0 splits, the others do not. */
    static final class SplitsAlone {
        public static void main(String[] args) {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                if (all.rank() == 0) {
                    all.split(0, 0);
                } else {
                    all.receive(new int[1], 0, 0);
                }
            }
        }
    }
}
