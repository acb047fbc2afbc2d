package io.rankwire.runtime.collective;

import io.rankwire.runtime.CallName;
import io.rankwire.runtime.CallName.Form;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.collective.Shape.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * The collective calls of this rank on one communicator, persistent ones apart from the others: how many, a word mixed
 * from all of them, and the last ones by name. Ranks show each other these on the job's board when they wait long and
 * when they close, so that calls that differ can be named side by side.
 *
 * <p>The tag of a call's messages says which call they belong to, and what sort of call it was, so that ranks that do
 * not make the same call can be told apart (see {@link Mismatch}). Its agreement is of this call and of all before it:
 * should two ranks differ in a call in a way that it does not show, it will with the next one, or the next.
 *
 * <pre>
 *   a tag:                30 | 29         | 28 ...... 17 | 16 .. 12 | 11 ...... 0
 *                         1  | persistent | sequence     | kind     | agreement
 *   a line of the board:  world : context   o (or p)   number   word   the call, its arguments and line
 *   behind the last:      world .
 * </pre>
 */
public final class CallLog {
    /** A call that a rank has said it made. */
    public record Said(boolean persistent, int number, long word, String text) {}

    public static final int TAG_MARK = 1 << 30;
    static final int PERSISTENT = 1 << 29;
    static final int SEQUENCE_SHIFT = 17;
    static final int SEQUENCES = 1 << 12;
    static final int KIND_SHIFT = 12;
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

    boolean isPersistent() {
        return persistent;
    }

    public int made() {
        return made;
    }

    public long history() {
        return history;
    }

    /** A call is made, the next in the order that is the same on all ranks: its tag. */
    int add(Collective call, Form form) {
        int number = made;
        int agreement = call.agreement + (int) (history >>> 52) & (1 << KIND_SHIFT) - 1;
        history = (history + call.remembered) * MIX;
        int place = made++ & KEPT - 1;
        // Storing a reference costs more than finding that it is there already.
        if (names[place] != call.name) {
            names[place] = call.name;
        }
        blocking = blocking & ~(1 << place) | (form == Form.BLOCKING ? 1 : 0) << place;
        words[place] = persistent ? call.remembered : history;
        call.name.used();
        return TAG_MARK | (persistent ? PERSISTENT : 0) | (number & SEQUENCES - 1) << SEQUENCE_SHIFT
                | call.agreement & -1 << KIND_SHIFT | agreement;
    }

    /** Which call a tag is of, without its arguments. */
    public static String kindOf(int tag) {
        int kind = tag >>> KIND_SHIFT & (1 << SEQUENCE_SHIFT - KIND_SHIFT) - 1;
        Kind[] kinds = Kind.values();
        return kind < kinds.length ? kinds[kind].call : "unknown call";
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

    /** The number of the call that has a tag, as far as it is remembered; else -1. */
    int numberOf(int tag) {
        int lowest = tag >>> SEQUENCE_SHIFT;
        int number = made - 1 - (made - 1 - lowest & SEQUENCES - 1);
        return (tag & TAG_MARK) != 0 && has(number) ? number : -1;
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
                for (CallLog log : new CallLog[] {on.collectives().calls(), on.collectives().persistentCalls()}) {
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
