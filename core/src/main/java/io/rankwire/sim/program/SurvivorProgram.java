package io.rankwire.sim.program;

import static io.rankwire.sim.fault.Violation.check;

import io.rankwire.Checkpoint;
import io.rankwire.Communicator;
import io.rankwire.ErrorClass;
import io.rankwire.Op;
import io.rankwire.RankwireException;
import io.rankwire.Request;
import io.rankwire.Window;
import io.rankwire.World;
import io.rankwire.launch.Job;
import io.rankwire.memory.Rand;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One rank of a random program that goes on when ranks die. It makes some steps, each with calls that the seed chooses.
 * After an error it revokes the communicator, repairs it, and goes back to the last step that is saved. All results are
 * checked.
 */
final class SurvivorProgram {
    private static final int KINDS = 13;
    private static final int LONG = 5_000;
    private static final int LENGTH = 7;
    private static final int FIRST_TAG = 100;

    /** The ranks have agreed that something is wrong. */
    private static final class Wrong extends Exception {
        private static final long serialVersionUID = 1;
    }

    private final SurvivorPlan plan;
    private final SurvivorAudit audit;
    private final Job job;
    private World world;
    private Communicator all;
    private Checkpoint safe;
    private final int[] step = {0};
    private final long[] state = new long[LENGTH];
    /** The name of the communicator, a number that its messages carry, and the names before. */
    private String name;
    private long stamp;
    private final List<String> names = new ArrayList<>();
    private int agreements;
    /** Messages to any source on this communicator: those of each call have a tag of their own. */
    private int collections;
    private int restores;
    private boolean revoked;
    private boolean isDone;
    private final List<Request> open = new ArrayList<>();

    SurvivorProgram(SurvivorPlan plan, SurvivorAudit audit, Job job) {
        this.plan = plan;
        this.audit = audit;
        this.job = job;
    }

    void run() {
        try (World joined = World.join()) {
            world = joined;
            use(world.communicator());
            safe = Checkpoint.on(all).partners(plan.partners);
            boolean isReady = !world.isReplacement();
            while (!isDone) {
                isReady = isReady ? isWell(this::attempt) : isWell(this::recover);
                if (!isReady) {
                    repair();
                }
            }
            // What others have sent before they gave up comes, and is dropped.
            for (int i = 0; i < 4; i++) {
                world.spend(50_000);
                all.failed();
            }
            audit.atEnd(all.rank(), ((RankTime) job.virtualTime()).device());
        }
    }

    private void use(Communicator next) {
        all = next;
        name = SurvivorAudit.name(all, names);
        names.add(name);
        stamp = name.hashCode();
        agreements = 0;
        collections = 0;
        restores = 0;
    }

    /** A part of the program that may end with an error. */
    private interface Part {
        void run() throws Wrong;
    }

    /** Runs a part; false after an error that a death or a revocation explains. */
    private static boolean isWell(Part part) {
        try {
            part.run();
            return true;
        } catch (RankwireException e) {
            checkExplained(e);
            return false;
        } catch (Wrong e) {
            return false;
        }
    }

    /** Makes a step and saves it. */
    private void attempt() throws Wrong {
        if (step[0] < plan.steps) {
            if (step[0] == plan.revokedStep && all.rank() == plan.revoker && !revoked) {
                revoked = true;
                all.revoke();
            }
            make(plan.ofStep(step[0]));
            step[0]++;
            fill();
        }
        boolean isLast = step[0] == plan.steps;
        if (isLast || step[0] % plan.stepsBetweenSaves == 0) {
            save();
        }
        isDone = isLast;
    }

    private static void checkExplained(RankwireException e) {
        if (e.errorClass() != ErrorClass.PEER && e.errorClass() != ErrorClass.REVOKED) {
            throw e;
        }
    }

    private void save() throws Wrong {
        if (plan.replaces) {
            audit.same(name + " save of step " + step[0], safe.save("state", step, state));
        } else {
            agree();
        }
    }

    private void agree() throws Wrong {
        int flags = 0x10000 | 1 << all.rank();
        int result = all.agree(flags);
        audit.same(name + " agreement " + agreements++, result);
        checkAgreed(result);
    }

    private void checkAgreed(int result) throws Wrong {
        if (result == 0) {
            throw new Wrong();
        }
        check(result == (all.size() == 1 ? 0x10001 : 0x10000), "agreed on " + result);
    }

    /** What the state is after some steps. */
    private void fill() {
        for (int i = 0; i < LENGTH; i++) {
            state[i] = expected(all.rank(), i);
        }
    }

    private long expected(int rank, int i) {
        return plan.seed + 1_000_003L * step[0] + 10_007L * rank + i;
    }

    private void repair() {
        Communicator broken = all;
        String before = name;
        broken.revoke();
        check(broken.isRevoked(), "a communicator is not revoked where it was revoked");
        for (Request each : open) {
            try {
                each.await();
            } catch (RankwireException e) {
                checkExplained(e);
            }
        }
        open.clear();
        checkSilent(broken);
        use(plan.replaces ? broken.replace() : broken.shrink());
        audit.same(before + " repaired", name);
        check(!plan.replaces || all.size() == plan.ranks, all.size() + " ranks after replace");
        checkSilent(broken);
        if (broken != world.communicator()) {
            broken.free();
        }
        safe = safe.moveTo(all);
    }

    /** Nothing is heard of a revoked communicator. */
    private static void checkSilent(Communicator broken) {
        try {
            broken.iprobe(Communicator.ANY_SOURCE, Communicator.ANY_TAG);
            check(false, "a probe of a revoked communicator ends well");
        } catch (RankwireException e) {
            check(e.errorClass() == ErrorClass.REVOKED, "a probe of a revoked communicator: " + e);
        }
    }

    /** Goes back to the last step that all have. */
    private void recover() throws Wrong {
        if (plan.replaces) {
            restore();
            return;
        }
        int[] least = new int[1];
        all.allreduce(step, least, Op.MIN);
        step[0] = least[0];
        fill();
        agree();
        audit.same(name + " goes on", step[0]);
    }

    private void restore() {
        String what = name + " restore " + restores++;
        try {
            long epoch = safe.restore("state", step, state);
            if (epoch == 0) {
                step[0] = 0;
                fill();
            }
            audit.same(what, epoch + " " + step[0]);
        } catch (RankwireException e) {
            if (e.errorClass() != ErrorClass.RESOURCE) {
                throw e;
            }
            // A rank and its partners have died.
            audit.same(what, "lost");
            step[0] = 0;
            fill();
        }
        for (int i = 0; i < LENGTH; i++) {
            check(state[i] == expected(all.rank(), i), "the restored state of rank " + all.rank() + " is wrong");
        }
    }

    /** Makes the calls of a step. */
    private void make(Rand rand) throws Wrong {
        for (int calls = rand.between(1, 3); calls > 0; calls--) {
            world.spend(rand.below(3_000));
            call(rand.below(KINDS), rand);
        }
    }

    private void call(int kind, Rand rand) throws Wrong {
        int size = all.size();
        int rank = all.rank();
        int root = rand.below(size);
        int length = rand.chance(1, 4) ? LONG : rand.between(1, 20);
        switch (kind) {
            case 0 -> all.barrier();
            case 1 -> sum(all, length);
            case 2 -> {
                long[] word = words(length, rank == root ? stamp : 0);
                all.broadcast(word, root);
                check(Arrays.equals(word, words(length, stamp)), "broadcast");
            }
            case 3 -> {
                long[] in = words(size, stamp + rank);
                long[] out = new long[size];
                all.alltoall(in, out);
                for (int i = 0; i < size; i++) {
                    check(out[i] == stamp + i, "alltoall");
                }
            }
            case 4 -> {
                long[] got = new long[length];
                all.sendReceive(words(length, stamp + rank), (rank + 1) % size, 1, got, (rank + size - 1) % size, 1);
                check(got[length - 1] == stamp + (rank + size - 1) % size, "ring");
            }
            case 5 -> exchange(length);
            case 6 -> collect(root, length);
            case 7 -> use(all.duplicate(), 1);
            case 8 -> use(all.split(rank % 2, rank).orElseThrow(), 3);
            case 9 -> window();
            case 10 -> agree();
            case 11 -> {
                int[] flags = {0x10000 | 1 << rank};
                Request agreed = all.iagree(flags);
                open.add(agreed);
                sum(all, 1);
                await(agreed);
                audit.same(name + " agreement " + agreements++, flags[0]);
                checkAgreed(flags[0]);
            }
            default -> {
                long[] sum = new long[1];
                all.scan(new long[] {1}, sum, Op.SUM);
                check(sum[0] == rank + 1, "scan");
            }
        }
    }

    private static long[] words(int length, long value) {
        long[] words = new long[length];
        Arrays.fill(words, value);
        return words;
    }

    private void sum(Communicator on, int length) {
        long[] sum = new long[length];
        on.allreduce(words(length, stamp), sum, Op.SUM);
        check(sum[length - 1] == stamp * on.size(), "allreduce");
    }

    /** Uses a communicator that all members have, and frees it. */
    private void use(Communicator part, int length) throws Wrong {
        try {
            agree();
            sum(part, length);
        } catch (RankwireException | Wrong e) {
            // Others may not have it, or be in another call.
            part.revoke();
            throw e;
        } finally {
            part.free();
        }
    }

    private void await(Request request) {
        open.remove(request);
        request.await();
    }

    /** Each rank exchanges messages with all others at a time. */
    private void exchange(int length) {
        long[][] got = new long[all.size()][length];
        List<Request> mine = new ArrayList<>();
        for (int other = 0; other < all.size(); other++) {
            mine.add(all.irecv(got[other], other, 2));
            open.add(mine.getLast());
        }
        for (int other = 0; other < all.size(); other++) {
            mine.add(all.isend(words(length, stamp + 100 * all.rank() + other), other, 2));
            open.add(mine.getLast());
        }
        mine.forEach(this::await);
        for (int other = 0; other < all.size(); other++) {
            check(got[other][length - 1] == stamp + 100 * other + all.rank(), "exchange");
        }
    }

    private void collect(int root, int length) {
        int tag = FIRST_TAG + collections++;
        if (all.rank() != root) {
            all.send(words(length, stamp + all.rank()), root, tag);
            return;
        }
        for (int i = 1; i < all.size(); i++) {
            long[] got = new long[length];
            int source = all.receive(got, Communicator.ANY_SOURCE, tag).source();
            check(got[0] == stamp + source, "a message of another communicator is received");
        }
    }

    private void window() {
        Window window = all.allocateWindow(8L * all.size(), 8);
        try {
            window.fence();
            for (int other = 0; other < all.size(); other++) {
                window.put(new long[] {stamp + all.rank()}, other, all.rank());
            }
            window.fence();
            for (int other = 0; other < all.size(); other++) {
                check(window.memory().getAtIndex(ValueLayout.JAVA_LONG, other) == stamp + other, "window");
            }
        } finally {
            window.free();
        }
    }
}
