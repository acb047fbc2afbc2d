package io.rankwire.tools;

import io.rankwire.Communicator;
import io.rankwire.ErrorClass;
import io.rankwire.Intercommunicator;
import io.rankwire.Op;
import io.rankwire.RankwireException;
import io.rankwire.World;
import io.rankwire.launch.Board;
import io.rankwire.launch.FailureLog;
import io.rankwire.launch.Job;
import io.rankwire.launch.Replacements;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Programs of four ranks of which some fail, in jobs that go on. */
final class SurvivorPrograms {
    private SurvivorPrograms() {}

    static String name(String program) {
        return SurvivorPrograms.class.getName() + "$" + program;
    }

    /** Two groups exchange sums, and go on when rank 0 has killed rank 2, which leads its side. */
    static final class Between {
        private static final int STEPS = 100;

        public static void main(String[] args) {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                boolean isLow = all.rank() < 2;
                Communicator side = all.split(isLow ? 0 : 1, 0).orElseThrow();
                Intercommunicator inter = side.intercommunicator(0, all, isLow ? 2 : 0, 1);
                int[] sum = new int[1];
                for (int step = 0; step < STEPS; step++) {
                    if (all.rank() == 0 && step == STEPS / 2 && inter.remoteSize() == 2) {
                        ProcessHandle.of(Job.current().board().pid(2)).orElseThrow().destroyForcibly();
                    }
                    boolean good = true;
                    try {
                        inter.allreduce(new int[] {all.rank() + 1}, sum, Op.SUM);
                    } catch (RankwireException e) {
                        good = false;
                        inter.revoke();
                    }
                    if (inter.agree(good ? 1 : 0) == 0) {
                        Intercommunicator live = inter.shrink();
                        inter.free();
                        inter = live;
                        step--;
                    }
                }
                System.out.println("rank " + all.rank() + ": " + inter.size() + " and " + inter.remoteSize() + ", sum "
                        + sum[0]);
            }
        }
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
                meet(all);
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
                if (rank == 0 && args.length > 1) {
                    // The only one with a connection to it.
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

        /** Returns at rank 0 when all others have begun, so that none of them waits for one that is killed then. */
        private static void meet(Communicator all) {
            for (int other = 1; other < all.size(); other++) {
                if (all.rank() == 0) {
                    all.receive(new int[1], other, 5);
                } else if (all.rank() == other) {
                    all.send(new int[1], 0, 5);
                }
            }
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

    /** Rank 0 ends without a word after it has joined, or exits if there is an argument; the others end well. */
    static final class Forgets {
        public static void main(String[] args) throws Exception {
            World world = World.join();
            if (world.communicator().rank() == 0) {
                if (args.length > 0) {
                    System.exit(0);
                }
                return;
            }
            while (!Job.current().board().failures().isDead(0)) {
                Thread.sleep(1);
            }
            world.close();
        }
    }

    /**
     * The ranks fail and leave a thread that never ends: in their main method, or later in another thread if the
     * argument is {@code later}.
     */
    static final class LeavesThreads {
        public static void main(String[] args) {
            new Thread(() -> LockSupport.park(args)).start();
            if (!args[0].equals("later")) {
                throw new IllegalStateException("on purpose");
            }
            new Thread(() -> {
                LockSupport.parkNanos(300_000_000);
                System.exit(1);
            }).start();
        }
    }

    /**
     * Rank 1 closes the first world, and fails while the others join the second one, or exits with status 0. The end
     * of its process takes longer than they need to begin with that; the second argument is this time in ms.
     */
    static final class FailsBetweenWorlds {
        public static void main(String[] args) throws Exception {
            int rank;
            try (World world = World.join()) {
                rank = world.communicator().rank();
                if (rank == 1) {
                    long ns = Long.parseLong(args[1]) * 1_000_000;
                    Runtime.getRuntime().addShutdownHook(new Thread(() -> LockSupport.parkNanos(ns)));
                }
            }
            if (rank == 1) {
                fail(args[0], Job.current().board());
            }
            try (World world = World.join()) {
                Communicator live = world.communicator().shrink();
                live.barrier();
                System.out.println("rank " + rank + " goes on with " + live.size());
            }
        }

        private static void fail(String how, Board board) throws InterruptedException {
            for (int other = 0; other < board.worldSize(); other++) {
                while (board.closedWorlds(other) == 0) {
                    Thread.sleep(1);
                }
            }
            switch (how) {
                case "exit" -> System.exit(7);
                case "leave" -> System.exit(0);
                default -> throw new IllegalStateException("on purpose");
            }
        }
    }

    /**
     * Rank 3 dies, and then the others wait for each other. If the argument is {@code abort}, a rank whose wait ends
     * with an error aborts the job.
     */
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
                try {
                    all.receive(new int[1], (all.rank() + 1) % 3, 0);
                } catch (RankwireException e) {
                    if (args[0].equals("abort")) {
                        world.abort(3, null);
                    }
                    throw e;
                }
            }
        }
    }

    /**
     * Rank 1 talks with rank 0, closes its world and exits; rank 0 waits for rank 2 meanwhile. The argument is a
     * directory for a file that is there when the exit has begun.
     */
    static final class Exits {
        private static final int LOOKS = 200;

        public static void main(String[] args) throws Exception {
            Path exiting = Path.of(args[0]).resolve("exiting");
            try (World world = World.join()) {
                Communicator all = world.communicator();
                if (all.rank() == 0) {
                    all.send(new int[1], 1, 0);
                    all.receive(new int[1], 1, 0);
                    all.receive(new int[1], Communicator.ANY_SOURCE, 1);
                } else if (all.rank() == 1) {
                    all.receive(new int[1], 0, 0);
                    all.send(new int[1], 0, 0);
                    Runtime.getRuntime().addShutdownHook(new Thread(() -> create(exiting)));
                } else {
                    watchExit(exiting);
                    all.send(new int[1], 0, 1);
                }
                FailureLog log = Job.current().board().failures();
                if (all.failed().size() + log.count() > 0) {
                    throw new IllegalStateException(log.cause(0));
                } else if (log.suspectOf(0) >= 0 || log.suspectOf(2) >= 0) {
                    throw new IllegalStateException("a rank cannot reach another one");
                }
            }
            System.exit(0);
        }

        private static void create(Path file) {
            try {
                Files.createFile(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** When rank 1 exits, its process is there for some time, since the worlds of the others are open. */
        private static void watchExit(Path exiting) throws InterruptedException {
            while (!Files.exists(exiting)) {
                Thread.sleep(1);
            }
            long process = Job.current().board().pid(1);
            for (int look = 0; look < LOOKS; look++) {
                if (ProcessHandle.of(process).isEmpty()) {
                    throw new IllegalStateException("the process of rank 1 has gone");
                }
                Thread.sleep(5);
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

    /**
     * Rank 1 of three fails, rank 0 asks for another, which fails too, and asks for one for that. New ranks
     * print what they are to join.
     */
    static final class Replaces {
        public static void main(String[] args) throws Exception {
            Job job = Job.current();
            if (job.rank() >= job.worldSize()) {
                Replacements.Part part = job.awaitPart();
                System.out.println("rank " + job.rank() + " is to join " + part.name() + " in context "
                        + part.context() + " of " + part.members());
                if (part.members().indexOf(job.rank()) == 1 && part.context() == 40) {
                    System.exit(8);
                }
                job.board().joined(job.rank(), ProcessHandle.current().pid());
                job.board().closed(job.rank());
                while (job.board().closedWorlds(0) == 0) {
                    Thread.sleep(1);
                }
                return;
            }
            try (World world = World.join()) {
                Communicator all = world.communicator();
                all.barrier();
                if (all.rank() == 1) {
                    System.exit(7);
                } else if (all.rank() == 0) {
                    FailureLog log = job.board().failures();
                    awaitDead(log, 1);
                    List<Integer> first = ask(job, 40, 1);
                    awaitDead(log, first.get(1));
                    List<Integer> second = ask(job, 41, first.get(1));
                    List<Integer> third = ask(job, 41, first.get(1));
                    System.out.println(first + " " + second + " " + third);
                }
            }
        }

        private static void awaitDead(FailureLog log, int rank) throws InterruptedException {
            while (!log.isDead(rank)) {
                Thread.sleep(1);
            }
        }

        private static List<Integer> ask(Job job, int context, int dead) throws Exception {
            Replacements replacements = job.replacements();
            int number = replacements.ask(new Replacements.Request("world/" + context, 0, context, "world, repaired",
                    List.of(0, dead, 2), List.of(dead)));
            Replacements.Answer answer = replacements.answer(number);
            while (answer == null) {
                Thread.sleep(1);
                answer = replacements.answer(number);
            }
            if (answer.members() == null) {
                throw new IllegalStateException(answer.reason());
            }
            return answer.members();
        }
    }

    /** Rank 1 of two fails; rank 0 asks for another and dies at once. A new rank fails, too. */
    static final class AsksAndDies {
        public static void main(String[] args) throws Exception {
            Job job = Job.current();
            if (job.rank() == 1) {
                System.exit(7);
            } else if (job.rank() == 0) {
                Replaces.awaitDead(job.board().failures(), 1);
                job.replacements().ask(
                        new Replacements.Request("key", 0, 40, "world", List.of(0, 1), List.of(1)));
            }
            Runtime.getRuntime().halt(9);
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
