package io.rankwire.collective;

import io.rankwire.collective.Step.Part;
import java.util.ArrayList;
import java.util.List;

/**
 * Blocks straight from where each lies to where it goes, between any ranks: one message for each, all under way
 * together, no byte carried twice. What a rank sends itself is copied. Several blocks between two ranks arrive in the
 * order in which they were sent. For neighbours.
 *
 * <pre>
 *   0 → 1, 1 → 0, 1 → 2, 2 → 2      one round
 * </pre>
 */
public final class Exchange {
    /** One end of a message: the rank at the other end, below zero if there is none, and the part sent or received. */
    public record End(int peer, Part part) {}

    public static final String NAME = "direct";

    private Exchange() {}

    /**
     * @param out what is sent, in this order
     * @param in what is received; a rank that sends itself does so as often, and as much, as it receives from itself
     */
    public static Schedule of(int rank, List<End> out, List<End> in) {
        Schedule.Builder steps = new Schedule.Builder();
        List<Part> own = new ArrayList<>();
        int received = 0;
        for (End end : out) {
            if (end.peer == rank) {
                own.add(end.part);
            } else if (end.peer >= 0) {
                steps.send(end.peer, end.part);
            }
            received = receive(steps, rank, in, received, received + 1);
        }
        receive(steps, rank, in, received, in.size());
        int copied = 0;
        for (End end : in) {
            if (end.peer == rank) {
                steps.copy(own.get(copied++), end.part);
            }
        }
        return steps.build(NAME);
    }

    private static int receive(Schedule.Builder steps, int rank, List<End> in, int from, int to) {
        int next = from;
        for (; next < Math.min(to, in.size()); next++) {
            End end = in.get(next);
            if (end.peer >= 0 && end.peer != rank) {
                steps.receive(end.peer, end.part);
            }
        }
        return next;
    }
}
