package io.rankwire.tools;

import io.rankwire.Communicator;
import io.rankwire.Counters;
import io.rankwire.World;
import io.rankwire.device.DeviceConfig;
import io.rankwire.runtime.Session;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;

/**
 * The doctor's self test, a program of two ranks. Both measure half a round trip: once of a bare word in shared memory,
 * which is what this machine needs to hand one cache line from core to core, and once of a message of 8 bytes.
 */
final class DoctorProbe {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle().withInvokeExactBehavior();
    private static final int BATCH = 500;
    private static final int MOST_BATCHES = 20_000;
    private static final long WARM_UP_NS = 700_000_000L;
    private static final long MEASURE_NS = 800_000_000L;
    private static final int SPINS = 10_000;
    private static final int GO = 1;
    private static final int STOP = 0;

    private final Communicator all;
    private final int rank;
    private final byte[] message = new byte[8];
    private MemorySegment line;
    private long turn;

    private DoctorProbe(Communicator all) {
        this.all = all;
        rank = all.rank();
    }

    public static void main(String[] args) throws IOException {
        try (World world = World.join()) {
            DoctorProbe probe = new DoctorProbe(world.communicator());
            probe.map();
            probe.measure();
            DoctorCopies.measure(probe.all);
            if (probe.rank == 0) {
                printDevice(Session.config());
                printCounters(world.counters());
            }
        }
    }

    private void map() throws IOException {
        Path file = Path.of(System.getenv("RANKWIRE_JOB"), "doctor");
        if (rank == 0) {
            line = map(file);
            all.send(message, 1, GO);
        } else {
            all.receive(message, 0, GO);
            line = map(file);
        }
    }

    private static MemorySegment map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096, Arena.global());
        }
    }

    /**
     * Batches of both in turn for a while, so that both meet the same machine; rank 0 sends rank 1 before each whether
     * there is one. Other load only ever adds time, so a quick batch counts rather than a typical one.
     */
    private void measure() {
        double[] floor = new double[MOST_BATCHES];
        double[] ours = new double[MOST_BATCHES];
        int count = 0;
        long start = System.nanoTime();
        while (goOn(System.nanoTime() - start < WARM_UP_NS + MEASURE_NS && count < MOST_BATCHES)) {
            long before = System.nanoTime();
            bounceLine();
            long between = System.nanoTime();
            bounceMessage();
            long after = System.nanoTime();
            if (before - start > WARM_UP_NS || count == 0) {
                floor[count] = (between - before) / (2.0 * BATCH);
                ours[count] = (after - between) / (2.0 * BATCH);
                count = before - start > WARM_UP_NS ? count + 1 : 0;
            }
        }
        if (rank == 0) {
            count = Math.max(1, count);
            Arrays.sort(floor, 0, count);
            Arrays.sort(ours, 0, count);
            print(floor[count / 10], ours[count / 10]);
        }
    }

    private static void print(double floor, double ours) {
        System.out.printf(
                Locale.ROOT,
                "self test    line hand-off %.0f ns, 8-byte half round trip %.0f ns, ratio %.2f%n",
                floor,
                ours,
                ours / floor);
    }

    /** What a device can hold, as the properties of the ranks configure it. */
    private static void printDevice(DeviceConfig device) {
        String matching = device.split() == null ? "all receives in the device"
                : device.split().posted() + " receives in the device, more in software ("
                        + device.split().closing().name().toLowerCase(Locale.ROOT) + ")";
        String full = switch (device.overflow()) {
            case GROW -> "more if needed";
            case SOFTWARE -> "then matching in software";
            case FAIL -> "then the job ends";
            case REFUSE -> "then messages are refused and sent again";
        };
        Doctor.print("device", String.format(Locale.ROOT, "%s; %,d headers, up to %,d, %s", matching,
                device.headers(), device.maxHeaders(), full));
        Doctor.print("", String.format(Locale.ROOT, "unexpected messages up to %,d MiB, the first %,d fragments of %d"
                + " bytes in the device; %,d doorbells", device.unexpectedBytes() >> 20, device.fragments(),
                device.fragmentBytes(), device.doorbells()));
    }

    private static void printCounters(Counters counters) {
        Doctor.print("statistics", String.format(Locale.ROOT, "rank 0 of the self test: %,d messages met a posted"
                + " receive, %,d came before it (at most %,d waited, %,d bytes); %,d sends delayed",
                counters.matchedPosted(), counters.matchedUnexpected(), counters.mostUnexpected(),
                counters.mostUnexpectedBytes(), counters.sendsDelayed()));
        Doctor.print("", String.format(Locale.ROOT, "%,d matches in software, %,d races, %,d posts refused by the"
                + " device", counters.matchedInSoftware(), counters.races(), counters.refusedPosts()));
    }

    private boolean goOn(boolean wanted) {
        if (rank == 0) {
            all.send(message, 1, wanted ? GO : STOP);
            return wanted;
        }
        return all.receive(message, 0, Communicator.ANY_TAG).tag() == GO;
    }

    private void bounceLine() {
        long mine = turn;
        for (int i = 0; i < BATCH; i++) {
            if (rank == 0) {
                WORD.setRelease(line, 0L, mine + 1);
                await(mine + 2);
            } else {
                await(mine + 1);
                WORD.setRelease(line, 0L, mine + 2);
            }
            mine += 2;
        }
        turn = mine;
    }

    private void await(long value) {
        int spins = 0;
        while ((long) WORD.getAcquire(line, 0L) != value) {
            if (++spins > SPINS) {
                Thread.yield();
            }
        }
    }

    private void bounceMessage() {
        for (int i = 0; i < BATCH; i++) {
            if (rank == 0) {
                all.send(message, 1, GO);
                all.receive(message, 1, GO);
            } else {
                all.receive(message, 0, GO);
                all.send(message, 0, GO);
            }
        }
    }
}
