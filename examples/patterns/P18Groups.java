// Two groups: the lower half of the ranks makes numbers, the upper half takes them. split makes a communicator for each
// half, and an intercommunicator joins them: there, a rank number means a rank of the other group.
//     bin/rankwire run -n 7 examples/patterns/P18Groups.java
// Try next: 2 ranks; both.merge(maker), which makes one communicator of all again, the takers first.
import io.rankwire.*;

static final int NUMBER = 3;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        if (all.size() == 1) {
            IO.println("two groups need two ranks");
            return;
        }
        int half = all.size() / 2;
        boolean maker = all.rank() < half;
        Communicator own = all.split(maker ? 0 : 1, all.rank()).orElseThrow();
        // The leaders, rank 0 of each group, find each other in the communicator of all.
        Intercommunicator both = own.intercommunicator(0, all, maker ? half : 0, 8);

        int[] got = {-1, -1};
        if (maker) {
            for (int taker = own.rank(); taker < both.remoteSize(); taker += own.size()) {
                both.send(new int[] {own.rank(), 100 + taker}, taker, NUMBER);
            }
        } else {
            both.receive(got, Communicator.ANY_SOURCE, NUMBER);
        }
        // Between groups, each group gets the sum of the other one.
        int[] sum = new int[1];
        both.allreduce(new int[] {maker ? 1 : got[1]}, sum, Op.SUM);
        int takers = all.size() - half;
        int expected = maker ? 100 * takers + takers * (takers - 1) / 2 : half;
        if (sum[0] != expected || !maker && (got[0] != own.rank() % half || got[1] != 100 + own.rank())) {
            throw new IllegalStateException("sum " + sum[0] + ", got " + Arrays.toString(got));
        }
        int[] gots = new int[2 * all.size()];
        all.gather(got, gots, 0);
        for (int taker = 0; all.rank() == 0 && taker < takers; taker++) {
            int at = 2 * (half + taker);
            IO.println("maker " + gots[at] + "  --" + gots[at + 1] + "->  taker " + taker + " (rank " + at / 2 + ")");
        }
        both.free();
        own.free();
    }
}
