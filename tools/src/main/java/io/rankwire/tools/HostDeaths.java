package io.rankwire.tools;

import io.rankwire.tools.hosts.Body;
import io.rankwire.tools.hosts.Message;
import io.rankwire.tools.hosts.Message.Kind;
import io.rankwire.tools.hosts.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The ranks of a job on several hosts that goes on when some of them have failed. The root declares them dead; the
 * launcher reports to it what agents have seen, kills those that it wants killed, and prints a line for each.
 */
final class HostDeaths {
    /** How long the end of a process that was declared dead may take to be known. */
    private static final long ENDING_NS = 1_500_000_000;

    /** The end of a process. */
    record Ended(int rank, int code, String ending) {}

    private final JobOutput output;
    private final int[] placed;
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
     * @param running how many ranks have not ended
     */
    HostDeaths(JobOutput output, int[] placed, int root, Tree tree, int running) {
        this.output = output;
        this.placed = placed;
        this.root = root;
        this.tree = tree;
        this.running = running;
        int size = placed.length;
        ended = new Ended[size];
        causes = new String[size];
        declaredNs = new long[size];
        killed = new boolean[size];
        said = new boolean[size];
        wentOn = new boolean[size];
    }

    /** How many ranks have not ended. */
    int running() {
        return running;
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
        if (code != 0) {
            declare(rank, output.shortName(rank) + " " + story(rank));
        }
        say(rank);
    }

    private void end(Ended one) {
        ended[one.rank] = one;
        running--;
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
        wentOn[rank] = IntStream.range(0, ended.length).anyMatch(each -> ended[each] == null && causes[each] == null);
    }

    void kill(int rank) {
        killed[rank] = true;
        tree.send(new Body().put(rank).to(Kind.KILL, placed[rank]));
    }

    /** An agent has ended, or cannot be reached: so have all of its ranks, and those of agents that it has started. */
    void lost(int host, String why) {
        for (int rank = 0; rank < placed.length; rank++) {
            if (ended[rank] == null && tree.isUnder(placed[rank], host)) {
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
                dropIfSilent(placed[rank]);
            }
        }
    }

    /** Nothing is expected of a host whose ranks are all taken for ended. */
    private void dropIfSilent(int host) {
        for (int rank = 0; rank < placed.length; rank++) {
            boolean isSilent = ended[rank] != null && killed[rank];
            if (host == root || tree.isUnder(placed[rank], host) && !isSilent) {
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
        return causes[rank] == null && ended[rank] != null && ended[rank].code == 0;
    }
}
