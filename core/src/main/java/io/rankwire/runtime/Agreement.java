package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import java.util.Arrays;

/**
 * Exchanges rows of numbers among ranks that create or free communicators. Every row passes through one member, the
 * root, over the hidden messages of a communicator that the members share. {@link Communicators}, {@link Contexts} and
 * the topologies use it for calls that are rare and need not be fast. A report about a rank that waits here names the
 * program's call.
 */
public record Agreement(
        Messenger messages, RankSet members, RankSet needed, int rank, int root, int tag, String call) {
    /**
     * All members create one for a call, with the same values but for {@code rank}. Where two ranks only send each
     * other rows, each may have itself as the first member.
     *
     * @param messages carries the rows
     * @param members the ranks that take part
     * @param needed the ranks that the whole call needs: if one is dead, a row may never come
     * @param rank the member that this rank is
     * @param root the member that every row passes through
     * @param tag separates calls that may be under way at the same time
     * @param call the program's call, for reports
     */
    public Agreement {}

    /** An agreement of some ranks of a communicator, of a call that needs no others. */
    Agreement(Endpoint on, RankSet members, int root, int tag, String call) {
        this(on, members, members, root, tag, call);
    }

    /** An agreement of some ranks of a communicator. */
    Agreement(Endpoint on, RankSet members, RankSet needed, int root, int tag, String call) {
        this(on.hidden(), members, needed, members.rankOf(on.session().worldRank()), root, tag, call);
    }

    /** An agreement of all ranks of a communicator; rank 0 is the root. */
    public static Agreement of(Endpoint all, int tag, String call) {
        return new Agreement(all, all.group(), 0, tag, call);
    }

    /** The same with the tag of calls of which one is under way at a time. */
    public static Agreement of(Endpoint all, String call) {
        return of(all, Contexts.MEMBERS, call);
    }

    boolean isRoot() {
        return rank == root;
    }

    /** Returns the row of every member at the root, and null elsewhere. */
    long[][] gather(long... mine) {
        if (!isRoot()) {
            sendRow(root, mine);
            return null;
        }
        long[][] rows = new long[members.size()][];
        for (int member = 0; member < rows.length; member++) {
            rows[member] = member == root ? mine : receiveRow(member);
        }
        return rows;
    }

    /** Returns the root's row at every member; the rows of other members are ignored. */
    long[] broadcast(long... row) {
        if (!isRoot()) {
            return receiveRow(root);
        }
        for (int member = 0; member < members.size(); member++) {
            if (member != root) {
                sendRow(member, row);
            }
        }
        return row;
    }

    /** Returns the row of every member at every member. */
    public long[][] allgather(long... mine) {
        long[][] rows = gather(mine);
        return unpack(broadcast(rows == null ? mine : pack(rows)));
    }

    /** Returns the first member whose row differs from that of member 0, or -1; the same at every member. */
    int firstDifferent(long... mine) {
        long[][] rows = gather(mine);
        int found = -1;
        for (int member = 1; rows != null && found < 0 && member < rows.length; member++) {
            found = Arrays.equals(rows[0], rows[member]) ? -1 : member;
        }
        return (int) broadcast(found)[0];
    }

    /**
     * Throws on every rank unless all ranks give the same row.
     *
     * @param subject begins the error: the call, and the argument if the row is of one
     * @param difference ends the error: what the two ranks named in it do differently
     */
    static void checkSame(Endpoint all, String call, String subject, String difference, long... row) {
        int other = of(all, Contexts.TOPOLOGY, call).firstDifferent(row);
        if (other >= 0) {
            throw all.error(ErrorClass.TOPOLOGY, subject + ": ranks 0 and " + other + " " + difference);
        }
    }

    void sendRow(int member, long... row) {
        messages.sendRow(row, members.worldRank(member), tag, needed, call);
    }

    long[] receiveRow(int member) {
        return messages.receiveRow(members.worldRank(member), tag, needed, call);
    }

    /** Joins rows to one, each behind its length. */
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

    static long[] toLongs(int... numbers) {
        return Arrays.stream(numbers).asLongStream().toArray();
    }

    /** The numbers of a row behind its first ones. */
    static int[] toInts(long[] row, int from) {
        return Arrays.stream(row, from, row.length).mapToInt(number -> (int) number).toArray();
    }
}
