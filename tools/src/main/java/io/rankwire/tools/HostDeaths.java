package io.rankwire.tools;

import io.rankwire.tools.hosts.Body;
import io.rankwire.tools.hosts.Message;
import io.rankwire.tools.hosts.Message.Kind;
import io.rankwire.tools.hosts.Tree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The ranks of a job on several hosts that goes on when some of them have failed. The root declares them dead; the
 * launcher reports to it what agents have seen, kills those that it wants killed, starts those that are to replace
 * others, and prints a line for each failure.
 */
final class HostDeaths {
    /** How long the end of a process that was declared dead may take to be known. */
    private static final long ENDING_NS = 1_500_000_000;

    /** The end of a process. */
    record Ended(int rank, int code, String ending) {}

    /** A rank that is to be started. */
    private record Wanted(int rank, int like, int dead) {}

    private final JobOutput output;
    private final HostSlots placed;
    /** Ranks that have a part in the job: all but spares that wait, and places that are not used. */
    private final boolean[] given;
    private final List<Wanted> wanted = new ArrayList<>();
    /** Hosts whose agents have ended, or that do not answer. */
    private final BitSet gone = new BitSet();
    private final int root;
    private final Tree tree;
    private final Ended[] ended;
    private final String[] causes;
    private final long[] declaredNs;
    private final boolean[] killed;
    private final boolean[] said;
    /** Whether others ran on when a rank was declared dead. */
    private final boolean[] wentOn;
    private int running;
    /** The rank that has failed first and its exit status; -1 for none. */
    private int first = -1;
    private int status;

    /**
     * @param placed the agent of each rank
     * @param root the agent with the root
     * @param running how many ranks have not ended, without spares
     */
    HostDeaths(JobOutput output, HostSlots placed, int root, Tree tree, int size, int running) {
        this.output = output;
        this.placed = placed;
        this.root = root;
        this.tree = tree;
        this.running = running;
        int places = placed.places();
        given = new boolean[places];
        Arrays.fill(given, 0, size, true);
        ended = new Ended[places];
        causes = new String[places];
        declaredNs = new long[places];
        killed = new boolean[places];
        said = new boolean[places];
        wentOn = new boolean[places];
    }

    /** How many ranks have not ended, without spares that wait. */
    int running() {
        return running;
    }

    /** Whether a rank was started and has not ended. */
    boolean isThere(int rank) {
        return placed.of(rank) >= 0 && ended[rank] == null;
    }

    /** A rank is to be started, once it is clear what has become of the host of the dead one. */
    void want(int rank, int like, int dead) {
        wanted.add(new Wanted(rank, like, dead));
    }

    /** A spare, or a rank that is to be started, has a part in the job. */
    void given(int rank) {
        if (!given[rank] && ended[rank] == null) {
            running++;
        }
        given[rank] = true;
    }

    /** Starts the ranks that are wanted. */
    private void startWanted() {
        wanted.removeIf(each -> {
            if (ended[each.rank] != null) {
                return true;
            }
            int host = ended[each.dead] == null && placed.of(each.dead) >= 0 ? -1
                    : placed.choose(each.dead, this::isUsable, this::isThere);
            if (host >= 0) {
                placed.put(each.rank, host);
                output.name(each.rank, tree.name(host));
                tree.send(new Body().put(each.rank).put(each.like).to(Kind.MORE, host));
            }
            return host >= 0;
        });
    }

    /** Whether a host answers, as far as it is known. */
    private boolean isUsable(int host) {
        return !gone.get(host) && IntStream.range(0, ended.length)
                .noneMatch(rank -> placed.of(rank) == host && causes[rank] != null && ended[rank] == null);
    }

    /** Ends the spares that wait; all other ranks have ended. */
    void dismissSpares() {
        for (int rank = 0; rank < ended.length; rank++) {
            if (isThere(rank) && !given[rank]) {
                tree.send(new Body().put(rank).to(Kind.DISMISS, placed.of(rank)));
            }
        }
    }

    /** The ranks that have ended without a declaration. */
    List<Ended> undeclared() {
        List<Ended> found = new ArrayList<>();
        for (int rank = 0; rank < ended.length; rank++) {
            if (ended[rank] != null && causes[rank] == null) {
                found.add(ended[rank]);
            }
        }
        return found;
    }

    void ended(int rank, int code, String ending) {
        if (ended[rank] != null) {
            return;
        }
        end(new Ended(rank, code, ending));
        // One that was started to replace another, and has ended without joining, is waited for.
        if (code != 0 || given[rank] && ending.startsWith("false")) {
            declare(rank, output.shortName(rank) + " " + story(rank));
        }
        say(rank);
    }

    private void end(Ended one) {
        ended[one.rank] = one;
        running -= given[one.rank] ? 1 : 0;
        if (one.code != 0 && first < 0) {
            first = one.rank;
            status = one.code;
        }
    }

    /** Has the root declare a rank dead, unless it has done so. */
    private void declare(int rank, String cause) {
        if (causes[rank] == null) {
            tree.send(new Body().put(rank).put(cause).to(Kind.DEAD, root));
        }
    }

    void declared(int rank, String cause) {
        if (causes[rank] == null) {
            died(rank, cause);
        }
        if (ended[rank] != null) {
            say(rank);
        }
    }

    private void died(int rank, String cause) {
        causes[rank] = cause;
        declaredNs[rank] = System.nanoTime();
        wentOn[rank] = IntStream.range(0, ended.length)
                .anyMatch(each -> given[each] && ended[each] == null && causes[each] == null);
    }

    void kill(int rank) {
        killed[rank] = true;
        if (placed.of(rank) >= 0) {
            tree.send(new Body().put(rank).to(Kind.KILL, placed.of(rank)));
        }
    }

    /** An agent has ended, or cannot be reached: so have all of its ranks, and those of agents that it has started. */
    void lost(int host, String why) {
        IntStream.range(0, placed.hosts()).filter(each -> tree.isUnder(each, host)).forEach(gone::set);
        for (int rank = 0; rank < ended.length; rank++) {
            if (isThere(rank) && tree.isUnder(placed.of(rank), host)) {
                killed[rank] = true;
                if (causes[rank] == null) {
                    died(rank, output.shortName(rank) + " is lost: " + why);
                }
                tree.send(new Body().put(rank).put(causes[rank]).to(Kind.DEAD, root));
                end(new Ended(rank, 1, ""));
                say(rank);
            }
        }
        tree.drop(host);
    }

    /** Takes ranks for ended whose hosts do not answer. */
    void check(long now) {
        for (int rank = 0; rank < causes.length; rank++) {
            if (causes[rank] != null && ended[rank] == null && now - declaredNs[rank] > ENDING_NS) {
                killed[rank] = true;
                end(new Ended(rank, 1, ""));
                say(rank);
                if (placed.of(rank) >= 0) {
                    gone.set(placed.of(rank));
                    dropIfSilent(placed.of(rank));
                }
            }
        }
        startWanted();
    }

    /** Nothing is expected of a host whose ranks are all taken for ended. */
    private void dropIfSilent(int host) {
        for (int rank = 0; rank < ended.length; rank++) {
            boolean isSilent = ended[rank] != null && killed[rank];
            if (host == root || placed.of(rank) >= 0 && tree.isUnder(placed.of(rank), host) && !isSilent) {
                return;
            }
        }
        tree.drop(host);
    }

    private void say(int rank) {
        if (!said[rank] && causes[rank] != null) {
            said[rank] = true;
            output.say(output.name(rank) + " failed: " + story(rank) + (wentOn[rank] ? "; the job goes on without it"
                    : isGood() ? "" : "; no rank is left"));
        }
    }

    private String story(int rank) {
        Ended end = ended[rank];
        String signal = HostsWatch.signal(end.code, end.ending);
        return causes[rank] != null && (killed[rank] || end.code == 0) ? causes[rank]
                : signal != null ? "it was killed by " + signal : "it exited with status " + end.code;
    }

    /** All ranks have ended: returns the exit status of the job. */
    int finish() {
        for (int rank = 0; rank < ended.length; rank++) {
            if (ended[rank] != null && !isWell(rank)) {
                if (causes[rank] == null) {
                    died(rank, story(rank));
                }
                say(rank);
            }
        }
        return isGood() ? 0 : status;
    }

    private boolean isGood() {
        return IntStream.range(0, ended.length).anyMatch(this::isWell);
    }

    /** Whether a rank has ended, and well. */
    private boolean isWell(int rank) {
        return given[rank] && causes[rank] == null && ended[rank] != null && ended[rank].code == 0;
    }
}
