package io.rankwire.sim.fault;

import static io.rankwire.sim.fault.Violation.check;

import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.DeviceAudit;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.DeviceFault;
import io.rankwire.device.flow.FlowPort;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.Port;
import io.rankwire.memory.Rand;
import io.rankwire.sim.Events;
import io.rankwire.sim.SimFabric;
import io.rankwire.sim.net.Topology;
import io.rankwire.sim.tcp.SimTcp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * One seed: a world, its faults and the calls of its ranks are drawn, then run in three phases. In the first everything
 * goes wrong that the plan has, and no promise may be broken. Then the faults stop and no host calls, and every message
 * that a posted receive waits for must come. Then the hosts take what is left, and all that was begun must end in
 * bounded time, leaving nothing behind.
 */
public final class Trial {
    private static final int ALARM = SimFabric.OTHERS;
    private static final long PS_PER_NS = 1_000;
    private static final long US = 1_000_000;
    /** How often a device with work left is visited although nothing came. */
    private static final long VISIT_PS = 10 * US;
    private static final long FIRST_TICK_PS = 2 * US;
    private static final long LONGEST_TICK_PS = 500 * US;
    /** How long no host calls. */
    private static final long REST_PS = 20_000 * US;
    /** How long the last phase may take. */
    private static final long PATIENCE_PS = 100_000 * US;
    /**
     * Over connections: a cable may be cut for 2 s, a connection that one side has not agreed on is given up after
     * 10 s, a forgotten one after 5 s.
     */
    private static final long REST_OVER_TCP_PS = 15_000_000 * US;
    private static final long REST_IF_FORGOTTEN_PS = 30_000_000 * US;
    private static final long PATIENCE_OVER_TCP_PS = 60_000_000 * US;
    private static final long LONGEST_TICK_OVER_TCP_PS = 200_000 * US;
    private static final int MOST_ROUNDS = 100_000;
    private static final int MOST_EVENTS = 1_000_000;
    private static final int DEEP_EVERY = 24;
    private static final int INCARNATION = 1;
    /** Added to the seed for agreements: it leaves seeds that tests name without them. */
    private static final long AGREEMENTS = 17786L << 32;

    private final long seed;
    private final Knobs knobs;
    private final FaultPlan plan;
    private final Events events;
    private final SimFabric fabric;
    private final Faults faults;
    private final MatchModel model;
    /** Null where nothing is lost. */
    private final FlowPort[] flows;
    /** Null where no connections carry the frames, and what goes wrong with those. */
    private final SimTcp tcp;
    private final Breaks breaks;
    private final Device[] devices;
    private final MessageLoad[] hosts;
    private final DatagramLoad[] datagrams;
    /** By rank: the loads that call its device. */
    private final Load[][] loads;
    /** By rank: the same, and agreements. */
    private final Load[][] every;
    /** By rank: agreements, beside the loads that calls are drawn from; null in most seeds. */
    private final AgreeLoad[] agreements;
    private final Rand rand;
    private final Loss loss;
    /** Whether calls that fail may leave messages which no rank receives. */
    private final boolean leavesMessages;
    private final long patiencePs;
    private final long longestTickPs;

    /** By rank: the next call, the earliest alarm, when it is done with its last turn. */
    private final long[] stepAt;
    private final long[] alarmAt;
    private final long[] freeAt;
    private final long[] tick;
    private int stepsLeft;
    /** When no host calls any more and no fault happens, and the hosts begin to take what is left. */
    private long restsUntil = Long.MAX_VALUE;
    private boolean draining;
    private boolean drained;
    private long drainedAt;
    private long deadline = Long.MAX_VALUE;
    private int turns;
    private boolean ended;

    public Trial(long seed) {
        this(seed, false);
    }

    /**
     * @param overTcp whether the devices are on ports of {@code fabric.tcp}
     */
    public Trial(long seed, boolean overTcp) {
        this.seed = seed;
        Rand source = new Rand(seed);
        knobs = new Knobs(new Rand(source.nextLong()), overTcp);
        plan = new FaultPlan(new Rand(source.nextLong()), knobs.ranks, knobs.flow != null, !knobs.ordered);
        Rand connections = new Rand(seed ^ 0x2545_F491_4F6C_DD1DL);
        if (overTcp) {
            plan.slow(knobs.slower);
            if (plan.has(Fault.KILL)) {
                long last = knobs.slower * knobs.gapPs * knobs.steps / knobs.ranks;
                plan.kill(plan.victim(), Math.floorMod(connections.nextLong(), last));
            }
        }
        rand = new Rand(source.nextLong());
        Rand kills = new Rand(~seed);
        int ranks = knobs.ranks;
        Topology topology = Topology.parse(knobs.topology, (ranks + knobs.ranksPerNode - 1) / knobs.ranksPerNode);
        events = new Events(SimFabric.actors(topology, ranks), 256);
        fabric = new SimFabric(events, topology, knobs.links, knobs.model, ranks, knobs.ranksPerNode);
        faults = new Faults(plan, new Rand(source.nextLong()), events, ranks);
        faults.on(fabric);
        flows = knobs.flow == null ? null : new FlowPort[ranks];
        breaks = overTcp ? new Breaks(connections.nextLong(), ranks) : null;
        tcp = overTcp ? connect(connections) : null;
        patiencePs = overTcp ? PATIENCE_OVER_TCP_PS : PATIENCE_PS;
        longestTickPs = overTcp ? LONGEST_TICK_OVER_TCP_PS : LONGEST_TICK_PS;
        devices = new Device[ranks];
        Set<Integer> contexts = Set.of(0, 4097, 1 << 31);
        MatchModel.Offers offers = (rank, peer) -> DeviceAudit.offered(devices[rank], peer);
        model = !knobs.ordered ? new MatchModel(knobs.config, ranks, contexts, offers)
                : new OrderModel(knobs.config, ranks, contexts, offers);
        hosts = new MessageLoad[ranks];
        loads = new Load[ranks][];
        every = new Load[ranks][];
        int[] ids = new int[1];
        MessageLoad.Bounds bounds = new MessageLoad.Bounds(ranks, knobs.depth, knobs.mostBytes, knobs.config);
        MemoryLoad[] memories = new MemoryLoad[ranks];
        datagrams = new DatagramLoad[ranks];
        CollectiveLoad[] collectives = new CollectiveLoad[ranks];
        LockLoad[] locks = new LockLoad[ranks];
        // Calls that fail leave messages that no rank receives; headers of calls are not in the model's books.
        boolean together = knobs.collectives && (!plan.has(Fault.KILL) || kills.chance(1, 3) && tcp == null)
                && knobs.config.overflow() != DeviceConfig.Overflow.FAIL;
        leavesMessages = together && plan.has(Fault.KILL);
        long calls = source.nextLong();
        Rand agrees = new Rand(seed + AGREEMENTS);
        agreements = agrees.chance(1, 3) ? new AgreeLoad[ranks] : null;
        List<AgreeAudit> audits = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            int to = rank;
            Port port = fabric.port(rank);
            if (flows != null) {
                Acknowledgements known = new Acknowledgements(rank, ranks, INCARNATION);
                flows[rank] = new FlowPort(new WatchedPort(port, known::comes, known::goes),
                        knobs.flow, INCARNATION, 0);
                port = flows[rank];
            } else if (tcp != null) {
                port = tcp.open(rank, 0, ns -> {});
                model.wholeUpTo(port.traits().maxPayload());
            }
            devices[rank] = new Device(knobs.config, new WatchedPort(port,
                    (from, meta, header, memory, payload, bytes) ->
                            model.frame(to, from, meta, header, memory, payload),
                    knobs.mostPolled, () -> model.look(to)));
            hosts[rank] = new MessageLoad(rank, bounds, rand, model, devices[rank], ids);
            memories[rank] = new MemoryLoad(rank, rand, devices[rank], memories, knobs.slice);
            datagrams[rank] = new DatagramLoad(rank, rand, devices[rank], datagrams, knobs.entries, knobs.entryBytes);
            collectives[rank] = new CollectiveLoad(rank, devices[rank], collectives, calls, knobs.units);
            locks[rank] = new LockLoad(rank, rand, devices[rank], locks);
            loads[rank] = together
                    ? new Load[] {hosts[rank], memories[rank], datagrams[rank], collectives[rank], locks[rank]}
                    : plan.has(Fault.KILL)
                    ? new Load[] {hosts[rank], memories[rank], datagrams[rank], locks[rank]}
                    : new Load[] {hosts[rank], memories[rank], datagrams[rank]};
            every[rank] = loads[rank];
            if (agreements != null) {
                agreements[rank] = new AgreeLoad(rank, agrees, devices[rank], agreements, audits,
                        other -> !plan.has(Fault.KILL) || other != plan.victim());
                every[rank] = Arrays.copyOf(loads[rank], loads[rank].length + 1);
                every[rank][loads[rank].length] = agreements[rank];
            }
        }
        loss = new Loss(plan.victim(), kills, devices);
        stepAt = new long[ranks];
        alarmAt = new long[ranks];
        freeAt = new long[ranks];
        tick = new long[ranks];
        Arrays.fill(alarmAt, Long.MAX_VALUE);
        stepsLeft = knobs.steps;
        for (int rank = 0; rank < ranks; rank++) {
            stepAt[rank] = gap();
            alarm(rank, stepAt[rank]);
        }
    }

    /** Makes the systems of the hosts, and decides whether a rank that is killed takes its host with it. */
    private SimTcp connect(Rand draws) {
        int[] windows = {1 << 11, 1 << 14, 1 << 18};
        SimTcp systems = new SimTcp(fabric, events, windows[draws.below(windows.length)]);
        breaks.on(systems, events);
        boolean processOnly = draws.chance(1, 2);
        if (plan.has(Fault.KILL)) {
            int victim = plan.victim();
            systems.plan(victim, plan.killPs(), () -> {
                if (faults.turnAt(victim) == Long.MAX_VALUE && processOnly) {
                    systems.kill(victim);
                }
            });
        }
        if (processOnly) {
            faults.killProcesses();
        }
        return systems;
    }

    /** All that was drawn, in a readable block. */
    public String drawn() {
        return "seed    " + seed + "\n" + knobs + "\n" + plan + (breaks == null ? "" : "; connections "
                + breaks.describe());
    }

    /** The hash of all that has happened. */
    public long hash() {
        return events.hash();
    }

    public long eventCount() {
        return events.count();
    }

    public long timePs() {
        return events.now();
    }

    /** Messages that have passed others which their senders had to keep. */
    public int passing() {
        return model.passing;
    }

    /** How long the last phase took. */
    public long endingPs() {
        return draining ? drainedAt - (deadline - patiencePs) : 0;
    }

    public int happened(Fault fault) {
        return faults.happened(fault);
    }

    public int happened(Breaks.Kind kind) {
        return breaks == null ? 0 : breaks.happened(kind);
    }

    /**
     * Runs it.
     *
     * @throws Violation or whatever else it throws, if it fails
     */
    public void run() {
        try {
            while (!drained && events.next()) {
                int rank = events.kind() == ALARM ? alarmed() : fabric.happen();
                if (rank >= 0) {
                    turn(rank);
                }
                if (events.now() > deadline) {
                    throw new Violation("does not come to an end " + patiencePs / US + " us after the faults: "
                            + waits());
                }
            }
            check(drained, "nothing is left to happen: " + waits());
            finish();
        } catch (DeviceFault fault) {
            if (!mayEnd(fault)) {
                throw fault;
            }
            ended = true;
        }
    }

    /** Whether the run was ended by a policy of its devices, as it should be. */
    public boolean ended() {
        return ended;
    }

    private int alarmed() {
        int rank = events.target() - fabric.actor(0);
        if (events.now() == alarmAt[rank]) {
            alarmAt[rank] = Long.MAX_VALUE;
        }
        return rank;
    }

    private void alarm(int rank, long at) {
        if (at < alarmAt[rank]) {
            alarmAt[rank] = at;
            events.add(at, fabric.actor(rank), fabric.actor(rank), ALARM, 0, 0);
        }
    }

    private long gap() {
        return (long) knobs.slower * rand.below((int) (2 * knobs.gapPs)) + 1;
    }

    private void turn(int rank) {
        long now = events.now();
        long can = Math.max(faults.turnAt(rank), freeAt[rank]);
        if (can > now) {
            if (can != Long.MAX_VALUE) {
                alarm(rank, can);
            }
            return;
        }
        drive(rank);
        if (now >= restsUntil && !draining) {
            drain();
        }
        if (restsUntil == Long.MAX_VALUE && now >= stepAt[rank]) {
            loads[rank][rand.below(100) < knobs.messages ? 0 : rand.between(1, loads[rank].length - 1)].step();
            if (agreements != null) {
                agreements[rank].step();
            }
            stepAt[rank] = now + gap();
            if (--stepsLeft == 0) {
                calm();
            }
        }
        boolean sweeps = rand.chance(1, 2);
        for (Load load : every[rank]) {
            if (draining) {
                load.drain();
            } else if (sweeps) {
                load.sweep();
            }
        }
        if (tcp != null) {
            // A datagram is refused at last if its queue is full for 4 s.
            datagrams[rank].drain();
        }
        if (draining && isNoticed() && faults.anyDead()) {
            loss.ask(rank);
        }
        audit(rank);
        freeAt[rank] = now + faults.turnPs(rank);
        next(rank);
    }

    private void drive(int rank) {
        long nowNs = events.now() / PS_PER_NS;
        int rounds = 0;
        PeerLost lost = devices[rank].advance(nowNs);
        if (!isNoticed() && faults.anyDead()) {
            lost = loss.notice(rank, events.now());
        }
        if (lost != null) {
            check(faults.isDead(lost.rank()), "rank " + rank + " has lost rank " + lost.rank() + ", which lives"
                    + (tcp == null ? "" : ": " + lost.getMessage()));
            loss.reported(rank);
            for (Load load : loads[rank]) {
                load.lose(lost.rank());
            }
        }
        while ((rand.chance(1, 8) ? devices[rank].progressAll(nowNs) : devices[rank].progress(nowNs)) != 0) {
            if (++rounds > MOST_ROUNDS) {
                throw new Violation("rank " + rank + " has always something to do");
            }
            model.look(rank);
        }
        devices[rank].rest();
        if (tcp != null && devices[rank].progressAll(nowNs) != 0) {
            alarm(rank, events.now() + PS_PER_NS);
        }
    }

    /** Whether the ports themselves notice that a rank is dead. */
    private boolean isNoticed() {
        return flows != null || tcp != null;
    }

    /** For what only time brings. */
    private void wakeWhenDue(int rank) {
        long layer = flows != null ? flows[rank].nextDeadline() : tcp != null ? tcp.nextNeed(rank) : Long.MAX_VALUE;
        long due = Math.min(devices[rank].due(), layer);
        if (due != Long.MAX_VALUE) {
            alarm(rank, Math.max(events.now() + PS_PER_NS, due * PS_PER_NS));
        }
        if (!isNoticed() && faults.anyDead() && !loss.isTold(rank)) {
            alarm(rank, Math.max(events.now() + PS_PER_NS, loss.at(rank, events.now())));
        }
    }

    /** When the rank gets its next turn if nothing comes before. */
    private void next(int rank) {
        long now = events.now();
        wakeWhenDue(rank);
        if (restsUntil != Long.MAX_VALUE) {
            alarm(rank, now + tick[rank]);
            tick[rank] = Math.min(longestTickPs, tick[rank] + (tick[rank] >> 3));
        } else {
            alarm(rank, stepAt[rank]);
            if (tcp == null && devices[rank].mayProgress()) {
                alarm(rank, now + VISIT_PS);
            }
        }
    }

    /** The second phase begins. */
    private void calm() {
        faults.stop();
        if (breaks != null) {
            breaks.stop();
        }
        restsUntil = events.now() + (tcp == null ? REST_PS
                : breaks.happened(Breaks.Kind.FORGET) > 0 ? REST_IF_FORGOTTEN_PS : REST_OVER_TCP_PS);
        turnAll();
    }

    /** The last phase begins. Frames to a dead rank may still take the room of others, until it is given up. */
    private void drain() {
        for (int rank = 0; rank < knobs.ranks && !faults.anyDead(); rank++) {
            hosts[rank].sweep();
        }
        Message stuck = faults.anyDead() ? null : model.stuck();
        check(stuck == null, "a receive waits for it, and it does not come: " + stuck);
        draining = true;
        deadline = events.now() + patiencePs;
        turnAll();
    }

    private void turnAll() {
        Arrays.fill(tick, FIRST_TICK_PS);
        for (int rank = 0; rank < knobs.ranks; rank++) {
            freeAt[rank] = 0;
            alarm(rank, events.now());
        }
    }

    private void audit(int rank) {
        hosts[rank].audit();
        if (++turns % DEEP_EVERY == 0) {
            deepAudit();
        }
        if (draining && isOver()) {
            drained = true;
            drainedAt = events.now();
        }
    }

    private void deepAudit() {
        for (int rank = 0; rank < knobs.ranks; rank++) {
            if (faults.isDead(rank)) {
                continue;
            }
            hosts[rank].deepAudit();
            if (flows != null) {
                flows[rank].checkInvariants();
            }
            check(tcp == null || tcp.audit(rank) == null, tcp == null ? "" : tcp.audit(rank));
            for (int peer = 0; peer < knobs.ranks; peer++) {
                String wrong = peer == rank || faults.isDead(peer) ? null
                        : DeviceAudit.credit(devices[rank], devices[peer]);
                check(wrong == null, wrong);
            }
            String waits = loss.isTold(rank) ? DeviceAudit.waitingFor(devices[rank], plan.victim()) : null;
            check(waits == null, waits);
        }
    }

    private boolean isOver() {
        for (int rank = 0; rank < knobs.ranks; rank++) {
            if (!faults.isDead(rank) && (waitsFor(rank) != null || faults.anyDead() && !loss.isTold(rank))) {
                return false;
            }
        }
        return model.underWay(faults) == null;
    }

    private Object waitsFor(int rank) {
        for (Load load : every[rank]) {
            Object wait = load.waitsFor(faults);
            if (wait != null) {
                return wait;
            }
        }
        return null;
    }

    /** Who waits for what. */
    private String waits() {
        StringBuilder text = new StringBuilder();
        for (int rank = 0; rank < knobs.ranks; rank++) {
            Object wait = faults.isDead(rank) ? null : waitsFor(rank);
            if (wait != null) {
                text.append("rank ").append(rank).append(" waits for ").append(wait).append("; ");
            }
        }
        return text.append("on the way: ").append(model.underWay(faults)).toString();
    }

    /** What is still under way comes in, and nothing may be left. */
    private void finish() {
        long most = events.count() + MOST_EVENTS;
        while (events.next()) {
            check(events.count() < most, "does not come to rest");
            int rank = events.kind() == ALARM ? alarmed() : fabric.happen();
            if (rank >= 0 && !faults.isDead(rank)) {
                drive(rank);
                wakeWhenDue(rank);
                for (Load load : every[rank]) {
                    load.sweep();
                }
            }
        }
        for (int rank = 0; rank < knobs.ranks; rank++) {
            if (!faults.isDead(rank)) {
                for (Load load : every[rank]) {
                    load.finish(faults);
                }
            }
        }
        deepAudit();
        model.judge();
        boolean allAlive = !faults.anyDead();
        for (int rank = 0; rank < knobs.ranks; rank++) {
            if (faults.isDead(rank)) {
                continue;
            }
            hosts[rank].checkBuffers();
            boolean clean = allAlive || !leavesMessages;
            String left = clean ? DeviceAudit.left(devices[rank], 0) : null;
            check(left == null, "rank " + rank + " still holds " + left);
            check(flows == null || flows[rank].underWay() + flows[rank].activePeers() == 0,
                    "the flow layer of rank " + rank + " still knows of peers");
            check(tcp == null || tcp.isAtRest(rank) && tcp.sockets(rank) < knobs.ranks,
                    "rank " + rank + " has something to send, or more than one connection to a peer");
            for (int peer = 0; peer < knobs.ranks; peer++) {
                String wrong = faults.isDead(peer) || !clean ? null
                        : DeviceAudit.creditAtRest(devices[rank], devices[peer]);
                check(wrong == null, wrong);
            }
        }
        check(!allAlive || fabric.underWay() == 0, fabric.underWay() + " frames are left");
        close();
    }

    /** Nothing is left when all devices are closed. */
    private void close() {
        for (int rank = 0; rank < knobs.ranks; rank++) {
            if (tcp == null || !faults.isDead(rank)) {
                devices[rank].close();
            }
        }
        while (tcp != null && events.next()) {
            if (events.kind() != ALARM) {
                fabric.happen();
            }
        }
        for (int rank = 0; rank < knobs.ranks && tcp != null && !faults.anyDead(); rank++) {
            check(tcp.sockets(rank) == 0, tcp.sockets(rank) + " sockets are left at rank " + rank);
        }
    }

    /** The store of a rank is full, and the policy is to fail then. */
    private boolean mayEnd(DeviceFault fault) {
        boolean full = false;
        for (int rank = 0; rank < knobs.ranks; rank++) {
            full |= model.held(rank) > knobs.config.maxHeaders();
        }
        return fault.code() == Code.NO_HEADERS && full && knobs.config.overflow() == DeviceConfig.Overflow.FAIL;
    }
}
