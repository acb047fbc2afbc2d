// A token goes around a ring: each rank receives it from the left, signs it and sends it to the right.
//     bin/rankwire run -n 4 examples/patterns/P02Ring.java
// Try next: -n 7; give the receive of rank 2 another tag and read the report.
import io.rankwire.*;

static final int TOKEN = 7;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        int right = (all.rank() + 1) % all.size();
        int left = (all.rank() + all.size() - 1) % all.size();
        // The number of signatures, and then the signatures.
        int[] token = new int[1 + all.size()];
        if (all.rank() == 0) {
            sign(token, 0);
            // isend returns at once. In a world of one rank, rank 0 sends to itself and has still to receive.
            Request sent = all.isend(token.clone(), right, TOKEN);
            all.receive(token, left, TOKEN);
            sent.await();
            print(token);
        } else {
            all.receive(token, left, TOKEN);
            sign(token, all.rank());
            all.send(token, right, TOKEN);
        }
    }
}

void sign(int[] token, int rank) {
    token[0]++;
    token[token[0]] = rank;
}

void print(int[] token) {
    StringBuilder way = new StringBuilder();
    for (int i = 1; i < token.length; i++) {
        if (token[i] != i - 1) {
            throw new IllegalStateException("rank " + token[i] + " has signed in place " + i);
        }
        way.append(token[i]).append(" -> ");
    }
    IO.println(way + "0");
}
