// Active messages: a message names a handler, which runs on the other rank when it arrives; no call receives it. Here
// each rank owns some letters and counts them, wherever the text with these letters is.
//     bin/rankwire run -n 4 examples/patterns/P19ActiveMessages.java
// Try next: remove the fence and see the check fail.
import io.rankwire.*;

static final int COUNT = 0;
static final String TEXT = "the quick brown fox jumps over the lazy dog and then it sleeps";

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        ActiveMessages active = ActiveMessages.open(all);
        // A handler may run beside the program, on another thread: so it needs a lock.
        int[] counts = new int[26];
        active.handle(COUNT, (source, payload) -> {
            synchronized (counts) {
                counts[payload.get() - 'a']++;
            }
        });
        // Each rank has every size-th letter of the text. The owner of a letter counts it.
        for (int i = all.rank(); i < TEXT.length(); i += all.size()) {
            char letter = TEXT.charAt(i);
            if (letter != ' ') {
                active.post(COUNT, letter % all.size(), new byte[] {(byte) letter});
            }
        }
        // Until all messages have been handled, on all ranks.
        active.fence();
        int[] own;
        synchronized (counts) {
            own = counts.clone();
        }
        int[] owners = new int[26];
        Arrays.setAll(owners, i -> own[i] > 0 ? all.rank() : 0);
        int[] sums = new int[26];
        all.reduce(own, sums, Op.SUM, 0);
        int[] ranks = new int[26];
        all.reduce(owners, ranks, Op.SUM, 0);
        active.free();
        for (int i = 0; all.rank() == 0 && i < 26; i++) {
            char letter = (char) ('a' + i);
            if (sums[i] != TEXT.chars().filter(c -> c == letter).count() || ranks[i] != letter % all.size()) {
                throw new IllegalStateException(sums[i] + " times " + letter + " on rank " + ranks[i]);
            }
            if (sums[i] > 2) {
                IO.println(letter + "  rank " + ranks[i] + "  " + "#".repeat(sums[i]));
            }
        }
    }
}
