package io.rankwire.launch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * How a rank asks the launcher for ranks that replace dead ones, and how a new rank finds out what it is to join. All
 * goes through files in the job's directory, each of which is there whole or not at all: {@code ask.R.I} is the request
 * number I of rank R, {@code answer.R.I} its answer, and {@code part.R} what the new rank R is to join. The board shows
 * how many requests there are, and which places were given to new ranks.
 */
public final class Replacements {
    private static final long PAUSE_NS = 1_000_000;
    private static final String REFUSED = "no";

    private final JobDirectory directory;
    private final Board board;
    private final int rank;

    Replacements(JobDirectory directory, Board board, int rank) {
        this.directory = directory;
        this.board = board;
        this.rank = rank;
    }

    /**
     * What is to be repaired. Ranks are those of the job.
     *
     * @param key names the call that asks: all members ask with the same key and get the same answer, whatever has
     *     become of the new ranks meanwhile
     * @param world how many worlds the members have closed before this one
     * @param context the context of the repaired communicator, with how often its number was used before
     * @param name its name
     * @param members the members of the communicator, by their rank in it, with those that are dead
     * @param dead those that are to be replaced
     */
    public record Request(String key, int world, long context, String name, List<Integer> members, List<Integer> dead) {
        public Request {
            name = name.replaceAll("\\R", " ");
            members = List.copyOf(members);
            dead = List.copyOf(dead);
        }

        String text() {
            return String.join("\n", key, Integer.toString(world), Long.toString(context), name, words(members),
                    words(dead));
        }

        static Request parse(String text) {
            String[] lines = text.split("\n", -1);
            return new Request(lines[0], Integer.parseInt(lines[1]), Long.parseLong(lines[2]), lines[3],
                    numbers(lines[4]), numbers(lines[5]));
        }
    }

    /**
     * What came of a request.
     *
     * @param members the members of the repaired communicator, by their rank in it; null if there is no place or no
     *     process for one of them
     * @param reason why not; null if there are members
     */
    public record Answer(List<Integer> members, String reason) {
        String text() {
            return members == null ? REFUSED + " " + reason : words(members);
        }

        static Answer parse(String text) {
            return text.startsWith(REFUSED) ? new Answer(null, text.substring(REFUSED.length() + 1))
                    : new Answer(numbers(text), null);
        }
    }

    /**
     * What a new rank is to join.
     *
     * @param members the members by their rank in the communicator, this rank among them
     */
    public record Part(int world, long context, String name, List<Integer> members) {
        String text() {
            return String.join("\n", Integer.toString(world), Long.toString(context), name, words(members));
        }

        static Part parse(String text) {
            String[] lines = text.split("\n", -1);
            return new Part(Integer.parseInt(lines[0]), Long.parseLong(lines[1]), lines[2], numbers(lines[3]));
        }
    }

    /** Asks for replacements; returns the number of the request. */
    public int ask(Request request) throws IOException {
        int number = board.failures().requests(rank) + 1;
        put(ask(directory, rank, number), request.text());
        board.failures().asked(rank, number);
        return number;
    }

    /** The answer to a request of this rank; null until there is one. */
    public Answer answer(int number) throws IOException {
        String text = read(answer(directory, rank, number));
        return text == null ? null : Answer.parse(text);
    }

    /** Whether each of these ranks has opened its port, so that others can reach it, or is dead. */
    public boolean areThere(List<Integer> ranks) {
        return ranks.stream().allMatch(each -> board.hasJoined(each) || board.failures().isDead(each));
    }

    /** What this rank is to join; null for a rank of the world at the start, and for a spare that is not needed yet. */
    public Part part() throws IOException {
        String text = board.failures().isGiven(rank) ? read(part(directory, rank)) : null;
        return text == null ? null : Part.parse(text);
    }

    /**
     * Waits until there is something to join for this rank, which is none of the world at the start.
     *
     * @throws IllegalStateException if the job is over
     */
    public Part awaitPart() throws IOException {
        for (Part part = part(); ; part = part()) {
            if (part != null) {
                return part;
            }
            if (board.aborted()) {
                throw new IllegalStateException("given up while it waited as a spare: " + board.abortReason());
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
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

    /** Writes a file that is there whole or not at all. */
    static void put(Path file, String text) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".draft");
        JobDirectory.write(draft, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Null if there is no such file. */
    static String read(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file) : null;
    }

    private static String words(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }

    private static List<Integer> numbers(String text) {
        return text.isEmpty() ? List.of() : Arrays.stream(text.split(" ")).map(Integer::valueOf).toList();
    }
}
