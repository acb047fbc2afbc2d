package io.rankwire.tools.bench;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What can be measured. */
enum Work {
    LAT("lat", Measure.TIME, "Half round trip", "Size", "lat", "lat.alloc"),
    RATE("rate", Measure.RATE, "Message rate, one pair, window 64", "Size", "rate"),
    BW("bw", Measure.BANDWIDTH, "Stream one way, window 64", "Size", "bw"),
    BIBW("bibw", Measure.BANDWIDTH, "Streams both ways at once, window 64 each, sum", "Size", "bibw"),
    OVERLAP("overlap", Measure.HIDDEN, "Transfer hidden behind compute of its length", "Computes", "overlap",
            "overlap.alloc"),
    RMA("rma", Measure.TIME, "One-sided, flushed", "Call", "rma"),
    PRQ("prq", Measure.TIME, "Half round trip of 8 bytes, other receives posted", "Depth", "prq"),
    UEQ("ueq", Measure.TIME, "Half round trip of 8 bytes, unexpected messages ahead", "Depth", "ueq"),
    START("start", Measure.SECONDS, "Start, join, close and end of an empty job", "Job", "start"),
    ALLOC("alloc", Measure.HEAP, "Heap allocated in the steady state, both ranks together", "Calls", "alloc"),
    COLL("coll", Measure.TIME, "Collective calls", "Call",
            "coll.barrier", "coll.bcast", "coll.bcast.alloc", "coll.reduce", "coll.reduce.alloc", "coll.allreduce",
            "coll.allreduce.alloc", "coll.allgather", "coll.allgather.alloc", "coll.alltoall", "coll.alltoall.alloc",
            "coll.barrier.x4", "coll.bcast.x4", "coll.allreduce.x4", "coll.barrier.x8", "coll.bcast.x8",
            "coll.allreduce.x8", "coll.persistent", "coll.overlap"),
    CURVE("curve", Measure.TIME, "Half round trip by protocol, medians", "Size",
            "curve.eager", "curve.rendezvous", "curve.twoended"),
    FLOOR("floor", Measure.FLOOR, "Floors of this machine", "Floor");

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
        return EnumSet.complementOf(EnumSet.of(BIBW, COLL, CURVE));
    }

    /** Kinds of a peer, each a program of its own in every round. */
    List<String> theirs() {
        return switch (this) {
            case ALLOC, FLOOR -> List.of();
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
        return this == CURVE ? List.of("--jvm", "-Drankwire.large=" + part(kind)) : List.of();
    }

    Measure measure(String kind) {
        return kind.equals("rma.rate")
                ? Measure.RATE
                : kind.equals("coll.persistent")
                        ? Measure.HEAP
                        : kind.startsWith("coll.overlap") ? Measure.HIDDEN : measure;
    }

    /** How many ranks run a kind: as many as follow the x at its end, or two. */
    int ranks(String kind) {
        return kind.endsWith(".x4") ? 4 : kind.endsWith(".x8") ? 8 : Side.RANKS;
    }

    boolean has(String kind) {
        return kind.equals(label) || kind.startsWith(label + ".");
    }

    /** What follows the label in a kind; nothing if it is the work as a whole. */
    String part(String kind) {
        return kind.equals(label) ? "" : kind.substring(label.length() + 1);
    }
}
