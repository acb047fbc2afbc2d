package io.rankwire.launch;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Every rank exchanges messages with every other, and prints its sockets: before, in a ring, and after. */
final class AllPairs {
    private AllPairs() {}

    public static void main(String[] args) throws Exception {
        try (World world = World.join()) {
            Communicator all = world.communicator();
            int rank = all.rank();
            int size = all.size();
            long silent = sockets();
            int[] in = new int[1];
            all.sendReceive(new int[] {rank}, (rank + 1) % size, 1, in, (rank + size - 1) % size, 1);
            long inARing = sockets();
            int[] sum = new int[1];
            all.allreduce(new int[] {rank}, sum, Op.SUM);
            check(sum[0] == size * (size - 1) / 2, "the sum");
            int[] out = new int[size * 100];
            for (int to = 0; to < size; to++) {
                out[to * 100] = rank * size + to;
            }
            int[] got = new int[size * 100];
            all.alltoall(out, got);
            for (int step = 0; step < size; step++) {
                int to = (rank + step) % size;
                int from = (rank + size - step) % size;
                all.sendReceive(new int[] {rank * size + to}, to, 2, in, from, 2);
                check(in[0] == from * size + rank && got[from * 100] == in[0], "what rank " + from + " has sent");
            }
            long talking = sockets();
            all.barrier();
            System.out.println("sockets " + silent + " " + inARing + " " + talking);
        }
    }

    static long sockets() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.filter(each -> {
                try {
                    return Files.readSymbolicLink(each).toString().startsWith("socket:");
                } catch (IOException e) {
                    return false;
                }
            }).count();
        }
    }

    private static void check(boolean good, String what) {
        if (!good) {
            throw new AssertionError(what + " is wrong");
        }
    }
}
