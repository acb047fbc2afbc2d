package io.rankwire.tools;

import static io.rankwire.tools.Programs.check;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.Request;
import io.rankwire.World;
import io.rankwire.launch.Fabrics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Programs with collectives that tests run as ranks. Each checks its own results. */
final class CollectivePrograms {
    private CollectivePrograms() {}

    static String name(String program) {
        return CollectivePrograms.class.getName() + "$" + program;
    }

    /** Small and large, blocking and not, from every root. */
    static final class Everything {
        public static void main(String[] args) {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                for (int count : new int[] {1, 1000, 50_000}) {
                    for (int root = 0; root < all.size(); root++) {
                        exercise(all, count, root);
                    }
                }
                all.barrier();
                if (all.rank() == 0) {
                    IO.println("all is well");
                }
            }
        }

        private static void exercise(Communicator all, int count, int root) {
            int size = all.size();
            double[] mine = new double[count];
            Arrays.setAll(mine, i -> all.rank() + i);
            double[] sum = new double[count];
            Request reducing = all.iallreduce(mine, sum, Op.SUM);
            double[] whole = new double[count * size];
            all.allgather(mine, whole);
            reducing.await();
            double[] turned = new double[count * size];
            all.alltoall(whole, turned);
            int[] told = new int[count];
            Arrays.fill(told, all.rank() == root ? 7 + root : 0);
            all.broadcast(told, root);
            double[] atRoot = new double[count];
            all.reduce(mine, atRoot, Op.MAX, root);
            for (int i = 0; i < count; i++) {
                check(sum[i] == size * (size - 1) / 2.0 + (double) size * i, "allreduce");
                check(whole[(size - 1) * count + i] == size - 1 + i, "allgather");
                check(turned[i] == all.rank() + i, "alltoall");
                check(told[i] == 7 + root, "broadcast");
                check(all.rank() != root || atRoot[i] == size - 1 + i, "reduce");
            }
        }
    }

    /** Says what it was told that messages cost. */
    static final class Told {
        public static void main(String[] args) {
            try (World world = World.join()) {
                world.communicator().barrier();
                IO.println(System.getenv(MeasuredCosts.VARIABLE) + "; " + System.getenv(Fabrics.GEOMETRY));
            }
        }
    }

    /** The last rank says who it is and is then killed; the others are in an allreduce. */
    static final class Killed {
        public static void main(String[] args) throws Exception {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                all.barrier();
                if (all.rank() == all.size() - 1) {
                    Files.writeString(Path.of(args[0]), Long.toString(ProcessHandle.current().pid()));
                    Thread.sleep(60_000);
                }
                all.allreduce(new double[100_000], new double[100_000], Op.SUM);
            }
        }
    }
}
