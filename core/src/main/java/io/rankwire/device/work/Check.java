package io.rankwire.device.work;

/**
 * What can be known to be wrong with a program before it runs. It is run on paper, as if every message came at once:
 * what holds even then would hold forever.
 */
final class Check {
    private final WorkProgram program;
    private final int[] heads;
    private final int[] enabled;
    private final long[] counters;

    private Check(WorkProgram program) {
        this.program = program;
        this.heads = new int[program.queueList.size()];
        this.enabled = new int[heads.length];
        this.counters = new long[Math.max(1, program.counterCount)];
        for (WorkQueue queue : program.queueList) {
            enabled[queue.number] = queue.beginsDisabled ? 0 : queue.tail;
        }
    }

    static void program(WorkProgram program) {
        new Check(program).run();
    }

    private void run() {
        boolean moved = true;
        while (moved) {
            moved = false;
            for (WorkQueue queue : program.queueList) {
                while (heads[queue.number] < enabled[queue.number] && passes(queue, heads[queue.number])) {
                    heads[queue.number]++;
                    moved = true;
                }
            }
        }
        for (WorkQueue queue : program.queueList) {
            if (heads[queue.number] < queue.tail) {
                throw held(queue);
            }
        }
        program.most = counters;
    }

    private static void checkOther(WorkQueue queue, int i, WorkProgram other, int counter, long value) {
        if (other.most != null && value > other.most[counter]) {
            throw new IllegalArgumentException(entry(queue, i) + " waits for " + value + " of counter " + counter
                    + " of another program, which comes to " + other.most[counter] + " at most in a run");
        }
    }

    private boolean passes(WorkQueue queue, int i) {
        long head = queue.cells[i * Entry.WORDS];
        long other = queue.cells[i * Entry.WORDS + 2];
        switch (Entry.opcode(head)) {
            case Entry.WAIT -> {
                return counters[Entry.counter(head)] >= other;
            }
            case Entry.WAIT_OTHER ->
                checkOther(queue, i, program.others.get(Entry.peer(head)), Entry.counter(head), other);
            case Entry.SEND, Entry.SEND_CONFIRMED, Entry.SEND_NAMING, Entry.SEND_TO, Entry.RECEIVE,
                    Entry.RECEIVE_COMBINE, Entry.RECEIVE_FROM, Entry.DATAGRAM, Entry.PUT, Entry.GET, Entry.ACCUMULATE,
                    Entry.FETCH, Entry.COMPARE_AND_SWAP ->
                counters[Entry.counter(head)]++;
            case Entry.RECEIVE_NAMED -> {
                // It may be any one of them.
                for (int counter = 0; counter < counters.length; counter++) {
                    counters[counter]++;
                }
            }
            case Entry.PIPE -> {
                long chunk = Entry.offset(queue.cells[i * Entry.WORDS + 1]);
                counters[Entry.counter(head)] += (queue.cells[i * Entry.WORDS + 3] + chunk - 1) / chunk;
            }
            case Entry.SEND_ENABLE, Entry.RECEIVE_ENABLE -> enable(queue, i, Entry.peer(head), other);
            default -> { }
        }
        return true;
    }

    private void enable(WorkQueue queue, int i, int target, long index) {
        if (target >= enabled.length) {
            throw new IllegalArgumentException(entry(queue, i) + " enables queue " + target + " of " + enabled.length);
        }
        int entries = program.queueList.get(target).tail;
        long upTo = index == Entry.ONE_MORE ? enabled[target] + 1L : index;
        if (upTo > entries) {
            throw new IllegalArgumentException(entry(queue, i) + " enables entry " + (upTo - 1) + " of queue " + target
                    + ", which has " + entries);
        }
        enabled[target] = Math.max(enabled[target], (int) upTo);
    }

    private IllegalArgumentException held(WorkQueue queue) {
        int i = heads[queue.number];
        if (i == enabled[queue.number]) {
            return new IllegalArgumentException("queue " + queue.number + " is enabled up to entry " + i
                    + " only and has " + queue.tail);
        }
        int counter = Entry.counter(queue.cells[i * Entry.WORDS]);
        return new IllegalArgumentException(entry(queue, i) + " waits for " + queue.cells[i * Entry.WORDS + 2]
                + " of counter " + counter + ", which comes to " + counters[counter]
                + " at most before this wait is over");
    }

    private static String entry(WorkQueue queue, int i) {
        return "entry " + i + " of queue " + queue.number;
    }
}
