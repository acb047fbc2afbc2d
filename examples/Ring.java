// A token goes once around the ring; every rank adds its number to it.
//     bin/rankwire run -n 4 examples/Ring.java
import io.rankwire.*;

static final int TOKEN = 7;

void main(String[] args) {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        int right = (all.rank() + 1) % all.size();
        int left = (all.rank() + all.size() - 1) % all.size();
        long[] token = {0};
        if (all.rank() == 0) {
            // Not send: in a world of one rank, rank 0 is its own neighbour and has not yet received.
            Request sent = all.isend(new long[] {0}, right, TOKEN);
            all.receive(token, left, TOKEN);
            sent.await();
            long expected = all.size() * (all.size() - 1L) / 2;
            if (token[0] != expected) {
                throw new IllegalStateException("the token holds " + token[0] + ", not " + expected);
            }
            IO.println("the token came back with " + token[0] + " after " + all.size() + " ranks");
        } else {
            all.receive(token, left, TOKEN);
            token[0] += all.rank();
            all.send(token, right, TOKEN);
        }
    }
}
