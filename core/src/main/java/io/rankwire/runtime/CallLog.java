package io.rankwire.runtime;

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
public final class CallLog {
    public enum Form { BLOCKING, NONBLOCKING, PERSISTENT }

    /** A call that a rank has said it made. */
    public record Said(boolean persistent, int number, long word, String text) {}

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

    public CallLog(boolean persistent) {
        this.persistent = persistent;
    }

    public int made() {
        return made;
    }

    public long history() {
        return history;
    }

    public void add(CallName name, Form form, long remembered) {
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
    public boolean has(int number) {
        return number >= 0 && number < made && number >= made - KEPT;
    }

    public long word(int number) {
        return words[number & KEPT - 1];
    }

    public CallName name(int number) {
        return names[number & KEPT - 1];
    }

    public Form form(int number) {
        return persistent ? Form.PERSISTENT : (blocking >> (number & KEPT - 1) & 1) != 0 ? Form.BLOCKING
                : Form.NONBLOCKING;
    }

    public String describe(int number) {
        return name(number).describe(form(number));
    }

    /** The last call whose number ends with these bits. */
    public int numberOf(int lowest, int mask) {
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
    public static String show(int world, List<Endpoint> all) {
        StringBuilder text = new StringBuilder();
        for (int back = 0; back < KEPT; back++) {
            for (Endpoint on : all) {
                for (CallLog log : new CallLog[] {on.collectives().calls, on.collectives().persistentCalls}) {
                    String line = log.line(world + ":" + Integer.toHexString(on.context()), back);
                    text.append(line == null ? "" : line);
                }
            }
        }
        return text.append(world).append(" .").toString();
    }

    /** What another rank has shown of its calls on a communicator, the first of them first. */
    public static List<Said> read(String shown, int world, int context) {
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
    public static boolean isWhole(String shown, int world) {
        return shown.endsWith(world + " .");
    }
}
