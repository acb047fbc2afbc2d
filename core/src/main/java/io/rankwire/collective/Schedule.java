package io.rankwire.collective;

import io.rankwire.collective.Step.Kind;
import io.rankwire.collective.Step.Part;
import java.util.ArrayList;
import java.util.List;

/**
 * What one rank does in a collective, in order. Sends and receives are started and go on by themselves; a wait holds
 * the steps behind it. The end of the schedule waits for all that was started.
 *
 * @param algorithm the algorithm's name, for reports
 * @param written the steps as the algorithm wrote them, without waits
 * @param temporaries units of each temporary buffer
 * @param transfers sends and receives; their ids count from 0
 */
public record Schedule(String algorithm, List<Step> written, List<Step> steps, long[] temporaries, int transfers) {
    /** The first of further buffers of the caller, where it has more than two; others count down from it. */
    public static final int GIVEN = -1;
    /** The caller's buffer to read. */
    public static final int INPUT = 0;
    /** The caller's buffer to write. */
    public static final int OUTPUT = 1;
    /** The first temporary buffer; others follow. */
    public static final int TEMPORARY = 2;

    /** Parts a long message is cut into: enough to overlap, few enough that each is worth its announcement. */
    private static final int GOOD_PIECES = 8;
    /** How much longer than the least a part may be for that. */
    private static final int LONGEST_PIECE = 16;
    /** Most parts a message is cut into: more would take long to plan. */
    private static final int MOST_PIECES = 256;

    /** Chunks of a pipe: many, since the last rank waits for one of them to pass each of the others. */
    static final int CHUNKS = 64;

    public Schedule {
        steps = List.copyOf(steps);
    }

    @Override
    public long[] temporaries() {
        return temporaries.clone();
    }

    /**
     * The same with long messages cut into pieces, so that one can be used while the next is on its way. All ranks must
     * cut alike.
     *
     * @param least units of the shortest piece; longer ones are multiples of it
     */
    public Schedule cut(long least) {
        boolean fits = true;
        for (Step step : written) {
            fits &= !step.isTransfer() && step.kind() != Kind.PIPE || step.target().units() <= least;
        }
        if (fits) {
            return this;
        }
        Builder builder = new Builder();
        for (long units : temporaries) {
            builder.temporary(units);
        }
        for (Step step : written) {
            long length = step.target().units();
            if (step.kind() == Kind.PIPE) {
                builder.pipe(step.peer(), step.to(), step.target(),
                        Math.clamp(length / CHUNKS / least, 1, LONGEST_PIECE) * least);
                continue;
            }
            long piece = step.isTransfer() ? piece(length, least) : length;
            for (long at = 0; at < length; at += piece) {
                builder.repeat(step, at, Math.min(piece, length - at));
            }
        }
        return builder.build(algorithm + ", in pieces");
    }

    private static long piece(long length, long least) {
        long good = Math.clamp(length / GOOD_PIECES / least, 1, LONGEST_PIECE);
        long bound = (length + MOST_PIECES - 1) / MOST_PIECES;
        return Math.max(good, (bound + least - 1) / least) * least;
    }

    /** The same for ranks of other numbers: {@code ranks[i]} is what is called i here. */
    public Schedule among(int... ranks) {
        return new Schedule(algorithm, renumbered(written, ranks), renumbered(steps, ranks), temporaries, transfers);
    }

    private static List<Step> renumbered(List<Step> steps, int[] ranks) {
        List<Step> renumbered = new ArrayList<>(steps.size());
        for (Step step : steps) {
            int peer = step.peer() < 0 ? step.peer() : ranks[step.peer()];
            int to = step.to() < 0 ? step.to() : ranks[step.to()];
            renumbered.add(
                    new Step(step.kind(), step.id(), peer, to, step.target(), step.operand(), step.operandFirst()));
        }
        return renumbered;
    }

    /**
     * Writes a schedule as if each step were over before the next, and puts in the waits that make this true: before a
     * step that reads what is still being received, or writes what is still being sent or received.
     */
    public static final class Builder {
        private final List<Step> written = new ArrayList<>();
        private final List<Step> byId = new ArrayList<>();
        private final List<Step> steps = new ArrayList<>();
        private final List<Step> underWay = new ArrayList<>();
        private final List<Long> temporaries = new ArrayList<>();
        /** The ranks that peers mean; null if they mean themselves. */
        private int[] numbers;

        /** From here on, peer i is the rank {@code ranks[i]}. */
        void among(int... ranks) {
            numbers = ranks;
        }

        /** A new temporary buffer. */
        public int temporary(long units) {
            temporaries.add(units);
            return TEMPORARY + temporaries.size() - 1;
        }

        /** Sends a part; an empty one is not sent. */
        public void send(int peer, int buffer, long offset, long units) {
            if (units > 0) {
                start(Kind.SEND, peer, new Part(buffer, offset, units), null, false);
            }
        }

        public void send(int peer, Part part) {
            send(peer, part.buffer(), part.offset(), part.units());
        }

        /** Receives a part; an empty one is not received. */
        public void receive(int peer, Part part) {
            receive(peer, part.buffer(), part.offset(), part.units());
        }

        public void receive(int peer, int buffer, long offset, long units) {
            if (units > 0) {
                start(Kind.RECEIVE, peer, new Part(buffer, offset, units), null, false);
            }
        }

        /** Receives a part and leaves in the target what comes combined with the local part. */
        public void receiveCombine(
                int peer, int target, long at, int local, long from, long units, boolean comingFirst) {
            if (units > 0) {
                start(Kind.RECEIVE_COMBINE, peer, new Part(target, at, units), new Part(local, from, units),
                        comingFirst);
            }
        }

        /** Sends a message without content. */
        public void signal(int peer) {
            start(Kind.SEND, peer, new Part(INPUT, 0, 0), null, false);
        }

        /** Receives a message without content, and waits for it. */
        public void hear(int peer) {
            start(Kind.RECEIVE, peer, new Part(INPUT, 0, 0), null, false);
            await(underWay.getLast());
        }

        /** Combines the operand into the target. */
        public void combine(int target, long at, int operand, long from, long units, boolean operandFirst) {
            if (units > 0) {
                local(Kind.COMBINE, new Part(target, at, units), new Part(operand, from, units), operandFirst);
            }
        }

        /** Copies between different places; a part onto itself is left alone. */
        public void copy(int from, long fromAt, int to, long toAt, long units) {
            if (units > 0 && (from != to || fromAt != toAt)) {
                local(Kind.COPY, new Part(to, toAt, units), new Part(from, fromAt, units), false);
            }
        }

        /** Copies a part to the place of another. */
        public void copy(Part from, Part to) {
            copy(from.buffer(), from.offset(), to.buffer(), to.offset(), from.units());
        }

        /**
         * Passes a part on in chunks, and keeps it; an empty one is not passed on.
         *
         * @param from the rank that it comes from, or -1 if it is here
         * @param to the rank that it goes on to, or -1 if it ends here
         * @param chunk units of a chunk; the last may be shorter
         */
        public void pipe(int from, int to, Part part, long chunk) {
            if (part.units() > 0) {
                Step step = new Step(Kind.PIPE, byId.size(), from, to, part,
                        part.piece(0, Math.min(chunk, part.units())), false);
                byId.add(step);
                settle(step);
                steps.add(step);
                written.add(step);
            }
        }

        /** Makes a call on the combining tree; a rank that gives or takes nothing names the other part twice. */
        void tree(int from, int to, long units) {
            local(Kind.TREE, new Part(to, 0, units), new Part(from, 0, units), false);
        }

        public Schedule build(String algorithm) {
            List<Step> ordered = new ArrayList<>();
            int ready = readySends();
            for (Step step : steps) {
                int at = ordered.size();
                if (step.isReceive()) {
                    while (at > ready && mayPass(step, ordered, at - 1)) {
                        at--;
                    }
                }
                ordered.add(at, step);
            }
            long[] units = new long[temporaries.size()];
            for (int i = 0; i < units.length; i++) {
                units[i] = temporaries.get(i);
            }
            return new Schedule(algorithm, written, ordered, units, byId.size());
        }

        /** Steps up to the last send that needs no wait: nothing is to delay these. */
        private int readySends() {
            int ready = 0;
            for (int i = 0; i < steps.size() && steps.get(i).kind() != Kind.WAIT; i++) {
                ready = steps.get(i).kind() == Kind.SEND ? i + 1 : ready;
            }
            return ready;
        }

        /** Receives are posted as early as their part allows, in their order, so that messages find them. */
        private boolean mayPass(Step receive, List<Step> before, int place) {
            Step step = before.get(place);
            if (step.isReceive()) {
                return false;
            }
            Step meant = step.kind() == Kind.WAIT ? byId.get(step.id()) : step;
            return !meant.touches(receive.target()) && !(receive.operand() != null && writes(meant, receive.operand()));
        }

        private static boolean writes(Step step, Part part) {
            return step.kind() != Kind.SEND && step.target().overlaps(part);
        }

        /** Writes a piece of a step of another schedule. */
        private void repeat(Step step, long at, long units) {
            Part target = step.target().piece(at, units);
            Part operand = step.operand() == null ? null : step.operand().piece(at, units);
            if (step.isTransfer()) {
                start(step.kind(), step.peer(), target, operand, step.operandFirst());
            } else {
                local(step.kind(), target, operand, step.operandFirst());
            }
        }

        private void start(Kind kind, int to, Part target, Part operand, boolean operandFirst) {
            int peer = numbers == null ? to : numbers[to];
            Step step = new Step(kind, byId.size(), peer, -1, target, operand, operandFirst);
            byId.add(step);
            settle(step);
            steps.add(step);
            written.add(step);
            underWay.add(step);
        }

        private void local(Kind kind, Part target, Part operand, boolean operandFirst) {
            Step step = new Step(kind, -1, -1, -1, target, operand, operandFirst);
            settle(step);
            steps.add(step);
            written.add(step);
        }

        private void settle(Step next) {
            boolean nextWrites = next.kind() != Kind.SEND;
            for (int i = 0; i < underWay.size(); i++) {
                Step earlier = underWay.get(i);
                boolean conflict = nextWrites && earlier.touches(next.target())
                        || earlier.kind() != Kind.SEND && next.touches(earlier.target());
                if (conflict) {
                    await(earlier);
                    i--;
                }
            }
        }

        private void await(Step transfer) {
            underWay.remove(transfer);
            steps.add(new Step(Kind.WAIT, transfer.id(), transfer.peer(), -1, null, null, false));
        }
    }
}
