// Persistent requests: the same messages again and again. They are described once and started in each round.
//     bin/rankwire run -n 4 examples/patterns/P12Persistent.java
// Try next: forget awaitAll and read the error; go two steps to the right in each round (2 * round in the check).
import io.rankwire.*;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        int size = all.size();
        int[] out = {all.rank()};
        int[] in = new int[1];
        Request send = all.sendInit(out, 0, 1, (all.rank() + 1) % size, 4);
        Request receive = all.receiveInit(in, 0, 1, (all.rank() + size - 1) % size, 4);
        // After as many rounds as there are ranks, each has its own number again.
        for (int round = 0; round <= size; round++) {
            print(all, round, out);
            Request.startAll(receive, send);
            Request.awaitAll(receive, send);
            out[0] = in[0];
        }
    }
}

void print(Communicator all, int round, int[] number) {
    int[] numbers = new int[all.size()];
    all.gather(number, numbers, 0);
    if (all.rank() > 0) {
        return;
    }
    StringBuilder line = new StringBuilder();
    for (int rank = 0; rank < all.size(); rank++) {
        if (numbers[rank] != Math.floorMod(rank - round, all.size())) {
            throw new IllegalStateException("round " + round + ": rank " + rank + " has " + numbers[rank]);
        }
        line.append("  ").append(numbers[rank]);
    }
    IO.println("round " + round + line);
}
