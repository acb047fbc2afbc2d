package io.rankwire.device;

import java.util.List;

/** What a rank counts, in the order of tables. The calls of the rank's program count as well, in its host. */
public enum Counter {
    CALLS("calls"),
    WAITS("waits"),
    SLEEPS("sleeps"),
    WAIT_NANOS("waitNanos"),
    PROGRESS_ROUNDS("progressRounds"),
    PROGRESS_VISITS("progressVisits"),
    COLLECTIVE_CALLS("collectiveCalls"),
    FRAMES_SENT("framesSent"),
    FRAMES_RECEIVED("framesReceived"),
    BYTES_SENT("bytesSent"),
    BYTES_RECEIVED("bytesReceived"),
    DIRECT_BYTES("directBytes"),
    EAGER_SENT("eagerSent"),
    ANNOUNCED_SENT("announcedSent"),
    EAGER_RECEIVED("eagerReceived"),
    ANNOUNCED_RECEIVED("announcedReceived"),
    SENT_TO_ITSELF("sentToItself"),
    SENDS_DELAYED("sendsDelayed"),
    EARLY_BYTES("earlyBytes"),
    MATCHED_POSTED("matchedPosted"),
    MATCHED_UNEXPECTED("matchedUnexpected"),
    UNEXPECTED("unexpected", Kind.STATE),
    MOST_UNEXPECTED("mostUnexpected", Kind.MOST),
    UNEXPECTED_BYTES("unexpectedBytes", Kind.STATE),
    MOST_UNEXPECTED_BYTES("mostUnexpectedBytes", Kind.MOST),
    RECEIVES_IN_DEVICE("receivesInDevice", Kind.STATE),
    RECEIVES_IN_SOFTWARE("receivesInSoftware", Kind.STATE),
    MATCHED_IN_SOFTWARE("matchedInSoftware"),
    RACES("races"),
    REFUSED_POSTS("refusedPosts"),
    RETRANSMISSIONS("retransmissions"),
    REFUSED_FRAMES("refusedFrames"),
    ONE_SIDED_ACCESSES("oneSidedAccesses"),
    ONE_SIDED_SERVED("oneSidedServed"),
    DATAGRAMS_SENT("datagramsSent"),
    DATAGRAMS_RECEIVED("datagramsReceived"),
    DATAGRAMS_REFUSED("datagramsRefused"),
    ACTIVE_MESSAGES_HANDLED("activeMessagesHandled");

    /** What a number is. */
    public enum Kind {
        /** It grows with each event. */
        SUM,
        /** It is so now. */
        STATE,
        /** The highest value so far. */
        MOST
    }

    /** All of them. */
    public static final List<Counter> LIST = List.of(values());
    /** How many there are. */
    public static final int COUNT = LIST.size();

    private final String key;
    private final Kind kind;

    Counter(String key) {
        this(key, Kind.SUM);
    }

    Counter(String key, Kind kind) {
        this.key = key;
        this.kind = kind;
    }

    /** The name in the API and in tables. */
    public String key() {
        return key;
    }

    public Kind kind() {
        return kind;
    }

    /** Joins a number of an earlier time and a later number that was counted from zero. */
    public long add(long earlier, long later) {
        return switch (kind) {
            case SUM -> earlier + later;
            case STATE -> later;
            case MOST -> Math.max(earlier, later);
        };
    }
}
