package io.rankwire.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Gives new ranks to processes of one host that ask for them by {@link ReplacementFiles}, on behalf of the process that
 * has started them. One thread uses this.
 */
public final class ProcessReplacing implements Replacing.Crew {
    /** Starts the process of a new rank. */
    @FunctionalInterface
    public interface Starter {
        /**
         * @param rank the new rank
         * @param like the rank of the world at the start whose program it runs
         */
        void start(int rank, int like) throws IOException;
    }

    private final Board board;
    private final FailureLog log;
    private final JobDirectory directory;
    private final RankProcesses processes;
    private final Starter starter;
    private final Replacing replacing;
    /** How many requests of each rank have been dealt with. */
    private final int[] answered;
    /** Answers by the file that each is for, while there was no room for it. */
    private final Map<Path, String> unwritten = new LinkedHashMap<>();

    public ProcessReplacing(Board board, JobDirectory directory, RankProcesses processes, Starter starter) {
        this.board = board;
        this.log = board.failures();
        this.directory = directory;
        this.processes = processes;
        this.starter = starter;
        this.replacing = new Replacing(board.size(), this);
        answered = new int[board.size()];
    }

    /** Answers the requests since the last call, and ends spares when all other ranks have ended. */
    public void look() {
        for (int rank = 0; rank < answered.length; rank++) {
            while (answered[rank] < log.requests(rank)) {
                int number = ++answered[rank];
                unwritten.put(ReplacementFiles.answer(directory, rank, number),
                        answer(ReplacementFiles.ask(directory, rank, number)).text());
            }
        }
        unwritten.entrySet().removeIf(each -> isPut(each.getKey(), each.getValue()));
        dismissSpares();
    }

    /** The answer to a request in a file, which is removed: the answer needs room. */
    private Replacements.Answer answer(Path ask) {
        try {
            Replacements.Request request = Replacements.Request.parse(Files.readString(ask));
            Files.delete(ask);
            return replacing.answer(request);
        } catch (IOException e) {
            return new Replacements.Answer(null, String.valueOf(e.getMessage()).replaceAll("\\R", " "));
        } catch (RuntimeException e) {
            return new Replacements.Answer(null, "the request in " + ask.getFileName() + " makes no sense: " + e);
        }
    }

    private static boolean isPut(Path file, String text) {
        try {
            ReplacementFiles.put(file, text);
            return true;
        } catch (IOException e) {
            // Once more at the next look.
            return false;
        }
    }

    /** The rank of the world at the start in whose place a rank is. */
    public int origin(int rank) {
        return replacing.origin(rank);
    }

    @Override
    public List<Integer> spares(int dead) {
        return IntStream.range(board.worldSize(), processes.count())
                .filter(rank -> board.isIdle(rank) && !log.isDead(rank) && !processes.hasEnded(rank)).boxed().toList();
    }

    @Override
    public int next() {
        return processes.count();
    }

    @Override
    public void start(int rank, int like, int dead) throws IOException {
        starter.start(rank, like);
    }

    @Override
    public void give(int rank, Replacements.Part part) throws IOException {
        ReplacementFiles.put(ReplacementFiles.part(directory, rank), part.text());
        log.give(rank);
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
