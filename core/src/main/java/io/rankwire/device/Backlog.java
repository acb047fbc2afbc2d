package io.rankwire.device;

import io.rankwire.device.transfer.SendTransfers;
import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * What a sender keeps for one peer that is out of credit, by context and tag, and what that peer wants of it. The first
 * message that a want fits is offered, ahead of those before it; it stays in its place of the line until the peer takes
 * it. Made at the first want; wants stand until the peer gives credit again.
 *
 * <p>Each want is looked for once: a tag's messages are linked, and a want of any tag remembers how far it has looked.
 */
final class Backlog {
    /** More receives that differ in context or tag than a peer will ever have posted. */
    private static final int MOST_WANTS = 1 << 22;

    /** The messages of one context and tag, linked by {@link Operation#alike}. */
    private static final class Line {
        final long key;
        Operation first;
        Operation last;

        Line(long key) {
            this.key = key;
        }
    }

    /** What the peer wants: a context and a tag, or any tag. */
    private static final class Want {
        final long key;
        /** The first message of the context, if any tag will do. */
        Operation first;
        boolean isDue;

        Want(long key) {
            this.key = key;
        }
    }

    private final Peer peer;
    private final SendTransfers transfers;
    private final ControlFrames control;
    private final Map<Long, Line> lines = new HashMap<>();
    private final Map<Long, Want> wants = new HashMap<>();
    /** Wants whose first message may have changed since it was offered. */
    private final ArrayDeque<Want> due = new ArrayDeque<>();
    /** The line looked for last: messages come in runs of one tag. */
    private Line memo;

    Backlog(Peer peer, SendTransfers transfers, ControlFrames control) {
        this.peer = peer;
        this.transfers = transfers;
        this.control = control;
        for (Operation o = peer.firstPending; o != null; o = o.next) {
            add(o);
        }
    }

    private static long key(Operation operation) {
        return Frame.header(operation.context, operation.tag);
    }

    private static long anyTag(Operation operation) {
        return Frame.header(operation.context, MatchWord.ANY);
    }

    private Line line(long key) {
        if (memo == null || memo.key != key) {
            memo = lines.computeIfAbsent(key, Line::new);
        }
        return memo;
    }

    /** A message is the last in the line of all. */
    void add(Operation operation) {
        Line line = line(key(operation));
        operation.alike = null;
        if (line.first == null) {
            line.first = operation;
            markDue(wants.get(line.key));
        } else {
            line.last.alike = operation;
        }
        line.last = operation;
        Want any = wants.isEmpty() ? null : wants.get(anyTag(operation));
        if (any != null && any.first == null) {
            any.first = operation;
            markDue(any);
        }
    }

    /** A message is about to leave the line of all. */
    void remove(Operation operation) {
        Line line = line(key(operation));
        if (line.first == operation) {
            line.first = operation.alike;
            markDue(wants.get(line.key));
        } else {
            Operation before = line.first;
            while (before.alike != operation) {
                before = before.alike;
            }
            before.alike = operation.alike;
            line.last = line.last == operation ? before : line.last;
        }
        operation.alike = null;
        if (line.first == null) {
            lines.remove(line.key);
            memo = null;
        }
        Want any = wants.isEmpty() ? null : wants.get(anyTag(operation));
        if (any != null && any.first == operation) {
            any.first = firstOf(operation.context, operation.next);
            markDue(any);
        }
    }

    private static Operation firstOf(int context, Operation from) {
        Operation first = from;
        while (first != null && first.context != context) {
            first = first.next;
        }
        return first;
    }

    private void markDue(Want want) {
        if (want != null && !want.isDue) {
            want.isDue = true;
            due.add(want);
        }
    }

    void want(int context, int tag) {
        if (wants.size() == MOST_WANTS) {
            throw new Violation("more than " + MOST_WANTS + " messages wanted");
        }
        Want want = wants.computeIfAbsent(Frame.header(context, tag), Want::new);
        if (tag == MatchWord.ANY) {
            want.first = firstOf(context, peer.firstPending);
        }
        markDue(want);
    }

    /** The peer has given credit: all goes in its turn. True if nothing is left here. */
    boolean clearWants() {
        wants.clear();
        due.clear();
        return lines.isEmpty();
    }

    boolean isEmpty() {
        return lines.isEmpty() && wants.isEmpty();
    }

    /** Offers what is wanted and was not offered yet, as far as there is room; returns how much. */
    int offer() {
        int work = 0;
        for (Want want = due.peek(); want != null && offer(want); want = due.peek()) {
            due.remove();
            want.isDue = false;
            work++;
        }
        return work;
    }

    /** False if there is no room. */
    private boolean offer(Want want) {
        boolean any = Frame.low(want.key) == MatchWord.ANY;
        Line line = any ? null : lines.get(want.key);
        Operation first = any ? want.first : line == null ? null : line.first;
        // A message that was declined while it is being cancelled leaves the line with the answer to the cancel.
        if (first == null || first.isCancelling() && !first.isOffered()) {
            return true;
        }
        if (!first.isOffered()) {
            return transfers.offer(peer, first, any);
        }
        if (any && !first.sending().foremost) {
            first.sending().foremost = true;
            control.send(peer, Frame.FOREMOST, Frame.header(first.id(), 0));
        }
        return true;
    }
}
