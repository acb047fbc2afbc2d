package io.rankwire.sim.fault;

import java.util.Locale;

/** What can go wrong. */
public enum Fault {
    /** A frame is lost. */
    DROP(Sort.LOSS),
    /** A frame comes twice. */
    DUPLICATE(Sort.LOSS),
    /** A frame comes later than others of its pair that were sent after it. */
    REORDER(Sort.LOSS),
    /** Some bits of a frame's payload, header or meta are others. */
    CORRUPT(Sort.LOSS),
    /** The end of a frame is missing. */
    TRUNCATE(Sort.LOSS),
    /** A frame, and what comes behind it, is late. */
    DELAY(Sort.FRAME),
    /** A claim finds no room. */
    FULL(Sort.FRAME),
    /** An allocation of memory that peers could map fails. */
    NO_MEMORY(Sort.FRAME),
    /** Between two halves of the ranks nothing passes, often in one direction only. */
    PARTITION(Sort.SPELL),
    /** A direction of a pair stops; or all that lead to one rank, one after another, and come back in another order. */
    CLOG(Sort.SPELL),
    /** A rank does nothing, then goes on. */
    PAUSE(Sort.SPELL),
    /** Some directions of pairs have little bandwidth. */
    THROTTLE(Sort.STATE),
    /** A rank needs long for each turn. */
    SLOW(Sort.STATE),
    /** A rank does nothing any more. */
    KILL(Sort.STATE);

    /** How a fault comes about. */
    enum Sort {
        /** To single frames, by a rate of 1,000; only where something below the device repairs it. */
        LOSS,
        /** To single frames or calls, by a rate of 1,000. */
        FRAME,
        /** From time to time, for a time. */
        SPELL,
        /** From the start on, or once. */
        STATE
    }

    final Sort sort;

    Fault(Sort sort) {
        this.sort = sort;
    }

    /** Its name in reports. */
    String words() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
