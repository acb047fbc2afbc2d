package io.rankwire.launch;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.World;
import java.util.Arrays;

/** A program that exchanges messages of many sizes in a ring, all checked, until rank 0 gets a line. */
final class Flows {
    private static final int[] SIZES = {1, 100, 3_000, 200_000};
    private static final int AT_ONCE = 50;

    private Flows() {}

    public static void main(String[] args) throws Exception {
        try (World world = World.join()) {
            Communicator all = world.communicator();
            int right = (all.rank() + 1) % all.size();
            int left = (all.rank() + all.size() - 1) % all.size();
            System.out.println("joined");
            int sent = 0;
            int[] goesOn = {1};
            while (goesOn[0] != 0) {
                for (int i = 0; i < AT_ONCE; i++, sent++) {
                    int[] out = new int[SIZES[sent % SIZES.length]];
                    Arrays.fill(out, sent);
                    int[] in = new int[out.length];
                    all.sendReceive(out, right, 5, in, left, 5);
                    if (in[0] != sent || in[in.length - 1] != sent) {
                        throw new AssertionError("message " + in[0] + " instead of " + sent);
                    }
                }
                int[] mine = {all.rank() == 0 && System.in.available() > 0 ? 0 : 1};
                all.allreduce(mine, goesOn, Op.MIN);
            }
            System.out.println("all of " + sent + " messages have come");
        }
    }
}
