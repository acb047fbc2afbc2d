// Scatter and gather: rank 0 cuts an array into equal parts, each rank works on its part, rank 0 puts them together.
//     bin/rankwire run -n 4 examples/patterns/P05ScatterGather.java
// Try next: allgather in place of the first gather: every rank gets the result, and then needs room for it.
import io.rankwire.*;

static final int PART = 6;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        boolean root = all.rank() == 0;
        // Only the root needs room for the whole array; the others may give null.
        char[] letters = root ? alphabet(all.size() * PART) : null;
        char[] upper = root ? new char[letters.length] : null;
        char[] workers = root ? new char[letters.length] : null;

        char[] part = new char[PART];
        all.scatter(letters, part, 0);
        char[] own = new char[PART];
        for (int i = 0; i < PART; i++) {
            part[i] = Character.toUpperCase(part[i]);
            own[i] = (char) ('0' + all.rank());
        }
        all.gather(part, upper, 0);
        all.gather(own, workers, 0);

        if (root) {
            IO.println("to scatter   " + new String(letters));
            IO.println("done by      " + new String(workers));
            IO.println("gathered     " + new String(upper));
            if (!new String(upper).equals(new String(letters).toUpperCase(Locale.ROOT))) {
                throw new IllegalStateException("the letters are not the same");
            }
        }
    }
}

char[] alphabet(int length) {
    char[] letters = new char[length];
    for (int i = 0; i < length; i++) {
        letters[i] = (char) ('a' + i % 26);
    }
    return letters;
}
