package io.rankwire.sim.program;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.flow.FlowPort;
import io.rankwire.fabric.Port;
import io.rankwire.launch.Aborted;
import io.rankwire.launch.Board;
import io.rankwire.launch.DeadlockWatch;
import io.rankwire.launch.NetworkCost;
import io.rankwire.launch.NodePlaces;
import io.rankwire.launch.Patience;
import io.rankwire.launch.Replacements;
import io.rankwire.launch.SimulatedJob;
import io.rankwire.launch.StallRule;
import io.rankwire.launch.ThreadRanks;
import io.rankwire.memory.Rand;
import io.rankwire.sim.DeviceModel;
import io.rankwire.sim.Events;
import io.rankwire.sim.Noise;
import io.rankwire.sim.Placement;
import io.rankwire.sim.SimFabric;
import io.rankwire.sim.SimPort;
import io.rankwire.sim.fault.WatchedPort;
import io.rankwire.sim.net.Topology;
import io.rankwire.sim.tcp.SimTcp;
import java.util.Arrays;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * The ranks of a program, or of several side by side, on a simulated machine: each on a virtual thread, one of them
 * running at a time. Of several programs each is a job with a world of its own; what they share is the machine. Ranks
 * of all jobs have a place: those of a job follow those of the job before it.
 */
public final class SimulatedRanks {
    /** Called with the first failure of a rank, on that rank's thread. */
    @FunctionalInterface
    public interface OnFailure {
        void failed(int place, Throwable thrown);
    }

    private static final Patience ENDLESS = new Patience(0, new StallRule(0, false), false);
    /** Bytes of a connection that may be on their way. */
    private static final int WINDOW = 256 << 10;

    private final Events events;
    private final SimFabric fabric;
    private final Baton baton;
    private final Board board;
    private final Placement placement;
    private final SimPort[] ports;
    private final RankTime[] times;
    /** Null when nothing goes wrong. */
    private final Adversity adversity;
    /** Null where no layer repairs what the fabric does to frames. */
    private final FlowPort[] flows;
    /** Null unless connections carry the frames. */
    private final SimTcp tcp;
    /** Null where no rank dies. */
    private final SimulatedLauncher launcher;
    private Throwable failure;
    private int failedPlace = -1;
    private boolean started;
    /** What a rank has reported of one that was killed, before the launcher has noticed it. */
    private String missed = "";

    /**
     * @param board of the ranks of all jobs, with places for those that replace others if the job goes on without ranks
     *     that fail
     * @param sizes the number of ranks of each job
     * @param spares ranks that wait to replace others
     * @param adversity what goes wrong; not null if ranks may be killed, or the job goes on without ranks that fail
     * @param bodies what the ranks of each job do
     * @param onDeath called when a rank is declared dead; on any thread
     * @param onDeadlock ends the process when it is proven that no rank can go on, and when a rank was killed and the
     *     job ends with that
     */
    SimulatedRanks(Settings settings, Board board, int[] sizes, int spares, ArrivalOrder order, Adversity adversity,
            ThreadRanks.Body[] bodies, OnFailure onFailure, SimulatedLauncher.OnDeath onDeath, Runnable onDeadlock) {
        if (sizes.length > 1 && (settings.fabric() != Fabric.DEVICE || order != null || adversity != null)) {
            throw new IllegalArgumentException("several jobs share devices alone, with no faults and no choices");
        }
        int size = board.size();
        Topology topology = settings.topologyFor(Arrays.stream(sizes).max().orElseThrow());
        placement = board.size() == board.worldSize() ? new Placement(settings.ranksPerNode(), sizes)
                : Placement.growing(settings.ranksPerNode(), sizes[0], size);
        this.board = board;
        this.adversity = adversity;
        events = new Events(SimFabric.actors(topology, size), 1 << 12);
        boolean hasFlow = settings.fabric() == Fabric.UDP || adversity != null && adversity.isRepaired();
        DeviceModel device = (hasFlow ? Adversity.roomier(settings) : settings).device();
        fabric = new SimFabric(events, topology, settings.links(), device, placement, settings.node());
        if (settings.fabric() == Fabric.DEVICE && adversity == null && order == null) {
            fabric.take(settings.node().ways());
        }
        boolean hasTree = settings.hasTree() && adversity == null && order == null;
        if (hasTree) {
            HostModel costs = settings.host();
            fabric.tree(settings.node().tree(), settings.offload() ? 0 : costs.sendPs() + costs.receivePs());
        }
        NetworkCost cost = settings.networkCost(topology);
        if (adversity != null) {
            adversity.on(fabric, events);
        }
        tcp = settings.fabric() == Fabric.TCP ? new SimTcp(fabric, events, WINDOW) : null;
        if (tcp != null && adversity != null) {
            adversity.on(tcp, events);
        }
        baton = new Baton(events, fabric, settings.seed(), order, adversity == null ? null : adversity.faults(),
                onDeadlock::run);
        if (order != null) {
            order.guard(fabric);
        }
        ports = new SimPort[size];
        times = new RankTime[size];
        launcher = adversity == null ? null : new SimulatedLauncher(
                events, fabric, baton, board, settings, adversity, times, spares, this::stop, onDeath);
        baton.launcher(launcher);
        flows = hasFlow ? new FlowPort[size] : null;
        Rand chance = new Rand(settings.seed() ^ 0x5DEECE66DL);
        HostModel host = settings.host();
        Noise noise = new Noise(host.noisePeriodPs(), host.noisePs(), host.noiseTogether(), chance.nextLong());
        NodePlaces nodes = nodes(topology);
        for (int place = 0; place < size; place++) {
            int mine = place;
            int job = placement.job(place);
            Board of = launcher != null ? launcher.boardOf(place)
                    : sizes.length == 1 ? board : board.part(placement.first(job), sizes[job]);
            ports[place] = fabric.port(place);
            if (settings.jitterPs() > 0) {
                ports[place].delays(delays(chance.nextLong(), settings.jitterPs()));
            }
            if (hasFlow) {
                flows[place] = Adversity.repaired(ports[place], settings.offload());
            }
            times[place] = new RankTime(place, baton, ports[place], layer(place), host, noise, settings.offload(),
                    settings.computeFactor(),
                    () -> job(mine, of, nodes, settings.fabric(), cost, onFailure).run(bodies[job]));
        }
    }

    /** The nodes of ranks, which are those of the same ranks in all jobs. */
    private NodePlaces nodes(Topology topology) {
        return new NodePlaces() {
            @Override
            public int node(int rank) {
                return placement.node(rank);
            }

            @Override
            public int[] coordinates(int rank) {
                return topology.coordinates(node(rank));
            }

            @Override
            public int hops(int from, int to) {
                return node(from) == node(to) ? 0 : topology.hops(node(from), node(to));
            }
        };
    }

    private static LongSupplier delays(long seed, long most) {
        Rand rand = new Rand(seed);
        return () -> Math.floorMod(rand.nextLong(), most + 1);
    }

    /** When the layer above the port of a rank has something to do; null if there is no layer. */
    private LongSupplier layer(int place) {
        return tcp != null ? () -> tcp.nextNeed(place) : flows != null ? flows[place]::nextNeed : null;
    }

    private SimulatedJob job(int place, Board of, NodePlaces nodes, Fabric over, NetworkCost cost,
            OnFailure onFailure) {
        Port layer = flows == null ? ports[place] : flows[place];
        Port port = over == Fabric.DEVICE ? ports[place].matching(layer) : layer;
        return new SimulatedJob(placement.rank(place), nodes, of,
                world -> {
                    if (launcher != null) {
                        launcher.opens(place);
                    }
                    return tcp == null ? port : new WatchedPort(tcp.open(place, world, times[place]::sleep),
                            (from, meta, header, memory, payload, bytes) -> ports[place].take());
                },
                over == Fabric.DEVICE ? ports[place] : null, times[place], cost,
                thrown -> failed(place, thrown, onFailure), of.failures().goesOn() ? survival(place) : null);
    }

    private void failed(int place, Throwable thrown, OnFailure onFailure) {
        if (board.aborted()) {
            return;
        }
        if (board.failures().goesOn() && !board.isEndOfJob(place)) {
            stop(place);
            launcher.died(place, thrown, ports[place].clockPs());
        } else if (launcher != null && thrown instanceof RankwireException e && e.errorClass() == ErrorClass.PEER
                && launcher.isUndeclared()) {
            missed = "; " + thrown.getMessage();
            launcher.declareFirst();
        } else if (failure == null) {
            failure = thrown;
            failedPlace = place;
            onFailure.failed(place, thrown);
        }
    }

    /** A rank is dead. */
    private void stop(int place) {
        adversity.faults().die(place);
        if (tcp != null && !tcp.isClosed(place)) {
            tcp.kill(place);
        }
    }

    private SimulatedJob.Survival survival(int place) {
        return new SimulatedJob.Survival() {
            @Override
            public void awaitPart() {
                if (launcher.part(place) == null) {
                    times[place].awaitPart();
                }
            }

            @Override
            public Replacements replacements() {
                return launcher.replacementsOf(place);
            }

            @Override
            public void stop(Aborted how) {
                if (how != null) {
                    SimulatedRanks.this.stop(place);
                    launcher.died(place, how, ports[place].clockPs());
                }
                times[place].stop(how == null ? RankTime.State.ENDED : RankTime.State.DEAD);
            }
        };
    }

    /** Runs all ranks to their end; the calling thread waits. */
    public void run() {
        started = true;
        baton.run(times);
    }

    /**
     * Runs ranks inside a program and returns what became of them.
     *
     * @throws ThreadRanks.Failed with the first failure; a deadlock is one too
     */
    public static SimulatedRanks run(Settings settings, int size, ThreadRanks.Body body) {
        return run(settings, size, null, null, body);
    }

    /** The same with faults and a limit of real time; no faults if they are null. */
    static SimulatedRanks run(Settings settings, int size, Adversity adversity, ThreadRanks.Body body,
            Patience patience) {
        return run(settings, new int[] {size}, null, adversity, new ThreadRanks.Body[] {body}, patience, false);
    }

    /**
     * The same; all other ranks go on when one fails.
     *
     * @throws ThreadRanks.Failed if the job ends nevertheless, and with the first failure if all ranks fail
     */
    static SimulatedRanks goOn(Settings settings, int size, Adversity adversity, ThreadRanks.Body body,
            Patience patience) {
        SimulatedRanks ranks = run(
                settings, new int[] {size}, null, adversity, new ThreadRanks.Body[] {body}, patience, true);
        Map.Entry<Integer, Throwable> first = ranks.firstOfAll();
        if (first != null) {
            throw new ThreadRanks.Failed(first.getKey(), first.getValue());
        }
        return ranks;
    }

    /** The places of a job that goes on when ranks fail. */
    static int places(int size) {
        return Replacements.places(size, true);
    }

    /**
     * The same for several jobs that share the machine: rank r of each is on node r / ranksPerNode.
     *
     * @param sizes the number of ranks of each job
     * @param bodies what the ranks of each job do
     */
    public static SimulatedRanks run(Settings settings, int[] sizes, ThreadRanks.Body... bodies) {
        return run(settings, sizes, null, null, bodies, ENDLESS, false);
    }

    static SimulatedRanks run(Settings settings, int size, ArrivalOrder order, Adversity adversity,
            ThreadRanks.Body body) {
        return run(settings, new int[] {size}, order, adversity, new ThreadRanks.Body[] {body}, ENDLESS, false);
    }

    private static SimulatedRanks run(Settings settings, int[] sizes, ArrivalOrder order, Adversity adversity,
            ThreadRanks.Body[] bodies, Patience patience, boolean goesOn) {
        int size = Arrays.stream(sizes).sum();
        Board board = Board.inMemory(goesOn ? places(size) : size, size);
        if (goesOn) {
            board.failures().goOn();
        }
        SimulatedRanks[] self = new SimulatedRanks[1];
        SimulatedRanks ranks = new SimulatedRanks(settings, board, sizes, 0, order, adversity, bodies,
                (place, thrown) -> {
                    board.abort(1, self[0].times[place] + " failed: " + thrown);
                    self[0].baton.abort();
                }, (rank, how) -> { }, () -> {
                    board.abort(self[0].killed() >= 0 ? SimulatedLauncher.KILLED_STATUS : DeadlockWatch.EXIT_STATUS,
                            self[0].whyNoneGoesOn());
                    self[0].baton.abort();
                });
        self[0] = ranks;
        ranks.started = true;
        ranks.baton.run(ranks.times, new CallerWatch(board, ranks.baton, patience));
        if (ranks.failure != null) {
            RankTime failed = ranks.times[ranks.failedPlace];
            throw new ThreadRanks.Failed(failed.rank, failed.toString(), ranks.failure);
        }
        if (board.aborted()) {
            throw new ThreadRanks.Failed(-1, new IllegalStateException(board.abortReason()));
        }
        return ranks;
    }

    /** The rank whose death has ended the job, or -1. */
    int killed() {
        return launcher == null || board.failures().goesOn() || launcher.deaths().isEmpty() ? -1
                : launcher.deaths().keySet().iterator().next();
    }

    /** What came of the ranks, when no failure has ended them all. */
    ThreadRanks.Outcome outcome() {
        return board.failures().goesOn() ? launcher.outcome() : new ThreadRanks.Outcome(Map.of(), rank -> rank);
    }

    /** Whether a rank has not died, also if it has ended. */
    boolean isAnyLeft() {
        return Arrays.stream(times).anyMatch(each -> !each.isUnused() && !launcher.hasDied(each.rank));
    }

    /** How the first rank has died, if no rank has ended well; else null. */
    Map.Entry<Integer, Throwable> firstOfAll() {
        for (RankTime each : times) {
            if (each.hasEnded() && !launcher.hasDied(each.rank)) {
                return null;
            }
        }
        return launcher.deaths().entrySet().iterator().next();
    }

    /** Which faults there are and what has come of them; empty when there are none. */
    String faults() {
        return adversity == null || !adversity.isAny() ? "" : ", " + adversity.happened();
    }

    /** Why no rank can go on, now that this is so. */
    String whyNoneGoesOn() {
        if (killed() < 0) {
            return DeadlockWatch.report(board, IntStream.range(0, placement.jobs()).map(placement::size).toArray());
        }
        return "rank " + killed() + whatKillingDid().substring("it".length());
    }

    /** How the rank was killed that has ended the job, and what another one has reported of it. */
    String whatKillingDid() {
        return launcher.deaths().get(killed()).getMessage() + missed;
    }

    /** The time the last rank has come to. */
    public long timePs() {
        long last = 0;
        for (RankTime time : times) {
            last = Math.max(last, time.timePs());
        }
        return last;
    }

    /** The time the last rank of a job has come to. */
    public long timePs(int job) {
        long last = 0;
        for (RankTime time : times) {
            last = time.job == job ? Math.max(last, time.timePs()) : last;
        }
        return last;
    }

    public long events() {
        return events.count();
    }

    /** The hash of all that has happened: equal for equal runs. */
    public long hash() {
        return events.hash();
    }

    /** The place of the rank that runs, or -1. */
    public int running() {
        RankTime holder = started ? baton.holder() : null;
        return holder == null ? -1 : holder.place;
    }

    /** Whether the rank that runs is inside a call of this method. */
    public boolean runningIsInside(String className, String method) {
        RankTime holder = baton.holder();
        if (holder == null) {
            return false;
        }
        for (StackTraceElement frame : holder.thread().getStackTrace()) {
            if (frame.getClassName().equals(className) && frame.getMethodName().equals(method)) {
                return true;
            }
        }
        return false;
    }
}
