package io.rankwire.device.agree;

/**
 * What members vote and agree on: a few words, each combined in its own way. Combining twice changes nothing, so a vote
 * may be counted more than once.
 */
public final class Vote {
    /** Combined by AND. */
    public static final int FLAGS = 0;
    /** Combined by MIN. */
    public static final int LEAST = 1;
    /** Combined by MAX, and not below the number of members that a voter knows to be dead when its vote goes up. */
    public static final int MOST = 2;
    /** Combined by MAX, too. */
    public static final int HIGHEST = 3;
    /** Combined by OR. */
    public static final int ANY = 4;
    /** Words that the caller votes with. */
    public static final int WORDS = 5;
    /** The number up to which a member has decided all calls, combined by MIN; behind the words of the caller. */
    static final int DECIDED = 5;
    /** Words in a frame. */
    static final int ALL = 6;

    private Vote() {}

    static void combine(long[] into, long[] from) {
        into[FLAGS] &= from[FLAGS];
        into[LEAST] = Math.min(into[LEAST], from[LEAST]);
        into[MOST] = Math.max(into[MOST], from[MOST]);
        into[HIGHEST] = Math.max(into[HIGHEST], from[HIGHEST]);
        into[ANY] |= from[ANY];
        into[DECIDED] = Math.min(into[DECIDED], from[DECIDED]);
    }
}
