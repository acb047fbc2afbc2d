package io.rankwire.tools;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.World;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

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

    /** Rank 0 sends messages through its slab and ends; rank 1 receives them when that process is gone. */
    static final class SendsAndIsGone {
        public static void main(String[] args) throws Exception {
            World world = World.join();
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                all.send(new long[] {ProcessHandle.current().pid()}, 1, 0);
                for (int i = 1; i <= MESSAGES; i++) {
                    all.send(message(i), 1, i);
                }
                world.close();
                Runtime.getRuntime().halt(0);
            }
            long[] process = new long[1];
            all.receive(process, 0, 0);
            while (ProcessHandle.of(process[0]).map(ProcessHandle::isAlive).orElse(false)) {
                Thread.sleep(1);
            }
            receiveAll(all);
            System.out.println("all came");
            world.close();
        }
    }

    /** Rank 0 sends messages through its slab, waits until a file is there, and sends them again. */
    static final class SendsNowAndThen {
        public static void main(String[] args) throws Exception {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                for (int round = 0; round < 2; round++) {
                    if (all.rank() == 0) {
                        for (int i = 1; i <= MESSAGES; i++) {
                            all.send(message(i), 1, i);
                        }
                        all.receive(new long[1], 1, 0);
                    } else {
                        receiveAll(all);
                        while (round == 0 && !Files.exists(Path.of(args[0]))) {
                            Thread.sleep(1);
                        }
                        all.send(new long[1], 0, 0);
                    }
                }
                if (all.rank() == 1) {
                    System.out.println("all came");
                }
            }
        }
    }

    /** No more than a peer may have in a slab. */
    private static final int MESSAGES = 40;

    private static int[] message(int number) {
        return IntStream.range(0, 3_500).map(i -> i * number).toArray();
    }

    private static void receiveAll(Communicator all) {
        for (int i = 1; i <= MESSAGES; i++) {
            int[] expected = message(i);
            int[] room = new int[expected.length];
            all.receive(room, 0, i);
            if (!Arrays.equals(expected, room)) {
                throw new AssertionError("message " + i);
            }
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
