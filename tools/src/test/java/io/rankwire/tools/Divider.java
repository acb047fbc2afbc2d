package io.rankwire.tools;

import io.rankwire.World;

/** Prints a line between what the programs before and after it print, also where ranks are of unequal speed. */
final class Divider {
    static final String LINE = "=====";

    private Divider() {}

    static void main() {
        try (World world = World.join()) {
            world.communicator().barrier();
            if (world.communicator().rank() == 0) {
                System.out.println(LINE);
            }
            world.communicator().barrier();
        }
    }
}
