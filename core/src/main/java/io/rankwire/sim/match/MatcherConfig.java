package io.rankwire.sim.match;

import io.rankwire.wire.WordLayout;

/**
 * Modelled matcher units.
 *
 * @param matchers units that walk lists of headers, one header a cycle each
 * @param together units that walk one list for one request, side by side
 * @param banks of the header store; each gives one header a cycle
 * @param startCycles from a request's turn to its first header
 * @param finishCycles from a decision to its end: unlink or append, and report
 * @param headers in the store
 * @param parts queues that a group's headers are spread over
 * @param by what they are spread by
 * @param cyclePs picoseconds
 * @param words widths of the fields that are compared; with a context among them, one queue or one set of queues
 *     serves all contexts of a rank
 * @param receives headers that are set aside for the receives of each context
 * @param messages headers that are set aside for the messages of each context
 */
public record MatcherConfig(int matchers, int together, int banks, int startCycles, int finishCycles, int headers,
        int parts, By by, long cyclePs, WordLayout words, int receives, int messages) {
    /** The field that picks the queue of a group; a receive that leaves it open makes all queues one. */
    public enum By { SOURCE, TAG }

    /** 64 units at 500 MHz on 64 banks, a megabyte of 32-byte headers, one queue a group. */
    public static final MatcherConfig DEFAULT = new MatcherConfig(64, 1, 64, 4, 4, 32_768, 1, By.SOURCE, 2_000);

    public MatcherConfig {
        if (matchers < 1 || together < 1 || together > matchers || banks < 1 || startCycles < 0 || finishCycles < 0
                || headers < 1 || parts < 1 || cyclePs < 1 || receives < 0 || messages < 0) {
            throw new IllegalArgumentException("matchers " + matchers + ", together " + together + ", banks " + banks
                    + ", start " + startCycles + ", finish " + finishCycles + ", headers " + headers + ", parts "
                    + parts + ", cycle " + cyclePs);
        }
    }

    /** Units with words of the usual layout, and nothing set aside. */
    public MatcherConfig(int matchers, int together, int banks, int startCycles, int finishCycles, int headers,
            int parts, By by, long cyclePs) {
        this(matchers, together, banks, startCycles, finishCycles, headers, parts, by, cyclePs, WordLayout.DEFAULT, 0,
                0);
    }

    /** What a search that walks this many headers takes when it has its units and banks for itself. */
    public long searchPs(int walked) {
        return (startCycles + Math.max(1, Math.ceilDiv(walked, together)) + finishCycles) * cyclePs;
    }

    public MatcherConfig withMatchers(int units, int onOneRequest) {
        return new MatcherConfig(units, onOneRequest, banks, startCycles, finishCycles, headers, parts, by, cyclePs,
                words, receives, messages);
    }

    public MatcherConfig withHeaders(int count) {
        return new MatcherConfig(matchers, together, banks, startCycles, finishCycles, count, parts, by, cyclePs,
                words, receives, messages);
    }
}
