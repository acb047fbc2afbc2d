package io.rankwire;

import java.util.ArrayList;
import java.util.List;

/**
 * The collective calls of this rank on one communicator, persistent ones apart from the others: how many, a word mixed
 * from all of them, and the last ones by name. Ranks show each other these on the job's board when they wait long and
 * when they close, so that calls that differ can be named side by side.
 *
 * <pre>
 *   a line of the board:  world : context   o (or p)   number   word   the call, its arguments and line
 *   behind the last:      world .
 * </pre>
 */
final class CallLog {
    enum Form { BLOCKING, NONBLOCKING, PERSISTENT }

    /** A call that a rank has said it made. */
    record Said(boolean persistent, int number, long word, String text) {}

    private static final int KEPT = 16;
    private static final long MIX = 0xD1342543DE82EF95L;

    private final CallName[] names = new CallName[KEPT];
    private final long[] words = new long[KEPT];
    private final boolean persistent;
    /** A bit for each of the last calls: whether it was a blocking one. */
    private int blocking;
    private int made;
    /** Mixed from all calls so far. */
    private long history;

    CallLog(boolean persistent) {
        this.persistent = persistent;
    }

    int made() {
        return made;
    }

    long history() {
        return history;
    }

    void add(CallName name, Form form, long remembered) {
        history = (history + remembered) * MIX;
        int place = made++ & KEPT - 1;
        // Storing a reference costs more than finding that it is there already.
        if (names[place] != name) {
            names[place] = name;
        }
        blocking = blocking & ~(1 << place) | (form == Form.BLOCKING ? 1 : 0) << place;
        words[place] = persistent ? remembered : history;
        name.used();
    }

    /** Whether the call of a number was made and is remembered. */
    boolean has(int number) {
        return number >= 0 && number < made && number >= made - KEPT;
    }

    long word(int number) {
        return words[number & KEPT - 1];
    }

    CallName name(int number) {
        return names[number & KEPT - 1];
    }

    Form form(int number) {
        return persistent ? Form.PERSISTENT : (blocking >> (number & KEPT - 1) & 1) != 0 ? Form.BLOCKING
                : Form.NONBLOCKING;
    }

    String describe(int number) {
        return name(number).describe(form(number));
    }

    /** The last call whose number ends with these bits. */
    int numberOf(int lowest, int mask) {
        return made - 1 - (made - 1 - lowest & mask);
    }

    /** The line of the board for the call that many calls back, or null. */
    private String line(String key, int back) {
        int number = made - 1 - back;
        if (!has(number) || persistent && !name(number).started) {
            return null;
        }
        return key + (persistent ? " p " : " o ") + number + " " + Long.toHexString(word(number))
                + " " + describe(number) + "\n";
    }

    /** What a rank shows of its calls in a world, the last of each communicator first. */
    static String show(int world, List<CollectiveStarts> all) {
        StringBuilder text = new StringBuilder();
        for (int back = 0; back < KEPT; back++) {
            for (CollectiveStarts on : all) {
                for (CallLog log : new CallLog[] {on.calls, on.persistentCalls}) {
                    String line = log.line(world + ":" + Integer.toHexString(on.context()), back);
                    text.append(line == null ? "" : line);
                }
            }
        }
        return text.append(world).append(" .").toString();
    }

    /** What another rank has shown of its calls on a communicator, the first of them first. */
    static List<Said> read(String shown, int world, int context) {
        String key = world + ":" + Integer.toHexString(context);
        List<Said> calls = new ArrayList<>();
        for (String line : shown.split("\n")) {
            String[] parts = line.split(" ", 5);
            if (parts.length == 5 && parts[0].equals(key)) {
                calls.addFirst(new Said(parts[1].equals("p"), Integer.parseInt(parts[2]),
                        Long.parseUnsignedLong(parts[3], 16), parts[4]));
            }
        }
        return calls;
    }

    /** Whether that was all that could be shown. */
    static boolean isWhole(String shown, int world) {
        return shown.endsWith(world + " .");
    }
}
