package io.rankwire.sim.program;

import io.rankwire.launch.DeadlockWatch;
import io.rankwire.launch.ProgramProcess;
import io.rankwire.launch.ThreadRanks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Runs a program again and again, each time with another choice of what its any-source receives meet, depth first, and
 * tells the ways in which it has ended apart.
 */
final class Exploration {
    /** How a run has ended; runs that ended alike are one. */
    record Outcome(int status, String story, String output) {}

    /** Runs that ended alike: how many, and the decisions of the first. */
    static final class Runs {
        final int[] decisions;
        int count;

        Runs(int[] decisions) {
            this.decisions = decisions;
        }
    }

    /** A decision of the run before, with what else it could be. */
    private static final class Branch {
        final SequencedSet<Integer> tried = new LinkedHashSet<>();
        final TreeSet<Integer> left = new TreeSet<>();

        Branch(Decision decision) {
            tried.add(decision.choice);
            for (int choice = 0; choice < decision.count(); choice++) {
                left.add(choice);
            }
        }
    }

    private final Settings settings;
    private final int size;
    private final Map<Outcome, Runs> outcomes = new LinkedHashMap<>();
    private final List<Branch> branches = new ArrayList<>();
    private int runs;
    private boolean complete;

    Exploration(Settings settings, int size) {
        this.settings = settings;
        this.size = size;
    }

    /**
     * Runs them.
     *
     * @param most runs at most
     * @param body what each rank does, the same each time
     * @param output gives what the ranks have written in a run
     */
    void run(int most, ThreadRanks.Body body, Supplier<String> output) {
        int[] decisions = {};
        for (int tries = 0; decisions != null && tries < most; tries++) {
            int[] taken = decisions;
            ArrivalOrder order = new ArrivalOrder(taken);
            Outcome plain = once(order, body);
            Outcome outcome = new Outcome(plain.status, plain.story, output.get());
            if (!order.isAbandoned()) {
                runs++;
                outcomes.computeIfAbsent(outcome, o -> new Runs(taken)).count++;
            }
            decisions = following(order.decisions());
        }
        complete = decisions == null;
    }

    /** The decisions of the run after one that has taken these; null when it was the last. */
    private int[] following(List<Decision> taken) {
        for (int i = 0; i < taken.size(); i++) {
            if (i == branches.size()) {
                branches.add(new Branch(taken.get(i)));
            }
            branches.get(i).left.addAll(taken.get(i).others());
            branches.get(i).left.removeAll(branches.get(i).tried);
        }
        while (!branches.isEmpty() && branches.getLast().left.isEmpty()) {
            branches.removeLast();
        }
        if (branches.isEmpty()) {
            return null;
        }
        branches.getLast().tried.add(branches.getLast().left.removeFirst());
        return branches.stream().mapToInt(branch -> branch.tried.getLast()).toArray();
    }

    private Outcome once(ArrivalOrder order, ThreadRanks.Body body) {
        try {
            SimulatedRanks.run(settings, size, order, null, body);
            return new Outcome(0, "", "");
        } catch (ThreadRanks.Failed e) {
            boolean deadlock = e.rank() < 0;
            return new Outcome(deadlock ? DeadlockWatch.EXIT_STATUS : ProgramProcess.status(e.getCause()),
                    deadlock ? e.getMessage() : "rank " + e.rank() + ": " + e.getCause(), "");
        }
    }

    Map<Outcome, Runs> outcomes() {
        return outcomes;
    }

    int runs() {
        return runs;
    }

    /** Whether there is no other choice left. */
    boolean isComplete() {
        return complete;
    }

    /** The status of the first way that failed; 1 when all ended well but not alike. */
    int status() {
        for (Outcome outcome : outcomes.keySet()) {
            if (outcome.status != 0) {
                return outcome.status;
            }
        }
        return outcomes.size() > 1 ? 1 : 0;
    }

    String report() {
        StringBuilder text = new StringBuilder("rankwire: ").append(runs).append(" runs, ")
                .append(complete ? "one for each choice of what any-source receives meet"
                        : "and there are more choices of what any-source receives meet; raise --explore")
                .append(outcomes.size() == 1 ? ": all end alike\n" : ": they end in " + outcomes.size() + " ways\n");
        Outcome first = outcomes.keySet().iterator().next();
        for (Map.Entry<Outcome, Runs> each : outcomes.entrySet()) {
            Outcome outcome = each.getKey();
            if (outcomes.size() == 1 && outcome.status == 0) {
                break;
            }
            text.append(each.getValue().count).append(each.getValue().count == 1 ? " run" : " runs")
                    .append(" (the first with --choices ").append(choices(each.getValue().decisions)).append("): ")
                    .append(outcome.status == 0 ? "ended well" : "status " + outcome.status + ", " + outcome.story)
                    .append('\n');
            if (outcome == first || !outcome.output.equals(first.output)) {
                text.append(outcome.output.indent(2));
            }
        }
        return text.toString();
    }

    static String choices(int[] decisions) {
        return decisions.length == 0 ? "-" : Arrays.toString(decisions).replaceAll("[\\[\\] ]", "");
    }

    /** What {@link #choices} wrote. */
    static int[] choices(String text) {
        return text.equals("-") ? new int[0] : Arrays.stream(text.split(",")).mapToInt(Integer::parseInt).toArray();
    }
}
