package io.rankwire.runtime.collective;

import io.rankwire.collective.BinomialBroadcast;
import io.rankwire.collective.BinomialGather;
import io.rankwire.collective.BinomialReduce;
import io.rankwire.collective.BinomialScatter;
import io.rankwire.collective.BruckAlltoall;
import io.rankwire.collective.ByHosts;
import io.rankwire.collective.ChainBroadcast;
import io.rankwire.collective.CirculantAllgather;
import io.rankwire.collective.CirculantAllreduce;
import io.rankwire.collective.CirculantReduce;
import io.rankwire.collective.CirculantReduceScatter;
import io.rankwire.collective.Cost;
import io.rankwire.collective.CrossAllreduce;
import io.rankwire.collective.CrossAlltoall;
import io.rankwire.collective.CrossReduce;
import io.rankwire.collective.CrossReduceScatter;
import io.rankwire.collective.DisseminationBarrier;
import io.rankwire.collective.DoublingAllreduce;
import io.rankwire.collective.DoublingScan;
import io.rankwire.collective.Exchange;
import io.rankwire.collective.LinearGather;
import io.rankwire.collective.LinearScatter;
import io.rankwire.collective.OrderedReduceScatter;
import io.rankwire.collective.PairwiseAlltoall;
import io.rankwire.collective.RingAllgather;
import io.rankwire.collective.ScatterAllgatherBroadcast;
import io.rankwire.collective.Schedule;
import io.rankwire.collective.TreeCollective;
import io.rankwire.runtime.collective.Shape.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * One way to make collective calls, as data. All that apply to a call are its candidates, and the cheapest is taken.
 * Those that need the callers of all ranks, not the device, are for calls that return when they are done; other calls
 * take the cheapest that has a schedule.
 *
 * @param name for people; no two of a call have the same
 * @param between whether it is for calls between two groups, or for those of one
 * @param serves the calls of these kinds that it is for
 * @param cost estimated time; not a number where there is no model
 * @param schedule what this rank does with messages; null if the call is made in shared memory
 * @param inMemory how it is made there; null if it has a schedule
 */
public record Algorithm(String name, Set<Kind> kinds, boolean between, Predicate<Shape> serves, Estimate cost,
        Function<Shape, Schedule> schedule, InMemory inMemory) {
    /** Estimates the time of a call, in nanoseconds. */
    public interface Estimate {
        double ns(Cost cost, Shape shape);
    }

    /** Makes a call, or returns false if all ranks had better make it with messages. */
    public interface InMemory {
        boolean run(SharedCollectives by, Collective call, int tag);
    }

    private static final Predicate<Shape> ALL = shape -> true;
    private static final Predicate<Shape> COMMUTES = shape -> shape.op().commutes();
    private static final Estimate UNKNOWN = (cost, shape) -> Double.NaN;

    /** All there are; of two that cost the same, the first is taken. */
    public static final List<Algorithm> LIST = List.of(
            inMemory("shared memory", SharedCollectives::serves, SharedCollectives::costNs, SharedCollectives::run),

            of("dissemination", EnumSet.of(Kind.BARRIER), ALL, (c, s) -> DisseminationBarrier.cost(c, s.size()),
                    s -> DisseminationBarrier.of(s.rank(), s.size())),
            of(BinomialBroadcast.NAME, EnumSet.of(Kind.BROADCAST), ALL,
                    (c, s) -> BinomialBroadcast.cost(c, s.size(), s.bytes()),
                    s -> BinomialBroadcast.of(s.rank(), s.size(), s.root(), s.units())),
            of(ScatterAllgatherBroadcast.NAME, EnumSet.of(Kind.BROADCAST), ALL,
                    (c, s) -> ScatterAllgatherBroadcast.cost(c, s.size(), s.bytes()),
                    s -> ScatterAllgatherBroadcast.of(s.rank(), s.size(), s.root(), s.units())),
            of(ChainBroadcast.NAME, EnumSet.of(Kind.BROADCAST), s -> s.size() > 2,
                    (c, s) -> ChainBroadcast.cost(c, s.size(), s.bytes()),
                    s -> ChainBroadcast.of(s.rank(), s.size(), s.root(), s.units())),
            of(LinearGather.NAME, EnumSet.of(Kind.GATHER, Kind.GATHERV), ALL,
                    (c, s) -> LinearGather.cost(c, s.size(), s.bytes()),
                    s -> LinearGather.of(s.rank(), s.size(), s.root(), s.taken(), Shape.one(s.given()))),
            of(BinomialGather.NAME, EnumSet.of(Kind.GATHER), ALL,
                    (c, s) -> BinomialGather.cost(c, s.size(), s.bytes()),
                    s -> BinomialGather.of(s.rank(), s.size(), s.root(), s.bytes(), s.inPlace())),
            of(LinearScatter.NAME, EnumSet.of(Kind.SCATTER, Kind.SCATTERV), ALL,
                    (c, s) -> LinearScatter.cost(c, s.size(), s.bytes()),
                    s -> LinearScatter.of(s.rank(), s.size(), s.root(), s.given(), Shape.one(s.taken()))),
            of(BinomialScatter.NAME, EnumSet.of(Kind.SCATTER), ALL,
                    (c, s) -> BinomialScatter.cost(c, s.size(), s.bytes()),
                    s -> BinomialScatter.of(s.rank(), s.size(), s.root(), s.bytes(), s.inPlace())),
            of(CirculantAllgather.NAME, EnumSet.of(Kind.ALLGATHER), ALL,
                    (c, s) -> CirculantAllgather.cost(c, s.size(), s.total()),
                    s -> CirculantAllgather.of(s.rank(), s.size(), s.blocks(), s.inPlace())),
            of(RingAllgather.NAME, EnumSet.of(Kind.ALLGATHERV), ALL, UNKNOWN,
                    s -> RingAllgather.of(s.rank(), s.size(), s.taken(), Shape.one(s.given()))),
            of(PairwiseAlltoall.NAME, EnumSet.of(Kind.ALLTOALL, Kind.ALLTOALLV, Kind.ALLTOALLW), ALL,
                    (c, s) -> PairwiseAlltoall.cost(c, s.size(), s.bytes()),
                    s -> s.inPlace() ? PairwiseAlltoall.inPlace(s.rank(), s.size(), s.taken())
                            : PairwiseAlltoall.of(s.rank(), s.size(), s.given(), s.taken())),
            of(BruckAlltoall.NAME, EnumSet.of(Kind.ALLTOALL), s -> !s.inPlace() && s.size() != 2,
                    (c, s) -> BruckAlltoall.cost(c, s.size(), s.bytes()),
                    s -> BruckAlltoall.of(s.rank(), s.size(), s.bytes())),
            of(BinomialReduce.NAME, EnumSet.of(Kind.REDUCE), ALL,
                    (c, s) -> BinomialReduce.cost(c, s.size(), s.bytes()),
                    s -> BinomialReduce.of(
                            s.rank(), s.size(), s.root(), s.units(), s.op().commutes(), s.inPlace())),
            of(CirculantReduce.NAME, EnumSet.of(Kind.REDUCE), COMMUTES,
                    (c, s) -> CirculantReduce.cost(c, s.size(), s.bytes()),
                    s -> CirculantReduce.of(s.rank(), s.size(), s.root(), s.units(), s.inPlace())),
            of(DoublingAllreduce.NAME, EnumSet.of(Kind.ALLREDUCE), ALL,
                    (c, s) -> DoublingAllreduce.cost(c, s.size(), s.bytes()),
                    s -> DoublingAllreduce.of(s.rank(), s.size(), s.units(), s.inPlace())),
            of(CirculantAllreduce.NAME, EnumSet.of(Kind.ALLREDUCE), COMMUTES,
                    (c, s) -> CirculantAllreduce.cost(c, s.size(), s.bytes()),
                    s -> CirculantAllreduce.of(s.rank(), s.size(), s.units(), s.inPlace())),
            of(CirculantReduceScatter.NAME, EnumSet.of(Kind.REDUCE_SCATTER_BLOCK, Kind.REDUCE_SCATTER), COMMUTES,
                    (c, s) -> CirculantReduceScatter.cost(c, s.size(), s.total()),
                    s -> CirculantReduceScatter.of(s.rank(), s.size(), s.blocks(), s.inPlace())),
            of(OrderedReduceScatter.NAME, EnumSet.of(Kind.REDUCE_SCATTER_BLOCK, Kind.REDUCE_SCATTER),
                    COMMUTES.negate(), (c, s) -> OrderedReduceScatter.cost(c, s.size(), s.total()),
                    s -> OrderedReduceScatter.of(s.rank(), s.size(), s.blocks(), s.inPlace())),
            of(DoublingScan.NAME, EnumSet.of(Kind.SCAN), ALL, (c, s) -> DoublingScan.cost(c, s.size(), s.bytes()),
                    s -> DoublingScan.inclusive(s.rank(), s.size(), s.units(), s.inPlace())),
            of(DoublingScan.NAME, EnumSet.of(Kind.EXSCAN), ALL, (c, s) -> DoublingScan.cost(c, s.size(), s.bytes()),
                    s -> DoublingScan.exclusive(s.rank(), s.size(), s.units(), s.inPlace())),
            of(Exchange.NAME, EnumSet.range(Kind.NEIGHBOUR_ALLGATHER, Kind.NEIGHBOUR_ALLTOALLW), ALL, UNKNOWN,
                    s -> Exchange.of(s.rank(), s.team().around().to(s.given()), s.team().around().from(s.taken()))),

            of(TreeCollective.NAME, EnumSet.of(Kind.BARRIER, Kind.BROADCAST, Kind.REDUCE, Kind.ALLREDUCE),
                    Shape::suitsTree, (c, s) -> s.team().tree().ns(s.bytes(), s.op() != null),
                    s -> TreeCollective.of(s.treeInput(), s.treeOutput(), s.units())),

            byHosts(ByHosts.NAME, Kind.BARRIER, ALL, s -> ByHosts.barrierCost(s.team().hosts()),
                    s -> ByHosts.barrier(s.team().hosts(), s.rank())),
            byHosts(ByHosts.NAME, Kind.BROADCAST, ALL, s -> ByHosts.broadcastCost(s.team().hosts(), s.bytes()),
                    s -> ByHosts.broadcast(s.team().hosts(), s.rank(), s.root(), s.units())),
            byHosts(ByHosts.NAME, Kind.REDUCE, COMMUTES, s -> ByHosts.reduceCost(s.team().hosts(), s.bytes()),
                    s -> ByHosts.reduce(s.team().hosts(), s.rank(), s.root(), s.units(), s.inPlace())),
            byHosts(ByHosts.NAME, Kind.ALLREDUCE, COMMUTES,
                    s -> ByHosts.allreduceCost(s.team().hosts(), s.bytes()),
                    s -> ByHosts.allreduce(s.team().hosts(), s.rank(), s.units(), s.inPlace())),
            byHosts(ByHosts.IN_PARTS, Kind.ALLREDUCE, COMMUTES.and(s -> s.team().hosts().isEven()),
                    s -> ByHosts.allreduceInPartsCost(s.team().hosts(), s.bytes()),
                    s -> ByHosts.allreduceInParts(s.team().hosts(), s.rank(), s.units(), s.inPlace())),
            byHosts(ByHosts.NAME, Kind.ALLGATHER, s -> s.team().hosts().isInRows(),
                    s -> ByHosts.allgatherCost(s.team().hosts(), s.total()),
                    s -> ByHosts.allgather(s.team().hosts(), s.rank(), s.blocks(), s.inPlace())),

            new Algorithm("nothing to do", EnumSet.allOf(Kind.class), true, Shape::isIdle, UNKNOWN,
                    s -> new Schedule.Builder().build("nothing to do"), null),
            between("dissemination", EnumSet.of(Kind.BARRIER), ALL, UNKNOWN,
                    s -> DisseminationBarrier.of(s.team().place(), s.team().ranks()).among(s.team().numbers())),
            between(BinomialBroadcast.NAME, EnumSet.of(Kind.BROADCAST), ALL,
                    (c, s) -> BinomialBroadcast.cost(c, s.seats(), s.bytes()),
                    s -> BinomialBroadcast.of(s.seat(), s.seats(), 0, s.units()).among(s.seated())),
            between(ScatterAllgatherBroadcast.NAME, EnumSet.of(Kind.BROADCAST), ALL,
                    (c, s) -> ScatterAllgatherBroadcast.cost(c, s.seats(), s.bytes()),
                    s -> ScatterAllgatherBroadcast.of(s.seat(), s.seats(), 0, s.units()).among(s.seated())),
            between(LinearGather.NAME, EnumSet.of(Kind.GATHER, Kind.GATHERV), ALL, UNKNOWN,
                    s -> LinearGather.of(s.seat(), s.seats(), 0, s.isRoot() ? Shape.behindRoot(s.taken()) : null,
                            s.isRoot() ? null : Shape.one(s.given())).among(s.seated())),
            between(LinearScatter.NAME, EnumSet.of(Kind.SCATTER, Kind.SCATTERV), ALL, UNKNOWN,
                    s -> LinearScatter.of(s.seat(), s.seats(), 0, s.isRoot() ? Shape.behindRoot(s.given()) : null,
                            s.isRoot() ? null : Shape.one(s.taken())).among(s.seated())),
            between(CrossAlltoall.NAME, EnumSet.of(Kind.ALLGATHER, Kind.ALLGATHERV, Kind.ALLTOALL, Kind.ALLTOALLV,
                    Kind.ALLTOALLW), ALL, UNKNOWN,
                    s -> CrossAlltoall.of(s.rank(), s.size(), s.far(), s.given(), s.taken())),
            between(CrossReduce.TREE, EnumSet.of(Kind.REDUCE), ALL,
                    (c, s) -> CrossReduce.treeCost(c, s.seats() - 1, s.bytes()), s -> crossReduce(s, true)),
            between(CrossReduce.SCATTER, EnumSet.of(Kind.REDUCE), COMMUTES,
                    (c, s) -> CrossReduce.scatterCost(c, s.seats() - 1, s.bytes()), s -> crossReduce(s, false)),
            between(CrossAllreduce.TREE, EnumSet.of(Kind.ALLREDUCE), ALL,
                    (c, s) -> CrossAllreduce.treeCost(c, s.size(), s.far(), s.bytes()),
                    s -> CrossAllreduce.of(s.rank(), s.size(), s.far(), s.units(), true)),
            between(CrossAllreduce.SCATTER, EnumSet.of(Kind.ALLREDUCE), COMMUTES,
                    (c, s) -> CrossAllreduce.scatterCost(c, s.size(), s.far(), s.bytes()),
                    s -> CrossAllreduce.of(s.rank(), s.size(), s.far(), s.units(), false)),
            between(CrossReduceScatter.SCATTER, EnumSet.of(Kind.REDUCE_SCATTER_BLOCK, Kind.REDUCE_SCATTER), COMMUTES,
                    UNKNOWN, s -> CrossReduceScatter.of(s.rank(), s.size(), s.far(), s.blocks(), true)),
            between(CrossReduceScatter.ORDERED, EnumSet.of(Kind.REDUCE_SCATTER_BLOCK, Kind.REDUCE_SCATTER),
                    COMMUTES.negate(), UNKNOWN,
                    s -> CrossReduceScatter.of(s.rank(), s.size(), s.far(), s.blocks(), false)));

    /** Of one group, or of neighbours. */
    public static Algorithm of(String name, Set<Kind> kinds, Predicate<Shape> serves, Estimate cost,
            Function<Shape, Schedule> schedule) {
        return new Algorithm(name, kinds, false, serves, cost, schedule, null);
    }

    /** Of one group on several hosts. */
    private static Algorithm byHosts(String name, Kind kind, Predicate<Shape> serves, ToDoubleFunction<Shape> ns,
            Function<Shape, Schedule> schedule) {
        return of(name, EnumSet.of(kind), s -> s.team().hosts() != null && serves.test(s),
                (cost, shape) -> ns.applyAsDouble(shape), schedule);
    }

    private static Algorithm between(String name, Set<Kind> kinds, Predicate<Shape> serves, Estimate cost,
            Function<Shape, Schedule> schedule) {
        return new Algorithm(name, kinds, true, s -> !s.isIdle() && serves.test(s), cost, schedule, null);
    }

    private static Algorithm inMemory(String name, Predicate<Shape> serves, Estimate cost, InMemory run) {
        return new Algorithm(name, EnumSet.allOf(Kind.class), false,
                shape -> shape.team().sharesMemory() && serves.test(shape), cost, null, run);
    }

    private static Schedule crossReduce(Shape shape, boolean tree) {
        return shape.isRoot() ? CrossReduce.root(shape.size(), shape.far(), shape.units(), tree)
                : CrossReduce.of(shape.rank(), shape.size(), shape.farRoot(), shape.units(), tree);
    }

    private boolean appliesTo(Shape shape) {
        return between == shape.team().isBetweenGroups() && kinds.contains(shape.kind())
                && serves.test(shape);
    }

    /** An algorithm that applies to a call, and what the model says that it costs there; or not a number. */
    public record Candidate(Algorithm algorithm, double ns) {
        /** The model counts neither the code of a message nor the turns of ranks that share a processor. */
        private static final double LEAST_GAIN_OF_MESSAGES = 1.25;

        /** What candidates are compared by: messages must be clearly faster than shared memory. */
        private double weight() {
            return algorithm.schedule == null ? ns : ns * LEAST_GAIN_OF_MESSAGES;
        }

        private String describe(String named, String separator) {
            return named + (Double.isNaN(ns) ? "" : separator + Cost.time(ns));
        }
    }

    /** The candidates for a call, the cheapest first. */
    public record Choice(List<Candidate> candidates) {
        /** @param from where to look: {@link #LIST}, or more */
        public static Choice of(Shape shape, Cost cost, List<Algorithm> from) {
            List<Candidate> candidates = new ArrayList<>();
            // No rank knows all lengths of blocks that are given one by one.
            boolean known = shape.uneven() == null || shape.uneven().blocks() != null;
            for (Algorithm each : from) {
                if (each.appliesTo(shape)) {
                    candidates.add(new Candidate(each, known ? each.cost.ns(cost, shape) : Double.NaN));
                }
            }
            // Comparators that the JDK makes are not in the archive of classes.
            candidates.sort((a, b) -> Double.compare(a.weight(), b.weight()));
            return new Choice(candidates);
        }

        /** What a call takes that returns when it is done. */
        public Algorithm best() {
            return candidates.getFirst().algorithm;
        }

        /** What other calls take. */
        public Algorithm withMessages() {
            return candidates.stream().map(Candidate::algorithm).filter(each -> each.schedule != null).findFirst()
                    .orElseThrow();
        }

        /**
         * All candidates with their times, the one taken first.
         *
         * @param taken what its schedule is called, or else its name
         */
        public String describe(String taken) {
            StringBuilder text = new StringBuilder(candidates.getFirst().describe(taken, ", about "));
            for (Candidate other : candidates.subList(1, candidates.size())) {
                text.append(other == candidates.get(1) ? "; other candidates: " : ", ");
                text.append(other.describe(other.algorithm.name, " "));
            }
            return text + (best().schedule == null ? "; if not blocking: " + withMessages().name : "");
        }
    }
}
