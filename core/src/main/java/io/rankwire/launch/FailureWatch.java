package io.rankwire.launch;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Declares ranks dead in a job that goes on without them, on behalf of the process that has started them. A rank is
 * declared when its process has gone. One that has failed has a second to end by itself, and one that others cannot
 * reach a tenth of a second: the system closes the connections of a process before its status can be read. Then the
 * process is killed. Ranks that are threads cannot be killed, and are declared after the same time. One thread uses
 * this.
 */
public final class FailureWatch {
    private static final long GRACE_NS = RankProcesses.GRACE_MS * 1_000_000L;
    static final String NEVER_JOINED = "it ended with status 0 and never joined";
    /** How long a signal that users send to whole jobs waits for the end of the launcher itself. */
    private static final long SIGNAL_NS = 100_000_000;
    /** How long the process of a rank that others cannot reach may take to end, if it is ending. */
    static final long SUSPECT_NS = 100_000_000;

    private final Board board;
    private final FailureLog log;
    private final RankProcesses processes;
    private final RankProcesses.Endings endings;
    private final JobDirectory directory;
    private final boolean allJoin;
    /** When it was first seen that a rank fails. */
    private final Map<Integer, Long> failingNs = new HashMap<>();
    /** By the rank that cannot be reached. A rank that suspects several reports them in turn, until each is dead. */
    private final Map<Integer, Suspicion> suspicions = new HashMap<>();
    /** Why this watch has killed ranks. */
    private final Map<Integer, String> killed = new HashMap<>();
    /** Ranks whose processes this watch has ended, or wants to. */
    private final BitSet doomed = new BitSet();
    private final BitSet failed = new BitSet();
    private Ending first;

    /**
     * @param endings how ranks have ended
     * @param allJoin whether no rank can begin before all have joined
     */
    public FailureWatch(Board board, RankProcesses processes, RankProcesses.Endings endings, JobDirectory directory,
            boolean allJoin) {
        this.board = board;
        this.log = board.failures();
        this.processes = processes;
        this.endings = endings;
        this.directory = directory;
        this.allJoin = allJoin;
    }

    /** A rank that cannot reach another one, and since when that is known. */
    private record Suspicion(int by, long sinceNs) {}

    /**
     * A rank that has died.
     *
     * @param cause one sentence that names the rank
     */
    public record Death(Ending ending, String cause) {}

    /** The failure that ends the whole job, or null. */
    public Ending end() {
        return processes.firstFailure(rank -> {
            Ending ending = log.isDead(rank) ? null : endings.of(rank);
            return ending != null && isEnd(ending) ? ending : null;
        });
    }

    private boolean isEnd(Ending ending) {
        return ending.rank() < 0 || board.isEndOfJob(ending.rank()) || isTooEarly(ending.rank());
    }

    private boolean isTooEarly(int rank) {
        return allJoin && rank < board.worldSize() && !board.hasJoined(rank);
    }

    /** Why the job does not go on after a failure, in a line of its own; else an empty string. */
    public String whyEnd(Ending ending) {
        return ending.rank() < 0 || board.isEndOfJob(ending.rank()) || !isTooEarly(ending.rank()) ? ""
                : "\nthe job ends: rank " + ending.rank() + " had not joined, and on a network no rank begins before"
                        + " all have joined";
    }

    /** Declares the ranks that have died since the last call, and returns those that have failed. */
    public List<Death> look(long nowNs) {
        List<Death> deaths = new ArrayList<>();
        noteSuspects(nowNs);
        for (int rank = 0; rank < board.size(); rank++) {
            if (log.isDead(rank)) {
                continue;
            }
            processes.noteProgram(rank);
            Ending ending = ending(rank);
            Suspicion suspicion = suspicion(rank);
            boolean isSuspect = doomed.get(rank) || suspicion != null;
            boolean isDue = ending == null ? isSuspect && !mayBeLeaving(rank, suspicion, nowNs)
                    : !isEnd(ending) && (isSuspect || isDue(ending, nowNs));
            if (!isDue) {
                continue;
            }
            if (!isGone(rank)) {
                kill(rank, ending, suspicion);
                if (!processes.isSingle()) {
                    continue;
                }
            }
            declare(rank, ending, deaths);
        }
        return deaths;
    }

    /**
     * How a rank has ended; null if it lives, or has ended well. A rank that was to replace another one has failed if
     * it has ended without joining its world, also with status 0.
     */
    private Ending ending(int rank) {
        Ending ending = endings.of(rank);
        return ending == null && !processes.isSingle() && processes.status(rank) == 0
                && Replacements.isMissing(board, rank) ? new Ending(rank, 1, false, NEVER_JOINED) : ending;
    }

    /** Notes who suspects whom. A suspicion is dropped when the rank that reported it is dead or is being ended. */
    private void noteSuspects(long nowNs) {
        suspicions.keySet().removeIf(rank -> suspicion(rank) == null);
        for (int by = 0; by < board.size(); by++) {
            int suspect = log.suspectOf(by);
            if (suspect >= 0 && !doomed.get(by)) {
                suspicions.putIfAbsent(suspect, new Suspicion(by, nowNs));
            }
        }
    }

    /** Null if no live rank suspects this one. Of two that suspect each other one goes on. */
    private Suspicion suspicion(int rank) {
        Suspicion found = suspicions.get(rank);
        return found == null || log.isDead(found.by) || doomed.get(found.by) ? null : found;
    }

    /** Whether the process of a suspect may be ending by itself and has some time left for it. Its status says more. */
    private boolean mayBeLeaving(int rank, Suspicion suspicion, long nowNs) {
        long limit = board.state(rank) == Board.State.LEFT ? GRACE_NS : SUSPECT_NS;
        return !isGone(rank) && !doomed.get(rank) && nowNs - suspicion.sinceNs < limit;
    }

    /** Whether a rank that fails has ended, or has had the time for it. */
    private boolean isDue(Ending ending, long nowNs) {
        int rank = ending.rank();
        long passed = nowNs - failingNs.computeIfAbsent(rank, first -> nowNs);
        return isGone(rank) ? !ending.maybeByUser() || passed >= SIGNAL_NS : passed >= GRACE_NS;
    }

    private boolean isGone(int rank) {
        return processes.isSingle() ? board.state(rank) == Board.State.LEFT : processes.hasEnded(rank);
    }

    private void kill(int rank, Ending ending, Suspicion suspicion) {
        doomed.set(rank);
        if (suspicion != null && ending == null) {
            killed.putIfAbsent(rank, "rank " + rank + " was ended: rank " + suspicion.by + " could not reach it");
        }
        if (!processes.isSingle()) {
            processes.kill(rank);
        }
    }

    private void declare(int rank, Ending ending, List<Death> deaths) {
        String why = killed.get(rank);
        if (why == null && ending == null) {
            // Its process ended while the others still wanted something of it.
            log.declare(rank, "rank " + rank + " has ended");
            return;
        }
        Ending how = why == null ? ending
                : new Ending(rank, ending == null ? 1 : ending.status(), false, why.replaceFirst("rank \\d+", "it"));
        String cause = why == null ? ending.cause(directory) : why;
        first = first == null ? how : first;
        failed.set(rank);
        log.declare(rank, cause);
        deaths.add(new Death(how, cause));
    }

    /** Whether a rank has failed and is not declared dead yet. */
    public boolean anyUnclear() {
        for (int rank = 0; rank < board.size(); rank++) {
            if (!log.isDead(rank) && ending(rank) != null) {
                return true;
            }
        }
        return false;
    }

    /** How the rank that died first has failed, or null. */
    public Ending first() {
        return first;
    }

    /** Whether there is a rank that has not failed. */
    public boolean anyLeft() {
        int started = processes.isSingle() ? board.size() : processes.count();
        for (int rank = 0; rank < started; rank++) {
            if (!failed.get(rank) && !board.isIdle(rank)) {
                return true;
            }
        }
        return false;
    }
}
