// Datagrams: short messages to a numbered queue of another rank, without communicators, tags and matching. A receive
// takes the next one, from whatever rank, and can end after a time.
//     bin/rankwire run -n 4 examples/patterns/P22Datagrams.java
// Try next: send to DOOR + 1, a queue that no rank has; receive one more than there are, with a limit of 500 ms.
import io.rankwire.*;

static final int DOOR = 42;

void main() {
    try (World world = World.join();
            Datagram socket = Datagram.open(world)) {
        Communicator all = world.communicator();
        socket.bind(DOOR);
        socket.receiveTimeout(Duration.ofSeconds(60));
        // A datagram to a rank without this queue is refused, so all bind before the first one sends.
        all.barrier();
        // Each rank knocks at the doors of the ranks above it, and at its own.
        for (int rank = all.rank(); rank < all.size(); rank++) {
            socket.sendTo(new byte[] {(byte) all.rank()}, rank, DOOR);
        }
        char[] heard = ".".repeat(all.size()).toCharArray();
        byte[] room = new byte[16];
        for (int i = 0; i <= all.rank(); i++) {
            Datagram.Received got = socket.receiveFrom(room).orElseThrow();
            if (got.bytes() != 1 || room[0] != got.node() || got.node() > all.rank()) {
                throw new IllegalStateException("from " + got.node() + ": " + room[0]);
            }
            heard[got.node()] = '#';
        }
        char[] table = new char[all.size() * all.size()];
        all.gather(heard, table, 0);
        for (int rank = 0; all.rank() == 0 && rank < all.size(); rank++) {
            String line = new String(table, rank * all.size(), all.size());
            if (!line.equals("#".repeat(rank + 1) + ".".repeat(all.size() - 1 - rank))) {
                throw new IllegalStateException("rank " + rank + " has heard " + line);
            }
            IO.println("rank " + rank + " was visited by  " + line.replace("", " ").strip());
        }
    }
}
