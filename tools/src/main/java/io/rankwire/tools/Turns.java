package io.rankwire.tools;

import io.rankwire.Communicator;
import io.rankwire.Op;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/**
 * The turns of a program that measures several things: all ranks do the same at the same time, a little of each thing
 * in turn, so that other work on the machine disturbs some turns and not one thing. Rank 0 decides how long. The result
 * goes to a file, with how much the program was disturbed; none on a machine so busy that there were few turns.
 */
final class Turns {
    private static final int MOST = 4000;
    private static final int LEAST = 12;
    /** A thing that takes less than this share of its time before is not warm yet. */
    private static final double STEADY = 0.8;
    private static final long LONGEST_NS = 8_000_000_000L;

    private final Communicator all;
    private final long warmUpNs;
    private final long measureNs;
    private final double[][] times;
    private final double[] ours = new double[1];
    private int count;
    private Cpu begun = Cpu.now();
    private Cpu ended;

    /** @param things how many are measured */
    Turns(Communicator all, int things, long warmUpNs, long measureNs) {
        this.all = all;
        this.warmUpNs = warmUpNs;
        this.measureNs = measureNs;
        times = new double[things][MOST];
    }

    /**
     * Warms up, and then measures until nothing becomes faster any more: ranks that share processors with each other
     * and with their compilers need several times as long to warm up.
     *
     * @param turn does everything once
     */
    void run(Runnable turn) {
        long start = System.nanoTime();
        repeat(turn, warmUpNs);
        double[] before = typical();
        byte[] goOn = {1};
        while (goOn[0] != 0) {
            begun = Cpu.now();
            repeat(turn, measureNs);
            ended = Cpu.now();
            double[] now = typical();
            goOn[0] = (byte) (isFaster(now, before) && System.nanoTime() - start < LONGEST_NS ? 1 : 0);
            before = now;
            all.broadcast(goOn, 0);
        }
        all.allreduce(new double[] {begun.ours(ended)}, ours, Op.SUM);
    }

    private void repeat(Runnable turn, long ns) {
        long start = System.nanoTime();
        count = 0;
        byte[] goOn = {1};
        while (goOn[0] != 0) {
            turn.run();
            count++;
            goOn[0] = (byte) (count < MOST && System.nanoTime() - start < ns ? 1 : 0);
            all.broadcast(goOn, 0);
        }
    }

    private double[] typical() {
        double[] medians = new double[times.length];
        Arrays.setAll(medians, this::typical);
        return medians;
    }

    private static boolean isFaster(double[] now, double[] before) {
        for (int i = 0; i < now.length; i++) {
            if (now[i] < before[i] * STEADY) {
                return true;
            }
        }
        return false;
    }

    /** What one thing has taken in this turn. */
    void took(int thing, double ns) {
        times[thing][Math.min(count, MOST - 1)] = ns;
    }

    /** What a thing takes undisturbed: the fastest tenth of the turns. */
    double quick(int thing) {
        return sorted(thing)[count / 10];
    }

    /** What a thing takes as the machine is: the median. */
    double typical(int thing) {
        return sorted(thing)[count / 2];
    }

    private double[] sorted(int thing) {
        double[] turns = Arrays.copyOf(times[thing], count);
        Arrays.sort(turns);
        return turns;
    }

    boolean areEnough() {
        return count >= LEAST;
    }

    /**
     * Writes a result, and how much it was disturbed, as {@link MeasuredCosts} reads it.
     *
     * @param thing the one whose turns are compared
     */
    void write(Path file, String result, int thing) throws IOException {
        Files.writeString(file, result + "\n" + otherMilli() + "\n" + Math.round(100 * typical(thing) / quick(thing))
                + "\n");
    }

    /** Thousandths of a processor that other programs took; -1 where the system does not say. */
    private long otherMilli() {
        double busy = begun.busy(ended);
        return busy < 0 ? -1 : Math.max(0, Math.round(1000 * (busy - ours[0])));
    }

    /**
     * Processor time at one moment: this process's, and that of the machine. What the machine was busy with and was not
     * this program is other work; what a hypervisor took for others counts too.
     *
     * @param busy ticks of all processors; negative where the system does not say
     * @param all the same with the idle ones
     */
    private record Cpu(long ns, long oursNs, long busy, long all, int processors) {
        private static final int IDLE = 4;
        private static final int WAITING = 5;
        private static final int STOLEN = 8;

        static Cpu now() {
            long ours = ProcessHandle.current().info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
            long busy = 0;
            long all = 0;
            int processors = 0;
            try {
                for (String line : Files.readAllLines(Path.of("/proc/stat"))) {
                    if (line.startsWith("cpu ")) {
                        String[] words = line.split(" +");
                        for (int i = 1; i <= Math.min(STOLEN, words.length - 1); i++) {
                            long ticks = Long.parseLong(words[i]);
                            all += ticks;
                            busy += i == IDLE || i == WAITING ? 0 : ticks;
                        }
                    } else if (line.startsWith("cpu")) {
                        processors++;
                    }
                }
            } catch (IOException e) {
                // Not Linux.
                busy = -1;
            }
            return new Cpu(System.nanoTime(), ours, busy, all, processors);
        }

        /** Processors that this process kept busy. */
        double ours(Cpu later) {
            return (double) (later.oursNs - oursNs) / Math.max(1, later.ns - ns);
        }

        /** Processors that were busy, or stolen; negative where the system does not say. */
        double busy(Cpu later) {
            return busy < 0 ? -1 : (double) (later.busy - busy) * processors / Math.max(1, later.all - all);
        }
    }
}
