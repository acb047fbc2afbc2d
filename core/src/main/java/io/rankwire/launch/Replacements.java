package io.rankwire.launch;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** How a rank asks for ranks that replace dead ones, and how a new rank finds out what it is to join. */
public interface Replacements {
    /** How many ranks, besides spares, a job can start to replace dead ones. */
    int MORE = 64;

    /**
     * The number of places of a job.
     *
     * @param started how many ranks are started with it, spares among them
     * @param goesOn whether the others go on when a rank has failed
     */
    static int places(int started, boolean goesOn) {
        return goesOn ? started + MORE : started;
    }

    /** Asks for replacements; returns the number of the request. */
    int ask(Request request) throws IOException;

    /** The answer to a request of this rank; null until there is one. */
    Answer answer(int number) throws IOException;

    /** Whether each of these ranks has opened its port, so that others can reach it, or is dead. */
    boolean areThere(List<Integer> ranks);

    /** The same where one board shows all ranks. */
    static boolean areThere(Board board, List<Integer> ranks) {
        return ranks.stream().allMatch(each -> board.hasJoined(each) || board.failures().isDead(each));
    }

    /** Whether a rank was to replace another one, on one board, and has not joined. */
    static boolean isMissing(Board board, int rank) {
        return board.failures().isGiven(rank) && !board.hasJoined(rank);
    }

    /** What this rank is to join; null for a rank of the world at the start, and for a spare that is not needed yet. */
    Part part() throws IOException;

    /**
     * What is to be repaired. Ranks are those of the job.
     *
     * @param key names the call that asks, among those of a communicator of the world with these members: all of them
     *     ask with the same key and get the same answer, whatever has become of the new ranks meanwhile
     * @param world how many worlds the members have closed before this one
     * @param context the context of the repaired communicator, with how often its number was used before
     * @param name its name
     * @param members the members of the communicator, by their rank in it, with those that are dead
     * @param dead those that are to be replaced
     */
    record Request(String key, int world, long context, String name, List<Integer> members, List<Integer> dead) {
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
    record Answer(List<Integer> members, String reason) {
        String text() {
            return members == null ? "no " + reason : words(members);
        }

        static Answer parse(String text) {
            return text.startsWith("no ") ? new Answer(null, text.substring("no ".length()))
                    : new Answer(numbers(text), null);
        }
    }

    /**
     * What a new rank is to join.
     *
     * @param members the members by their rank in the communicator, this rank among them
     */
    record Part(int world, long context, String name, List<Integer> members) {
        String text() {
            return String.join("\n", Integer.toString(world), Long.toString(context), name, words(members));
        }

        static Part parse(String text) {
            String[] lines = text.split("\n", -1);
            return new Part(Integer.parseInt(lines[0]), Long.parseLong(lines[1]), lines[2], numbers(lines[3]));
        }
    }

    private static String words(List<Integer> numbers) {
        StringBuilder words = new StringBuilder();
        for (int each : numbers) {
            words.append(words.isEmpty() ? "" : " ").append(each);
        }
        return words.toString();
    }

    private static List<Integer> numbers(String text) {
        return text.isEmpty() ? List.of() : Arrays.stream(text.split(" ")).map(Integer::valueOf).toList();
    }
}
