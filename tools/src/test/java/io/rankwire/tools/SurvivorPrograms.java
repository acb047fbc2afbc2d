package io.rankwire.tools;

import io.rankwire.Communicator;
import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.World;
import io.rankwire.launch.Board;
import io.rankwire.launch.FailureLog;
import io.rankwire.launch.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Programs of four ranks of which some fail, in jobs that go on. */
final class SurvivorPrograms {
    private SurvivorPrograms() {}

    static String name(String program) {
        return SurvivorPrograms.class.getName() + "$" + program;
    }

    /** Rank 2 fails in a way; the others see it, send each other messages, and print how long that took. */
    static final class Fails {
        private static final int VICTIM = 2;

        public static void main(String[] args) throws Exception {
            String how = args[0];
            int rank;
            try (World world = World.join()) {
                Communicator all = world.communicator();
                rank = all.rank();
                all.barrier();
                Board board = Job.current().board();
                if (rank == VICTIM) {
                    fail(how, all);
                    return;
                }
                long[] killedNs = {System.nanoTime()};
                if (rank == 0) {
                    if (how.equals("kill")) {
                        ProcessHandle.of(board.pid(VICTIM)).orElseThrow().destroyForcibly();
                    } else if (how.equals("suspect")) {
                        board.failures().suspect(0, VICTIM);
                    } else {
                        all.send(killedNs, VICTIM, 0);
                    }
                }
                long sawNs = awaitDeath(board.failures());
                if (args.length > 1) {
                    receiveFromDead(all);
                }
                if (rank == 0) {
                    all.send(killedNs, 1, 1);
                    all.send(killedNs, 3, 1);
                } else {
                    all.receive(killedNs, 0, 1);
                }
                System.out.println("rank " + rank + " saw after " + (sawNs - killedNs[0]) / 1000 + " us: "
                        + board.failures().cause(0));
            }
            System.out.println("rank " + rank + " is done");
        }

        private static void fail(String how, Communicator all) throws Exception {
            if (how.equals("kill") || how.equals("suspect")) {
                Thread.sleep(600_000);
            }
            all.receive(new long[1], 0, 0);
            switch (how) {
                case "throw" -> throw new IllegalStateException("on purpose");
                case "exit" -> System.exit(7);
                case "abort" -> Job.current().fail(new IOException("for all"));
                default -> throw new IllegalArgumentException(how);
            }
        }

        private static long awaitDeath(FailureLog log) throws InterruptedException {
            while (log.count() == 0) {
                Thread.sleep(1);
            }
            return System.nanoTime();
        }

        private static void receiveFromDead(Communicator all) {
            try {
                all.receive(new long[1], VICTIM, 9);
                throw new IllegalStateException("a dead rank has sent something");
            } catch (RankwireException e) {
                if (e.errorClass() != ErrorClass.PEER) {
                    throw e;
                }
            }
        }
    }

    /** Some ranks fail in the given order, and the others do nothing. */
    static final class Leave {
        public static void main(String[] args) throws Exception {
            int rank = Job.current().rank();
            for (int i = 0; i < args.length; i++) {
                if (Integer.parseInt(args[i]) == rank) {
                    while (Job.current().board().failures().count() < i) {
                        Thread.sleep(1);
                    }
                    System.out.println("rank " + rank + " leaves");
                    System.exit(10 + rank);
                }
            }
        }
    }

    /** Rank 0 ends without a word after it has joined; the others end well. */
    static final class Forgets {
        public static void main(String[] args) throws Exception {
            World world = World.join();
            if (world.communicator().rank() == 0) {
                return;
            }
            while (!Job.current().board().failures().isDead(0)) {
                Thread.sleep(1);
            }
            world.close();
        }
    }

    /** Rank 3 dies, and then the others wait for each other. */
    static final class WaitForEachOther {
        public static void main(String[] args) throws Exception {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                all.barrier();
                if (all.rank() == 3) {
                    throw new IllegalStateException("on purpose");
                }
                while (!Job.current().board().failures().isDead(3)) {
                    Thread.sleep(1);
                }
                all.receive(new int[1], (all.rank() + 1) % 3, 0);
            }
        }
    }

    /** Rank 1 is killed before it joins. */
    static final class DiesEarly {
        public static void main(String[] args) throws Exception {
            if (Job.current().rank() == 1) {
                Runtime.getRuntime().halt(9);
            }
            try (World world = World.join()) {
                System.out.println("rank " + world.communicator().rank() + " has joined");
            }
        }
    }

    /** Makes a file, and runs until another one is there. */
    static final class Stays {
        public static void main(String[] args) throws Exception {
            try (World world = World.join()) {
                world.communicator().barrier();
                Path place = Path.of(args[0]);
                Files.createFile(place.resolve("rank" + world.communicator().rank()));
                while (!Files.exists(place.resolve("go"))) {
                    Thread.sleep(5);
                }
            }
        }
    }
}
