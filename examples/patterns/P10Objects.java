// Objects as messages: records, enums, lists and sealed types are sent as they are; the class need not be prepared.
//     bin/rankwire run -n 4 examples/patterns/P10Objects.java
// Try next: make Circle a class in place of a record and read the error.
import io.rankwire.*;

enum Colour { RED, GREEN }

sealed interface Shape permits Circle, Box {}

record Circle(Colour colour, int radius) implements Shape {}

record Box(Colour colour, int width, int height) implements Shape {}

record Delivery(int from, List<Shape> shapes) {}

static final int SHAPES = 9;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        int right = (all.rank() + 1) % all.size();
        int left = (all.rank() + all.size() - 1) % all.size();
        Request sent = all.isendObject(delivery(all.rank()), right, SHAPES);
        Delivery got = all.receiveObject(Delivery.class, left, SHAPES);
        sent.await();
        if (!got.equals(delivery(left))) {
            throw new IllegalStateException("got " + got);
        }
        StringBuilder text = new StringBuilder("rank " + all.rank() + " got from " + got.from() + ":");
        for (Shape shape : got.shapes()) {
            text.append(switch (shape) {
                case Circle(Colour colour, int radius) -> "  (" + "o".repeat(radius) + ") " + colour;
                case Box(Colour colour, int width, int height) -> "  [" + width + " x " + height + "] " + colour;
            });
        }
        IO.println(text);
    }
}

Delivery delivery(int rank) {
    return new Delivery(rank, List.of(new Circle(Colour.RED, rank + 1), new Box(Colour.GREEN, rank, 2)));
}
