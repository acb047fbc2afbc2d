// A pipeline: every item passes through all ranks, one stage each. While stage 1 works on item a, stage 0 has item b.
//     bin/rankwire run -n 4 examples/patterns/P07Pipeline.java
// Try next: let stage 1 take two steps for an item (one more line: if (stage == 1) step++;) and see which stages wait.
import io.rankwire.*;

static final int ITEMS = 8;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        int stage = all.rank();
        boolean last = stage == all.size() - 1;
        int[] when = new int[ITEMS];
        int[] item = new int[2];
        int step = -1;
        for (int i = 0; i < ITEMS; i++) {
            // An item is its value, and the step at which its last stage ended.
            if (stage == 0) {
                item[0] = i;
                item[1] = -1;
            } else {
                all.receive(item, stage - 1, 0);
            }
            step = Math.max(step, item[1]) + 1;
            when[i] = step;
            item[0] = item[0] * 2 + stage;
            item[1] = step;
            if (!last) {
                all.send(item, stage + 1, 0);
            } else if (item[0] != expected(i, all.size())) {
                throw new IllegalStateException("item " + i + " is " + item[0] + " at the end");
            }
        }
        int[] whens = new int[ITEMS * all.size()];
        all.gather(when, whens, 0);
        for (int s = 0; stage == 0 && s < all.size(); s++) {
            char[] line = ".".repeat(whens[whens.length - 1] + 1).toCharArray();
            for (int i = 0; i < ITEMS; i++) {
                line[whens[s * ITEMS + i]] = (char) ('a' + i);
            }
            IO.println("stage " + s + "  " + new String(line));
        }
    }
}

int expected(int value, int stages) {
    for (int stage = 0; stage < stages; stage++) {
        value = value * 2 + stage;
    }
    return value;
}
