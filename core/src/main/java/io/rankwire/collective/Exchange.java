package io.rankwire.collective;

import io.rankwire.collective.Step.Part;
import java.util.ArrayList;
import java.util.List;

/**
 * Blocks straight from where each lies to where it goes, between any ranks: one message for each, all under way
 * together, no byte carried twice. What a rank sends itself is copied. Several blocks between two ranks arrive in the
 * order in which they were sent. For blocks of different lengths and layouts, and for neighbours.
 *
 * <pre>
 *   0 → 1, 1 → 0, 1 → 2, 2 → 2      one round
 * </pre>
 */
public final class Exchange {
    /** One end of a message: the rank at the other end, below zero if there is none, and the part sent or received. */
    public record End(int peer, Part part) {}

    private Exchange() {}

    /**
     * @param out what is sent, in this order
     * @param in what is received; a rank that sends itself does so as often, and as much, as it receives from itself
     * @param given the units of further buffers of the caller
     */
    public static Schedule of(int rank, List<End> out, List<End> in, long... given) {
        Schedule.Builder steps = builder(given);
        List<Part> own = new ArrayList<>();
        int received = 0;
        for (End end : out) {
            if (end.peer == rank) {
                own.add(end.part);
            } else if (end.peer >= 0) {
                steps.send(end.peer, end.part.buffer(), end.part.offset(), end.part.units());
            }
            received = receive(steps, rank, in, received, received + 1);
        }
        receive(steps, rank, in, received, in.size());
        int copied = 0;
        for (End end : in) {
            if (end.peer == rank) {
                Part from = own.get(copied++);
                steps.copy(from.buffer(), from.offset(), end.part.buffer(), end.part.offset(), from.units());
            }
        }
        return steps.build("direct");
    }

    private static int receive(Schedule.Builder steps, int rank, List<End> in, int from, int to) {
        int next = from;
        for (; next < Math.min(to, in.size()); next++) {
            End end = in.get(next);
            if (end.peer >= 0 && end.peer != rank) {
                steps.receive(end.peer, end.part.buffer(), end.part.offset(), end.part.units());
            }
        }
        return next;
    }

    /** Each part goes to its peer, whose own takes its place: what is to be sent is set aside first. */
    public static Schedule inPlace(int rank, List<End> both, long... given) {
        Schedule.Builder steps = builder(given);
        for (End end : both) {
            Part part = end.part;
            int aside = steps.temporary(end.peer == rank ? 0 : part.units());
            if (end.peer != rank) {
                steps.copy(part.buffer(), part.offset(), aside, 0, part.units());
                steps.send(end.peer, aside, 0, part.units());
            }
        }
        receive(steps, rank, both, 0, both.size());
        return steps.build("direct, set aside");
    }

    private static Schedule.Builder builder(long[] given) {
        Schedule.Builder steps = new Schedule.Builder();
        for (long units : given) {
            steps.given(units);
        }
        return steps;
    }
}
