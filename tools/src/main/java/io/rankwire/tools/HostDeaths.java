package io.rankwire.tools;

import io.rankwire.tools.hosts.Body;
import io.rankwire.tools.hosts.Message;
import io.rankwire.tools.hosts.Message.Kind;
import io.rankwire.tools.hosts.Tree;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The ranks of a job on several hosts that goes on when some of them have failed. The root declares them dead; the
 * launcher reports to it what agents have seen, kills those that it wants killed and those that take too long to end,
 * starts those that are to replace others, and prints a line for each failure.
 */
final class HostDeaths {
    /** How long a rank that was declared dead may take to end, with what its program does then, before it is killed. */
    private static final long GRACE_NS = 1_000_000_000;
    /** When the host of such a rank counts as silent if the end of the process is still not known. */
    private static final long SILENT_NS = 3_000_000_000L;
    /** No step of the clock is longer: where the launcher was stopped, agents were not heard. */
    private static final long STEP_NS = 100_000_000;

    /** The end of a process. */
    record Ended(int rank, int code, String ending) {}

    /** A rank that is to be started. */
    private record Wanted(int rank, int like, int dead) {}

    /** What is known about a rank. */
    private static final class Place {
        /** Whether it has a part in the job, as all have but spares that wait and places that are not used. */
        boolean given;
        /** Whether its process has ended, of which the output and the status may not be known yet. */
        boolean gone;
        /** How it has ended, or is taken to have ended because its host is silent or lost. */
        Ended ended;
        boolean silent;
        /** The rank of the world at the start in whose place it was started; -1 for none. */
        int origin = -1;
        /** Why it was declared dead, and since when the end of its process is waited for. */
        String cause;
        long sinceNs;
        /** Whether it was killed by this launcher, or is lost: its exit status explains nothing. */
        boolean killed;
        boolean said;
        /** Whether others ran on when it was declared dead. */
        boolean wentOn;

        boolean isPending() {
            return cause != null && ended == null && !gone;
        }

        /** Whether the others wait for it, and it has ended with status 0 and never joined. */
        boolean isMissing() {
            return given && ended != null && ended.code == 0 && ended.ending.startsWith("false");
        }

        /** Whether it has ended, and well. */
        boolean isWell() {
            return given && cause == null && ended != null && ended.code == 0;
        }
    }

    private final JobOutput output;
    private final HostSlots placed;
    private final Place[] places;
    private final List<Wanted> wanted = new ArrayList<>();
    /** Hosts whose agents have ended, or cannot be reached. */
    private final BitSet lost = new BitSet();
    private final int root;
    private final Tree tree;
    /** How long this launcher has run. */
    private long clockNs;
    private long checkedNs;
    /** The exit status of the rank that has failed first; 0 for none. */
    private int status;

    /**
     * @param placed the agent of each rank
     * @param root the agent with the root
     * @param size the number of ranks of the world at the start
     * @param nowNs the time
     */
    HostDeaths(JobOutput output, HostSlots placed, int root, Tree tree, int size, long nowNs) {
        this.output = output;
        this.placed = placed;
        this.root = root;
        this.tree = tree;
        checkedNs = nowNs;
        places = new Place[placed.places()];
        for (int rank = 0; rank < places.length; rank++) {
            places[rank] = new Place();
            places[rank].given = rank < size;
        }
    }

    /** The ranks that have not ended, without spares that wait. */
    BitSet running() {
        BitSet running = new BitSet();
        IntStream.range(0, places.length).filter(rank -> places[rank].given && places[rank].ended == null)
                .forEach(running::set);
        return running;
    }

    /** Whether a rank was started and has not ended. */
    boolean isThere(int rank) {
        return placed.of(rank) >= 0 && places[rank].ended == null;
    }

    /** A rank is to be started, once it is clear what has become of the host of the dead one. */
    void want(int rank, int like, int dead) {
        wanted.add(new Wanted(rank, like, dead));
        places[rank].origin = like;
    }

    /** A spare, or a rank that is to be started, has a part in the job. It may have ended just before that. */
    void given(int rank) {
        places[rank].given = true;
        if (places[rank].isMissing()) {
            declare(rank);
        }
    }

    /** Starts the ranks that are wanted. */
    private void startWanted() {
        wanted.removeIf(each -> {
            Place place = places[each.rank];
            if (place.cause != null || place.ended != null) {
                return true;
            }
            boolean isEarly = isPending(placed.of(each.dead));
            int host = isEarly ? -1 : placed.choose(each.dead, this::isUsable, this::isThere);
            if (host >= 0) {
                placed.put(each.rank, host);
                output.name(each.rank, tree.name(host));
                tree.send(new Body().put(each.rank).put(each.like).to(Kind.MORE, host));
            }
            return host >= 0;
        });
    }

    /** Whether the end of a rank of a host is waited for, so that it is not clear yet whether the host answers. */
    private boolean isPending(int host) {
        return host >= 0 && !lost.get(host) && IntStream.range(0, places.length)
                .anyMatch(rank -> placed.of(rank) == host && places[rank].isPending());
    }

    /** Whether a host answers, as far as it is known. That of the root does, or the job ends. */
    private boolean isUsable(int host) {
        return !lost.get(host) && !isPending(host) && (host == root || IntStream.range(0, places.length)
                .noneMatch(rank -> placed.of(rank) == host && places[rank].silent));
    }

    /** Ends the spares that wait; all other ranks have ended. */
    void dismissSpares() {
        for (int rank = 0; rank < places.length; rank++) {
            if (isThere(rank) && !places[rank].given) {
                tree.send(new Body().put(rank).to(Kind.DISMISS, placed.of(rank)));
            }
        }
    }

    /** The ranks that have ended without a declaration. */
    List<Ended> undeclared() {
        List<Ended> found = new ArrayList<>();
        for (Place each : places) {
            if (each.ended != null && each.cause == null) {
                found.add(each.ended);
            }
        }
        return found;
    }

    /** The process of a rank has ended; how is known a moment later. */
    void gone(int rank) {
        places[rank].gone = true;
        places[rank].sinceNs = clockNs;
        unsilence(rank);
    }

    void ended(int rank, int code, String ending) {
        unsilence(rank);
        if (places[rank].ended != null) {
            return;
        }
        end(rank, code, ending);
        if (code != 0 || places[rank].isMissing()) {
            declare(rank);
        } else {
            tree.send(new Body().put(rank).to(Kind.WELL, root));
        }
        say(rank);
    }

    private void end(int rank, int code, String ending) {
        places[rank].ended = new Ended(rank, code, ending);
        count(places[rank]);
    }

    /** The first rank that has failed gives the job its status, also if its process has ended with 0. */
    private void count(Place place) {
        if (status == 0 && place.ended != null && (place.ended.code != 0 || place.cause != null)) {
            boolean hasOwn = place.ended.code != 0 && !(place.killed && signal(place) != null);
            status = hasOwn ? place.ended.code : 1;
        }
    }

    /** Has the root declare a rank dead that has ended, unless it has done so. */
    private void declare(int rank) {
        if (places[rank].cause == null) {
            tree.send(new Body().put(rank).put(output.shortName(rank) + " " + how(rank)).to(Kind.DEAD, root));
        }
    }

    void declared(int rank, String cause) {
        if (places[rank].cause == null) {
            died(rank, cause);
        }
        if (places[rank].ended != null) {
            say(rank);
        }
    }

    private void died(int rank, String cause) {
        Place place = places[rank];
        place.cause = cause;
        place.sinceNs = clockNs;
        count(place);
        for (Place each : places) {
            place.wentOn |= each.given && each.ended == null && each.cause == null;
        }
    }

    void kill(int rank) {
        places[rank].killed = true;
        if (placed.of(rank) >= 0) {
            tree.send(new Body().put(rank).to(Kind.KILL, placed.of(rank)));
        }
    }

    /** An agent has ended, or cannot be reached: so have all of its ranks, and those of agents that it has started. */
    void lost(int host, String why) {
        IntStream.range(0, placed.hosts()).filter(each -> tree.isUnder(each, host)).forEach(lost::set);
        for (int rank = 0; rank < places.length; rank++) {
            if (isThere(rank) && tree.isUnder(placed.of(rank), host)) {
                places[rank].killed = true;
                if (places[rank].cause == null) {
                    died(rank, output.shortName(rank) + " is lost: " + why);
                }
                tree.send(new Body().put(rank).put(places[rank].cause).to(Kind.DEAD, root));
                end(rank, 1, "");
                say(rank);
            }
        }
        tree.drop(host);
    }

    /** Kills ranks that take too long to end, and takes those for ended whose hosts do not answer. */
    void check(long nowNs) {
        clockNs += Math.min(nowNs - checkedNs, STEP_NS);
        checkedNs = nowNs;
        for (int rank = 0; rank < places.length; rank++) {
            Place place = places[rank];
            if (place.cause == null || place.ended != null) {
                continue;
            }
            if (!place.gone && !place.killed && clockNs - place.sinceNs > GRACE_NS) {
                kill(rank);
            }
            if (clockNs - place.sinceNs > SILENT_NS) {
                place.killed = true;
                end(rank, 1, "");
                say(rank);
                if (placed.of(rank) >= 0) {
                    place.silent = true;
                    tree.doubt(placed.of(rank), placed.of(rank) != root);
                }
            }
        }
        startWanted();
    }

    /** The host of a rank that was taken for ended has answered after all. */
    private void unsilence(int rank) {
        if (places[rank].silent) {
            places[rank].silent = false;
            int host = placed.of(rank);
            tree.doubt(host, host != root && IntStream.range(0, places.length)
                    .anyMatch(each -> placed.of(each) == host && places[each].silent));
        }
    }

    private void say(int rank) {
        Place place = places[rank];
        if (!place.said && place.cause != null) {
            place.said = true;
            String origin = place.origin < 0 ? "" : ", in the place of rank " + place.origin + ",";
            output.say(output.name(rank) + origin + " failed: " + story(rank) + (place.wentOn
                    ? "; the job goes on without it" : isGood() ? "" : "; no rank is left"));
        }
    }

    /** What follows the name of a rank. The cause begins with that name, or with that of the rank that reported it. */
    private String story(int rank) {
        Place place = places[rank];
        if (place.cause == null || !place.killed && place.ended.code != 0) {
            return "it " + how(rank);
        }
        String name = output.shortName(rank) + " ";
        return place.cause.startsWith(name) ? "it " + place.cause.substring(name.length()) : place.cause;
    }

    /** How a process has ended, as what follows the name of the rank. */
    private String how(int rank) {
        String signal = signal(places[rank]);
        int code = places[rank].ended.code;
        return signal != null ? "was killed by " + signal
                : code == 0 ? "ended with status 0 and never joined" : "exited with status " + code;
    }

    private static String signal(Place place) {
        return HostsWatch.signal(place.ended.code, place.ended.ending);
    }

    /** All ranks have ended: returns the exit status of the job. */
    int finish() {
        for (int rank = 0; rank < places.length; rank++) {
            if (places[rank].ended != null && !places[rank].isWell()) {
                if (places[rank].cause == null) {
                    died(rank, story(rank));
                }
                say(rank);
            }
        }
        return isGood() ? 0 : Math.max(1, status);
    }

    private boolean isGood() {
        for (Place each : places) {
            if (each.isWell()) {
                return true;
            }
        }
        return false;
    }
}
