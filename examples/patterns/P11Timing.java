// Measuring: a message goes there and back many times. The first rounds warm up and do not count, and the best of
// several batches is the time: what is slower was disturbed. One way is half of a round.
//     bin/rankwire run -n 2 examples/patterns/P11Timing.java
// Try next: --threads; --fabric tcp; sim run in place of run. Which sizes take about the same time?
import io.rankwire.*;

static final int BATCHES = 10;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        int last = all.size() - 1;
        if (all.rank() == 0) {
            IO.println("   bytes      us  one way between rank 0 and rank " + last);
        }
        byte[] warm = new byte[8];
        for (int round = 0; round < 3_000; round++) {
            play(all, warm, last);
        }
        for (int bytes = 8; bytes <= 1 << 18; bytes *= 8) {
            byte[] ball = new byte[bytes];
            int rounds = Math.clamp(1_000_000 / bytes, 1, 100);
            double best = Double.MAX_VALUE;
            for (int batch = 0; batch < BATCHES; batch++) {
                // All ranks begin together.
                all.barrier();
                long begin = world.time();
                for (int round = 0; round < rounds; round++) {
                    play(all, ball, last);
                }
                best = Math.min(best, (world.time() - begin) / 2000.0 / rounds);
            }
            if (all.rank() == 0) {
                if (ball[0] != (byte) ((last == 0 ? 1 : 2) * rounds * BATCHES)) {
                    throw new IllegalStateException("the ball was hit " + ball[0] + " times");
                }
                String bar = "#".repeat(Math.clamp(Math.round(4 * Math.log(1 + best)), 1, 60));
                IO.println(String.format("%8d %7.2f  %s", bytes, best, bar));
            }
        }
    }
}

/** Each of the two adds one to the ball. Rank 0 alone plays with itself. */
void play(Communicator all, byte[] ball, int last) {
    if (last == 0) {
        all.sendReceive(ball.clone(), 0, 1, ball, 0, 1);
        ball[0]++;
    } else if (all.rank() == 0) {
        ball[0]++;
        all.send(ball, last, 1);
        all.receive(ball, last, 1);
    } else if (all.rank() == last) {
        all.receive(ball, 0, 1);
        ball[0]++;
        all.send(ball, 0, 1);
    }
}
