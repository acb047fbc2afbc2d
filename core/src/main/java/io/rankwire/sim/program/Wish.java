package io.rankwire.sim.program;

import io.rankwire.launch.VirtualTime;
import io.rankwire.wire.MatchWord;

/** Messages that a receive or a probe takes; source (a world rank) and tag may be any. */
record Wish(int context, int source, int tag) {
    /** Something else than a message of the program. */
    static final Wish OTHER = new Wish(VirtualTime.OTHER, MatchWord.ANY, MatchWord.ANY);

    boolean takes(int ofContext, int from, int ofTag) {
        return context == ofContext && (source == MatchWord.ANY || source == from)
                && (tag == MatchWord.ANY || tag == ofTag);
    }

    /** Whether there is a message that both take. */
    boolean overlaps(Wish other) {
        return context == other.context
                && (source == MatchWord.ANY || other.source == MatchWord.ANY || source == other.source)
                && (tag == MatchWord.ANY || other.tag == MatchWord.ANY || tag == other.tag);
    }

    boolean isAnySource() {
        return source == MatchWord.ANY;
    }
}
