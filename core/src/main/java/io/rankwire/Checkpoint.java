package io.rankwire;

import io.rankwire.runtime.Agreement;
import io.rankwire.runtime.CheckpointFiles;
import io.rankwire.runtime.CheckpointState;
import io.rankwire.runtime.Copies;
import io.rankwire.runtime.Copies.Copy;
import io.rankwire.runtime.Endpoint;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Keeps copies of what the ranks of a communicator compute, so that the work goes on after a rank has died. Each rank
 * keeps its own state and those of the ranks before it, in memory and, if the program wants that, on disk. A state is
 * what some buffers hold: primitive arrays, {@code MemorySegment} or {@code ByteBuffer}, as in messages.
 *
 * <pre>{@code
 * Checkpoint safe = Checkpoint.on(all);
 * safe.restore("heat", step, heat);                // 0 and no change if nothing was saved yet
 * while (step[0] < STEPS) {
 *     try {
 *         compute(all, step, heat);
 *         safe.save("heat", step, heat);
 *     } catch (RankwireException e) {
 *         all.revoke();
 *         all = all.replace();
 *         safe = safe.moveTo(all);
 *         safe.restore("heat", step, heat);
 *     }
 * }
 * }</pre>
 *
 * <p>{@link #save} and {@link #restore} are calls of all members and end alike at all of them. A member whose part of
 * the call fails, as with a wrong argument, revokes the communicator. One thread uses a checkpoint.
 */
public final class Checkpoint {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    /** The size of a state that a rank does not have. */
    private static final long NONE = -1;
    /** Flags on which members agree at the end of a call: it is done here; this member has not failed by itself. */
    private static final int DONE = 1;
    private static final int NOT_FAILED = 2;

    /** The states of one name that this rank keeps, by the rank that saved each, and how many ranks saved. */
    private record Saved(long epoch, int ranks, Map<Integer, MemorySegment> states) {}

    private final Communicator on;
    private final Endpoint endpoint;
    private final Map<String, Saved> saved;
    private int partners = 1;
    private CheckpointFiles files;
    /** By name, the last epoch that was in files when this rank looked there first. */
    private final Map<String, Long> inFiles = new HashMap<>();
    /** Whether the members have agreed at the end of the last call: how it ended is the same at all of them. */
    private boolean isDecided;

    private Checkpoint(Communicator on, Map<String, Saved> saved) {
        this.on = on;
        this.endpoint = on.endpoint();
        this.saved = saved;
    }

    /**
     * Begins to keep copies for the ranks of a communicator. Only this rank is concerned.
     *
     * @param communicator all of its ranks have a checkpoint each, with the same settings
     * @return one without copies
     */
    public static Checkpoint on(Communicator communicator) {
        if (communicator == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument communicator is null");
        }
        return new Checkpoint(communicator, new HashMap<>());
    }

    /**
     * Sets how many other ranks have a copy of each state: those that follow a rank.
     *
     * @param count 1 unless it is set; with k partners no state is lost if at most k ranks die at a time
     * @return this
     */
    public Checkpoint partners(int count) {
        if (count < 0) {
            throw endpoint.error(ErrorClass.ARGUMENT, "partners: argument count: " + count + " is below zero");
        }
        partners = count;
        return this;
    }

    /**
     * Also writes each state to a file, which outlives the job: a job of as many ranks that is started anew restores
     * what was saved last. The files of the last two saves are kept.
     *
     * @param path a directory that exists and that all ranks see
     * @return this
     */
    public Checkpoint directory(Path path) {
        if (path == null) {
            throw endpoint.error(ErrorClass.ARGUMENT, "directory: argument path is null");
        }
        files = new CheckpointFiles(path);
        inFiles.clear();
        return this;
    }

    /**
     * Goes on with the copies on another communicator, which {@link Communicator#replace} or {@link
     * Communicator#shrink} has made of this one. Only this rank is concerned; a rank that replaces another begins with
     * {@link #on}.
     *
     * @param repaired the other communicator
     * @return a checkpoint with the same settings; this one is not to be used any more
     */
    public Checkpoint moveTo(Communicator repaired) {
        if (repaired == null) {
            throw endpoint.error(ErrorClass.ARGUMENT, "moveTo: argument repaired is null");
        }
        Checkpoint moved = new Checkpoint(repaired, saved);
        moved.partners = partners;
        moved.files = files;
        return moved;
    }

    /**
     * Saves the state of every rank; all members call it. Either all states are saved, or none, and then what was saved
     * before is still there.
     *
     * @param name the same at all members; letters, digits, - and _
     * @param buffers what to save; their number and sizes may differ from rank to rank
     * @return how often this name was saved, the same at all members; with files of a job before, that is counted, too
     * @throws RankwireException at all members if one has died, or cannot keep its copies
     */
    public long save(String name, Object... buffers) {
        int rank = on.rank();
        int size = on.size();
        Saved before = saved.get(name);
        Saved[] next = new Saved[1];
        Part part = () -> {
            check("save", name, buffers);
            MemorySegment mine = CheckpointState.pack(buffers);
            long[][] rows = Agreement.of(endpoint, "save").allgather(
                    mine.byteSize(), Math.max(before == null ? 0 : before.epoch, newestInFiles(name)));
            long epoch = 1 + Arrays.stream(rows).mapToLong(row -> row[1]).max().orElseThrow();
            next[0] = new Saved(epoch, size, new TreeMap<>());
            List<Copy> in = new ArrayList<>();
            List<Copy> out = new ArrayList<>();
            for (int distance = 1; distance <= Math.min(partners, size - 1); distance++) {
                int owner = (rank - distance + size) % size;
                MemorySegment copy = CheckpointState.allocate(rows[owner][0]);
                next[0].states.put(owner, copy);
                in.add(new Copy(owner, copy));
                out.add(new Copy((rank + distance) % size, mine));
            }
            Copies.exchange(endpoint, in, out, "save");
            next[0].states.put(rank, mine);
            if (files != null) {
                files.write(name, size, rank, epoch, mine);
            }
        };
        try {
            together("save", part);
        } catch (RankwireException e) {
            // Where this is not decided here, another member may have found that all have saved, and need this file.
            if (isDecided && files != null && next[0] != null) {
                files.delete(name, size, rank, next[0].epoch);
            }
            throw e;
        }
        saved.put(name, next[0]);
        if (files != null) {
            files.commit(name, size, rank, next[0].epoch);
            files.delete(name, size, rank, next[0].epoch - 2);
        }
        return next[0].epoch;
    }

    /**
     * Restores what this rank, or the one that it replaces, has saved last; all members call it. Then there are as many
     * copies as before.
     *
     * @param name what was saved
     * @param buffers as many as were saved, of the same sizes
     * @return how often this name was saved, the same at all members; 0 if it was not, and then no buffer changes
     * @throws RankwireException at all members: of class {@link ErrorClass#RESOURCE} if a state is lost with all its
     *     copies, else as {@link #save}
     */
    public long restore(String name, Object... buffers) {
        return restoreOf("restore", name, on.rank(), buffers);
    }

    /**
     * Restores what any rank has saved last, for programs that go on with fewer ranks; all members call it, each for a
     * rank of its choice.
     *
     * @param name what was saved
     * @param rank one of those that have saved, by its rank then
     * @param buffers as many as were saved there, of the same sizes
     * @return as {@link #restore}
     */
    public long restoreOf(String name, int rank, Object... buffers) {
        return restoreOf("restoreOf", name, rank, buffers);
    }

    /**
     * Returns how many ranks have saved a name, as far as this rank knows: after {@link #save} and {@link #restore}.
     *
     * @param name what was saved
     * @return 0 if there is nothing
     */
    public int ranks(String name) {
        Saved known = saved.get(name);
        return known == null ? 0 : known.ranks;
    }

    /**
     * The last epoch of which there was a file before this checkpoint wrote any; 0 if there was none. Other jobs have
     * written them, or this one with other partners: what is saved next has to be later.
     */
    private long newestInFiles(String name) throws IOException {
        if (files != null && !inFiles.containsKey(name)) {
            inFiles.put(name, files.newest(name, on.size(), on.rank()));
        }
        return inFiles.getOrDefault(name, 0L);
    }

    private long restoreOf(String call, String name, int wish, Object... buffers) {
        Saved[] found = new Saved[1];
        List<Integer> lost = new ArrayList<>();
        together(call, () -> found[0] = collect(call, name, wish, lost, buffers));
        Saved now = found[0];
        if (now == null) {
            return 0;
        }
        if (!lost.isEmpty()) {
            throw endpoint.failed(endpoint.error(ErrorClass.RESOURCE, call + ": of \"" + name + "\" what rank "
                    + lost.getFirst() + " of " + now.ranks + " has saved is lost with all its copies"));
        }
        CheckpointState.unpack(now.states.get(wish), buffers);
        now.states.keySet().removeIf(owner -> !keeps(on.rank(), owner));
        saved.put(name, now);
        return now.epoch;
    }

    /** Whether a rank has a copy of what another one has saved. There may be fewer ranks now. */
    private boolean keeps(int rank, int owner) {
        int size = on.size();
        return (rank - owner % size + size) % size <= Math.min(partners, size - 1);
    }

    /** The states that this rank is to keep, and the one it wants; null if nothing was saved. */
    private Saved collect(String call, String name, int wish, List<Integer> lost, Object... buffers)
            throws IOException {
        check(call, name, buffers);
        for (Object each : buffers) {
            endpoint.checkWritable(each);
        }
        int size = on.size();
        Saved have = saved.getOrDefault(name, new Saved(0, 0, Map.of()));
        long onDisk = files == null ? 0 : files.newest(name, size, on.rank());
        long[][] rows = Agreement.of(endpoint, call).allgather(have.epoch, have.ranks, onDisk, wish);
        long[] last = rows[0];
        for (long[] row : rows) {
            last = row[0] > last[0] ? row : last;
        }
        long epoch = last[0] > 0 ? last[0] : Arrays.stream(rows).mapToLong(row -> row[2]).max().orElseThrow();
        int ranks = last[0] > 0 ? (int) last[1] : size;
        if (epoch == 0) {
            return null;
        }
        if (wish < 0 || wish >= ranks) {
            throw endpoint.error(ErrorClass.RANK, call + ": rank " + wish + " is none of the " + ranks
                    + " that have saved \"" + name + "\"");
        }
        Saved held = new Saved(epoch, ranks, have.epoch == epoch ? have.states : Map.of());
        Saved now = fetch(call, name, held, rows, lost);
        if (!lost.isEmpty() && last[0] == 0 && epoch > 1) {
            // Some files of the last save are gone. Those of the one before may be there, which members had agreed on.
            List<Integer> lostBefore = new ArrayList<>();
            Saved earlier = fetch(call, name, new Saved(epoch - 1, ranks, Map.of()), rows, lostBefore);
            if (lostBefore.isEmpty()) {
                lost.clear();
                now = earlier;
            }
        }
        if (lost.isEmpty()) {
            CheckpointState.check(endpoint, call, now.states.get(wish), buffers);
        }
        return now;
    }

    /** Gets the states that this rank is to keep, and the one it wants, unless some are lost. */
    private Saved fetch(String call, String name, Saved held, long[][] rows, List<Integer> lost) throws IOException {
        int ranks = held.ranks;
        Saved now = new Saved(held.epoch, ranks, new TreeMap<>(held.states));
        long[] sizes = new long[ranks];
        for (int owner = 0; owner < ranks; owner++) {
            if (files != null && owner % on.size() == on.rank() && !now.states.containsKey(owner)) {
                files.read(name, ranks, owner, now.epoch, now.states);
            }
            sizes[owner] = now.states.containsKey(owner) ? now.states.get(owner).byteSize() : NONE;
        }
        long[][] all = Agreement.of(endpoint, call).allgather(sizes);
        List<Copy> in = new ArrayList<>();
        List<Copy> out = new ArrayList<>();
        for (int owner = 0; owner < ranks; owner++) {
            plan(now, owner, all, rows, in, out, lost);
        }
        if (lost.isEmpty()) {
            Copies.exchange(endpoint, in, out, call);
        }
        return now;
    }

    /** Finds who sends what one rank has saved, and to whom; the same at all members. */
    private void plan(Saved now, int owner, long[][] held, long[][] rows, List<Copy> in, List<Copy> out,
            List<Integer> lost) {
        List<Integer> holders = new ArrayList<>();
        for (int each = 0; each < held.length; each++) {
            if (held[each][owner] >= 0) {
                holders.add(each);
            }
        }
        if (holders.isEmpty()) {
            lost.add(owner);
            return;
        }
        int turn = 0;
        for (int to = 0; to < held.length; to++) {
            if (held[to][owner] >= 0 || !keeps(to, owner) && rows[to][3] != owner) {
                continue;
            }
            int from = holders.get(turn++ % holders.size());
            if (from == on.rank()) {
                out.add(new Copy(to, now.states.get(owner)));
            } else if (to == on.rank()) {
                MemorySegment copy = CheckpointState.allocate(held[from][owner]);
                now.states.put(owner, copy);
                in.add(new Copy(from, copy));
            }
        }
    }

    /** What a member does in a call that ends alike at all members. */
    private interface Part {
        void run() throws IOException;
    }

    private void together(String call, Part part) {
        isDecided = false;
        endpoint.checkThere();
        RankwireException error = endpoint.host().withoutLateErrors(() -> runAndAgree(call, part));
        if (error != null) {
            throw endpoint.failed(error);
        }
    }

    /** Returns the error with which the call ends, or null. */
    private RankwireException runAndAgree(String call, Part part) {
        RankwireException failure = null;
        try {
            part.run();
        } catch (RankwireException e) {
            failure = e;
        } catch (IOException | OutOfMemoryError | RuntimeException e) {
            failure = endpoint.located(new RankwireException(
                    ErrorClass.RESOURCE, call + ": cannot keep a state: " + e, e));
        }
        if (failure != null && !on.isRevoked()) {
            // Ends the calls in which others wait for this rank.
            on.revoke();
        }
        boolean isOnlyRevoked = failure != null && failure.errorClass() == ErrorClass.REVOKED;
        int agreed = on.agree(failure == null ? DONE | NOT_FAILED : isOnlyRevoked ? NOT_FAILED : 0);
        isDecided = true;
        if ((agreed & DONE) != 0) {
            return null;
        }
        RankwireException death = endpoint.members().death(call);
        if (death != null) {
            return death;
        }
        // A revocation that ended this call may come from a member that has failed: that is the cause.
        boolean isElsewhere = failure == null || isOnlyRevoked && (agreed & NOT_FAILED) == 0;
        if (isElsewhere && !on.isRevoked()) {
            // The revocation by that member may come later than the result of the agreement.
            on.revoke();
        }
        return isElsewhere
                ? endpoint.error(ErrorClass.REVOKED, call + ": another member of " + on.name() + " has failed")
                : failure;
    }

    /** Throws if an argument is wrong. A part of a call does this, since the other members wait for this one. */
    private void check(String call, String name, Object... buffers) {
        if (name == null || !NAME.matcher(name).matches()) {
            throw endpoint.error(ErrorClass.ARGUMENT, call + ": argument name: \"" + name
                    + "\" is not up to 64 letters, digits, - and _");
        }
        if (buffers == null) {
            throw endpoint.error(ErrorClass.ARGUMENT, call + ": argument buffers is null");
        }
        for (Object each : buffers) {
            endpoint.typeOf(each);
        }
    }

    @Override
    public String toString() {
        return "checkpoint of " + endpoint + " with " + partners + " partners: " + saved.keySet();
    }
}
