package io.rankwire.tools;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The loops that a model is fitted to or judged by, as a program: run for real it keeps the best of many turns, since
 * other load only ever adds time; simulated, one turn is enough. Rank 0 writes nanoseconds, one number a case, to
 * the file named.
 */
final class FitRank {
    private static final int[] MESSAGES = {8, 64, 512, 2048, 4096, 8192, 16 << 10, 64 << 10, 256 << 10, 1 << 20};
    private static final int[] TOKENS = {8, 512, 4096, 64 << 10};
    private static final int[] VECTORS = {8, 64, 512, 4096, 32 << 10, 256 << 10};
    /** Sizes that a model is not fitted to, but asked for. */
    private static final int[] OTHER_MESSAGES = {24, 200, 1200, 3000, 6000, 12_000, 30_000, 120_000, 600_000};
    private static final int[] OTHER_TOKENS = {64, 2000, 20_000};
    private static final int[] OTHER_VECTORS = {24, 200, 2000, 16_000, 100_000};
    private static final long MEASURE_NS = 12_000_000_000L;
    private static final int MOST_TIMES = 64;
    private static final int BYTES_A_TURN = 1 << 18;
    private static final int TAG = 1;

    /** One loop with one size. */
    record Case(String kind, int bytes, boolean isFitted) {}

    private FitRank() {}

    static Case[] cases() {
        List<Case> all = new ArrayList<>();
        add(all, "ping-pong", MESSAGES, true);
        add(all, "ring", TOKENS, true);
        add(all, "allreduce", VECTORS, true);
        add(all, "ping-pong", OTHER_MESSAGES, false);
        add(all, "ring", OTHER_TOKENS, false);
        add(all, "allreduce", OTHER_VECTORS, false);
        return all.toArray(Case[]::new);
    }

    private static void add(List<Case> all, String kind, int[] sizes, boolean fitted) {
        for (int bytes : sizes) {
            all.add(new Case(kind, bytes, fitted));
        }
    }

    public static void main(String[] args) throws IOException {
        try (World world = World.join()) {
            Case[] cases = cases();
            double[] best = new double[cases.length];
            Arrays.fill(best, Double.POSITIVE_INFINITY);
            long end = world.time() + MEASURE_NS;
            int[] on = {1};
            while (on[0] != 0) {
                for (int i = 0; i < cases.length; i++) {
                    int times = Math.max(2, Math.min(MOST_TIMES, BYTES_A_TURN / cases[i].bytes));
                    best[i] = Math.min(best[i], nanoseconds(world, cases[i], times));
                }
                on[0] = world.time() < end ? 1 : 0;
                world.communicator().broadcast(on, 0);
            }
            if (world.communicator().rank() == 0) {
                StringBuilder text = new StringBuilder();
                for (double ns : best) {
                    text.append(ns).append('\n');
                }
                Files.writeString(Path.of(args[0]), text);
            }
        }
    }

    /** What one step of a loop takes: a message one way, a token's way from rank to rank, a call. */
    static double nanoseconds(World world, Case one, int times) {
        Communicator all = world.communicator();
        return switch (one.kind) {
            case "ping-pong" -> pingPong(world, all, new byte[one.bytes], times);
            case "ring" -> ring(world, all, new byte[one.bytes], times);
            default -> allreduce(world, all, one.bytes / 8, times);
        };
    }

    private static double pingPong(World world, Communicator all, byte[] data, int times) {
        all.barrier();
        long start = 0;
        for (int i = -1; i < times && all.rank() < 2; i++) {
            start = i == 0 ? world.time() : start;
            if (all.rank() == 0) {
                all.send(data, 1, TAG);
                all.receive(data, 1, TAG);
            } else {
                all.receive(data, 0, TAG);
                all.send(data, 0, TAG);
            }
        }
        return (world.time() - start) / 2.0 / times;
    }

    private static double ring(World world, Communicator all, byte[] token, int times) {
        int next = (all.rank() + 1) % all.size();
        int before = (all.rank() + all.size() - 1) % all.size();
        all.barrier();
        long start = 0;
        for (int i = -1; i < times; i++) {
            start = i == 0 ? world.time() : start;
            if (all.rank() == 0) {
                all.send(token, next, TAG);
                all.receive(token, before, TAG);
            } else {
                all.receive(token, before, TAG);
                all.send(token, next, TAG);
            }
        }
        return (world.time() - start) / (double) all.size() / times;
    }

    private static double allreduce(World world, Communicator all, int count, int times) {
        double[] mine = new double[count];
        double[] sum = new double[count];
        all.barrier();
        long start = 0;
        for (int i = -1; i < times; i++) {
            start = i == 0 ? world.time() : start;
            all.allreduce(mine, sum, Op.SUM);
        }
        return (world.time() - start) / (double) times;
    }
}
