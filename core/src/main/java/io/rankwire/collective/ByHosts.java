package io.rankwire.collective;

/**
 * Calls of ranks on several hosts: inside each host, between one rank of each, and inside again. A message between
 * hosts takes many times as long as one through shared memory, and the ranks of a host share one way out, so as few
 * messages go between hosts as there can be. What is combined must commute.
 *
 * <pre>
 *   host A   0 ← 1   0 ↔ 2   0 → 1
 *   host B   2 ← 3           2 → 3
 * </pre>
 *
 * <p>A long vector is combined by all ranks of a host: each combines one part with its likes on the other hosts.
 */
public final class ByHosts {
    public static final String NAME = "by hosts";
    public static final String IN_PARTS = "by hosts, in parts";

    private ByHosts() {}

    public static Schedule barrier(Hosts hosts, int rank) {
        Schedule.Builder steps = new Schedule.Builder();
        int[] around = hosts.around(rank);
        int place = hosts.place(rank);
        steps.among(around);
        int mask = 1;
        for (; mask < around.length && (place & mask) == 0; mask <<= 1) {
            if (place + mask < around.length) {
                steps.hear(place + mask);
            }
        }
        if (place == 0) {
            steps.among(hosts.leaders(rank));
            DisseminationBarrier.add(steps, hosts.of()[rank], hosts.count());
            steps.among(around);
        } else {
            steps.signal(place - mask);
            steps.hear(place - mask);
        }
        for (mask >>= 1; mask > 0; mask >>= 1) {
            if (place + mask < around.length) {
                steps.signal(place + mask);
            }
        }
        return steps.build(NAME);
    }

    public static double barrierCost(Hosts hosts) {
        return 2 * Cost.rounds(hosts.most()) * hosts.inside().roundNs()
                + DisseminationBarrier.cost(hosts.between(), hosts.count());
    }

    public static Schedule broadcast(Hosts hosts, int rank, int root, long units) {
        Schedule.Builder steps = new Schedule.Builder();
        int[] leaders = hosts.leaders(root);
        if (leads(hosts, leaders, rank)) {
            steps.among(leaders);
            BinomialBroadcast.add(
                    steps, hosts.of()[rank], hosts.count(), hosts.of()[root], Schedule.OUTPUT, units);
        }
        spread(steps, hosts, leaders, rank, units);
        return steps.build(NAME);
    }

    public static double broadcastCost(Hosts hosts, long bytes) {
        return BinomialBroadcast.cost(hosts.between(), hosts.count(), bytes)
                + BinomialBroadcast.cost(hosts.inside(), hosts.most(), bytes);
    }

    public static Schedule reduce(Hosts hosts, int rank, int root, long units, boolean inPlace) {
        Schedule.Builder steps = new Schedule.Builder();
        int[] leaders = hosts.leaders(root);
        int input = inPlace && rank == root ? Schedule.OUTPUT : Schedule.INPUT;
        int result = rank == root ? Schedule.OUTPUT : -1;
        int held = collect(steps, hosts, leaders, rank, units, input, result);
        if (leads(hosts, leaders, rank)) {
            steps.among(leaders);
            held = BinomialReduce.add(
                    steps, hosts.of()[rank], hosts.count(), hosts.of()[root], units, held, result);
        }
        if (rank == root) {
            steps.copy(held, 0, Schedule.OUTPUT, 0, units);
        }
        return steps.build(NAME);
    }

    public static double reduceCost(Hosts hosts, long bytes) {
        return BinomialReduce.cost(hosts.inside(), hosts.most(), bytes)
                + BinomialReduce.cost(hosts.between(), hosts.count(), bytes);
    }

    public static Schedule allreduce(Hosts hosts, int rank, long units, boolean inPlace) {
        Schedule.Builder steps = new Schedule.Builder();
        int[] leaders = hosts.leaders(0);
        int input = inPlace ? Schedule.OUTPUT : Schedule.INPUT;
        int held = collect(steps, hosts, leaders, rank, units, input, Schedule.OUTPUT);
        if (leads(hosts, leaders, rank)) {
            steps.among(leaders);
            DoublingAllreduce.add(steps, hosts.of()[rank], hosts.count(), 0, units, held);
        }
        spread(steps, hosts, leaders, rank, units);
        return steps.build(NAME);
    }

    public static double allreduceCost(Hosts hosts, long bytes) {
        return BinomialReduce.cost(hosts.inside(), hosts.most(), bytes)
                + DoublingAllreduce.cost(hosts.between(), hosts.count(), bytes)
                + BinomialBroadcast.cost(hosts.inside(), hosts.most(), bytes);
    }

    /** All hosts have as many ranks. */
    public static Schedule allreduceInParts(Hosts hosts, int rank, long units, boolean inPlace) {
        Schedule.Builder steps = new Schedule.Builder();
        int size = hosts.around(rank).length;
        int place = hosts.place(rank);
        Blocks blocks = Blocks.cut(size, units);
        steps.among(hosts.around(rank));
        CirculantReduceScatter.add(
                steps, place, size, blocks, inPlace ? Schedule.OUTPUT : Schedule.INPUT, Schedule.OUTPUT);
        steps.among(hosts.alike(place));
        DoublingAllreduce.add(steps, hosts.of()[rank], hosts.count(), blocks.offset(place), blocks.units(place),
                Schedule.OUTPUT);
        steps.among(hosts.around(rank));
        CirculantAllgather.add(steps, place, size, 0, blocks);
        return steps.build(IN_PARTS);
    }

    /** All parts go through the one way out of a host. */
    public static double allreduceInPartsCost(Hosts hosts, long bytes) {
        double combined = (double) bytes / hosts.most() * hosts.between().combineNs();
        return CirculantAllreduce.cost(hosts.inside(), hosts.most(), bytes)
                + BinomialBroadcast.cost(hosts.between(), hosts.count(), bytes)
                + Cost.rounds(hosts.count()) * combined;
    }

    /** The ranks of each host follow one another. */
    public static Schedule allgather(Hosts hosts, int rank, Blocks blocks, boolean inPlace) {
        Schedule.Builder steps = new Schedule.Builder();
        int[] around = hosts.around(rank);
        int[] leaders = hosts.leaders(0);
        boolean leads = leads(hosts, leaders, rank);
        steps.among(around);
        if (leads) {
            for (int i = 1; i < around.length; i++) {
                steps.receive(i, Schedule.OUTPUT, blocks.offset(around[i]), blocks.units(around[i]));
            }
            if (!inPlace) {
                steps.copy(Schedule.INPUT, 0, Schedule.OUTPUT, blocks.offset(rank), blocks.units(rank));
            }
            long[] units = new long[hosts.count()];
            for (int other = 0; other < hosts.of().length; other++) {
                units[hosts.of()[other]] += blocks.units(other);
            }
            steps.among(leaders);
            CirculantAllgather.add(steps, hosts.of()[rank], hosts.count(), 0, Blocks.row(units));
        } else {
            steps.send(0, inPlace ? Schedule.OUTPUT : Schedule.INPUT, inPlace ? blocks.offset(rank) : 0,
                    blocks.units(rank));
        }
        spread(steps, hosts, leaders, rank, blocks.total());
        return steps.build(NAME);
    }

    public static double allgatherCost(Hosts hosts, long totalBytes) {
        double ofHost = (double) totalBytes / hosts.of().length * (hosts.most() - 1);
        return hosts.inside().roundNs() + (hosts.most() - 1) * hosts.inside().messageNs()
                + ofHost * hosts.inside().byteNs()
                + CirculantAllgather.cost(hosts.between(), hosts.count(), totalBytes)
                + BinomialBroadcast.cost(hosts.inside(), hosts.most(), totalBytes);
    }

    private static boolean leads(Hosts hosts, int[] leaders, int rank) {
        return leaders[hosts.of()[rank]] == rank;
    }

    /** From the leader of a host to all its ranks. */
    private static void spread(Schedule.Builder steps, Hosts hosts, int[] leaders, int rank, long units) {
        int[] around = hosts.around(rank);
        steps.among(around);
        BinomialBroadcast.add(steps, hosts.place(rank), around.length, hosts.place(leaders[hosts.of()[rank]]),
                Schedule.OUTPUT, units);
    }

    /** From all ranks of a host to the leader; returns the buffer that holds what this rank has combined. */
    private static int collect(Schedule.Builder steps, Hosts hosts, int[] leaders, int rank, long units, int input,
            int result) {
        int[] around = hosts.around(rank);
        steps.among(around);
        return BinomialReduce.add(steps, hosts.place(rank), around.length, hosts.place(leaders[hosts.of()[rank]]),
                units, input, result);
    }
}
