// A token goes around all ranks, some rounds in each run of a work program: a rank waits for the token and sends it on.
// The program of a rank waits, receives and sends, no more, and its memory is from World.allocate, so that a network
// with deferred work runs the sends by itself; --explain shows what runs the program.
//     bin/rankwire run -n 4 examples/Relay.java
//     bin/rankwire run -n 4 --explain --fabric ofi:sockets examples/Relay.java
import io.rankwire.*;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

static final int ROUNDS = 20;
static final int RUNS = 5;
static final int TAG = 4;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        if (all.size() == 1) {
            IO.println("1 rank has no other to send a token to");
            return;
        }
        MemorySegment token = world.allocate(8);
        Work work = relay(all, token);
        for (int run = 1; run <= RUNS; run++) {
            token.set(ValueLayout.JAVA_LONG, 0, all.rank() == 0 ? 1000 + run : 0);
            work.start(TAG).await();
            long came = token.get(ValueLayout.JAVA_LONG, 0);
            if (came != 1000 + run) {
                throw new IllegalStateException("run " + run + ": rank " + all.rank() + " has token " + came);
            }
        }
        if (all.rank() == 0) {
            IO.println("the token went around " + all.size() + " ranks " + RUNS * ROUNDS + " times");
        }
    }
}

/** Rank 0 sends first; the others receive first. */
Work relay(Communicator all, MemorySegment token) {
    int right = (all.rank() + 1) % all.size();
    int left = (all.rank() + all.size() - 1) % all.size();
    Work work = all.work();
    WorkBuffer buffer = work.buffer(token);
    int arrived = work.counter();
    int sent = work.counter();
    WorkQueue queue = work.queue();
    for (int round = 1; round <= ROUNDS; round++) {
        if (all.rank() == 0) {
            queue.send(right, buffer, sent).await(sent, round).receive(left, buffer, arrived).await(arrived, round);
        } else {
            queue.receive(left, buffer, arrived).await(arrived, round).send(right, buffer, sent).await(sent, round);
        }
    }
    return work;
}
