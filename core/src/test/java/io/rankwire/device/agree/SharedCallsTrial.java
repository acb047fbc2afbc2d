package io.rankwire.device.agree;

import io.rankwire.memory.Rand;
import io.rankwire.memory.VotingLines;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * One seed of calls in shared memory. Each member is a thread, and exactly one of them runs: before an access to the
 * memory, any access, it may have to hand over to another one, or it dies there. A member may also be declared dead
 * while it runs on. The others get to know of a death at different times. What members decide is held against the
 * votes.
 */
final class SharedCallsTrial {
    /** What can be wrong with the code. */
    enum Bug {
        NONE, SECOND_DECISION, DECIDED_BEFORE_WRITTEN, VOTED_BEFORE_WRITTEN, ONE_ROW, MISSING_VOTE,
        ANY_DECISION, NOT_OVER
    }

    private static final int MOST_STEPS = 200_000;
    private static final int LATE = 60;

    /** Ends a member. */
    private static final class Death extends Error {
        private static final long serialVersionUID = 1;
    }

    private final Rand rand;
    private final Bug bug;
    private final int size;
    private final int calls;
    private final Member[] members;
    private final long[][][] votes;
    private final long[][][] decided;
    private final Thread driver = Thread.currentThread();
    private volatile Member holder;
    private int step;
    private int burst;
    private int live;
    /** Members that have to decide all calls, and have not. */
    private int unfinished;
    private boolean over;
    private Throwable broken;
    /** How often a member was left behind by the others, or died. */
    int deaths;

    SharedCallsTrial(long seed, Bug bug) {
        this.rand = new Rand(seed);
        this.bug = bug;
        this.size = rand.between(2, 4);
        this.calls = rand.between(2, 5);
        this.votes = new long[calls][size][];
        this.decided = new long[calls][size][];
        this.members = new Member[size];
        MemorySegment memory = MemorySegment.ofArray(new long[(int) VotingLines.bytes(size) / Long.BYTES]);
        for (int i = 0; i < size; i++) {
            members[i] = new Member(i, memory);
        }
        int mortal = rand.below(size);
        for (int i = 0; i < mortal; i++) {
            members[rand.below(size)].mayDie();
        }
        this.live = size;
        this.unfinished = (int) Arrays.stream(members).filter(each -> each.survives).count();
    }

    /** Returns what is wrong, or null. */
    String run() {
        Thread[] threads = new Thread[size];
        for (int i = 0; i < size; i++) {
            threads[i] = Thread.ofVirtual().unstarted(members[i]);
            members[i].thread = threads[i];
        }
        Arrays.stream(threads).forEach(Thread::start);
        handOn();
        while (live > 0) {
            LockSupport.park(this);
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return broken != null ? broken.toString() : audit();
    }

    /** Chooses who runs next, and for how many accesses; called by the one that runs. */
    private void handOn() {
        List<Member> ready = new ArrayList<>();
        for (Member each : members) {
            if (!each.ended) {
                ready.add(each);
            }
        }
        if (ready.isEmpty()) {
            LockSupport.unpark(driver);
            return;
        }
        burst = rand.chance(1, 2) ? rand.below(4) : rand.below(40);
        Member next = ready.get(rand.below(ready.size()));
        holder = next;
        LockSupport.unpark(next.thread);
    }

    private final class Member implements Runnable {
        final int self;
        final SteppedLines lines;
        final int[] learns;
        Thread thread;
        boolean survives = true;
        /** The access before which it dies, or is declared dead. */
        int diesAt = Integer.MAX_VALUE;
        boolean runsOn;
        int accesses;
        boolean ended;
        private final Members known;
        private final SharedCalls machine;

        Member(int self, MemorySegment memory) {
            this.self = self;
            this.lines = new SteppedLines(this, memory);
            this.learns = new int[size];
            Arrays.fill(learns, Integer.MAX_VALUE);
            int[] ranks = new int[size];
            Arrays.setAll(ranks, i -> i);
            this.known = new Members(1, 0, ranks, self, List.of());
            this.machine = new SharedCalls(known, lines);
        }

        void mayDie() {
            survives = false;
            diesAt = rand.below(40 * calls);
            runsOn = rand.chance(1, 3);
        }

        @Override
        public void run() {
            await();
            try {
                make();
                unfinished -= survives ? 1 : 0;
                over |= unfinished == 0;
            } catch (Death e) {
                // As it should.
            } catch (Throwable e) {
                broken = e;
                over = true;
            }
            ended = true;
            live--;
            if (accesses < diesAt && !survives) {
                declare();
            }
            handOn();
        }

        private void make() {
            List<Agreed> pending = new ArrayList<>();
            int begun = 0;
            for (int done = 0; done < calls;) {
                for (int more = begun == done ? rand.between(1, 2) : 0; more > 0 && begun < calls; more--, begun++) {
                    learn();
                    votes[begun][self] = vote();
                    Agreed agreed = new Agreed(null);
                    pending.add(agreed);
                    machine.begin(begun, votes[begun][self].clone(), agreed);
                }
                learn();
                machine.poll();
                while (done < begun && pending.get(done).value() != null) {
                    decided[done][self] = pending.get(done).value();
                    done++;
                }
            }
        }

        private void learn() {
            for (int i = 0; i < size; i++) {
                if (learns[i] <= step && i != self) {
                    known.lose(i);
                }
            }
        }

        private long[] vote() {
            long[] vote = new long[Vote.ALL];
            vote[Vote.FLAGS] = rand.nextLong() | rand.nextLong();
            vote[Vote.LEAST] = rand.below(100);
            vote[Vote.MOST] = known.deaths();
            vote[Vote.HIGHEST] = rand.below(100);
            vote[Vote.ANY] = 1L << rand.below(3);
            return vote;
        }

        /** Before each access to the memory. */
        void step() {
            if (over) {
                throw new Death();
            }
            if (++step > MOST_STEPS) {
                throw new IllegalStateException("calls that do not end");
            }
            if (accesses++ == diesAt) {
                declare();
                if (!runsOn) {
                    throw new Death();
                }
            }
            if (burst-- <= 0) {
                handOn();
                await();
            }
        }

        private void declare() {
            deaths++;
            for (Member each : members) {
                each.learns[self] = step + rand.below(LATE);
            }
        }

        private void await() {
            while (holder != this) {
                LockSupport.park(SharedCallsTrial.this);
            }
        }
    }

    /** Memory that others may use between any two accesses. */
    private final class SteppedLines extends VotingLines {
        private final Member by;
        private final List<long[]> late = new ArrayList<>();
        private boolean isLate;

        SteppedLines(Member by, MemorySegment memory) {
            super(memory);
            this.by = by;
        }

        @Override
        protected long load(long at) {
            by.step();
            return super.load(at);
        }

        @Override
        protected void store(long at, long value) {
            if (isLate) {
                late.add(new long[] {at, value});
                return;
            }
            by.step();
            super.store(at, value);
        }

        @Override
        protected boolean compareAndSet(long at, long expected, long value) {
            by.step();
            if (bug == Bug.SECOND_DECISION) {
                super.store(at, value);
                return true;
            }
            return super.compareAndSet(at, expected, value);
        }

        @Override
        protected long place(int member, int call) {
            return super.place(member, bug == Bug.ONE_ROW ? 0 : call);
        }

        @Override
        public void vote(int self, int call, long[] words) {
            if (bug == Bug.VOTED_BEFORE_WRITTEN) {
                store(place(self, call), call + 1L);
            }
            super.vote(self, call, words);
        }

        @Override
        public boolean hasVoted(int member, int call) {
            return super.hasVoted(member, call) || bug == Bug.MISSING_VOTE && member == size - 1;
        }

        @Override
        public void propose(int self, int call, long[] words) {
            isLate = bug == Bug.DECIDED_BEFORE_WRITTEN;
            super.propose(self, call, words);
            isLate = false;
            late.forEach(each -> store(each[0], each[1]));
            late.clear();
        }

        @Override
        public int decider(int call) {
            if (bug == Bug.ANY_DECISION) {
                long seen = load(0);
                return seen == 0 ? NONE : (int) seen;
            }
            return super.decider(call);
        }

        @Override
        public boolean isOver(int call) {
            return bug != Bug.NOT_OVER && super.isOver(call);
        }
    }

    private String audit() {
        for (int call = 0; call < calls; call++) {
            long[] first = null;
            for (int i = 0; i < size; i++) {
                long[] value = decided[call][i];
                if (value == null && members[i].survives) {
                    return "call " + call + " is not decided at member " + i;
                }
                if (value != null && first != null && !Arrays.equals(value, first)) {
                    return "call " + call + " is decided in two ways: " + Arrays.toString(value) + " and "
                            + Arrays.toString(first);
                }
                first = value == null ? first : value;
            }
            if (first != null && !isRight(call, first)) {
                return "call " + call + " is decided as " + Arrays.toString(first) + " after votes "
                        + Arrays.deepToString(votes[call]);
            }
        }
        return null;
    }

    /** Whether the votes of some members give a decision: of all that live, and those that are missing are counted. */
    private boolean isRight(int call, long[] value) {
        for (int set = 1; set < 1 << size; set++) {
            long[] result = null;
            boolean fits = true;
            for (int i = 0; i < size && fits; i++) {
                boolean in = (set & 1 << i) != 0;
                fits = in ? votes[call][i] != null : !members[i].survives;
                if (fits && in && result == null) {
                    result = votes[call][i].clone();
                } else if (fits && in) {
                    Vote.combine(result, votes[call][i]);
                }
            }
            if (fits && value[Vote.MOST] >= Math.max(result[Vote.MOST], size - Integer.bitCount(set))
                    && value[Vote.MOST] < size) {
                result[Vote.MOST] = value[Vote.MOST];
                if (Arrays.equals(result, value)) {
                    return true;
                }
            }
        }
        return false;
    }
}
