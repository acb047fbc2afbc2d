package io.rankwire.sim.program;

import io.rankwire.launch.VirtualTime;
import io.rankwire.sim.SimFabric;
import io.rankwire.wire.MatchWord;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Keeps messages back until no rank can go on without one, and then decides which arrives first. A receive that only
 * one message can meet gets that; one of any source, a probe, or a wait for several receives gets that of a list of
 * decisions, and the first there is where the list ends. So two runs differ only in what such a call meets, and
 * following all lists shows all that it could meet.
 *
 * <p>What could be met is known only in part when it is decided: a sender may come later, without needing anything of
 * what this receive leads to. It is found when it comes (frames carry the decisions they are consequences of), and
 * another run has the receive wait for it.
 */
final class ArrivalOrder implements SimFabric.Gate {
    private static final Wish DATAGRAM = new Wish(VirtualTime.DATAGRAMS, MatchWord.ANY, MatchWord.ANY);

    private final int[] given;
    private final List<Decision> decisions = new ArrayList<>();
    private KeptMessages kept;
    private RankTime[] ranks;
    /** By rank and by frame: the decisions that it knows of. A set that others have is not changed. */
    private BitSet[] causes;
    private final Map<Integer, BitSet> causesOfFrames = new HashMap<>();
    private boolean abandoned;

    /**
     * @param given the first decisions, see {@link Decision}
     */
    ArrivalOrder(int... given) {
        this.given = given;
    }

    void guard(SimFabric of) {
        kept = new KeptMessages(of);
        causes = new BitSet[of.ranks()];
        for (int rank = 0; rank < causes.length; rank++) {
            causes[rank] = new BitSet();
        }
        of.gate(this);
    }

    int kept() {
        return kept.count();
    }

    List<Decision> decisions() {
        return decisions;
    }

    /** Whether a receive was to wait for a message that no rank sends: such a run is not possible. */
    boolean isAbandoned() {
        return abandoned;
    }

    @Override
    public void sent(int frame, int from) {
        causesOfFrames.put(frame, causes[from]);
    }

    @Override
    public boolean keeps(int frame, int from, int to, int meta, long header) {
        BitSet of = causesOfFrames.remove(frame);
        KeptMessage message = kept.begin(frame, from, to, meta, header, of);
        if (message == null) {
            return kept.follows(frame, from, to, meta, header);
        }
        for (int i = 0; i < decisions.size(); i++) {
            if (decisions.get(i).rank == to && !of.get(i)) {
                decisions.get(i).sees(message);
            }
        }
        return true;
    }

    /** Lets messages arrive. Returns the ranks they are for; none when the run is to be given up. */
    List<Integer> next(RankTime[] all) {
        ranks = all;
        List<Integer> moved = new ArrayList<>();
        for (int to : kept.receivers()) {
            deliverSure(to, moved);
        }
        for (int to : kept.receivers()) {
            if (moved.isEmpty()) {
                decide(to, wanted(to), moved);
            }
        }
        for (int to : kept.receivers()) {
            if (moved.isEmpty()) {
                decide(to, needed(to), moved);
            }
        }
        if (moved.isEmpty() && decisions.stream().anyMatch(Decision::isOpen)) {
            abandoned = true;
            kept.drop();
        } else if (moved.isEmpty()) {
            for (KeptMessage message : kept.leftOver()) {
                deliver(message, moved);
            }
        }
        return moved;
    }

    /** What the rank waits for, if it cannot go on. */
    private List<Wish> wishes(int rank) {
        boolean stands = ranks[rank].state == RankTime.State.PAUSED || ranks[rank].isLooking();
        return stands ? ranks[rank].wishes().stream().filter(wish -> !wish.equals(Wish.OTHER)).toList() : List.of();
    }

    /** The messages that could let the rank go on, or make way for those. */
    private List<KeptMessages.Arrival> wanted(int rank) {
        List<Wish> wishes = wishes(rank);
        List<Wish> all = ranks[rank].posted();
        Set<Wish> worth = new HashSet<>(wishes);
        for (int i = all.size() - 1; i >= 0; i--) {
            Wish before = all.get(i);
            if (worth.stream().anyMatch(before::overlaps)) {
                worth.add(before);
            }
        }
        all.addAll(wishes);
        return kept.arrivals(rank, all, worth::contains);
    }

    /** The messages that could let their senders go on, or a rank that waits for its posted receives by itself. */
    private List<KeptMessages.Arrival> needed(int rank) {
        List<Wish> all = ranks[rank].posted();
        all.add(DATAGRAM);
        List<KeptMessages.Arrival> arrivals = kept.arrivals(rank, all, wish -> true);
        Predicate<Wish> isAwaited = wish -> arrivals.stream()
                .anyMatch(each -> each.met().equals(wish) && each.message().isAwaited);
        boolean others = ranks[rank].state == RankTime.State.PAUSED && ranks[rank].wishes().contains(Wish.OTHER);
        return others ? arrivals : arrivals.stream().filter(each -> isAwaited.test(each.met())).toList();
    }

    private Decision openFor(int rank, Wish wish) {
        for (Decision decision : decisions) {
            if (decision.isOpen() && decision.rank == rank && decision.isAbout(wish)) {
                return decision;
            }
        }
        return null;
    }

    /** A message that the rank will get in any case, and that is all it waits for. */
    private void deliverSure(int rank, List<Integer> moved) {
        boolean several = wishes(rank).size() > 1;
        for (KeptMessages.Arrival arrival : wanted(rank)) {
            Decision open = openFor(rank, arrival.met());
            if (open != null ? open.awaits(arrival) : !several && !arrival.met().isAnySource()) {
                meet(arrival, open, moved);
                return;
            }
        }
    }

    private void decide(int rank, List<KeptMessages.Arrival> arrivals, List<Integer> moved) {
        boolean several = wishes(rank).size() > 1;
        List<KeptMessages.Arrival> free = new ArrayList<>();
        for (KeptMessages.Arrival arrival : arrivals) {
            Decision open = openFor(rank, arrival.met());
            if (open != null && open.awaits(arrival)) {
                meet(arrival, open, moved);
                return;
            }
            if (open == null) {
                free.add(arrival);
            }
        }
        if (free.isEmpty()) {
            return;
        }
        int place = free.stream().mapToInt(KeptMessages.Arrival::place).min().getAsInt();
        List<KeptMessages.Arrival> options = several ? free : free.stream().filter(a -> a.place() == place).toList();
        if (!several && !options.getFirst().met().isAnySource()) {
            meet(options.getFirst(), null, moved);
            return;
        }
        int number = decisions.size();
        Decision decision = new Decision(rank, options, number < given.length ? given[number] : 0);
        decisions.add(decision);
        if (decision.isOpen()) {
            decide(rank, arrivals, moved);
        } else {
            meet(decision.chosen(), decision, moved);
        }
    }

    /** What a rank does next is a consequence of what it waited for; other receives have not changed it. */
    private void meet(KeptMessages.Arrival arrival, Decision decision, List<Integer> moved) {
        KeptMessage message = arrival.message();
        if (wishes(message.to).contains(arrival.met())) {
            BitSet more = (BitSet) causes[message.to].clone();
            more.or(message.causes);
            if (decision != null) {
                more.set(decisions.indexOf(decision));
            }
            causes[message.to] = more;
        }
        if (decision != null) {
            decision.close();
        }
        deliver(message, moved);
    }

    private void deliver(KeptMessage message, List<Integer> moved) {
        kept.deliver(message);
        ranks[message.to].forget();
        if (!moved.contains(message.to)) {
            moved.add(message.to);
        }
    }
}
