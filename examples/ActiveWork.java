// Counts the nodes of a tree whose shape shows only on the way. All work begins on rank 0; a rank that has none asks
// the others, by active messages: a handler on the rank that is asked gives away half of its nodes at once.
//     bin/rankwire run -n 4 examples/ActiveWork.java
import io.rankwire.*;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;

static final int ASK = 0;
static final int GIVE = 1;
static final int DEPTH = 9;
static final long ROOT = 1;
static final int MOST_GIVEN = 64;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        ActiveMessages active = ActiveMessages.open(all);
        // Handlers may run beside the loop below, so both synchronise on the nodes.
        var nodes = new ArrayDeque<Long>();
        var answers = new AtomicInteger();
        active.handle(ASK, (source, _) -> active.post(GIVE, source, half(nodes)));
        active.handle(GIVE, (_, payload) -> {
            take(nodes, payload);
            answers.incrementAndGet();
        });
        if (all.rank() == 0) {
            nodes.add(ROOT);
        }
        all.barrier();
        long[] count = new long[1];
        do {
            count[0] += countOwn(world, nodes);
        } while (gotWork(active, all, nodes, answers));
        active.fence();
        active.free();
        long[] sum = new long[1];
        all.allreduce(count, sum, Op.SUM);
        if (sum[0] != countAll(ROOT)) {
            throw new IllegalStateException(sum[0] + " nodes instead of " + countAll(ROOT));
        }
        if (all.rank() == 0) {
            IO.println("the tree has " + sum[0] + " nodes");
        }
    }
}

/** Asks each other rank once; false if none had a node to give. Those that still have some count them themselves. */
boolean gotWork(ActiveMessages active, Communicator all, ArrayDeque<Long> nodes, AtomicInteger answers) {
    for (int i = 1; i < all.size(); i++) {
        int before = answers.get();
        active.post(ASK, (all.rank() + i) % all.size(), new byte[0]);
        active.await(() -> answers.get() > before);
        synchronized (nodes) {
            if (!nodes.isEmpty()) {
                return true;
            }
        }
    }
    return false;
}

long countOwn(World world, ArrayDeque<Long> nodes) {
    for (long count = 0; ; count++) {
        Long node;
        synchronized (nodes) {
            node = nodes.pollLast();
        }
        if (node == null) {
            return count;
        }
        world.spend(1_000); // in a simulation; else counting takes the time that it takes
        synchronized (nodes) {
            for (int i = 0; i < children(node); i++) {
                nodes.addLast(child(node, i));
            }
        }
    }
}

/** Half of the nodes, those nearest to the root, which have the most below them. */
long[] half(ArrayDeque<Long> nodes) {
    synchronized (nodes) {
        long[] given = new long[Math.min(MOST_GIVEN, nodes.size() / 2)];
        for (int i = 0; i < given.length; i++) {
            given[i] = nodes.removeFirst();
        }
        return given;
    }
}

void take(ArrayDeque<Long> nodes, ByteBuffer given) {
    synchronized (nodes) {
        while (given.hasRemaining()) {
            nodes.addLast(given.getLong());
        }
    }
}

/** A node is a number whose lowest byte is its depth: 0 to 4 children, two or three as a rule, none at the bottom. */
int children(long node) {
    long depth = node & 0xFF;
    return depth == 1 ? 4 : depth > DEPTH ? 0 : (int) (mixed(node) >>> 33) % 5;
}

long child(long node, int number) {
    return mixed(node + number) << 8 | (node & 0xFF) + 1;
}

long mixed(long x) {
    long y = (x ^ x >>> 31) * 0x9E37_79B9_7F4A_7C15L;
    return (y ^ y >>> 29) * 0xBF58_476D_1CE4_E5B9L;
}

long countAll(long node) {
    long count = 1;
    for (int i = 0; i < children(node); i++) {
        count += countAll(child(node, i));
    }
    return count;
}
