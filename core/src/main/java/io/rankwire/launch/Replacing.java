package io.rankwire.launch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives places of a job to new ranks that replace dead ones: the launcher's part of {@link Replacements}. A spare that
 * waits is taken first, then a process is started for the next free place. One thread uses this.
 */
public final class Replacing {
    /** Starts the process of a new rank. */
    @FunctionalInterface
    public interface Starter {
        /**
         * @param rank the new rank
         * @param like the rank whose program it runs
         */
        void start(int rank, int like) throws IOException;
    }

    private final Board board;
    private final FailureLog log;
    private final JobDirectory directory;
    private final RankProcesses processes;
    private final Starter starter;
    /** How many requests of each rank have their answer. */
    private final int[] answered;
    /** By key: all members of a communicator ask, and a new rank that has died is replaced by the next call. */
    private final Map<String, Replacements.Answer> answers = new HashMap<>();

    public Replacing(Board board, JobDirectory directory, RankProcesses processes, Starter starter) {
        this.board = board;
        this.log = board.failures();
        this.directory = directory;
        this.processes = processes;
        this.starter = starter;
        answered = new int[board.size()];
    }

    /** Answers the requests since the last call, and ends spares when all other ranks have ended. */
    public void look() throws IOException {
        for (int rank = 0; rank < answered.length; rank++) {
            while (answered[rank] < log.requests(rank)) {
                int number = ++answered[rank];
                String text = Replacements.read(Replacements.ask(directory, rank, number));
                Replacements.Request request = Replacements.Request.parse(text);
                Replacements.Answer answer = answers.get(request.key());
                if (answer == null) {
                    answer = answer(request);
                    answers.put(request.key(), answer);
                }
                Replacements.put(Replacements.answer(directory, rank, number), answer.text());
            }
        }
        dismissSpares();
    }

    private Replacements.Answer answer(Replacements.Request request) throws IOException {
        Map<Integer, Integer> ranks = new HashMap<>();
        List<Integer> free = new ArrayList<>();
        for (int dead : request.dead()) {
            String obstacle = find(free, dead);
            if (obstacle != null) {
                return new Replacements.Answer(null, obstacle);
            }
            ranks.put(dead, free.getLast());
        }
        List<Integer> members = request.members().stream().map(each -> ranks.getOrDefault(each, each)).toList();
        Replacements.Part part = new Replacements.Part(request.world(), request.context(), request.name(), members);
        for (int rank : ranks.values()) {
            Replacements.put(Replacements.part(directory, rank), part.text());
            log.give(rank);
        }
        return new Replacements.Answer(members, null);
    }

    /** Adds a rank for a dead one, whose process waits; returns why there is none, or null. */
    private String find(List<Integer> free, int dead) {
        int next = processes.count();
        for (int rank = board.worldSize(); rank < next; rank++) {
            if (board.isIdle(rank) && !log.isDead(rank) && !processes.hasEnded(rank) && !free.contains(rank)) {
                free.add(rank);
                return null;
            }
        }
        if (next >= board.size()) {
            return "all " + board.size() + " places of the job have been used";
        }
        try {
            starter.start(next, dead);
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
        free.add(next);
        return null;
    }

    private void dismissSpares() {
        for (int rank = 0; rank < processes.count(); rank++) {
            if (!board.isIdle(rank) && !processes.hasEnded(rank)) {
                return;
            }
        }
        for (int rank = board.worldSize(); rank < processes.count(); rank++) {
            if (board.isIdle(rank)) {
                processes.dismiss(rank);
            }
        }
    }
}
