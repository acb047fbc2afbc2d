package io.rankwire.sim.program;

import io.rankwire.memory.Rand;
import java.util.ArrayList;
import java.util.List;

/**
 * A rank that stops for good at a time.
 *
 * @param rank one of the job, or one that replaces another
 */
record Kill(int rank, long atPs) {
    private static final long PS_PER_NS = 1_000;
    private static final long US = 1_000_000;
    /** When the seed chooses. */
    private static final long EARLIEST_PS = 10 * US;
    private static final long LATEST_PS = 100 * US;

    @Override
    public String toString() {
        return "kill rank " + rank + " at " + Units.time(atPs);
    }

    /**
     * Reads a list with commas between its parts. Each is RANK or RANK@TIME; or COUNT:SEED or COUNT:SEED@TIME for COUNT
     * ranks that the seed chooses, each killed before that time. The seed chooses what is left out.
     *
     * @param text blank for one rank
     * @param seed chooses where the text names no seed
     * @param ranks of the job
     * @param places those that can replace others included
     */
    static List<Kill> parse(String text, long seed, int ranks, int places) {
        List<Kill> kills = new ArrayList<>();
        Rand rand = new Rand(~seed);
        for (String part : text.split(",")) {
            String[] both = part.strip().split("@", 2);
            long latest = both.length == 1 ? LATEST_PS : Units.ps(both[1]);
            int colon = both[0].indexOf(':');
            if (colon >= 0) {
                int count = number(both[0].substring(0, colon), part);
                if (count > ranks) {
                    throw new IllegalArgumentException("kill: there are no " + count + " among " + ranks + " ranks");
                }
                some(count, new Rand(~seedOf(both[0].substring(colon + 1), part)), latest, ranks, kills);
                continue;
            }
            int chosen = rand.below(ranks);
            long at = EARLIEST_PS + below(LATEST_PS - EARLIEST_PS, rand);
            int rank = both[0].isEmpty() && text.isEmpty() ? chosen : number(both[0], part);
            if (rank >= places) {
                throw new IllegalArgumentException("kill: " + rank + " is no rank of " + ranks);
            }
            kills.add(new Kill(rank, both.length == 1 ? at : latest));
        }
        return kills;
    }

    private static void some(int count, Rand rand, long latestPs, int ranks, List<Kill> kills) {
        List<Integer> left = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            left.add(rank);
        }
        for (int i = 0; i < count; i++) {
            kills.add(new Kill(left.remove(rand.below(left.size())), below(latestPs, rand)));
        }
    }

    /** A whole number of nanoseconds below a time. */
    private static long below(long ps, Rand rand) {
        return Math.floorMod(rand.nextLong(), Math.max(1, ps / PS_PER_NS)) * PS_PER_NS;
    }

    private static int number(String text, String part) {
        try {
            return Integer.parseUnsignedInt(text);
        } catch (NumberFormatException e) {
            throw wrong(part);
        }
    }

    private static long seedOf(String text, String part) {
        try {
            return Long.decode(text);
        } catch (NumberFormatException e) {
            throw wrong(part);
        }
    }

    private static IllegalArgumentException wrong(String part) {
        return new IllegalArgumentException(
                "kill: \"" + part + "\" is not like 2, \"2@50 us\", 3:SEED or \"3:SEED@50 us\"");
    }
}
