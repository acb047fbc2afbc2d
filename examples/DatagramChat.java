// Every rank sends a line of text to every rank, including itself, without a connection: open, bind, send, receive.
//     bin/rankwire run -n 3 examples/DatagramChat.java
import io.rankwire.*;
import java.nio.charset.StandardCharsets;

static final int ROOM = 42;
static final int READY = 1;

void main(String[] args) {
    try (World world = World.join();
            Datagram socket = Datagram.open(world)) {
        Communicator all = world.communicator();
        socket.bind(ROOM);
        awaitAllBound(all);
        for (int node = 0; node < all.size(); node++) {
            byte[] line = line(all.rank(), node).getBytes(StandardCharsets.UTF_8);
            int sent = socket.sendTo(line, 0, line.length, node, ROOM);
            if (sent != line.length) {
                throw new IllegalStateException("sent " + sent + " of " + line.length + " bytes to node " + node);
            }
        }
        Set<Integer> heard = new TreeSet<>();
        byte[] buffer = new byte[256];
        while (heard.size() < all.size()) {
            Datagram.Received got = socket.receiveFrom(buffer).orElseThrow();
            String text = new String(buffer, 0, got.bytes(), StandardCharsets.UTF_8);
            if (!text.equals(line(got.node(), all.rank())) || !heard.add(got.node())) {
                throw new IllegalStateException("node " + got.node() + " said \"" + text + "\"");
            }
        }
        IO.println("rank " + all.rank() + " heard from " + heard);
    }
}

String line(int from, int to) {
    return "hello " + to + ", this is " + from;
}

/** A datagram to an unbound queue is refused, so all ranks bind before the first one sends. */
void awaitAllBound(Communicator all) {
    byte[] nothing = {};
    if (all.rank() > 0) {
        all.send(nothing, 0, READY);
        all.receive(nothing, 0, READY);
        return;
    }
    for (int rank = 1; rank < all.size(); rank++) {
        all.receive(nothing, Communicator.ANY_SOURCE, READY);
    }
    for (int rank = 1; rank < all.size(); rank++) {
        all.send(nothing, rank, READY);
    }
}
