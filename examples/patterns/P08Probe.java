// Probe: a message whose length and sender are not known. Look at it first, make room, and then receive it.
//     bin/rankwire run -n 4 examples/patterns/P08Probe.java
// Try next: room for 5 characters whatever the message has, and read the error; -n 7, where rank 6 sends an empty line.
import io.rankwire.*;

static final int LINE = 3;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        // Each rank has another number of characters for rank 0, which does not know how many.
        char[] text = "*".repeat((all.rank() * 5 + 3) % 11).toCharArray();
        Request sent = all.isend(text, 0, LINE);
        if (all.rank() == 0) {
            char[][] lines = new char[all.size()][];
            for (int i = 0; i < all.size(); i++) {
                // The message is taken out of the queue here, so no other thread can receive it.
                Message message = all.mprobe(Communicator.ANY_SOURCE, LINE);
                char[] room = new char[(int) message.status().count()];
                message.receive(room);
                lines[message.status().source()] = room;
            }
            print(lines);
        }
        sent.await();
    }
}

void print(char[][] lines) {
    for (int rank = 0; rank < lines.length; rank++) {
        if (lines[rank].length != (rank * 5 + 3) % 11) {
            throw new IllegalStateException("rank " + rank + " sent " + lines[rank].length);
        }
        IO.println(String.format("from rank %d  %2d  %s", rank, lines[rank].length, new String(lines[rank])).strip());
    }
}
