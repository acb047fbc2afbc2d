package io.rankwire.runtime;

import java.util.Arrays;

/**
 * What ranks tell each other to make and end communicators: rows of numbers, over the hidden messages of one they
 * share, through one rank that hears all and tells all. Meant for calls that are few, not fast; everything of this kind
 * goes through here. A report of a rank that waits names the program's call.
 */
public final class Agreement {
    private final Messenger messages;
    private final RankSet members;
    private final int rank;
    private final int root;
    private final int tag;
    private final String call;

    /**
     * All members make one for a call, with the same values.
     *
     * @param on what carries the messages
     * @param members who takes part
     * @param root the member that hears all
     * @param tag keeps calls apart that may be under way together
     */
    public Agreement(Endpoint on, RankSet members, int root, int tag, String call) {
        this(on.hidden(), members, members.rankOf(on.session().worldRank()), root, tag, call);
    }

    public Agreement(Messenger messages, RankSet members, int rank, int root, int tag, String call) {
        this.messages = messages;
        this.members = members;
        this.rank = rank;
        this.root = root;
        this.tag = tag;
        this.call = call;
    }

    /** All ranks of a communicator, by their first. */
    public static Agreement of(Endpoint all, int tag, String call) {
        return new Agreement(all, all.group(), 0, tag, call);
    }

    public boolean isRoot() {
        return rank == root;
    }

    /** At the root the row of every member; elsewhere null. */
    public long[][] atRoot(long... mine) {
        if (!isRoot()) {
            tell(root, mine);
            return null;
        }
        long[][] rows = new long[members.size()][];
        for (int member = 0; member < rows.length; member++) {
            rows[member] = member == root ? mine : hear(member);
        }
        return rows;
    }

    /** The root's row, at every member; others give anything. */
    public long[] fromRoot(long... row) {
        if (!isRoot()) {
            return hear(root);
        }
        for (int member = 0; member < members.size(); member++) {
            if (member != root) {
                tell(member, row);
            }
        }
        return row;
    }

    /** The row of every member, at every member. */
    public long[][] everywhere(long... mine) {
        long[][] rows = atRoot(mine);
        return unpack(fromRoot(rows == null ? mine : pack(rows)));
    }

    /** The first member whose row is not the first one's, or -1; all get the same answer. */
    public int stranger(long... mine) {
        long[][] rows = atRoot(mine);
        int found = -1;
        for (int member = 1; rows != null && found < 0 && member < rows.length; member++) {
            found = Arrays.equals(rows[0], rows[member]) ? -1 : member;
        }
        return (int) fromRoot(found)[0];
    }

    /** Returns when all members have come here. */
    public void meet() {
        atRoot();
        fromRoot();
    }

    public void tell(int member, long... row) {
        messages.tell(row, members.worldRank(member), tag, call);
    }

    public long[] hear(int member) {
        return messages.hear(members.worldRank(member), tag, call);
    }

    /** Each row behind its length. */
    private static long[] pack(long[][] rows) {
        int words = 0;
        for (long[] row : rows) {
            words += row.length + 1;
        }
        long[] packed = new long[words];
        int at = 0;
        for (long[] row : rows) {
            packed[at++] = row.length;
            System.arraycopy(row, 0, packed, at, row.length);
            at += row.length;
        }
        return packed;
    }

    private long[][] unpack(long[] packed) {
        long[][] rows = new long[members.size()][];
        int at = 0;
        for (int member = 0; member < rows.length; member++) {
            int length = (int) packed[at++];
            rows[member] = Arrays.copyOfRange(packed, at, at + length);
            at += length;
        }
        return rows;
    }

    public static long[] words(int... numbers) {
        long[] words = new long[numbers.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = numbers[i];
        }
        return words;
    }

    public static int[] numbers(long[] words, int from) {
        int[] numbers = new int[words.length - from];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = (int) words[from + i];
        }
        return numbers;
    }
}
