package io.rankwire.launch;

import io.rankwire.fabric.Secret;
import io.rankwire.launch.ControlMessage.Abort;
import io.rankwire.launch.ControlMessage.Addresses;
import io.rankwire.launch.ControlMessage.Agreed;
import io.rankwire.launch.ControlMessage.AllClosed;
import io.rankwire.launch.ControlMessage.Arrival;
import io.rankwire.launch.ControlMessage.Ask;
import io.rankwire.launch.ControlMessage.Closed;
import io.rankwire.launch.ControlMessage.Declared;
import io.rankwire.launch.ControlMessage.Directory;
import io.rankwire.launch.ControlMessage.Failed;
import io.rankwire.launch.ControlMessage.FailedAlone;
import io.rankwire.launch.ControlMessage.Leave;
import io.rankwire.launch.ControlMessage.Listening;
import io.rankwire.launch.ControlMessage.LookFor;
import io.rankwire.launch.ControlMessage.Looked;
import io.rankwire.launch.ControlMessage.Lost;
import io.rankwire.launch.ControlMessage.MakeDirectory;
import io.rankwire.launch.ControlMessage.Measured;
import io.rankwire.launch.ControlMessage.Noted;
import io.rankwire.launch.ControlMessage.Refusal;
import io.rankwire.launch.ControlMessage.Table;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * All that the root of a job knows about its ranks, from the first that arrives to the last that leaves. It has no
 * connections, clock or thread of its own: the caller passes what has happened and sends what {@link #take} returns.
 *
 * <p>When all ranks have arrived, those with the same mark are taken to be on one host. The lowest of them makes the
 * job's directory there; those that do not see it are grouped again among themselves. When every rank has a directory,
 * all get the table.
 *
 * <p>In a job that goes on when a rank has failed, the root declares such a rank dead: once, and in one order that all
 * ranks get. A rank that another one cannot reach is killed first. What such a rank or a dead one sends does not count,
 * so of two that suspect each other the first report decides.
 *
 * <p>Such a job has places behind the ranks of its world: for spares, and for ranks that are started later to replace
 * dead ones. Each of them gets a directory as the others did, one rank after the other, and sends the address at which
 * it listens. When it is to replace a dead rank, the root sends this address to all ranks. When all have answered that
 * they have noted it, the root sends the new rank what it is to join, and the new rank begins.
 */
final class Roster {
    /** What a job exits with when a rank is gone. */
    static final int LOST = 1;
    /** How long a rank that is to be killed may take to end. */
    static final long KILL_NS = 500_000_000;
    /** How a connection ends when the process at its other end does. */
    static final String CLOSED = "connection closed";

    /** A message to a rank. */
    record Outgoing(int rank, ControlMessage message) {}

    /** A rank. */
    static final class Member {
        Arrival arrival;
        Group group;
        boolean placed;
        boolean left;
        /** Whether its process has ended with status 0. */
        boolean well;
        boolean dead;
        /** Why this rank is to be killed; null for not at all. */
        String doom;
        /** When it counts as dead although it could not be killed; 0 until {@link #check} sets it. */
        long goneNs;
        int closed;
        /** Where it listens in the world that it waits for; of a rank that came later, in the one that it joins. */
        Listening listening;

        // Of ranks that come later than the world.
        /** Whether it was started, or is about to be. */
        boolean expected;
        /** Until when it must have arrived, once the clock was read; 0 before, and of spares. */
        long dueNs;
        /** What it is to join, and the addresses of the world at that time; null while it waits as a spare. */
        Replacements.Part part;
        List<Listening> world;
        /** The ranks that have not noted it yet; null before it was made known. */
        BitSet unheard;
    }

    /** Ranks of one host that see the same directory. */
    static final class Group {
        final List<Integer> ranks;
        final List<Integer> blind = new ArrayList<>();
        String path;
        int answers = 1;

        Group(List<Integer> ranks) {
            this.ranks = ranks;
        }
    }

    /** The number of ranks of the world at the start, which are the first members. */
    private final int size;
    private final Member[] members;
    final LateRanks late;
    private final Seats seats;
    /** What all ranks must know, for those that come later. */
    private final List<Declared> deaths = new ArrayList<>();
    private Agreed agreed;
    /** Where ranks look for the root, for errors. */
    private final String root;
    private final long deadlineNs;
    private final int seconds;
    private final Queue<Outgoing> out = new ArrayDeque<>();
    private int arrived;
    private int placed;
    private int closedByAll;
    /** What pairs of hosts have measured; null once all ranks know what was agreed on. */
    private List<NetworkCost> measured = new ArrayList<>();
    /** Pairs of hosts that measure. */
    private int pairs;
    /** Whether the job goes on when a rank has failed. */
    private final boolean goesOn;
    private final Root.Watcher watcher;
    /** Whether all ranks have had the addresses of a world. */
    private boolean exchanged;
    /** Why no rank can arrive any more; null while it can. */
    private String over;
    private boolean aborted;

    /**
     * @param places the number of ranks that the job can have, those that come later included
     * @param spares how many ranks behind those of the world wait to replace others
     * @param root host and port, as the user wrote them
     * @param deadlineNs when all ranks must have arrived
     * @param seconds how long that is
     * @param goesOn whether the job goes on when a rank has failed
     */
    Roster(int size, int places, int spares, String root, long deadlineNs, int seconds, boolean goesOn,
            Root.Watcher watcher) {
        this.size = size;
        this.members = new Member[places];
        for (int rank = 0; rank < places; rank++) {
            members[rank] = new Member();
            members[rank].expected = rank < size + spares;
        }
        this.seats = new Seats(places);
        this.late = new LateRanks(this, size, size + spares, members, watcher);
        this.root = root;
        this.goesOn = goesOn;
        this.watcher = watcher;
        this.deadlineNs = deadlineNs;
        this.seconds = seconds;
    }

    /** The next message to send, or null. */
    Outgoing take() {
        return out.poll();
    }

    boolean hasStarted() {
        return placed == size;
    }

    Seats seats() {
        return seats;
    }

    private boolean isLate(int rank) {
        return rank >= size;
    }

    /** Why a process cannot be this rank, or null if it can. */
    String obstacle(int rank, int ranks) {
        if (over != null && !hasStarted()) {
            return over;
        }
        if (ranks != size) {
            return "this process was started as rank " + rank + " of " + ranks + ", but " + where()
                    + " belongs to a job of " + size + ": " + ProcessJob.SIZE + " must be the same";
        }
        if (rank < 0 || rank >= members.length || !members[rank].expected) {
            return "there is no rank " + rank + " in a job of " + size;
        }
        if (isLate(rank) && members[rank].dead) {
            return "rank " + rank + " is dead for the others";
        }
        Arrival other = members[rank].arrival;
        return other == null ? null : "rank " + rank + " of the job at " + root + " is process " + other.process()
                + " on " + other.host() + " already: start each rank once, and unset the RANKWIRE_ variables for"
                + " programs that ranks start";
    }

    /** A process has proven the secret and says where it runs; {@link #obstacle} was null. */
    void arrive(int rank, Arrival arrival) {
        members[rank].arrival = arrival;
        if (isLate(rank)) {
            late.arrive(rank);
            return;
        }
        arrived++;
        if (arrived < size) {
            return;
        }
        Map<String, List<Integer>> byMark = new LinkedHashMap<>();
        for (int each = 0; each < size; each++) {
            byMark.computeIfAbsent(members[each].arrival.mark(), mark -> new ArrayList<>()).add(each);
        }
        byMark.values().forEach(this::place);
    }

    /** Has the lowest of these ranks, which share a host, make the directory. */
    void place(List<Integer> ranks) {
        Group group = new Group(ranks);
        for (int rank : ranks) {
            members[rank].group = group;
        }
        send(ranks.getFirst(), new MakeDirectory());
    }

    /** A rank that came later has its place, and gets to know all that the others know. */
    private void placeLate(int rank) {
        Member member = members[rank];
        member.placed = true;
        seats.give(rank, member);
        send(rank, new Table(member.group.path, seats.all()));
        deaths.forEach(each -> send(rank, each));
        if (closedByAll > 0) {
            send(rank, new AllClosed(closedByAll));
        }
        if (agreed != null) {
            send(rank, agreed);
        }
        late.placed(rank);
    }

    /** A member has sent something; what makes no sense ends the job. */
    void receive(int rank, ControlMessage message) {
        Member member = members[rank];
        if (member.dead || member.doom != null) {
            return;
        }
        switch (message) {
            case Directory made when isPlacing(member) && rank == member.group.ranks.getFirst()
                    && member.group.path == null -> directory(rank, member.group, made);
            case Looked looked when isPlacing(member) && member.group.path != null -> looked(rank, looked.found());
            case Listening listening when isLate(rank) && member.placed && member.listening == null -> {
                member.listening = listening;
                late.makeKnown(rank);
            }
            case Listening listening when hasStarted() && !isLate(rank) -> listens(rank, listening);
            case Ask ask when hasStarted() -> late.ask(rank, ask);
            case Noted noted when isLate(noted.rank()) && noted.rank() < members.length ->
                    late.noted(noted.rank(), rank);
            case Closed closed when hasStarted() -> {
                member.closed = closed.worlds();
                checkClosed();
            }
            case Measured cost when hasStarted() && measured != null -> measured(rank, cost);
            case Measured _ when !deaths.isEmpty() -> { }
            case Lost lost when hasStarted() && lost.rank() >= 0 && lost.rank() < members.length ->
                    lost(member, lost.rank(), lost.reason());
            case FailedAlone failed when goesOn -> declare(rank, failed.reason());
            case Failed failed -> abort(failed.status(), failed.reason());
            case Leave _ -> leave(rank);
            case ControlMessage.Beat _ -> { }
            default -> abort(LOST, name(rank) + " has sent " + message + " out of turn");
        }
    }

    private boolean isPlacing(Member member) {
        return over == null && member.group != null && !member.placed;
    }

    private void directory(int rank, Group group, Directory made) {
        if (!made.error().isEmpty() && isLate(rank)) {
            declare(rank, name(rank) + ": " + made.error());
            return;
        }
        if (!made.error().isEmpty()) {
            end(name(rank) + ": " + made.error());
            return;
        }
        group.path = made.path();
        seat(rank);
        for (int other : group.ranks) {
            if (other != rank) {
                send(other, new LookFor(made.path()));
            }
        }
    }

    private void looked(int rank, boolean found) {
        if (isLate(rank)) {
            if (found) {
                placeLate(rank);
            } else {
                late.tryNext();
            }
            return;
        }
        Group group = members[rank].group;
        group.answers++;
        if (found) {
            seat(rank);
        } else {
            group.blind.add(rank);
        }
        if (group.answers == group.ranks.size() && !group.blind.isEmpty()) {
            place(group.blind.stream().sorted().toList());
        }
    }

    private void seat(int rank) {
        if (isLate(rank)) {
            placeLate(rank);
            return;
        }
        members[rank].placed = true;
        placed++;
        if (!hasStarted()) {
            return;
        }
        for (int each = 0; each < size; each++) {
            seats.give(each, members[each]);
        }
        pairs = NetworkCost.pairs(seats.hosts());
        watcher.started();
        for (int each = 0; each < size; each++) {
            send(each, new Table(members[each].group.path, seats.all()));
        }
        late.placeNext();
    }

    /** One that has left, or has closed the world in which the other misses it, is rightly gone. */
    private void lost(Member by, int rank, String reason) {
        Member gone = members[rank];
        if (gone.left || gone.dead || gone.closed > by.closed) {
            return;
        }
        if (!goesOn) {
            abort(LOST, reason);
        } else if (gone.doom == null && !aborted) {
            gone.doom = reason;
            watcher.kill(rank);
        }
    }

    /** A rank is dead: all get to know it, and those that wait for it wait no longer. */
    void declare(int rank, String cause) {
        Member member = members[rank];
        if (!hasStarted() && isLate(rank)) {
            // The others begin without this spare.
            member.dead = true;
            late.gone(rank);
        } else if (!hasStarted()) {
            abort(LOST, cause);
        }
        if (aborted || !hasStarted() || member.dead) {
            return;
        }
        member.dead = true;
        deaths.add(new Declared(deaths.size(), rank, cause));
        sendAll(deaths.getLast());
        watcher.declared(rank, cause);
        late.gone(rank);
        if (measured != null && !isLate(rank)) {
            agree(NetworkCost.unknown(""));
        }
        exchange();
        checkClosed();
    }

    private void measured(int rank, Measured one) {
        try {
            measured.add(NetworkCost.parse(one.cost()));
        } catch (IllegalArgumentException e) {
            abort(LOST, name(rank) + " has sent " + one + ", which makes no sense");
            return;
        }
        if (measured.size() == pairs) {
            agree(NetworkCost.agreed(measured));
        }
    }

    private void agree(NetworkCost cost) {
        agreed = new Agreed(cost.text());
        measured = null;
        sendAll(agreed);
    }

    private void listens(int rank, Listening listening) {
        members[rank].listening = listening;
        refuseWorld();
        exchange();
    }

    /** Sends the addresses of a world if all ranks wait for them; dead ones have none, which the first world needs. */
    private void exchange() {
        int one = first(rank -> members[rank].listening != null && !members[rank].dead);
        int dead = first(rank -> members[rank].dead);
        if (one >= 0 && dead >= 0 && !exchanged) {
            abort(LOST, name(dead) + " was lost before all ranks had joined, and the job cannot start without it");
        } else if (one >= 0 && first(rank -> members[rank].listening == null && !members[rank].dead) < 0) {
            exchanged = true;
            Listening none = new Listening(members[one].listening.world(), new byte[0], 0,
                    new byte[Secret.CHALLENGE], new byte[0]);
            List<Listening> all = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                all.add(members[rank].dead ? none : members[rank].listening);
                members[rank].listening = null;
            }
            late.world(List.copyOf(all));
            for (int rank = 0; rank < size; rank++) {
                send(rank, new Addresses(all));
            }
        }
    }

    /** The process of a rank has ended with status 0. */
    void endedWell(int rank) {
        members[rank].well = true;
        refuseWorld();
    }

    /** Ranks that wait for a world wait in vain if one has left; in a job that goes on, it may still have failed. */
    private void refuseWorld() {
        int gone = first(rank -> members[rank].left && !members[rank].dead && (!goesOn || members[rank].well));
        for (int rank = 0; gone >= 0 && rank < size; rank++) {
            if (members[rank].listening != null) {
                members[rank].listening = null;
                send(rank, new Refusal(name(gone) + " has ended and joins no other world"));
            }
        }
    }

    private void leave(int rank) {
        members[rank].left = true;
        if (!hasStarted()) {
            lost(rank, CLOSED);
            return;
        }
        refuseWorld();
        late.gone(rank);
        checkClosed();
    }

    private void checkClosed() {
        int least = IntStream.range(0, members.length)
                .filter(rank -> !isLate(rank) || members[rank].part != null)
                .map(rank -> members[rank].left || members[rank].dead ? Integer.MAX_VALUE : members[rank].closed)
                .min()
                .orElse(0);
        if (least > closedByAll) {
            closedByAll = least;
            sendAll(new AllClosed(least));
        }
    }

    /**
     * The connection of a member has ended. One that has not said that it leaves is dead.
     *
     * @param how what was seen
     */
    void lost(int rank, String how) {
        Member member = members[rank];
        boolean left = member.left;
        if (!hasStarted() && isLate(rank)) {
            member.arrival = null;
            late.gone(rank);
        } else if (!hasStarted() && over == null) {
            boolean isPlacing = arrived == size;
            String name = name(rank);
            member.arrival = null;
            member.left = false;
            arrived--;
            if (isPlacing) {
                end(name + " has ended while the job started (" + how + ")");
            }
        } else if (hasStarted() && !left && goesOn) {
            declare(rank, member.doom != null ? member.doom : gone(name(rank), how));
        } else if (hasStarted() && !left) {
            member.left = true;
            abort(LOST, gone(name(rank), how));
        }
    }

    /**
     * Says that a rank is gone.
     *
     * @param how its connection was closed, or this error was seen
     */
    static String gone(String name, String how) {
        boolean ended = how.equals(CLOSED) || how.contains("reset") || how.contains("Broken pipe");
        return name + (ended ? " has ended (" : " does not answer (") + how + ")";
    }

    /** Ends a start that takes too long, and the wait for ranks that are to be killed. */
    void check(long nowNs) {
        for (int rank = 0; goesOn && rank < members.length; rank++) {
            Member member = members[rank];
            if (member.dead || member.doom == null) {
                continue;
            }
            member.goneNs = member.goneNs == 0 ? nowNs + KILL_NS : member.goneNs;
            if (nowNs - member.goneNs >= 0) {
                declare(rank, member.doom);
            }
        }
        late.check(nowNs);
        if (hasStarted() || over != null || nowNs - deadlineNs < 0) {
            return;
        }
        String within = " within " + seconds + " s; " + NetworkSettings.START_TIMEOUT + " sets another limit";
        boolean isComing = arrived < size;
        end(ranks(size, rank -> isComing ? members[rank].arrival == null : !members[rank].placed) + " of " + size
                + (isComing ? " did not come to " : " did not answer ") + where() + within);
    }

    /** The job does not start, for this reason. */
    private void end(String reason) {
        over = reason;
        sendAll(new Refusal(reason));
    }

    /** The job ends, for this reason; later reasons do not count. */
    void abort(int status, String reason) {
        if (!hasStarted()) {
            if (over == null) {
                end(reason);
            }
        } else if (!aborted) {
            aborted = true;
            sendAll(new Abort(status, reason));
            for (int rank = size; rank < members.length; rank++) {
                if (members[rank].arrival != null && !members[rank].placed) {
                    send(rank, new Refusal(reason));
                }
            }
            watcher.over(status, reason);
        }
    }

    /** The root ends in good order. */
    void close() {
        if (hasStarted()) {
            sendAll(new Leave());
        } else {
            abort(LOST, where() + " has ended while the job started");
        }
    }

    private String where() {
        return (goesOn ? "the root at " : "rank 0 at ") + root;
    }

    /** The first rank of the world at the start for which that holds; -1 if there is none. */
    private int first(IntPredicate which) {
        return IntStream.range(0, size).filter(which).findFirst().orElse(-1);
    }

    /** Names ranks: {@code ranks 2, 5 to 7}. */
    static String ranks(int size, IntPredicate which) {
        List<String> parts = new ArrayList<>();
        int count = 0;
        for (int rank = 0; rank < size; rank++) {
            int from = rank;
            while (rank < size && which.test(rank)) {
                rank++;
            }
            if (rank > from) {
                count += rank - from;
                parts.add(rank - from == 1 ? "" + from : from + (rank - from == 2 ? ", " : " to ") + (rank - 1));
            }
        }
        return (count == 1 ? "rank " : "ranks ") + String.join(", ", parts);
    }

    String name(int rank) {
        Arrival arrival = members[rank].arrival;
        return arrival == null ? "rank " + rank : "rank " + rank + " on " + arrival.host();
    }

    /** Sends to all that have their places. */
    void sendAll(ControlMessage message) {
        for (int rank = 0; rank < members.length; rank++) {
            if (members[rank].arrival != null && (!isLate(rank) || members[rank].placed)) {
                send(rank, message);
            }
        }
    }

    void send(int rank, ControlMessage message) {
        out.add(new Outgoing(rank, message));
    }
}
