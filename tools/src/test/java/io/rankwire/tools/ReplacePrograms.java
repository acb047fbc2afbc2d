package io.rankwire.tools;

import io.rankwire.Communicator;
import io.rankwire.ErrorClass;
import io.rankwire.Op;
import io.rankwire.RankwireException;
import io.rankwire.Window;
import io.rankwire.World;
import io.rankwire.launch.Job;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;

/** Programs of four ranks that replace those that die. */
final class ReplacePrograms {
    private ReplacePrograms() {}

    static String name(String program) {
        return ReplacePrograms.class.getName() + "$" + program;
    }

    /**
     * Rank 0 kills some ranks, and all replace them. The argument lists the ranks of each round: {@code 2 1,3}. The
     * second argument, if there is one, says how the first new rank ends before it joins.
     */
    static final class Repairs {
        public static void main(String[] args) throws Exception {
            String[] rounds = args[0].split(" ");
            int place = Job.current().rank();
            if (args.length > 1 && place == 4) {
                switch (args[1]) {
                    case "exit" -> System.exit(0);
                    case "return" -> {
                        return;
                    }
                    default -> Runtime.getRuntime().halt(Integer.parseInt(args[1]));
                }
            }
            try (World world = World.join()) {
                Communicator all = world.communicator();
                int[] round = new int[1];
                if (world.isReplacement()) {
                    all.broadcast(round, 0);
                    check(all);
                }
                while (round[0] < rounds.length) {
                    long before = System.nanoTime();
                    all = repaired(all, rounds[round[0]].split(","), round[0] % 2 == 0);
                    if (all.rank() == 0) {
                        System.out.println("replaced within " + (System.nanoTime() - before) / 1_000_000 + " ms");
                    }
                    round[0]++;
                    all.broadcast(round, 0);
                    check(all);
                }
                System.out.println("rank " + all.rank() + " is done, place " + place + ", replacement "
                        + world.isReplacement());
            }
        }

        private static void kill(Communicator all, int rank) {
            long pid = Job.current().board().pid(all.group().worldRank(rank));
            ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        }

        /** Rank 3 may get no error, but agree. */
        private static Communicator repaired(Communicator all, String[] victims, boolean mixed) {
            try {
                all.barrier();
                boolean isThread = System.getenv("RANKWIRE_RANK") == null;
                for (String victim : victims) {
                    int rank = Integer.parseInt(victim);
                    if (isThread && rank == all.rank()) {
                        throw new IllegalStateException("dies");
                    } else if (!isThread && all.rank() == 0) {
                        kill(all, rank);
                    }
                }
                if (mixed && all.rank() == 3) {
                    while (all.agree(1) != 0) {
                        Thread.onSpinWait();
                    }
                    return all.replace();
                }
                while (true) {
                    all.receive(new int[1], (all.rank() + 1) % all.size(), 5);
                }
            } catch (RankwireException e) {
                if (e.errorClass() != ErrorClass.PEER && e.errorClass() != ErrorClass.REVOKED) {
                    throw e;
                }
                all.revoke();
                return all.replace();
            }
        }

        static void check(Communicator all) {
            int[] sum = new int[1];
            all.allreduce(new int[] {1 << all.rank()}, sum, Op.SUM);
            expect(15, sum[0]);
            int[] got = new int[100_000];
            int[] mine = new int[100_000];
            mine[99_999] = all.rank();
            all.sendReceive(mine, (all.rank() + 1) % 4, 1, got, (all.rank() + 3) % 4, 1);
            expect((all.rank() + 3) % 4, got[99_999]);
            Communicator twin = all.duplicate();
            twin.barrier();
            Communicator half = twin.split(all.rank() % 2, all.rank()).orElseThrow();
            expect(2, half.size());
            half.allreduce(new int[] {1}, sum, Op.SUM);
            expect(2, sum[0]);
            half.free();
            Window window = twin.allocateWindow(8, 8);
            window.fence();
            window.put(new long[] {7 + all.rank()}, (all.rank() + 1) % 4, 0);
            window.fence();
            expect(7 + (all.rank() + 3) % 4, (int) window.memory().get(ValueLayout.JAVA_LONG, 0));
            window.free();
            twin.free();
            expect(1, all.agree(1));
        }

        private static void expect(int expected, int found) {
            if (expected != found) {
                throw new IllegalStateException("expected " + expected + ", found " + found);
            }
        }
    }

    /**
     * Barriers of all members, which replace those that die, until there are as many new ones as the first argument
     * says. If the second is {@code early}, the first new rank ends before it joins.
     */
    static final class Barriers {
        public static void main(String[] args) throws Exception {
            Job job = Job.current();
            if (args.length > 1 && args[1].equals("early") && job.rank() == job.worldSize()) {
                Runtime.getRuntime().halt(9);
            }
            try (World world = World.join()) {
                System.out.println("rank " + job.rank() + " is process " + ProcessHandle.current().pid());
                Communicator all = world.communicator();
                boolean isDone = false;
                while (!isDone) {
                    try {
                        all.barrier();
                        Thread.sleep(5);
                        isDone = all.agree(newRanks(all) == Integer.parseInt(args[0]) ? 1 : 0) == 1;
                    } catch (RankwireException e) {
                        if (e.errorClass() != ErrorClass.PEER && e.errorClass() != ErrorClass.REVOKED) {
                            throw e;
                        }
                        all.revoke();
                        all = all.replace();
                    }
                }
                Repairs.check(all);
                Communicator here = all.splitShared(all.rank());
                here.barrier();
                boolean hasRings = Files.readString(Path.of("/proc/self/maps")).contains("/ring.");
                System.out.println("rank " + all.rank() + " is done, place " + job.rank() + " on "
                        + System.getenv("RANKWIRE_HOST") + ", shares memory with " + (hasRings ? here.size() : 1));
                here.free();
            }
        }

        private static int newRanks(Communicator all) {
            int count = 0;
            for (int rank = 0; rank < all.size(); rank++) {
                count += all.group().worldRank(rank) >= Job.current().worldSize() ? 1 : 0;
            }
            return count;
        }
    }

    /** All close a first world and join a second, in which a rank dies and is replaced. The argument is its number. */
    static final class Again {
        public static void main(String[] args) {
            int victim = Integer.parseInt(args[0]);
            if (Job.current().rank() < Job.current().worldSize()) {
                try (World first = World.join()) {
                    first.communicator().barrier();
                }
            }
            try (World world = World.join()) {
                Communicator all = world.communicator();
                try {
                    all.barrier();
                    if (all.rank() == victim && !world.isReplacement()) {
                        Runtime.getRuntime().halt(9);
                    } else if (!world.isReplacement()) {
                        all.receive(new int[1], victim, 0);
                    }
                } catch (RankwireException e) {
                    all.revoke();
                    all = all.replace();
                    all.barrier();
                }
                int[] sum = new int[1];
                all.allreduce(new int[] {1 << all.rank()}, sum, Op.SUM);
                System.out.println("rank " + all.rank() + ", place " + Job.current().rank() + ": " + sum[0]);
            }
        }
    }

    /** Rank 1 dies in the first of four worlds, and each of them has its own new rank for it. */
    static final class InEachWorld {
        public static void main(String[] args) throws Exception {
            Job job = Job.current();
            boolean isNew = job.rank() >= job.worldSize();
            for (int number = 0; number < (isNew ? 1 : 4); number++) {
                try (World world = World.join()) {
                    Communicator all = world.communicator();
                    if (!isNew && number == 0) {
                        all.barrier();
                    }
                    if (job.rank() == 1) {
                        throw new IllegalStateException("dies");
                    }
                    while (!isNew && !job.board().failures().isDead(1)) {
                        Thread.sleep(1);
                    }
                    all = isNew ? all : all.replace();
                    int[] sum = new int[1];
                    all.allreduce(new int[] {1 << all.rank()}, sum, Op.SUM);
                    System.out.println("rank " + all.rank() + ", place " + job.rank() + ": " + sum[0]);
                }
            }
        }
    }
}
