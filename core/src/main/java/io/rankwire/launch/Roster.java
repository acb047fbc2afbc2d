package io.rankwire.launch;

import io.rankwire.fabric.Secret;
import io.rankwire.launch.ControlMessage.Abort;
import io.rankwire.launch.ControlMessage.Addresses;
import io.rankwire.launch.ControlMessage.Agreed;
import io.rankwire.launch.ControlMessage.AllClosed;
import io.rankwire.launch.ControlMessage.Arrival;
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
import io.rankwire.launch.ControlMessage.Refusal;
import io.rankwire.launch.ControlMessage.Seat;
import io.rankwire.launch.ControlMessage.Table;
import java.util.ArrayDeque;
import java.util.ArrayList;
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

    private static final class Member {
        Arrival arrival;
        Group group;
        boolean placed;
        boolean left;
        boolean dead;
        /** Why this rank is to be killed, and when it counts as dead if that has not succeeded; null for not at all. */
        String doom;
        long doomNs;
        int closed;
        Listening listening;
    }

    private static final class Group {
        final List<Integer> ranks;
        final List<Integer> blind = new ArrayList<>();
        String path;
        int answers = 1;

        Group(List<Integer> ranks) {
            this.ranks = ranks;
        }
    }

    private final Member[] members;
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
    /** How many ranks were declared dead. */
    private int declared;
    /** Whether all ranks have had the addresses of a world. */
    private boolean exchanged;
    /** Why no rank can arrive any more; null while it can. */
    private String over;
    private boolean aborted;

    /**
     * @param root host and port, as the user wrote them
     * @param deadlineNs when all ranks must have arrived
     * @param seconds how long that is
     * @param goesOn whether the job goes on when a rank has failed
     */
    Roster(int size, String root, long deadlineNs, int seconds, boolean goesOn, Root.Watcher watcher) {
        this.members = new Member[size];
        for (int rank = 0; rank < size; rank++) {
            members[rank] = new Member();
        }
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
        return placed == members.length;
    }

    /** Why a process cannot be this rank, or null if it can. */
    String obstacle(int rank, int size) {
        if (over != null && !hasStarted()) {
            return over;
        }
        if (size != members.length) {
            return "this process was started as rank " + rank + " of " + size + ", but " + where()
                    + " belongs to a job of " + members.length + ": " + ProcessJob.SIZE + " must be the same";
        }
        if (rank < 0 || rank >= members.length) {
            return "there is no rank " + rank + " in a job of " + members.length;
        }
        Arrival other = members[rank].arrival;
        return other == null ? null : "rank " + rank + " of the job at " + root + " is process " + other.process()
                + " on " + other.host() + " already: start each rank once, and unset the RANKWIRE_ variables for"
                + " programs that ranks start";
    }

    /** A process has proven the secret and says where it runs; {@link #obstacle} was null. */
    void arrive(int rank, Arrival arrival) {
        members[rank].arrival = arrival;
        arrived++;
        if (arrived < members.length) {
            return;
        }
        Map<String, List<Integer>> byMark = new LinkedHashMap<>();
        for (int each = 0; each < members.length; each++) {
            byMark.computeIfAbsent(members[each].arrival.mark(), mark -> new ArrayList<>()).add(each);
        }
        byMark.values().forEach(this::place);
    }

    private void place(List<Integer> ranks) {
        Group group = new Group(ranks);
        for (int rank : ranks) {
            members[rank].group = group;
        }
        send(ranks.getFirst(), new MakeDirectory());
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
            case Listening listening when hasStarted() -> listens(rank, listening);
            case Closed closed when hasStarted() -> {
                member.closed = closed.worlds();
                checkClosed();
            }
            case Measured cost when hasStarted() && measured != null -> measured(rank, cost);
            case Measured _ when declared > 0 -> { }
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
        members[rank].placed = true;
        placed++;
        if (!hasStarted()) {
            return;
        }
        List<Seat> seats = seats();
        watcher.started();
        for (int each = 0; each < members.length; each++) {
            send(each, new Table(members[each].group.path, seats));
        }
    }

    /** Hosts in the order of their lowest ranks. Two of the same name get a number. */
    private List<Seat> seats() {
        Map<Group, Integer> hosts = new LinkedHashMap<>();
        List<String> names = new ArrayList<>();
        List<Seat> seats = new ArrayList<>();
        for (Member member : members) {
            Integer known = hosts.get(member.group);
            int host = known == null ? hosts.size() : known;
            if (known == null) {
                hosts.put(member.group, host);
                String name = member.arrival.host();
                String unique = name;
                for (int i = 2; names.contains(unique); i++) {
                    unique = name + "/" + i;
                }
                names.add(unique);
            }
            seats.add(new Seat(host, names.get(host), member.arrival.process()));
        }
        pairs = NetworkCost.pairs(hosts.size());
        for (int rank = 0; rank < members.length; rank++) {
            Arrival old = members[rank].arrival;
            members[rank].arrival = new Arrival(seats.get(rank).name(), old.mark(), old.process());
        }
        return seats;
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
        if (!hasStarted()) {
            abort(LOST, cause);
        }
        if (aborted || !hasStarted() || member.dead) {
            return;
        }
        member.dead = true;
        sendAll(new Declared(declared++, rank, cause));
        watcher.declared(rank, cause);
        if (measured != null) {
            sendAll(new Agreed(NetworkCost.unknown("").text()));
            measured = null;
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
            sendAll(new Agreed(NetworkCost.agreed(measured).text()));
            measured = null;
        }
    }

    private void listens(int rank, Listening listening) {
        members[rank].listening = listening;
        int gone = first(other -> members[other].left && !members[other].dead);
        if (gone >= 0) {
            refuseWorld(gone);
        } else {
            exchange();
        }
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
            for (Member member : members) {
                all.add(member.dead ? none : member.listening);
                member.listening = null;
            }
            sendAll(new Addresses(all));
        }
    }

    /** Ranks that wait for a world wait in vain, because one has left. */
    private void refuseWorld(int gone) {
        for (int rank = 0; rank < members.length; rank++) {
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
        refuseWorld(rank);
        checkClosed();
    }

    private void checkClosed() {
        int least = IntStream.range(0, members.length)
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
        if (!hasStarted() && over == null) {
            boolean placing = arrived == members.length;
            String name = name(rank);
            member.arrival = null;
            member.left = false;
            arrived--;
            if (placing) {
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
            if (member.doom != null && !member.dead) {
                member.doomNs = member.doomNs == 0 ? nowNs + KILL_NS : member.doomNs;
                if (nowNs - member.doomNs >= 0) {
                    declare(rank, member.doom);
                }
            }
        }
        if (hasStarted() || over != null || nowNs - deadlineNs < 0) {
            return;
        }
        String within = " within " + seconds + " s; " + NetworkSettings.START_TIMEOUT + " sets another limit";
        if (arrived < members.length) {
            end(ranks(members.length, rank -> members[rank].arrival == null) + " of " + members.length
                    + " did not come to " + where() + within);
        } else {
            end(ranks(members.length, rank -> !members[rank].placed) + " of " + members.length
                    + " did not answer " + where() + within);
        }
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

    private int first(IntPredicate which) {
        return IntStream.range(0, members.length).filter(which).findFirst().orElse(-1);
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

    private String name(int rank) {
        Arrival arrival = members[rank].arrival;
        return arrival == null ? "rank " + rank : "rank " + rank + " on " + arrival.host();
    }

    private void sendAll(ControlMessage message) {
        for (int rank = 0; rank < members.length; rank++) {
            if (members[rank].arrival != null) {
                send(rank, message);
            }
        }
    }

    private void send(int rank, ControlMessage message) {
        out.add(new Outgoing(rank, message));
    }
}
