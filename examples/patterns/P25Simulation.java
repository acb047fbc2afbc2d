// Simulation: the same program on a machine you do not have. Rank 0 sends a message to each rank and back and measures
// the time; on a simulated network it is longer for ranks that are farther away, and the same in every run.
//     bin/rankwire sim run -n 8 --topology torus:8x1x1 examples/patterns/P25Simulation.java
// Try next: torus:2x2x2, fattree:2, crossbar; --set "link.latency=1 us"; --faults 7; and run in place of sim run.
import io.rankwire.*;

static final int BYTES = 64;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        byte[] ball = new byte[BYTES];
        if (all.rank() == 0) {
            double[] us = new double[all.size()];
            double most = 0.1;
            for (int rank = 1; rank < all.size(); rank++) {
                long begin = world.time();
                all.send(ball, rank, 1);
                all.receive(ball, rank, 1);
                us[rank] = (world.time() - begin) / 2000.0;
                most = Math.max(most, us[rank]);
            }
            if (ball[0] != all.size() - 1) {
                throw new IllegalStateException("the ball was hit " + ball[0] + " times");
            }
            for (int rank = 0; rank < all.size(); rank++) {
                String bar = "#".repeat((int) Math.round(40 * us[rank] / most));
                String place = Arrays.toString(world.coordinates(rank));
                IO.println(String.format("rank %d at %s %7.2f us  %s", rank, place, us[rank], bar).strip());
            }
        } else {
            all.receive(ball, 0, 1);
            ball[0]++;
            all.send(ball, 0, 1);
        }
    }
}
