package io.rankwire.launch;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.Status;
import io.rankwire.Window;
import io.rankwire.World;
import java.util.Arrays;

/** A program that uses the network in every way and checks what comes. */
final class Talks {
    private static final int[] SIZES = {0, 8, 3_000, 70_000, 3_000_000};

    private Talks() {}

    public static void main(String[] args) {
        try (World world = World.join()) {
            Communicator all = world.communicator();
            talk(all);
            int host = all.splitShared(all.rank()).size();
            System.out.println("rank " + all.rank() + " has talked, " + host + " on its host");
        }
    }

    static void talk(Communicator all) {
        fromAnyRank(all);
        for (int size : SIZES) {
            inARing(all, size);
        }
        collectives(all);
    }

    /** Messages of one rank never overtake each other, whatever carries them. */
    private static void fromAnyRank(Communicator all) {
        int count = 200;
        if (all.rank() != 0) {
            for (int i = 0; i < count; i++) {
                all.send(new int[] {i}, 0, 3);
            }
            return;
        }
        int[] next = new int[all.size()];
        int[] value = new int[1];
        for (int i = 0; i < count * (all.size() - 1); i++) {
            Status status = all.receive(value, Communicator.ANY_SOURCE, 3);
            check(value[0] == next[status.source()]++, "message " + value[0] + " of rank " + status.source());
        }
    }

    private static void inARing(Communicator all, int size) {
        int right = (all.rank() + 1) % all.size();
        int left = (all.rank() + all.size() - 1) % all.size();
        byte[] from = new byte[size];
        Arrays.fill(from, (byte) (all.rank() + size));
        byte[] to = new byte[size];
        all.sendReceive(from, right, size, to, left, size);
        for (byte each : to) {
            check(each == (byte) (left + size), "a byte of rank " + left + " of " + size);
        }
    }

    private static void collectives(Communicator all) {
        for (int count : new int[] {1, 20_000}) {
            double[] mine = new double[count];
            double[] sum = new double[count];
            Arrays.fill(mine, all.rank() + 1);
            all.allreduce(mine, sum, Op.SUM);
            check(sum[count - 1] == all.size() * (all.size() + 1) / 2.0, "a sum of " + count);
        }
        all.barrier();
        long[] memory = new long[all.size()];
        Window window = all.window(memory, Long.BYTES);
        window.fence();
        for (int rank = 0; rank < all.size(); rank++) {
            window.put(new long[] {all.rank() + 7}, rank, all.rank());
        }
        window.fence();
        for (int rank = 0; rank < all.size(); rank++) {
            check(memory[rank] == rank + 7, "what rank " + rank + " has put");
        }
        window.free();
    }

    private static void check(boolean good, String what) {
        if (!good) {
            throw new AssertionError(what + " is wrong");
        }
    }
}
