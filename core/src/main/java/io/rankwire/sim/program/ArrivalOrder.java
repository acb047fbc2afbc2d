package io.rankwire.sim.program;

import io.rankwire.launch.Board;
import io.rankwire.sim.SimFabric;
import io.rankwire.wire.Frame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;

/**
 * Keeps messages back until no rank can go on without one, and then decides which arrives first. A rank that waits for
 * one peer gets that peer's next message; a rank that would take any gets that of a sender chosen by a list of
 * decisions, and of the first where the list ends. So two runs differ only in what an any-source receive meets, and
 * following all lists shows all that it could meet.
 */
final class ArrivalOrder implements SimFabric.Gate {
    private final int[] given;
    private final List<Integer> taken = new ArrayList<>();
    private final List<Integer> counts = new ArrayList<>();
    /** Frames kept back, by receiver and sender. */
    private final TreeMap<Integer, TreeMap<Integer, Deque<Kept>>> frames = new TreeMap<>();
    private SimFabric fabric;
    private Board board;
    private int kept;

    private record Kept(int frame, boolean isMessage) {}

    /**
     * @param given the first decisions: numbers of senders, among those that could be met
     */
    ArrivalOrder(int... given) {
        this.given = given;
    }

    void guard(SimFabric of, Board ranks) {
        fabric = of;
        board = ranks;
        of.gate(this);
    }

    int kept() {
        return kept;
    }

    /** What was decided, and of how many each time. */
    int[] taken() {
        return taken.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The decisions of the run after this one; null when this was the last. */
    int[] following() {
        for (int last = taken.size() - 1; last >= 0; last--) {
            if (taken.get(last) + 1 < counts.get(last)) {
                int[] next = new int[last + 1];
                for (int i = 0; i <= last; i++) {
                    next[i] = taken.get(i);
                }
                next[last]++;
                return next;
            }
        }
        return null;
    }

    @Override
    public boolean keeps(int frame, int from, int to, int meta, long header) {
        boolean message = isMessage(meta, header);
        TreeMap<Integer, Deque<Kept>> toIt = frames.computeIfAbsent(to, r -> new TreeMap<>());
        Deque<Kept> before = toIt.get(from);
        if (!message && before == null) {
            return false;
        }
        toIt.computeIfAbsent(from, s -> new ArrayDeque<>()).add(new Kept(frame, message));
        kept++;
        return true;
    }

    /** A message of the program itself, not of a call of the library. */
    private static boolean isMessage(int meta, long header) {
        return switch (Frame.kind(meta)) {
            case Frame.EAGER, Frame.EAGER_SYNC, Frame.REQUEST_TO_SEND, Frame.EAGER_FIRST -> Frame.high(header) >= 0;
            case Frame.DATAGRAM -> true;
            default -> false;
        };
    }

    /** Lets messages arrive; the board says what each rank waits for. Returns the ranks they are for. */
    List<Integer> next(RankTime[] ranks) {
        List<Integer> moved = new ArrayList<>();
        int open = -1;
        for (Integer to : List.copyOf(frames.keySet())) {
            if (frames.get(to).isEmpty()) {
                continue;
            }
            boolean blocked = board.state(to) == Board.State.BLOCKED;
            int wanted = blocked ? board.waitsFor(to) : -1;
            if (blocked && wanted >= 0 && frames.get(to).containsKey(wanted)) {
                deliver(to, wanted, moved);
            } else if (open < 0 && (blocked && wanted < 0 || ranks[to].isLooking())) {
                open = to;
            }
        }
        if (moved.isEmpty() && open >= 0) {
            choose(open, moved);
        }
        if (moved.isEmpty()) {
            for (Integer to : List.copyOf(frames.keySet())) {
                for (Integer from : List.copyOf(frames.get(to).keySet())) {
                    deliver(to, from, moved);
                }
            }
        }
        return moved;
    }

    private void choose(int to, List<Integer> moved) {
        List<Integer> senders = List.copyOf(frames.get(to).keySet());
        int choice = 0;
        if (senders.size() > 1) {
            int number = taken.size();
            choice = number < given.length ? Math.min(given[number], senders.size() - 1) : 0;
            taken.add(choice);
            counts.add(senders.size());
        }
        deliver(to, senders.get(choice), moved);
    }

    /** The first message of a sender, and what follows it up to the next. */
    private void deliver(int to, int from, List<Integer> moved) {
        Deque<Kept> line = frames.get(to).get(from);
        do {
            fabric.deliver(line.remove().frame);
            kept--;
        } while (!line.isEmpty() && !line.peek().isMessage);
        if (line.isEmpty()) {
            frames.get(to).remove(from);
        }
        if (!moved.contains(to)) {
            moved.add(to);
        }
    }
}
