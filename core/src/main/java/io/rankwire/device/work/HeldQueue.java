package io.rankwire.device.work;

import java.util.ArrayList;
import java.util.List;

/**
 * Why a queue of a program that runs does not go on, for reports.
 *
 * @param queue its number in the program
 * @param entry the entry that it has come to
 * @param by what holds it
 * @param counter the counter that it waits for, or -1
 * @param value the value that it waits for
 * @param now the value that there is
 */
public record HeldQueue(int queue, int entry, By by, int counter, long value, long now) {
    /** What holds a queue. */
    public enum By {
        /** A counter of its program. */
        COUNTER,
        /** A counter of another program. */
        OTHER_COUNTER,
        /** A completion queue. */
        COMPLETIONS,
        /** No other queue has enabled the entry. */
        DISABLED,
        /** The entry itself takes time. */
        ITSELF
    }

    /** The queues of a program that have not come to their end. */
    public static List<HeldQueue> of(WorkProgram program) {
        List<HeldQueue> held = new ArrayList<>();
        for (WorkQueue queue : program.queueList) {
            if (queue.head < queue.tail) {
                held.add(of(program, queue));
            }
        }
        return held;
    }

    private static HeldQueue of(WorkProgram program, WorkQueue queue) {
        long head = queue.cells[queue.head * Entry.WORDS];
        long value = queue.cells[queue.head * Entry.WORDS + 2];
        int counter = Entry.counter(head);
        if (queue.head >= queue.enabled) {
            return of(queue, By.DISABLED, -1, 0, 0);
        }
        return switch (Entry.opcode(head)) {
            case Entry.WAIT -> of(queue, By.COUNTER, counter, value, program.count(counter));
            case Entry.WAIT_OTHER -> of(queue, By.OTHER_COUNTER, counter, value,
                    program.others.get(Entry.peer(head)).count(counter));
            case Entry.WAIT_COMPLETIONS -> {
                // What came before this wait does not count for it.
                long done = program.tables.get(Entry.peer(head)).produced();
                long until = queue.watch == null ? done : queue.watch.value;
                yield of(queue, By.COMPLETIONS, -1, value, Math.max(0, value - (until - done)));
            }
            default -> of(queue, By.ITSELF, -1, 0, 0);
        };
    }

    private static HeldQueue of(WorkQueue queue, By by, int counter, long value, long now) {
        return new HeldQueue(queue.number, queue.head, by, counter, value, now);
    }
}
