package io.rankwire.lab;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.World;
import io.rankwire.collective.BinomialBroadcast;
import io.rankwire.collective.BruckAlltoall;
import io.rankwire.collective.ChainBroadcast;
import io.rankwire.collective.CirculantAllgather;
import io.rankwire.collective.CirculantAllreduce;
import io.rankwire.collective.Cost;
import io.rankwire.collective.DoublingAllreduce;
import io.rankwire.collective.PairwiseAlltoall;
import io.rankwire.collective.ScatterAllgatherBroadcast;
import java.util.Arrays;
import java.util.Locale;

/**
 * Compares predicted with measured times of collective calls, to show errors of the model. The model need not be exact,
 * but its error should be the same for all algorithms of a call. Run:
 * {@code bin/rankwire run -n 2 -cp lab/target/classes io.rankwire.lab.ModelCheck}, also with 4 and 8 ranks; with
 * {@code --explain} it prints the algorithm of each call.
 */
public final class ModelCheck {
    private static final int[] SIZES = {8, 64, 512, 4096, 32 << 10, 256 << 10, 1 << 20};
    private static final long WIDE = 64 << 10;
    private static final long WARM_UP_NS = 250_000_000L;
    private static final long MEASURE_NS = 150_000_000L;
    private static final int MOST_BATCHES = 10_000;
    private static final int BATCH = 10;

    private final Communicator all;
    private final int size;
    private final Cost cost;

    private ModelCheck(Communicator all) {
        this.all = all;
        this.size = all.size();
        this.cost = Cost.parse(System.getenv("RANKWIRE_COST"));
    }

    public static void main(String[] arguments) {
        try (World world = World.join()) {
            ModelCheck check = new ModelCheck(world.communicator());
            check.tell("%d ranks; %s%n", check.size, check.cost.describe());
            check.tell("%-10s %8s %12s %12s %12s %9s%n",
                    "call", "bytes", "lines ns", "messages ns", "measured ns", "ratio");
            for (String call : new String[] {"allreduce", "allgather", "broadcast", "alltoall"}) {
                for (int bytes : SIZES) {
                    check.check(call, bytes);
                }
            }
        }
    }

    private void tell(String format, Object... values) {
        if (all.rank() == 0) {
            System.out.printf(Locale.ROOT, format, values);
        }
    }

    private void check(String call, int bytes) {
        double lines = linesNs(call, bytes);
        double messages = messagesNs(call, bytes);
        double[] in = new double[bytes / 8 * (call.equals("alltoall") ? size : 1)];
        double[] out = new double[bytes / 8 * size];
        double measured = medianNs(call, in, call.equals("allreduce") ? new double[bytes / 8] : out);
        tell("%-10s %8d %12.0f %12.0f %12.0f %9.2f%n", call, bytes, lines, messages, measured,
                Math.min(lines, messages) / measured);
    }

    private double messagesNs(String call, long bytes) {
        return switch (call) {
            case "allreduce" -> Math.min(
                    DoublingAllreduce.cost(cost, size, bytes), CirculantAllreduce.cost(cost, size, bytes));
            case "allgather" -> CirculantAllgather.cost(cost, size, bytes * size);
            case "broadcast" -> Math.min(
                    BinomialBroadcast.cost(cost, size, bytes), Math.min(
                    ScatterAllgatherBroadcast.cost(cost, size, bytes), ChainBroadcast.cost(cost, size, bytes)));
            default -> Math.min(PairwiseAlltoall.cost(cost, size, bytes),
                    size == 2 ? Double.POSITIVE_INFINITY : BruckAlltoall.cost(cost, size, bytes));
        };
    }

    private double linesNs(String call, long bytes) {
        long given = call.equals("alltoall") ? bytes * size : bytes;
        return given > WIDE ? Double.POSITIVE_INFINITY
                : Cost.lines(cost, size, given, (size - 1) * bytes, given, call.equals("allreduce"));
    }

    private double medianNs(String call, double[] in, double[] out) {
        double[] times = new double[MOST_BATCHES];
        int batches = 0;
        byte[] goOn = {1};
        long start = System.nanoTime();
        while (goOn[0] != 0) {
            all.barrier();
            long before = System.nanoTime();
            for (int i = 0; i < BATCH; i++) {
                call(call, in, out, i % size);
            }
            long after = System.nanoTime();
            if (before - start > WARM_UP_NS) {
                times[batches++] = (double) (after - before) / BATCH;
            }
            boolean enough = batches == MOST_BATCHES || after - start > WARM_UP_NS + MEASURE_NS && batches > 0;
            goOn[0] = (byte) (enough ? 0 : 1);
            all.broadcast(goOn, 0);
        }
        Arrays.sort(times, 0, batches);
        return times[batches / 2];
    }

    /** The root changes with each call, so that each call depends on the previous one. */
    private void call(String call, double[] in, double[] out, int root) {
        switch (call) {
            case "allreduce" -> all.allreduce(in, out, Op.SUM);
            case "allgather" -> all.allgather(in, out);
            case "broadcast" -> all.broadcast(in, root);
            default -> all.alltoall(in, out);
        }
    }
}
