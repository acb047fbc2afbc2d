package io.rankwire.launch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives places of a job to new ranks that replace dead ones, on behalf of the one authority of the job. A spare that
 * waits is taken first; then a rank is started in the next place that was never used. One thread at a time uses this.
 */
public final class Replacing {
    /** The processes or threads of a job, as far as this matters. */
    public interface Crew {
        /** Spares that wait for their part, in the order in which they are to replace a dead rank. */
        List<Integer> spares(int dead);

        /** The first place that was never used. */
        int next();

        /**
         * Starts a rank in the next place.
         *
         * @param like the rank of the world at the start whose program it runs
         * @param dead the rank that it is to replace
         * @throws IOException with the reason if that is not possible
         */
        void start(int rank, int like, int dead) throws IOException;

        /** A rank that waits, or was just started, gets what it is to join. */
        void give(int rank, Replacements.Part part) throws IOException;
    }

    /**
     * The members of a communicator ask in each of its calls: groups without a common member may use one context, and
     * each world uses contexts anew.
     */
    private record Call(int world, String key, List<Integer> members) {}

    private final int places;
    private final Crew crew;
    /** All members of a communicator ask, and a new rank that has died is replaced by the next call. */
    private final Map<Call, Replacements.Answer> answers = new HashMap<>();
    /** For each new rank the rank of the world at the start in whose place it is. */
    private final Map<Integer, Integer> origins = new HashMap<>();

    public Replacing(int places, Crew crew) {
        this.places = places;
        this.crew = crew;
    }

    /** The rank of the world at the start in whose place a rank is: this one itself, unless it has replaced another. */
    public int origin(int rank) {
        return origins.getOrDefault(rank, rank);
    }

    /** Gives out places, once for each call. */
    public Replacements.Answer answer(Replacements.Request request) throws IOException {
        Call call = new Call(request.world(), request.key(), request.members());
        Replacements.Answer known = answers.get(call);
        if (known == null) {
            known = find(request);
            answers.put(call, known);
        }
        return known;
    }

    private Replacements.Answer find(Replacements.Request request) throws IOException {
        int missing = request.dead().size() - crew.spares(request.dead().getFirst()).size();
        if (crew.next() + missing > places) {
            return new Replacements.Answer(null, "the job may start " + places + " ranks in all and has started "
                    + crew.next() + ", so it cannot start " + missing + " more: call shrink() to go on with fewer");
        }
        Map<Integer, Integer> ranks = new HashMap<>();
        List<Integer> taken = new ArrayList<>();
        for (int dead : request.dead()) {
            int rank = crew.spares(dead).stream().filter(each -> !taken.contains(each)).findFirst().orElse(-1);
            if (rank < 0) {
                rank = crew.next();
                try {
                    crew.start(rank, origin(dead), dead);
                } catch (IOException e) {
                    return new Replacements.Answer(null, String.valueOf(e.getMessage()));
                }
            }
            taken.add(rank);
            ranks.put(dead, rank);
        }
        List<Integer> members = request.members().stream().map(each -> ranks.getOrDefault(each, each)).toList();
        Replacements.Part part =
                new Replacements.Part(request.world(), request.context(), request.name(), members);
        for (Map.Entry<Integer, Integer> each : ranks.entrySet()) {
            origins.put(each.getValue(), origin(each.getKey()));
            try {
                crew.give(each.getValue(), part);
            } catch (IOException e) {
                return new Replacements.Answer(null, String.valueOf(e.getMessage()));
            }
        }
        return new Replacements.Answer(members, null);
    }
}
