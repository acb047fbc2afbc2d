package io.rankwire.device.work;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What of a program the network can run. A send or a put may begin when all waits before it in its queue are over. One
 * wait is one value of one counter, which the port can wait for itself. Where there are several, a counter of their own
 * adds them up: each wait advances it, and so do the waits before.
 */
final class DeferralPlan {
    /** The counter of the port that advances when all entries are there. */
    static final int GO = 0;

    /** What an entry of the port does; PROOF is the read behind a put whose answer shows that the put is over. */
    enum Kind { SEND, PUT, PROOF, ADD }

    /**
     * An entry of the port.
     *
     * @param queue of the program, with the entry there; -1 for an addition
     * @param counter of the port that it waits for
     * @param advances the counter of the port that it advances when it is over
     */
    record Step(Kind kind, int queue, int entry, int counter, long value, int advances) {
        boolean isSend() {
            return kind == Kind.SEND;
        }
    }

    /** A value of a counter of the port. */
    private record Condition(int counter, long value) {}

    private final WorkProgram program;
    private final List<Step> steps = new ArrayList<>();
    private final int[] portOf;
    /** For each entry of all queues: the counter of the port that the device advances when it has passed the entry. */
    private final int[] passing;
    private int counters = GO + 1;
    /** The counter of the port for frames of puts that have gone, which nothing waits for; -1 if there are none. */
    private int gone = -1;
    private int advances;
    private boolean waits;
    private final String obstacle;

    DeferralPlan(WorkProgram program) {
        this.program = program;
        this.portOf = new int[program.counters.length];
        this.passing = new int[program.attached.length];
        Arrays.fill(portOf, -1);
        Arrays.fill(passing, -1);
        String found = null;
        for (WorkQueue queue : program.queues) {
            found = found == null ? read(queue) : found;
        }
        this.obstacle = found != null || waits ? found : "no send and no put waits for a counter";
    }

    /** Why the network cannot run the program; null if it may. */
    String obstacle() {
        return obstacle;
    }

    List<Step> steps() {
        return steps;
    }

    /** Counters of the port. */
    int counters() {
        return counters;
    }

    /** How often the entries of a run advance the counters of the program, in all. */
    int advances() {
        return advances;
    }

    /** The counter of the port for one of the program; -1 if the port does not need it. */
    int portOf(int counter) {
        return portOf[counter];
    }

    int passing(int queue, int entry) {
        return passing[program.queues[queue].first + entry];
    }

    private int port(int counter) {
        if (portOf[counter] < 0) {
            portOf[counter] = counters++;
        }
        return portOf[counter];
    }

    /** Returns what stands in the way, or null. */
    private String read(WorkQueue queue) {
        if (queue.beginsDisabled) {
            return "queue " + queue.number + " begins disabled";
        }
        Condition gate = new Condition(GO, 1);
        List<Condition> waits = new ArrayList<>();
        boolean hasBegun = false;
        for (int i = 0; i < queue.tail; i++) {
            long head = queue.cells[i * Entry.WORDS];
            switch (Entry.opcode(head)) {
                case Entry.WAIT -> {
                    long value = queue.cells[i * Entry.WORDS + 2];
                    if (value > 0) {
                        waits.add(new Condition(port(Entry.counter(head)), value));
                    }
                }
                case Entry.RECEIVE -> advances++;
                case Entry.RECEIVE_NAMED -> {
                    advances++;
                    passing[queue.first + i] = counters++;
                    waits.add(new Condition(passing[queue.first + i], 1));
                }
                case Entry.SEND, Entry.SEND_NAMING -> {
                    gate = next(gate, waits, hasBegun);
                    hasBegun = true;
                    steps.add(new Step(Kind.SEND, queue.number, i, gate.counter(), gate.value(),
                            port(Entry.counter(head))));
                }
                case Entry.PUT -> {
                    gate = next(gate, waits, hasBegun);
                    hasBegun = true;
                    gone = gone < 0 ? counters++ : gone;
                    steps.add(new Step(Kind.PUT, queue.number, i, gate.counter(), gate.value(), gone));
                    steps.add(new Step(Kind.PROOF, queue.number, i, gate.counter(), gate.value(), gone));
                }
                default -> {
                    return "entry " + i + " of queue " + queue.number + " " + what(Entry.opcode(head));
                }
            }
        }
        return null;
    }

    /** The condition of an entry that the network begins. */
    private Condition next(Condition before, List<Condition> waits, boolean hasBegun) {
        advances++;
        Condition gate = gate(before, waits, hasBegun);
        waits.clear();
        this.waits |= gate.counter() != GO;
        return gate;
    }

    /** The condition that holds when another holds and these do. */
    private Condition gate(Condition before, List<Condition> waits, boolean hasBegun) {
        List<Condition> all = new ArrayList<>();
        // Everything comes after that, but entries of a queue that wait for nothing else must begin first.
        if (before.counter() != GO || hasBegun) {
            all.add(before);
        }
        for (Condition wait : waits) {
            Condition same = null;
            for (Condition each : all) {
                same = each.counter() == wait.counter() ? each : same;
            }
            if (same == null) {
                all.add(wait);
            } else if (wait.value() > same.value()) {
                all.set(all.indexOf(same), wait);
            }
        }
        if (waits.isEmpty() || all.isEmpty()) {
            return before;
        }
        if (all.size() == 1) {
            return all.getFirst();
        }
        int sum = counters++;
        for (Condition each : all) {
            steps.add(new Step(Kind.ADD, -1, -1, each.counter(), each.value(), sum));
        }
        return new Condition(sum, all.size());
    }

    private static String what(int opcode) {
        return switch (opcode) {
            case Entry.SEND_CONFIRMED -> "is a send that is confirmed";
            case Entry.RECEIVE_COMBINE, Entry.CALC -> "combines elements";
            case Entry.SEND_ENABLE, Entry.RECEIVE_ENABLE -> "enables a queue";
            case Entry.COPY -> "copies";
            case Entry.PIPE -> "is a pipe";
            case Entry.WAIT_OTHER -> "waits for another program";
            case Entry.WAIT_COMPLETIONS -> "waits for a completion queue";
            case Entry.DATAGRAM -> "sends a datagram";
            case Entry.SEND_TO, Entry.RECEIVE_FROM -> "finds its rank in memory";
            case Entry.GET -> "reads memory of a window";
            case Entry.ACCUMULATE, Entry.FETCH, Entry.COMPARE_AND_SWAP -> "combines elements of a window";
            default -> "is on a tree network";
        };
    }
}
