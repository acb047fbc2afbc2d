package io.rankwire.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.collective.Step.Kind;
import io.rankwire.collective.Step.Part;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs the schedules of all ranks symbolically, with words as content: {@code "2.0"} is unit 0 of rank 2, and a
 * combination joins words with commas. Messages of a pair stay in order. Sends complete at once or only when they are
 * received, by a parameter of the run. A caller may also determine the order of events, step by step.
 */
public final class ScheduleRun {
    /** A message or a receive that waits for its counterpart. */
    private record Waiting(int rank, Step step, String[] content) {}

    private final List<Schedule> schedules;
    private final String[][][] buffers;
    private final int[] at;
    private final boolean[][] over;
    private final boolean sendsWait;
    /** Units that the pipe of each rank has passed on. */
    private final long[] piped;
    /** The position in the queue of the last entry taken. */
    private int found;
    private final ArrayDeque<Waiting>[][] messages;
    private final ArrayDeque<Waiting>[][] receives;

    @SuppressWarnings({"unchecked", "rawtypes"})
    public ScheduleRun(List<Schedule> schedules, String[][] inputs, String[][] outputs, boolean sendsWait) {
        int size = schedules.size();
        this.schedules = schedules;
        this.sendsWait = sendsWait;
        this.at = new int[size];
        this.piped = new long[size];
        this.over = new boolean[size][];
        this.buffers = new String[size][][];
        this.messages = new ArrayDeque[size][size];
        this.receives = new ArrayDeque[size][size];
        for (int rank = 0; rank < size; rank++) {
            Schedule schedule = schedules.get(rank);
            long[] temporaries = schedule.temporaries();
            over[rank] = new boolean[schedule.transfers()];
            buffers[rank] = new String[2 + temporaries.length][];
            buffers[rank][Schedule.INPUT] = inputs[rank];
            buffers[rank][Schedule.OUTPUT] = outputs[rank];
            for (int i = 0; i < temporaries.length; i++) {
                buffers[rank][2 + i] = new String[(int) temporaries[i]];
            }
            for (int peer = 0; peer < size; peer++) {
                messages[rank][peer] = new ArrayDeque<>(1);
                receives[rank][peer] = new ArrayDeque<>(1);
            }
        }
    }

    public void run() {
        boolean moved = true;
        while (moved) {
            moved = false;
            for (int rank = 0; rank < at.length; rank++) {
                moved |= advance(rank);
            }
        }
        assertOver();
    }

    /** Asserts that all ranks are at the end and nothing waits. */
    public void assertOver() {
        for (int each = 0; each < at.length; each++) {
            int rank = each;
            assertEquals(schedules.get(rank).steps().size(), at[rank], () -> "deadlock: rank " + rank + " of "
                    + at.length + " holds at " + current(rank));
            for (int id = 0; id < over[rank].length; id++) {
                if (!over[rank][id]) {
                    throw new AssertionError("rank " + rank + " of " + at.length + ": transfer " + id + " never ends");
                }
            }
            for (int peer = 0; peer < at.length; peer++) {
                assertTrue(messages[rank][peer].isEmpty(), "a message nobody received");
            }
        }
    }

    /** Executes the rank's next step, which has this place; its data arrives with a call of {@link #receive}. */
    public void pass(int rank, int place) {
        assertEquals(at[rank], place, "rank " + rank + " does its steps in order");
        Step step = schedules.get(rank).steps().get(at[rank]++);
        switch (step.kind()) {
            case SEND -> messages[rank][step.peer()].add(new Waiting(rank, step, read(rank, step.target())));
            case RECEIVE, RECEIVE_COMBINE -> receives[step.peer()][rank].add(new Waiting(rank, step, null));
            case WAIT -> assertTrue(over[rank][step.id()] || schedules.get(rank).steps().stream()
                    .anyMatch(other -> other.kind() == Kind.SEND && other.id() == step.id()),
                    "rank " + rank + " does not wait: " + step);
            default -> execute(rank, step);
        }
    }

    /** Delivers a message to a receive; they have these ids, and the same position in their queues. */
    public void receive(int from, int send, int to, int receive) {
        Waiting message = take(messages[from][to], send);
        int place = found;
        Waiting waiting = take(receives[from][to], receive);
        assertEquals(place, found, "messages of a pair stay in order: " + message.step + ", " + waiting.step);
        meet(from, message, to, waiting);
    }

    private Waiting take(ArrayDeque<Waiting> line, int id) {
        found = 0;
        for (Waiting waiting : line) {
            if (waiting.step.id() == id) {
                line.remove(waiting);
                return waiting;
            }
            found++;
        }
        throw new AssertionError("no transfer " + id + " waits: " + line);
    }

    private Object current(int rank) {
        List<Step> steps = schedules.get(rank).steps();
        return at[rank] < steps.size() ? steps.get(at[rank]) : "the end";
    }

    private boolean advance(int rank) {
        List<Step> steps = schedules.get(rank).steps();
        int before = at[rank];
        while (at[rank] < steps.size()) {
            Step step = steps.get(at[rank]);
            if (step.kind() == Kind.WAIT && !over[rank][step.id()] || step.kind() == Kind.PIPE && !pipe(rank, step)) {
                break;
            }
            execute(rank, step);
            at[rank]++;
        }
        return at[rank] != before;
    }

    /** Passes chunks on as far as they have come; whether that was the last. */
    private boolean pipe(int rank, Step step) {
        Part all = step.target();
        long chunk = step.operand().units();
        while (piped[rank] < all.units()) {
            Part part = new Part(all.buffer(), all.offset() + piped[rank], Math.min(chunk, all.units() - piped[rank]));
            if (step.peer() >= 0) {
                if (messages[step.peer()][rank].isEmpty()) {
                    return false;
                }
                Waiting got = messages[step.peer()][rank].poll();
                assertEquals(part.units(), got.content.length, "chunks of one length");
                write(rank, part, got.content);
            }
            if (step.to() >= 0) {
                messages[rank][step.to()].add(new Waiting(rank, step, read(rank, part)));
            }
            piped[rank] += part.units();
        }
        over[rank][step.id()] = true;
        return true;
    }

    private void execute(int rank, Step step) {
        switch (step.kind()) {
            case SEND -> {
                messages[rank][step.peer()].add(new Waiting(rank, step, read(rank, step.target())));
                over[rank][step.id()] = !sendsWait;
                meet(rank, step.peer());
            }
            case RECEIVE, RECEIVE_COMBINE -> {
                receives[step.peer()][rank].add(new Waiting(rank, step, null));
                meet(step.peer(), rank);
            }
            case COPY -> write(rank, step.target(), read(rank, step.operand()));
            case COMBINE -> write(rank, step.target(), combine(
                    read(rank, step.target()), read(rank, step.operand()), step.operandFirst()));
            case WAIT, PIPE -> { }
            case TREE -> throw new AssertionError(step);
        }
    }

    private void meet(int from, int to) {
        while (!messages[from][to].isEmpty() && !receives[from][to].isEmpty()) {
            meet(from, messages[from][to].poll(), to, receives[from][to].poll());
        }
    }

    private void meet(int from, Waiting message, int to, Waiting receive) {
        Step step = receive.step;
        if (sendsWait) {
            assertEquals(Arrays.asList(message.content), Arrays.asList(read(from, message.step.target())),
                    "a part was changed while it was being sent: " + message.step);
        }
        assertEquals(step.target().units(), message.content.length, "length of " + step);
        String[] content = step.kind() == Kind.RECEIVE ? message.content
                : combine(read(to, step.operand()), message.content, step.operandFirst());
        write(to, step.target(), content);
        over[from][message.step.id()] = true;
        over[to][step.id()] = true;
    }

    private String[] read(int rank, Part part) {
        String[] buffer = buffers[rank][part.buffer()];
        if (part.units() == 0) {
            return new String[0];
        }
        String[] content = Arrays.copyOfRange(buffer, (int) part.offset(), (int) (part.offset() + part.units()));
        assertTrue(part.offset() + part.units() <= buffer.length, "outside: " + part);
        for (String word : content) {
            assertTrue(word != null, "rank " + rank + " reads what was never written: " + part);
        }
        return content;
    }

    private void write(int rank, Part part, String[] content) {
        for (int i = 0; i < content.length; i++) {
            buffers[rank][part.buffer()][(int) part.offset() + i] = content[i];
        }
    }

    private static String[] combine(String[] local, String[] operand, boolean operandFirst) {
        List<String> result = new ArrayList<>();
        for (int i = 0; i < local.length; i++) {
            result.add(operandFirst ? operand[i] + "," + local[i] : local[i] + "," + operand[i]);
        }
        return result.toArray(new String[0]);
    }
}
