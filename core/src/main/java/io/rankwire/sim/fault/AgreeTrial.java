package io.rankwire.sim.fault;

import static io.rankwire.sim.fault.Violation.check;

import io.rankwire.device.Operation;
import io.rankwire.device.agree.Agreed;
import io.rankwire.device.agree.Agreements;
import io.rankwire.device.agree.Outbox;
import io.rankwire.memory.Rand;
import io.rankwire.wire.Frame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.PriorityQueue;

/**
 * One seed of agreements without devices: the state machines of some ranks, ways between them that keep the order of
 * each pair and take any time, and ranks that die between any two frames that they send. Each rank learns of each death
 * at a time of its own.
 */
public final class AgreeTrial {
    private static final int MOST_EVENTS = 2_000_000;
    private static final RuntimeException KILLED = new RuntimeException("killed", null, false, false) {
        private static final long serialVersionUID = 1;
    };

    private enum Type { JOIN, CALL, DROP, REVOKE, FRAME, KILL, DECLARE, LOSE }

    /** Something that happens to a rank. */
    private record Event(long time, long order, Type type, int rank, int other, int kind, long header, long[] words)
            implements Comparable<Event> {
        @Override
        public int compareTo(Event event) {
            int byTime = Long.compare(time, event.time);
            return byTime != 0 ? byTime : Long.compare(order, event.order);
        }
    }

    /** A call of a rank that is under way. */
    private record Pending(AgreeAudit audit, int group, int position, Agreed agreed) {}

    /** A rank and its machine. */
    private final class Rank implements Outbox {
        final int rank;
        final Agreements machine = new Agreements(this);
        final BitSet lost = new BitSet();
        final List<Pending> pending = new ArrayList<>();
        /** By group: its use, the calls begun in it, those decided, and whether it was revoked or dropped. */
        final int[] use = new int[AgreePlan.GROUPS];
        final int[] begun = new int[AgreePlan.GROUPS];
        final int[] decided = new int[AgreePlan.GROUPS];
        final boolean[] dropped = new boolean[AgreePlan.GROUPS];
        final boolean[][] revoked = new boolean[AgreePlan.GROUPS][2];
        boolean dead;
        int sends;

        Rank(int rank) {
            this.rank = rank;
            Arrays.fill(use, -1);
            machine.onRevoked(this::revoked);
        }

        private void revoked(int context) {
            int group = context == AgreePlan.context(0) ? 0 : 1;
            check(!dropped[group], "rank " + rank + " gets the revocation of a group that it has dropped");
            check(!revoked[group][use[group]], "rank " + rank + " gets a revocation twice");
            revoked[group][use[group]] = true;
        }

        @Override
        public void send(int to, int kind, long header, long[] words, int count) {
            if (sends++ == plan.diesAtSend[rank]) {
                throw KILLED;
            }
            check(to != rank && !lost.get(to), "rank " + rank + " sends to rank " + to + ", which is dead");
            long delay = 1 + rand.below(plan.mostDelay);
            delay = plan.slow > 0 && rand.chance(1, plan.slow) ? 10 * delay : delay;
            long at = Math.max(now + delay, lastOnWay[rank * plan.ranks + to]);
            lastOnWay[rank * plan.ranks + to] = at;
            add(at, Type.FRAME, to, rank, kind, header, Arrays.copyOf(words, count));
            frames += kind == Frame.REVOKE ? 0 : 1;
        }

        @Override
        public Operation operation(int context) {
            return null;
        }
    }

    private final long seed;
    private final Rand rand;
    private final AgreePlan plan;
    private final Rank[] ranks;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final long[] lastOnWay;
    /** By rank that died, and receiver: frames that come later are lost; 0 if all come. */
    private final long[][] cut;
    private final AgreeAudit[][][] audits;
    /** By group and use: members that have dropped it, and whether the next use has begun. */
    private final int[][] drops;
    private final BitSet declared = new BitSet();
    private long now;
    private long order;
    private long hash;
    /** Those of agreements. */
    private long frames;

    public AgreeTrial(long seed) {
        this.seed = seed;
        rand = new Rand(seed);
        plan = new AgreePlan(new Rand(rand.nextLong()));
        ranks = new Rank[plan.ranks];
        lastOnWay = new long[plan.ranks * plan.ranks];
        cut = new long[plan.ranks][];
        audits = new AgreeAudit[AgreePlan.GROUPS][2][];
        drops = new int[AgreePlan.GROUPS][2];
        for (int g = 0; g < AgreePlan.GROUPS; g++) {
            for (int use = 0; use < plan.uses[g]; use++) {
                audits[g][use] = new AgreeAudit[plan.calls[g]];
                int[] members = plan.members[g];
                for (int call = 0; call < plan.calls[g]; call++) {
                    audits[g][use][call] = new AgreeAudit("group " + g + ", use " + use + ", call " + call,
                            members.length, i -> plan.survives(members[i]),
                            !plan.lingering || Arrays.stream(members).anyMatch(plan::survives));
                }
            }
        }
        for (int rank = 0; rank < plan.ranks; rank++) {
            ranks[rank] = new Rank(rank);
            if (plan.dies[rank] != Long.MAX_VALUE) {
                add(plan.dies[rank], plan.lingering ? Type.DECLARE : Type.KILL, rank, 0);
            }
        }
        for (int g = 0; g < AgreePlan.GROUPS; g++) {
            for (int rank : plan.members[g]) {
                add(gap(), Type.JOIN, rank, g);
            }
        }
        if (plan.revoker >= 0) {
            add(plan.revokesAt, Type.REVOKE, plan.revoker, plan.revokes);
        }
    }

    /** All that was drawn, in a readable block. */
    public String drawn() {
        return "seed    " + seed + "\n" + plan;
    }

    /** The hash of all that has happened. */
    public long hash() {
        return hash;
    }

    public long eventCount() {
        return order;
    }

    public int deaths() {
        int deaths = 0;
        for (Rank rank : ranks) {
            deaths += rank.dead ? 1 : 0;
        }
        return deaths;
    }

    private void add(long at, Type type, int rank, int other) {
        add(at, type, rank, other, 0, 0, null);
    }

    private void add(long at, Type type, int rank, int other, int kind, long header, long[] words) {
        events.add(new Event(at, order++, type, rank, other, kind, header, words));
    }

    private long gap() {
        return 1 + rand.below(plan.mostGap);
    }

    /**
     * Runs it.
     *
     * @throws Violation or whatever else it throws, if it fails
     */
    public void run() {
        for (Event event = events.poll(); event != null; event = events.poll()) {
            check(order < MOST_EVENTS, "does not come to an end");
            now = event.time;
            hash = 31 * hash + event.time * 7 + event.type.ordinal() + 13L * event.rank + 17L * event.kind;
            Rank rank = ranks[event.rank];
            if (rank.dead) {
                continue;
            }
            try {
                happen(rank, event);
            } catch (RuntimeException e) {
                if (e != KILLED) {
                    throw e;
                }
                die(rank);
            }
            takeDecisions(rank);
        }
        finish();
    }

    private void happen(Rank rank, Event event) {
        switch (event.type) {
            case JOIN -> join(rank, event.other);
            case CALL -> call(rank, event.other);
            case DROP -> drop(rank, event.other);
            case REVOKE -> {
                if (rank.use[event.other] >= 0 && !rank.dropped[event.other]) {
                    rank.machine.revoke(AgreePlan.context(event.other));
                }
            }
            case FRAME -> {
                long[] cuts = cut[event.other];
                boolean comes = cuts == null || cuts[rank.rank] == 0 || now <= cuts[rank.rank];
                if (comes && (plan.late || !rank.lost.get(event.other))) {
                    rank.machine.frame(event.kind, event.other, event.header, event.words);
                }
            }
            case DECLARE -> {
                notice(rank);
                add(now + 1 + rand.below(20 * plan.mostDelay + plan.mostNotice), Type.KILL, rank.rank, 0);
            }
            case KILL -> die(rank);
            default -> {
                rank.lost.set(event.other);
                rank.machine.lose(event.other);
            }
        }
    }

    private void join(Rank rank, int group) {
        int use = ++rank.use[group];
        rank.begun[group] = 0;
        rank.decided[group] = 0;
        rank.dropped[group] = false;
        int[] members = plan.members[group];
        rank.machine.join(AgreePlan.context(group), use, members, position(members, rank.rank));
        if (plan.calls[group] > 0) {
            add(now + gap(), Type.CALL, rank.rank, group);
        } else {
            add(now + gap(), Type.DROP, rank.rank, group);
        }
    }

    private static int position(int[] members, int rank) {
        int position = 0;
        while (members[position] != rank) {
            position++;
        }
        return position;
    }

    private void call(Rank rank, int group) {
        int number = rank.begun[group]++;
        int position = position(plan.members[group], rank.rank);
        AgreeAudit audit = audits[group][rank.use[group]][number];
        long[] vote = audit.vote(position, rand);
        rank.pending.add(new Pending(audit, group, position,
                rank.machine.begin(AgreePlan.context(group), number, vote)));
        if (!plan.blocking && number + 1 < plan.calls[group]) {
            add(now + gap(), Type.CALL, rank.rank, group);
        }
    }

    private void drop(Rank rank, int group) {
        int use = rank.use[group];
        if (use + 1 == plan.uses[group] && group == 0) {
            return;
        }
        rank.dropped[group] = true;
        rank.machine.drop(AgreePlan.context(group));
        drops[group][use]++;
        reuse(group, use);
    }

    /** The context of a group is used again when all members that count have dropped it. */
    private void reuse(int group, int use) {
        if (use + 1 >= plan.uses[group] || drops[group][use] < 0) {
            return;
        }
        for (int rank : plan.members[group]) {
            if (!ranks[rank].dead && !declared.get(rank) && !(ranks[rank].use[group] == use
                    && ranks[rank].dropped[group])) {
                return;
            }
        }
        drops[group][use] = Integer.MIN_VALUE;
        for (int rank : plan.members[group]) {
            if (!ranks[rank].dead && ranks[rank].dropped[group]) {
                add(now + gap(), Type.JOIN, rank, group);
            }
        }
    }

    private void die(Rank rank) {
        rank.dead = true;
        cut[rank.rank] = new long[plan.ranks];
        for (int to = 0; to < plan.ranks; to++) {
            cut[rank.rank][to] = rand.chance(1, 2) ? 0 : now + rand.below(3 * plan.mostDelay);
        }
        notice(rank);
    }

    /** All others learn that a rank is dead, each in its time. */
    private void notice(Rank rank) {
        if (declared.get(rank.rank)) {
            return;
        }
        declared.set(rank.rank);
        for (int other = 0; other < plan.ranks; other++) {
            if (other != rank.rank) {
                add(now + 1 + rand.below(plan.mostNotice), Type.LOSE, other, rank.rank);
            }
        }
        for (int g = 0; g < AgreePlan.GROUPS; g++) {
            for (int use = 0; use < plan.uses[g]; use++) {
                if (drops[g][use] > 0) {
                    reuse(g, use);
                }
            }
        }
    }

    private void takeDecisions(Rank rank) {
        for (int i = rank.pending.size() - 1; i >= 0; i--) {
            Pending call = rank.pending.get(i);
            if (call.agreed.value() == null) {
                continue;
            }
            rank.pending.remove(i);
            call.audit.decided(call.position, call.agreed.value());
            int group = call.group;
            if (rank.dead) {
                continue;
            }
            check(!plan.blocking || rank.machine.calls() <= AgreePlan.GROUPS + rank.pending.size(),
                    "rank " + rank.rank + " keeps " + rank.machine.calls() + " calls");
            if (++rank.decided[group] == plan.calls[group]) {
                add(now + gap(), Type.DROP, rank.rank, group);
            } else if (plan.blocking) {
                add(now + gap(), Type.CALL, rank.rank, group);
            }
        }
    }

    private void finish() {
        for (int g = 0; g < AgreePlan.GROUPS; g++) {
            for (int use = 0; use < plan.uses[g]; use++) {
                finish(g, use);
            }
        }
        check(!declared.isEmpty() || frames == frames(), frames + " frames, not " + frames());
        for (Rank rank : ranks) {
            if (plan.survives(rank.rank)) {
                check(rank.machine.undecided() == 0, "rank " + rank.rank + " has calls that are not decided");
                check(rank.machine.early() == 0, "rank " + rank.rank + " keeps votes");
            }
        }
    }

    /** The frames of all calls if no rank dies. */
    private long frames() {
        long sum = 0;
        for (int g = 0; g < AgreePlan.GROUPS; g++) {
            sum += 4L * plan.uses[g] * plan.calls[g] * (plan.members[g].length - 1);
        }
        return sum;
    }

    private void finish(int group, int use) {
        boolean revoked = false;
        for (int rank : plan.members[group]) {
            revoked |= plan.survives(rank) && ranks[rank].revoked[group][use];
        }
        for (int member : plan.members[group]) {
            Rank rank = ranks[member];
            if (!plan.survives(member)) {
                continue;
            }
            check(rank.use[group] > use || rank.use[group] == use && rank.decided[group] == plan.calls[group],
                    "rank " + member + " has decided " + rank.decided[group] + " of " + plan.calls[group]
                            + " calls of group " + group + ", use " + rank.use[group]);
            boolean couldMiss = rank.use[group] > use || rank.dropped[group];
            check(!revoked || rank.revoked[group][use] || couldMiss, "rank " + member
                    + " does not know that group " + group + " is revoked");
        }
    }
}
