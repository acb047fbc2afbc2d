package io.rankwire.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How processes of one host ask for ranks that replace dead ones: through files in the job's directory, each of which
 * is there whole or not at all. {@code ask.R.I} is the request number I of rank R, {@code answer.R.I} its answer, and
 * {@code part.R} what the new rank R is to join. The board shows how many requests there are, and which places were
 * given to new ranks. {@link ProcessReplacing} answers. A rank has one object of this, for all its threads.
 */
final class ReplacementFiles implements Replacements {
    private final JobDirectory directory;
    private final Board board;
    private final int rank;

    ReplacementFiles(JobDirectory directory, Board board, int rank) {
        this.directory = directory;
        this.board = board;
        this.rank = rank;
    }

    @Override
    public synchronized int ask(Request request) throws IOException {
        int number = board.failures().requests(rank) + 1;
        put(ask(directory, rank, number), request.text());
        board.failures().asked(rank, number);
        return number;
    }

    @Override
    public Answer answer(int number) throws IOException {
        String text = read(answer(directory, rank, number));
        return text == null ? null : Answer.parse(text);
    }

    @Override
    public boolean areThere(List<Integer> ranks) {
        return Replacements.areThere(board, ranks);
    }

    @Override
    public Part part() throws IOException {
        String text = board.failures().isGiven(rank) ? read(part(directory, rank)) : null;
        return text == null ? null : Part.parse(text);
    }

    static Path ask(JobDirectory directory, int rank, int number) {
        return directory.path().resolve("ask." + rank + "." + number);
    }

    static Path answer(JobDirectory directory, int rank, int number) {
        return directory.path().resolve("answer." + rank + "." + number);
    }

    static Path part(JobDirectory directory, int rank) {
        return directory.path().resolve("part." + rank);
    }

    static void put(Path file, String text) throws IOException {
        JobDirectory.put(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Null if there is no such file. */
    static String read(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file) : null;
    }
}
