// A completion queue: many receives are under way, and the queue returns them in the order in which they are done,
// each with an id that the program has given it. So rank 0 never waits for a slow rank while a fast one is ready.
//     bin/rankwire sim run -n 4 examples/patterns/P20CompletionQueue.java
// Try next: run in place of sim run; let rank 1 be the slowest.
import io.rankwire.*;

static final int ANSWERS = 6;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        if (all.rank() > 0) {
            for (int i = 0; i < ANSWERS; i++) {
                // A rank with a higher number is slower.
                world.spend(10_000L * all.rank());
                all.send(new int[] {i}, 0, 1);
            }
            return;
        }
        var queue = new CompletionQueue<Integer>(world, all.size());
        int[][] room = new int[all.size()][1];
        int[] count = new int[all.size()];
        for (int worker = 1; worker < all.size(); worker++) {
            queue.add(all.irecv(room[worker], worker, 1), worker);
        }
        StringBuilder order = new StringBuilder();
        while (queue.size() > 0) {
            int worker = queue.await().id();
            if (room[worker][0] != count[worker]++) {
                throw new IllegalStateException("rank " + worker + " has sent " + room[worker][0]);
            }
            order.append(" ").append(worker);
            if (count[worker] < ANSWERS) {
                queue.add(all.irecv(room[worker], worker, 1), worker);
            }
        }
        if (IntStream.of(count).sum() != ANSWERS * (all.size() - 1)) {
            throw new IllegalStateException("answers: " + Arrays.toString(count));
        }
        IO.println("answers in the order in which they came, by rank:" + order);
    }
}
