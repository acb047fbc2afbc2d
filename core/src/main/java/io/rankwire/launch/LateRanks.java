package io.rankwire.launch;

import io.rankwire.launch.ControlMessage.Answered;
import io.rankwire.launch.ControlMessage.Ask;
import io.rankwire.launch.ControlMessage.Given;
import io.rankwire.launch.ControlMessage.Listening;
import io.rankwire.launch.ControlMessage.LookFor;
import io.rankwire.launch.ControlMessage.NewRank;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.stream.IntStream;

/**
 * The ranks of a {@link Roster} that come later than its world: spares, and those that are started to replace dead
 * ones. They get their directories one after the other. The address of one that is to replace a dead rank goes to all
 * ranks, and it begins when all of them have answered that they have noted it.
 */
final class LateRanks implements Replacing.Crew {
    /** How long a rank that is started to replace another one may take to arrive if no agent sees its process. */
    private static final long START_NS = 60_000_000_000L;

    private final Roster roster;
    /** The number of ranks of the world at the start. */
    private final int size;
    private final Roster.Member[] members;
    private final Root.Watcher watcher;
    private final Replacing replacing;
    /** The first place that was never used. */
    private int next;
    /** Ranks that wait for their place, and the one that is about to get it, or -1. */
    private final Queue<Integer> waiting = new ArrayDeque<>();
    private int placing = -1;
    /** Other directories on the host of that one, which it may see. */
    private final Queue<Roster.Group> candidates = new ArrayDeque<>();
    /** The addresses of the last world. */
    private List<Listening> world = List.of();

    /** @param next the first place behind the ranks of the world and the spares */
    LateRanks(Roster roster, int size, int next, Roster.Member[] members, Root.Watcher watcher) {
        this.roster = roster;
        this.size = size;
        this.next = next;
        this.members = members;
        this.watcher = watcher;
        this.replacing = new Replacing(members.length, this);
    }

    void arrive(int rank) {
        waiting.add(rank);
        placeNext();
    }

    /** The rank that was to get its place has it, and gets to know those that came before it. */
    void placed(int rank) {
        for (int other = size; other < members.length; other++) {
            if (members[other].unheard != null) {
                roster.send(rank, new NewRank(other, roster.seats().of(other), members[other].listening));
            }
        }
        placing = -1;
        placeNext();
    }

    /** All ranks of the world at the start get these addresses, by rank. */
    void world(List<Listening> addresses) {
        world = addresses;
    }

    void ask(int rank, Ask ask) {
        try {
            Replacements.Answer answer = replacing.answer(Replacements.Request.parse(ask.request()));
            roster.send(rank, new Answered(ask.number(), answer.text()));
        } catch (IOException | RuntimeException e) {
            roster.abort(Roster.LOST, roster.name(rank) + " has sent " + ask + ", which makes no sense");
        }
    }

    /** Gives the next rank that came later its place: with the ranks of its host, if it sees their directory. */
    void placeNext() {
        if (!roster.hasStarted() || placing >= 0 || waiting.isEmpty()) {
            return;
        }
        placing = waiting.poll();
        String mark = members[placing].arrival.mark();
        candidates.clear();
        for (Roster.Member each : members) {
            if (each.placed && each.arrival.mark().equals(mark) && !candidates.contains(each.group)) {
                candidates.add(each.group);
            }
        }
        tryNext();
    }

    /** It looks for the next directory there may be on its host, or makes one. */
    void tryNext() {
        Roster.Group group = candidates.poll();
        if (group == null) {
            roster.place(List.of(placing));
        } else {
            members[placing].group = group;
            roster.send(placing, new LookFor(group.path));
        }
    }

    /** All ranks get to know one that came later and has a part; it begins when they have noted that. */
    void makeKnown(int rank) {
        Roster.Member member = members[rank];
        if (member.part == null || member.listening == null || member.unheard != null) {
            return;
        }
        member.unheard = new BitSet();
        for (int other = 0; other < members.length; other++) {
            if (other != rank && isThere(other)) {
                member.unheard.set(other);
            }
        }
        roster.sendAll(new NewRank(rank, roster.seats().of(rank), member.listening));
        beginIfNoted(rank);
    }

    /** Whether a rank has its place and is not gone. */
    private boolean isThere(int rank) {
        return members[rank].placed && !members[rank].dead && !members[rank].left;
    }

    /** A rank has noted another one, or is gone. */
    void noted(int rank, int by) {
        BitSet unheard = members[rank].unheard;
        if (unheard != null && unheard.get(by)) {
            unheard.clear(by);
            beginIfNoted(rank);
        }
    }

    private void beginIfNoted(int rank) {
        Roster.Member member = members[rank];
        if (member.unheard.isEmpty()) {
            roster.send(rank, new Given(member.part.text(), member.world));
        }
    }

    /** A rank is gone, and notes nothing any more. */
    void gone(int rank) {
        for (int other = size; other < members.length; other++) {
            noted(other, rank);
        }
        waiting.remove(rank);
        if (placing == rank) {
            placing = -1;
            placeNext();
        }
    }

    @Override
    public List<Integer> spares(int dead) {
        return IntStream.range(size, members.length)
                .filter(rank -> isThere(rank) && members[rank].doom == null && members[rank].part == null
                        && members[rank].listening != null)
                .boxed().sorted(Comparator.comparing(rank -> members[rank].group != members[dead].group)).toList();
    }

    @Override
    public int next() {
        return next;
    }

    @Override
    public void start(int rank, int like, int dead) {
        next++;
        members[rank].expected = true;
        watcher.start(rank, like, dead);
    }

    @Override
    public void give(int rank, Replacements.Part part) {
        members[rank].part = part;
        members[rank].world = world;
        members[rank].closed = part.world();
        watcher.given(rank);
        makeKnown(rank);
    }

    /** The process of a rank runs: it may take its time before it arrives. */
    void runs(int rank) {
        members[rank].dueNs = 0;
    }

    /** Ends the wait for ranks that were started and do not arrive, and of which nothing is heard. */
    void check(long nowNs) {
        for (int rank = size; rank < members.length; rank++) {
            Roster.Member member = members[rank];
            if (member.part != null && member.arrival == null && !member.dead) {
                member.dueNs = member.dueNs == 0 ? nowNs + START_NS : member.dueNs;
                if (nowNs - member.dueNs >= 0) {
                    watcher.kill(rank);
                    roster.declare(rank,
                            roster.name(rank) + " did not start within " + START_NS / 1_000_000_000 + " s");
                }
            }
        }
    }
}
