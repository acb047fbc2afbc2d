package io.rankwire.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.collective.Blocks;
import io.rankwire.collective.Cost;
import io.rankwire.collective.Hosts;
import io.rankwire.collective.Schedule;
import io.rankwire.collective.ScheduleRun;
import io.rankwire.collective.Step.Part;
import io.rankwire.collective.TreeCollective;
import io.rankwire.runtime.Neighbourhood;
import io.rankwire.runtime.Operator;
import io.rankwire.runtime.collective.Algorithm.Candidate;
import io.rankwire.runtime.collective.Algorithm.Choice;
import io.rankwire.runtime.collective.Shape.Amount;
import io.rankwire.runtime.collective.Shape.Kind;
import io.rankwire.runtime.collective.Shape.Team;
import io.rankwire.runtime.collective.Shape.Uneven;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/**
 * The list of algorithms as data: every one that applies to a call gives schedules that do what the call is for, with
 * words for content, and the cheapest is chosen.
 */
class AlgorithmTest {
    private static final int UNITS = 3;
    private static final Operator SUM = Operator.of(Reduction.SUM, "sum");
    private static final Operator ORDERED = Operator.own("ordered", false, 1, null);
    /** Kinds that one buffer can be enough for. */
    private static final Set<Kind> IN_PLACE = EnumSet.range(Kind.GATHER, Kind.ALLTOALLW);

    /** A call of all ranks; with two groups, these are numbered one behind the other. */
    private record Call(Kind kind, int near, int far, int root, Operator op, boolean inPlace, int[] nodes) {
        Call(Kind kind, int near, int far, int root, Operator op, boolean inPlace) {
            this(kind, near, far, root, op, inPlace, null);
        }

        private Hosts hosts() {
            return nodes == null ? null : Hosts.of(nodes, Cost.NEAR, Cost.NETWORK);
        }

        int ranks() {
            return near + far;
        }

        boolean isNear(int rank) {
            return rank < near;
        }

        /** Ranks that a rank gives to or takes from. */
        int[] others(int rank) {
            int from = far > 0 && isNear(rank) ? near : 0;
            int to = far > 0 && !isNear(rank) ? near : ranks();
            int[] all = new int[to - from];
            Arrays.setAll(all, i -> from + i);
            return kind.isOfNeighbours() ? new int[] {rank, (rank + 1) % near, (rank + 1) % near} : all;
        }

        int[] sources(int rank) {
            return kind.isOfNeighbours() ? new int[] {rank, (rank + near - 1) % near, (rank + near - 1) % near}
                    : others(rank);
        }

        /** Ranks among which blocks of a combined vector are dealt out. */
        int[] owners(int rank) {
            int[] owners = new int[far == 0 || isNear(rank) ? near : far];
            Arrays.setAll(owners, i -> far > 0 && !isNear(rank) ? near + i : i);
            return owners;
        }

        int length(int from, int to) {
            if (kind == Kind.REDUCE_SCATTER_BLOCK) {
                return far == 0 ? UNITS : isNear(to) ? far : near;
            }
            if (kind == Kind.REDUCE_SCATTER) {
                // Both sides have vectors of one length.
                int size = far == 0 || isNear(to) ? near : far;
                int place = isNear(to) ? to : to - near;
                int total = 2 * near * Math.max(1, far);
                return place == size - 1 ? total - (size - 1) : 1;
            }
            return !kind.isUneven() ? UNITS : kind.gives == Amount.ONE ? from * 7 % 4 : kind.takes == Amount.ONE
                    ? to * 7 % 4 : (from + to) * 3 % 4;
        }

        boolean isRoot(int rank) {
            return kind.hasRoot() && rank == root;
        }

        boolean isInPlace(int rank) {
            return inPlace && (!kind.hasRoot() || isRoot(rank));
        }

        boolean reads(int rank) {
            return kind.reads(isRoot(rank), far > 0) && !isIdle(rank);
        }

        boolean writes(int rank) {
            return kind.writes(isRoot(rank), far > 0) && !isIdle(rank);
        }

        boolean isIdle(int rank) {
            return far > 0 && kind.hasRoot() && rank != root && isNear(rank) == isNear(root);
        }

        Shape shape(int rank) {
            Neighbourhood around = kind.isOfNeighbours() ? new Neighbourhood(sources(rank), others(rank)) : null;
            Team team = new Team(isNear(rank) ? rank : rank - near, isNear(rank) ? near : far,
                    isNear(rank) ? far : far == 0 ? 0 : near, isNear(rank), false, hosts(), around);
            int place = !kind.hasRoot() ? 0 : isIdle(rank) ? Team.ANOTHER_NEAR : root;
            long bytes = kind == Kind.REDUCE_SCATTER_BLOCK && far > 0 ? (long) near * far : UNITS;
            return new Shape(kind, place, kind.isUneven() && op == null ? 0 : bytes, ElementType.BYTE, op,
                    isInPlace(rank), team, kind.isUneven() ? uneven(rank) : null);
        }

        private Uneven uneven(int rank) {
            if (op != null) {
                return new Uneven(Blocks.row(lengths(owners(rank), owner -> length(rank, owner))), null, null,
                        new ElementType[0]);
            }
            boolean keeps = isInPlace(rank);
            Part[] given = Blocks.row(lengths(others(rank), to -> length(rank, to))).parts(Schedule.INPUT);
            if (kind.gives == Amount.ONE) {
                Arrays.fill(given, new Part(Schedule.INPUT, 0, length(rank, rank)));
            }
            Part[] taken = kind.takes == Amount.ONE ? new Part[] {new Part(Schedule.OUTPUT, 0, length(rank, rank))}
                    : Blocks.row(lengths(sources(rank), from -> length(from, rank))).parts(Schedule.OUTPUT);
            return new Uneven(null, keeps && !kind.keepsOwnBlock() ? null : given,
                    keeps && kind.keepsOwnBlock() ? null : taken, new ElementType[0]);
        }

        private static long[] lengths(int[] ranks, IntFunction<Integer> length) {
            return Arrays.stream(ranks).mapToLong(length::apply).toArray();
        }

        /** What a rank gives another, or all. */
        private List<String> words(int from, int to) {
            List<String> words = new ArrayList<>();
            for (int unit = 0; unit < length(from, to); unit++) {
                words.add(kind.gives == Amount.EACH ? from + ">" + to + "." + unit : from + "." + unit);
            }
            return words;
        }

        List<String> given(int rank) {
            if (kind.gives == Amount.ONE) {
                return words(rank, rank);
            }
            List<String> all = new ArrayList<>();
            for (int to : kind.combines() ? owners(rank) : others(rank)) {
                all.addAll(combinedWords(rank, to));
            }
            return all;
        }

        /** Between two groups, each side cuts the vectors in its own way: so a unit is named by its place in it. */
        private List<String> combinedWords(int from, int to) {
            if (!kind.combines() || far == 0) {
                return words(from, to);
            }
            int at = 0;
            for (int owner : owners(to)) {
                if (owner == to) {
                    break;
                }
                at += length(from, owner);
            }
            List<String> words = new ArrayList<>();
            for (int unit = 0; unit < length(from, to); unit++) {
                words.add(from + "." + (at + unit));
            }
            return words;
        }

        /** What a rank must have got in the end, in order; null for what is not said. */
        List<String> expected(int rank) {
            List<String> all = new ArrayList<>();
            if (kind == Kind.BARRIER || kind == Kind.BROADCAST) {
                return kind == Kind.BARRIER ? all : words(root, root);
            }
            if (!kind.combines()) {
                for (int from : kind.takes == Amount.ONE ? new int[] {root} : sources(rank)) {
                    all.addAll(words(from, rank));
                }
                return all;
            }
            int[] from = Arrays.stream(others(rank)).filter(other -> kind == Kind.SCAN ? other <= rank
                    : kind != Kind.EXSCAN || other < rank).toArray();
            for (int other : from) {
                List<String> words = kind.gives == Amount.EACH ? combinedWords(other, rank) : words(other, other);
                for (int i = 0; i < words.size(); i++) {
                    if (all.size() <= i) {
                        all.add(words.get(i));
                    } else {
                        all.set(i, all.get(i) + "," + words.get(i));
                    }
                }
            }
            return all;
        }

        /** What a rank's buffer to write holds before. */
        String[] before(int rank) {
            List<String> after = expected(rank);
            if (kind == Kind.BROADCAST && isRoot(rank)) {
                return after.toArray(new String[0]);
            }
            boolean vector = kind.combines() || kind.gives == Amount.EACH;
            if (!isInPlace(rank) || kind.keepsOwnBlock()) {
                return new String[Math.max(after.size(), UNITS)];
            }
            if (vector) {
                return given(rank).toArray(new String[0]);
            }
            String[] words = after.toArray(new String[0]);
            int at = 0;
            for (int from : sources(rank)) {
                for (int i = 0; i < length(from, rank); i++, at++) {
                    words[at] = from == rank ? words[at] : null;
                }
            }
            return words;
        }

        void check(Algorithm algorithm, boolean cut, boolean sendsWait) {
            List<Schedule> schedules = new ArrayList<>();
            String[][] inputs = new String[ranks()][];
            String[][] outputs = new String[ranks()][];
            for (int rank = 0; rank < ranks(); rank++) {
                Shape shape = shape(rank);
                Schedule schedule = (isIdle(rank) ? idle(shape) : algorithm).schedule().apply(shape);
                boolean known = isIdle(rank) || schedule.algorithm().startsWith(algorithm.name());
                assertTrue(known, algorithm.name() + " calls itself " + schedule.algorithm());
                int[] numbers = new int[ranks()];
                boolean near = isNear(rank);
                Arrays.setAll(numbers, n -> near ? n : n < far ? near() + n : n - far);
                schedules.add((cut ? schedule.cut(2) : schedule).among(numbers));
                inputs[rank] = reads(rank) ? given(rank).toArray(new String[0]) : null;
                outputs[rank] = writes(rank) ? before(rank) : null;
            }
            try {
                new ScheduleRun(schedules, inputs, outputs, sendsWait).run();
            } catch (AssertionError e) {
                throw new AssertionError(algorithm.name() + ": " + this, e);
            }
            for (int rank = 0; rank < ranks(); rank++) {
                boolean takes = writes(rank) && !(isInPlace(rank) && kind.keepsOwnBlock());
                List<String> wanted = takes ? expected(rank) : List.of();
                for (int i = 0; i < wanted.size(); i++) {
                    assertEquals(sorted(wanted.get(i)), sorted(outputs[rank][i]), algorithm.name() + ": " + this
                            + ", rank " + rank + ", unit " + i);
                }
            }
        }

        private static Algorithm idle(Shape shape) {
            return Choice.of(shape, Cost.NEAR, Algorithm.LIST).best();
        }

        private String sorted(String words) {
            if (op == null || !op.commutes() || words == null) {
                return words;
            }
            String[] parts = words.split(",");
            Arrays.sort(parts);
            return String.join(",", parts);
        }
    }

    private static List<Call> calls() {
        List<Call> calls = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (int size = 1; size <= 8; size++) {
                add(calls, kind, size, 0);
            }
            for (int[] nodes : places()) {
                add(calls, kind, nodes.length, 0, nodes);
            }
            boolean ofOneGroup = kind.isOfNeighbours() || kind == Kind.SCAN || kind == Kind.EXSCAN;
            for (int near = 1; near <= 4 && !ofOneGroup; near++) {
                for (int far = 1; far <= 4; far++) {
                    add(calls, kind, near, far);
                }
            }
        }
        return calls;
    }

    /** Ranks in rows of hosts, dealt out in turn, one alone and in disorder. */
    private static List<int[]> places() {
        return List.of(new int[] {0, 0, 1, 1}, new int[] {0, 0, 0, 1, 1, 1}, new int[] {4, 4, 4, 4, 4, 2},
                new int[] {0, 1, 0, 1}, new int[] {2, 0, 1, 2, 0, 1, 2}, new int[] {3, 3, 9, 3, 9, 7, 7, 9},
                new int[] {0, 0, 1, 1, 2, 2}, new int[] {0, 1, 1}, new int[] {0, 0, 1, 1, 2, 2, 3, 3, 4, 4});
    }

    private static void add(List<Call> calls, Kind kind, int near, int far) {
        add(calls, kind, near, far, null);
    }

    private static void add(List<Call> calls, Kind kind, int near, int far, int[] nodes) {
        for (int root = 0; root < (kind.hasRoot() ? near + far : 1); root++) {
            for (Operator op : kind.combines() ? new Operator[] {SUM, ORDERED} : new Operator[] {null}) {
                calls.add(new Call(kind, near, far, root, op, false, nodes));
                if (far == 0 && IN_PLACE.contains(kind)) {
                    calls.add(new Call(kind, near, far, root, op, true, nodes));
                }
            }
        }
    }

    @Test
    void shouldDoWhatTheCallIsForWhicheverIsTaken() {
        Set<Algorithm> seen = new HashSet<>();
        for (Call call : calls()) {
            int rank = 0;
            while (call.isIdle(rank)) {
                rank++;
            }
            Choice choice = Choice.of(call.shape(rank), Cost.NEAR, Algorithm.LIST);
            for (Candidate candidate : choice.candidates()) {
                seen.add(candidate.algorithm());
                for (int i = 0; i < 4; i++) {
                    call.check(candidate.algorithm(), i % 2 == 1, i / 2 == 1);
                }
            }
            assertSame(choice.best(), choice.withMessages());
        }
        List<String> unseen = Algorithm.LIST.stream()
                .filter(each -> each.schedule() != null && !seen.contains(each)).map(Algorithm::name).toList();
        // Programs of simulated machines test the tree: it has no messages.
        assertEquals(List.of(TreeCollective.NAME, "nothing to do"), unseen);
    }

    @Test
    void shouldHaveOneNameForEachAndTakeTheCheapest() {
        for (Call call : calls()) {
            for (boolean sharesMemory : new boolean[] {false, true}) {
                Shape of = call.shape(0);
                Team team = new Team(of.rank(), of.size(), of.far(), true, sharesMemory && of.far() == 0,
                        of.team().hosts(), of.team().around());
                for (long bytes : new long[] {8, 1 << 12, 1 << 20}) {
                    Shape shape = new Shape(of.kind(), of.root(), bytes, of.type(), of.op(), of.inPlace(), team,
                            of.uneven());
                    check(shape, Choice.of(shape, Cost.NEAR, Algorithm.LIST));
                }
            }
        }
    }

    private static void check(Shape shape, Choice choice) {
        Set<String> names = new HashSet<>();
        double last = 0;
        for (Candidate candidate : choice.candidates()) {
            assertTrue(names.add(candidate.algorithm().name()), shape + " has two of " + candidate.algorithm().name());
            assertTrue(!(candidate.ns() < last), shape.describe() + ": " + choice);
            last = candidate.ns();
        }
        assertTrue(choice.withMessages().schedule() != null);
        boolean some = choice.candidates().stream().anyMatch(each -> each.algorithm().schedule() == null);
        assertTrue(shape.team().sharesMemory() || !some, shape + ": " + choice);
    }

    @Test
    void shouldShowOneThatIsAddedToTheList() {
        Shape shape = new Call(Kind.ALLREDUCE, 4, 0, 0, SUM, false).shape(0);
        assertEquals("recursive doubling, about 301 ns; other candidates: reduce-scatter and allgather 841 ns",
                Choice.of(shape, Cost.NEAR, Algorithm.LIST).describe("recursive doubling"));
        for (double ns : new double[] {1, 400, 2000}) {
            List<Algorithm> more = new ArrayList<>(Algorithm.LIST);
            more.add(Algorithm.of("by pigeon", EnumSet.of(Kind.ALLREDUCE), all -> true, (cost, of) -> ns, of -> null));
            Choice choice = Choice.of(shape, Cost.NEAR, more);
            String taken = choice.best().name();
            assertEquals(ns == 1 ? "by pigeon" : "recursive doubling", taken);
            assertEquals(switch ((int) ns) {
                case 1 -> "by pigeon, about 1.00 ns; other candidates: recursive doubling 301 ns, reduce-scatter and"
                        + " allgather 841 ns";
                case 400 -> "recursive doubling, about 301 ns; other candidates: by pigeon 400 ns, reduce-scatter and"
                        + " allgather 841 ns";
                default -> "recursive doubling, about 301 ns; other candidates: reduce-scatter and allgather 841 ns,"
                        + " by pigeon 2.00 µs";
            }, choice.describe(taken));
        }
    }

    @Test
    void shouldPassLongBroadcastsAlongAChain() {
        for (Cost cost : new Cost[] {Cost.NEAR, Cost.NETWORK}) {
            for (int size : new int[] {3, 8, 16}) {
                Team team = new Team(0, size, 0, true, false, null, null);
                assertEquals("binomial", Choice.of(new Shape(Kind.BROADCAST, 0, 64, ElementType.BYTE, null, false, team,
                        null), cost, Algorithm.LIST).best().name());
                assertEquals("chain", Choice.of(new Shape(Kind.BROADCAST, 0, 4 << 20, ElementType.BYTE, null, false,
                        team, null), cost, Algorithm.LIST).best().name());
            }
        }
    }

    /** Two hosts with four ranks each: the fewest messages between them, whatever a message holds. */
    @Test
    void shouldCrossTheNetworkAsLittleAsItCan() {
        Hosts hosts = Hosts.of(new int[] {0, 0, 0, 0, 1, 1, 1, 1}, Cost.NEAR, Cost.NETWORK);
        Team team = new Team(0, 8, 0, true, false, hosts, null);
        Cost flat = Cost.NETWORK.shared(hosts.most());
        for (Kind kind : new Kind[] {Kind.BARRIER, Kind.BROADCAST, Kind.REDUCE, Kind.ALLREDUCE, Kind.ALLGATHER}) {
            for (long bytes : new long[] {8, 1 << 12, 1 << 20}) {
                Shape shape = new Shape(kind, 0, kind == Kind.BARRIER ? 0 : bytes, ElementType.BYTE,
                        kind.combines() ? SUM : null, false, team, null);
                Choice choice = Choice.of(shape, flat, Algorithm.LIST);
                assertTrue(choice.best().name().startsWith("by hosts"), () -> shape.describe() + ": " + choice);
            }
        }
        Shape small = new Shape(Kind.ALLREDUCE, 0, 8, ElementType.BYTE, SUM, false, team, null);
        Choice choice = Choice.of(small, flat, Algorithm.LIST);
        assertEquals("by hosts, about 5.61 µs; other candidates: by hosts, in parts 5.84 µs, recursive doubling"
                + " 15.0 µs, reduce-scatter and allgather 35.5 µs", choice.describe(choice.best().name()));
        Shape large = new Shape(Kind.ALLREDUCE, 0, 1 << 20, ElementType.BYTE, SUM, false, team, null);
        assertEquals("by hosts, in parts", Choice.of(large, flat, Algorithm.LIST).best().name());
    }

    @Test
    void shouldTakeSharedMemoryForCallsThatWaitAlone() {
        Shape of = new Call(Kind.ALLREDUCE, 2, 0, 0, SUM, false).shape(0);
        for (long bytes : new long[] {8, 1 << 20}) {
            Team team = new Team(0, 2, 0, true, true, null, null);
            Shape shape = new Shape(of.kind(), 0, bytes, of.type(), SUM, false, team, null);
            Choice choice = Choice.of(shape, Cost.NEAR, Algorithm.LIST);
            assertEquals("shared memory", choice.best().name());
            assertTrue(choice.withMessages().schedule() != null);
            assertTrue(choice.describe(choice.best().name()).endsWith("; if not blocking: "
                    + choice.withMessages().name()), choice.describe(choice.best().name()));
        }
    }
}
