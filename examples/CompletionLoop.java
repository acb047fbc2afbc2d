// Rank 0 keeps several receives open for each worker. A completion queue returns them in the order in which the answers
// come, each with the slot that it belongs to, and each slot gets its next piece of work at once.
//     bin/rankwire run -n 4 examples/CompletionLoop.java
import io.rankwire.*;

/** A piece of work under way: where its answer will be, and which worker has it. */
record Slot(int worker, int tag, double[] answer) {}

static final int SLOTS_PER_WORKER = 4;
static final int PIECES = 500;
static final int STEPS_PER_PIECE = 200;
static final int END = -1;

void main(String[] args) {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        if (all.rank() > 0) {
            work(all);
            return;
        }
        double pi = all.size() == 1 ? sumOfAll() : lead(world, all);
        if (Math.abs(pi - Math.PI) > 1e-9) {
            throw new IllegalStateException("the sum is " + pi + ", not pi");
        }
        IO.println(String.format("pi is %.6f, from %d pieces", pi, PIECES));
    }
}

double lead(World world, Communicator all) {
    int workers = all.size() - 1;
    var queue = new CompletionQueue<Slot>(world, workers * SLOTS_PER_WORKER);
    int next = 0;
    for (int i = 0; i < workers * SLOTS_PER_WORKER && next < PIECES; i++) {
        give(all, queue, new Slot(1 + i % workers, i / workers, new double[1]), next++);
    }
    double sum = 0;
    while (queue.size() > 0) {
        Slot slot = queue.await().id();
        sum += slot.answer()[0];
        if (next < PIECES) {
            give(all, queue, slot, next++);
        }
    }
    for (int worker = 1; worker <= workers; worker++) {
        all.send(new int[] {END}, worker, 0);
    }
    return sum;
}

void give(Communicator all, CompletionQueue<Slot> queue, Slot slot, int piece) {
    queue.add(all.irecv(slot.answer(), slot.worker(), slot.tag()), slot);
    all.send(new int[] {piece}, slot.worker(), slot.tag());
}

void work(Communicator all) {
    int[] piece = new int[1];
    for (Status task = all.receive(piece, 0, Communicator.ANY_TAG); piece[0] != END;
            task = all.receive(piece, 0, Communicator.ANY_TAG)) {
        all.send(new double[] {sum(piece[0])}, 0, task.tag());
    }
}

/** A part of the area under 4 / (1 + x * x) between 0 and 1. */
double sum(int piece) {
    double width = 1.0 / (PIECES * STEPS_PER_PIECE);
    double sum = 0;
    for (int step = 0; step < STEPS_PER_PIECE; step++) {
        double x = (piece * STEPS_PER_PIECE + step + 0.5) * width;
        sum += 4 / (1 + x * x) * width;
    }
    return sum;
}

double sumOfAll() {
    double sum = 0;
    for (int piece = 0; piece < PIECES; piece++) {
        sum += sum(piece);
    }
    return sum;
}
