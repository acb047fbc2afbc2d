// Ranks 0 and 1, 2 and 3, ... send a message back and forth; a rank without a partner sends to itself.
//     bin/rankwire run -n 2 examples/PingPong.java [rounds]
import io.rankwire.*;

static final int PING = 1;
static final int PONG = 2;

/** Rounds before the measurement, in which the JVM compiles the code. */
static final int WARM_UP = 5_000;

void main(String[] args) {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
    try (World world = World.join()) {
        Communicator all = world.communicator();
        play(all, new byte[8], WARM_UP);
        for (int bytes : new int[] {8, 2048, 65536}) {
            double micros = play(all, new byte[bytes], rounds);
            if (all.rank() == 0) {
                IO.println("%6d bytes: %8.2f us there and back".formatted(bytes, micros));
            }
        }
    }
}

double play(Communicator all, byte[] ball, int rounds) {
    int partner = all.rank() ^ 1;
    boolean alone = partner >= all.size();
    boolean serves = all.rank() % 2 == 0;
    byte[] caught = new byte[ball.length];
    long start = System.nanoTime();
    for (int round = 0; round < rounds; round++) {
        Arrays.fill(ball, (byte) round);
        if (alone) {
            all.sendReceive(ball, all.rank(), PING, caught, all.rank(), PING);
        } else if (serves) {
            all.send(ball, partner, PING);
            all.receive(caught, partner, PONG);
        } else {
            all.receive(caught, partner, PING);
            all.send(caught, partner, PONG);
        }
        if (!Arrays.equals(ball, caught)) {
            throw new IllegalStateException("round " + round + ": another ball came back");
        }
    }
    return (System.nanoTime() - start) / 1e3 / rounds;
}
