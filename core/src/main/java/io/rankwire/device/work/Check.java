package io.rankwire.device.work;

/** What can be known to be wrong with a program before it runs. */
final class Check {
    private Check() {}

    static void program(WorkProgram program) {
        long[] most = new long[Math.max(1, program.counterCount)];
        int[] enabled = new int[program.queueList.size()];
        for (WorkQueue queue : program.queueList) {
            for (int i = 0; i < queue.tail; i++) {
                count(program, queue, i, most, enabled);
            }
        }
        for (WorkQueue queue : program.queueList) {
            if (queue.beginsDisabled && enabled[queue.number] < queue.tail) {
                throw new IllegalArgumentException("queue " + queue.number + " is enabled up to entry "
                        + enabled[queue.number] + " only and has " + queue.tail);
            }
            for (int i = 0; i < queue.tail; i++) {
                long head = queue.cells[i * Entry.WORDS];
                long value = queue.cells[i * Entry.WORDS + 2];
                if (Entry.opcode(head) == Entry.WAIT && value > most[Entry.counter(head)]) {
                    throw new IllegalArgumentException("entry " + i + " of queue " + queue.number + " waits for "
                            + value + " of counter " + Entry.counter(head) + ", which comes to "
                            + most[Entry.counter(head)] + " at most");
                }
            }
        }
    }

    private static void count(WorkProgram program, WorkQueue queue, int i, long[] most, int[] enabled) {
        long head = queue.cells[i * Entry.WORDS];
        switch (Entry.opcode(head)) {
            case Entry.SEND, Entry.SEND_CONFIRMED, Entry.RECEIVE, Entry.RECEIVE_COMBINE ->
                most[Entry.counter(head)]++;
            case Entry.PIPE -> {
                long chunk = Entry.offset(queue.cells[i * Entry.WORDS + 1]);
                most[Entry.counter(head)] += (queue.cells[i * Entry.WORDS + 3] + chunk - 1) / chunk;
            }
            case Entry.SEND_ENABLE, Entry.RECEIVE_ENABLE -> {
                int target = Entry.peer(head);
                long index = queue.cells[i * Entry.WORDS + 2];
                if (target >= program.queueList.size()) {
                    throw new IllegalArgumentException("entry " + i + " of queue " + queue.number
                            + " enables queue " + target + " of " + program.queueList.size());
                }
                if (index < 0 || index > program.queueList.get(target).tail) {
                    throw new IllegalArgumentException("entry " + i + " of queue " + queue.number + " enables entry "
                            + index + " of queue " + target + ", which has " + program.queueList.get(target).tail);
                }
                enabled[target] = Math.max(enabled[target], (int) index);
            }
            default -> { }
        }
    }
}
