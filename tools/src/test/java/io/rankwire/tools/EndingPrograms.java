package io.rankwire.tools;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.World;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.function.IntConsumer;

/** Programs that end in unusual ways, for {@link EndingTest}. */
final class EndingPrograms {
    private EndingPrograms() {}

    static String name(String program) {
        return EndingPrograms.class.getName() + "$" + program;
    }

    private static int rank() {
        try (World world = World.join()) {
            world.communicator().barrier();
            return world.communicator().rank();
        }
    }

    /** Rank 2 ends the process, in the way that is named, with status 7. */
    static final class Exit {
        public static void main(String[] args) throws Exception {
            // Its first thread is one that rank 0 started, and rank 2 uses it.
            if (rank() == 0) {
                ForkJoinPool.commonPool().submit(() -> 1).get();
            }
            if (rank() == 2) {
                IntConsumer reference = System::exit;
                switch (args[0]) {
                    case "main" -> System.exit(7);
                    case "halt" -> Runtime.getRuntime().halt(7);
                    case "runtime" -> Runtime.getRuntime().exit(7);
                    case "virtual" -> Thread.ofVirtual().start(() -> System.exit(7));
                    case "pool" -> Executors.newCachedThreadPool().submit(() -> System.exit(7));
                    case "common" -> ForkJoinPool.commonPool().submit(() -> System.exit(7));
                    case "reference" -> new Thread(() -> reference.accept(7), "of-two").start();
                    case "unknown" -> ForkJoinPool.commonPool().submit(() -> reference.accept(7));
                    default -> throw new IllegalArgumentException(args[0]);
                }
            }
            Thread.sleep(120_000);
        }
    }

    /** Every rank says what it has done and exits with status 0, the last one some time after the others. */
    static final class ExitWell {
        public static void main(String[] args) throws Exception {
            int rank = rank();
            if (rank == 0) {
                Thread.sleep(300);
            }
            System.out.println("done " + rank);
            System.exit(0);
        }
    }

    /** Leaves a line without its end and fails. */
    static final class HalfALine {
        public static void main(String[] args) {
            System.out.print("half a line");
            System.out.flush();
            throw new IllegalStateException("boom");
        }
    }

    /** Writes until it is ended. */
    static final class Endless {
        public static void main(String[] args) throws Exception {
            for (long i = 0; ; i++) {
                System.out.println("line " + i);
            }
        }
    }

    /** Ranks that have worlds of their own, and these too. */
    static final class Nested {
        public static void main(String[] args) {
            try (World world = World.join()) {
                int outer = world.communicator().rank();
                World.run(5, inner -> {
                    Communicator all = inner.communicator();
                    double[] sum = new double[1];
                    all.allreduce(new double[] {all.rank()}, sum, Op.SUM);
                    World.run(2, inmost -> inmost.communicator().barrier());
                    if (all.rank() == 4) {
                        System.out.println("rank 4 in rank " + outer + " has " + sum[0]);
                    }
                });
                world.communicator().barrier();
            }
        }
    }
}
