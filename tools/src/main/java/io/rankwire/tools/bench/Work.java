package io.rankwire.tools.bench;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What can be measured. */
enum Work {
    LAT("lat", Measure.TIME, "Half round trip", "Size", "lat", "lat.alloc"),
    RATE("rate", Measure.RATE, "Message rate, one pair, window 64", "Size", "rate"),
    BW("bw", Measure.BANDWIDTH, "Stream one way, window 64", "Size", "bw"),
    BIBW("bibw", Measure.BANDWIDTH, "Streams both ways at once, window 64 each, sum", "Size", "bibw"),
    OVERLAP("overlap", Measure.HIDDEN, "Transfer hidden behind compute of its length", "Computes", "overlap",
            "overlap.alloc"),
    RMA("rma", Measure.TIME, "One-sided, flushed", "Call", "rma"),
    ACTIVE("active", Measure.TIME, "Half round trip, by receives and by active messages", "Message", "active"),
    PRQ("prq", Measure.TIME, "Half round trip of 8 bytes, other receives posted", "Depth", "prq"),
    UEQ("ueq", Measure.TIME, "Half round trip of 8 bytes, unexpected messages ahead", "Depth", "ueq"),
    START("start", Measure.SECONDS, "Start, join, close and end of an empty job", "Job", "start"),
    ALLOC("alloc", Measure.HEAP, "Heap allocated in the steady state, both ranks together", "Calls", "alloc"),
    COLL("coll", Measure.TIME, "Collective calls", "Call",
            "coll.barrier", "coll.bcast", "coll.bcast.alloc", "coll.reduce", "coll.reduce.alloc", "coll.allreduce",
            "coll.allreduce.alloc", "coll.allgather", "coll.allgather.alloc", "coll.alltoall", "coll.alltoall.alloc",
            "coll.barrier.x4", "coll.bcast.x4", "coll.allreduce.x4", "coll.barrier.x8", "coll.bcast.x8",
            "coll.allreduce.x8", "coll.persistent", "coll.overlap"),
    DEATHS("deaths", Measure.MILLIS, "Agreements; deaths of a rank: noticed, shrunk and replaced by all others", "Job",
            "deaths.agree", "deaths.agree.x8", "deaths.waiting", "deaths.waiting.x8", "deaths.computing.x8",
            "deaths.spare.x8"),
    CURVE("curve", Measure.TIME, "Half round trip by protocol, medians", "Size",
            "curve.eager", "curve.rendezvous", "curve.twoended"),
    WARM("warm", Measure.SECONDS, "From the start of a loop until it is steady; steady state; first round trips",
            "Loop", "warm.lat", "warm.large", "warm.allreduce", "warm.first"),
    FLOOR("floor", Measure.FLOOR, "Floors of this machine", "Floor");

    /** The option of a job that goes on when a rank has failed. */
    static final String GOES_ON = "--on-failure=continue";
    private static final Pattern RANKS = Pattern.compile("\\.x(\\d+)");

    final String label;
    final String title;
    final String rowName;
    private final Measure measure;
    /** Kinds of ours, each a program of its own in every round. */
    final List<String> ours;

    Work(String label, Measure measure, String title, String rowName, String... ours) {
        this.label = label;
        this.measure = measure;
        this.title = title;
        this.rowName = rowName;
        this.ours = List.of(ours);
    }

    /** The names, as users give them. */
    static List<String> labels() {
        return Arrays.stream(values()).map(work -> work.label).toList();
    }

    /** A line for each work, for help texts. */
    static String descriptions() {
        return Arrays.stream(values()).map(work -> String.format("  %-9s", work.label) + switch (work) {
            case LAT -> "half round trip by message size, us; from 8 KiB also in memory of"
                    + " World.allocate or MPI_Alloc_mem (lat.alloc)";
            case RATE -> "8-byte messages a second, one pair, windows of 64 and an answer, M/s";
            case BW -> "stream of messages by size, windows of 64 and an answer, MB/s (10^6 bytes)";
            case BIBW -> "the same both ways at once, the sum of both, MB/s";
            case OVERLAP -> "how much of a transfer is hidden behind compute of its own length at the"
                    + " sender, at the receiver, at both, %";
            case RMA -> "one-sided put and get of 8 bytes and 64 KiB with a flush each, us, and puts of"
                    + " 8 bytes with a flush for 64, M/s; ours only: a free lock and unlock, us";
            case ACTIVE -> "half round trip of 8 bytes and 1 KiB, by calls of both ranks (plain) and by active"
                    + " messages (handled), us, and heap for an active message, bytes; ours only";
            case PRQ -> "half round trip of 8 bytes with other receives posted at both ranks, us";
            case UEQ -> "half round trip of 8 bytes with unexpected messages ahead at both ranks, us";
            case START -> "an empty job of 2 ranks from start to end, s";
            case ALLOC -> "heap allocated for a message, bytes; ours only";
            case COLL -> "collective calls by bytes of a block or vector, us: barrier, bcast and reduce"
                    + " (roots take turns), allreduce (sums of doubles), allgather, alltoall, large"
                    + " ones also in allocated memory (.alloc), some with 4 and 8 ranks (.x4, .x8);"
                    + " ours only: heap for a start of a persistent allreduce, bytes, and how much of"
                    + " an allreduce of 1 MiB is hidden behind compute at one rank or both, %";
            case DEATHS -> "an agreement without failures beside a barrier, 2 and 8 ranks, us and their ratio; one rank"
                    + " is killed: the time until all others have noticed in a call that waits (waiting) or in the"
                    + " first one after computing (computing), until all have returned from shrink and from replace,"
                    + " with a new process or with a spare, ms; ours only";
            case CURVE -> "half round trip from 1 KiB to 4 MiB by each protocol of ours: eager,"
                    + " rendezvous, two-ended (-Drankwire.large=...), us";
            case WARM -> "seconds from the start of a loop until its slices of 10 ms are within 1.5 times"
                    + " its steady state (the median of the last second of four), and that state, us: half round"
                    + " trips of 8 bytes (lat) and 32 KiB (large), allreduces of 8 bytes; the mean of the first"
                    + " 10,000 round trips of 8 bytes (first), us; ours only";
            case FLOOR -> "the machine's floors alone; they are measured at start and end in any case";
        }).collect(Collectors.joining("\n"));
    }

    /** The work of that name, or null. */
    static Work named(String label) {
        for (Work work : values()) {
            if (work.label.equals(label)) {
                return work;
            }
        }
        return null;
    }

    /** What is measured when nothing is named: what is done in minutes. */
    static Set<Work> usual() {
        return EnumSet.complementOf(EnumSet.of(BIBW, ACTIVE, COLL, DEATHS, CURVE, WARM));
    }

    /** Kinds of a peer, each a program of its own in every round. */
    List<String> theirs() {
        return switch (this) {
            case ACTIVE, ALLOC, DEATHS, WARM, FLOOR -> List.of();
            case CURVE -> List.of(label);
            case COLL -> ours.stream().filter(kind -> measure(kind) == Measure.TIME).toList();
            default -> ours;
        };
    }

    /** The kind of a peer that one of ours is held against: peers have one protocol, their own choice. */
    String counterpart(String kind) {
        return this == CURVE ? label : kind;
    }

    /** Options of {@code rankwire run} for a kind of ours. */
    List<String> settings(String kind) {
        return switch (this) {
            case CURVE -> List.of("--jvm", "-Drankwire.large=" + part(kind));
            case DEATHS -> kind.startsWith("deaths.spare")
                    ? List.of(GOES_ON, "--spares=" + Plan.DEATHS) : List.of(GOES_ON);
            default -> List.of();
        };
    }

    Measure measure(String kind) {
        return switch (kind) {
            case "rma.rate" -> Measure.RATE;
            case "coll.persistent", "active.heap" -> Measure.HEAP;
            case "coll.overlap", "coll.overlap.one", "coll.overlap.both" -> Measure.HIDDEN;
            case "warm.first", "warm.lat.steady", "warm.large.steady", "warm.allreduce.steady" -> Measure.TIME;
            case "deaths.agree", "deaths.agree.barrier", "deaths.agree.x8", "deaths.agree.x8.barrier" -> Measure.TIME;
            case "deaths.agree.ratio", "deaths.agree.x8.ratio" -> Measure.RATIO;
            default -> measure;
        };
    }

    /** How many ranks run a kind: as many as follow an x, or two. */
    int ranks(String kind) {
        Matcher matcher = RANKS.matcher(kind);
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : Side.RANKS;
    }

    /** Whether the first calls of a kind in a fresh process can be measured. */
    boolean hasCold(String kind) {
        return (this == LAT || this == COLL) && measure(kind) == Measure.TIME;
    }

    boolean has(String kind) {
        return kind.equals(label) || kind.startsWith(label + ".");
    }

    /** What follows the label in a kind; nothing if it is the work as a whole. */
    String part(String kind) {
        return kind.equals(label) ? "" : kind.substring(label.length() + 1);
    }
}
