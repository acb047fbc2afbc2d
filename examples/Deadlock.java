// Wrong on purpose: every rank waits for its left neighbour before it sends, so no rank ever sends.
// Rankwire ends the job and reports which rank waits for which, and in which line.
//     bin/rankwire run -n 3 examples/Deadlock.java
import io.rankwire.*;

void main(String[] args) {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        if (all.size() < 2) {
            IO.println("a deadlock takes two: run it with -n 2 or more");
            return;
        }
        int right = (all.rank() + 1) % all.size();
        int left = (all.rank() + all.size() - 1) % all.size();
        int[] token = {all.rank()};
        all.receive(token, left, 5);
        all.send(token, right, 5);
        throw new IllegalStateException("nobody sent, and yet a message came");
    }
}
