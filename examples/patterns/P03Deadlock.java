// Every rank has something for its right neighbour. If all receive before they send, all wait forever: a deadlock.
// Three ways to avoid it: one call that does both, a receive that does not wait, and a rank that begins.
//     bin/rankwire run -n 4 examples/patterns/P03Deadlock.java
// Try next: in the second way, write receive in place of irecv and remove the line with await. Read the report.
import io.rankwire.*;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        int right = (all.rank() + 1) % all.size();
        int left = (all.rank() + all.size() - 1) % all.size();
        int[] own = {all.rank()};
        int[] got = new int[1];

        all.sendReceive(own, right, 1, got, left, 1);
        show(all, "sendReceive ", got, left);

        Request coming = all.irecv(got, left, 2);
        all.send(own, right, 2);
        coming.await();
        show(all, "irecv, send ", got, left);

        // Rank 0 sends first, so the circle is open there. ssend waits until the other side receives.
        if (all.rank() == 0 && all.size() > 1) {
            all.ssend(own, right, 3);
            all.receive(got, left, 3);
        } else if (all.rank() > 0) {
            all.receive(got, left, 3);
            all.ssend(own, right, 3);
        }
        show(all, "0 sends 1st ", got, left);
    }
}

/** Rank 0 prints what each rank has got; chapter 5 explains gather. */
void show(Communicator all, String way, int[] got, int expected) {
    if (got[0] != expected) {
        throw new IllegalStateException(way + "brought " + got[0] + ", not " + expected);
    }
    int[] gots = new int[all.size()];
    all.gather(got, gots, 0);
    if (all.rank() == 0) {
        StringBuilder line = new StringBuilder(way);
        for (int rank = 0; rank < all.size(); rank++) {
            line.append("  ").append(gots[rank]).append("->").append(rank);
        }
        IO.println(line);
    }
    got[0] = all.size() == 1 ? 0 : -1;
}
