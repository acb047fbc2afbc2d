package io.rankwire.tools;

import io.rankwire.Communicator;
import io.rankwire.World;
import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Geometry;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.Port;
import io.rankwire.launch.Fabrics;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Measures which {@link Geometry} is fastest: a program of two ranks that send heap arrays to and fro in frames,
 * without a device, through slabs of several sizes and through a ring. The argument is the file that rank 0 writes the
 * result to.
 */
final class GeometryRank {
    private static final long WARM_UP_NS = 350_000_000L;
    private static final long MEASURE_NS = 550_000_000L;
    /** Payloads that may go through the ring or the slab, in ascending order. */
    private static final int[] SHORT = {1 << 10, 2 << 10, 4 << 10};
    private static final int SHORT_TIMES = 150;
    /** Messages that a size of the slab is judged by. */
    private static final int[] LONG = {512 << 10, 32 << 10};
    private static final int[] LONG_TIMES = {8, 48};
    private static final int[] SLABS = {256 << 10, 512 << 10, 1 << 20, 2 << 20};
    /** What takes the place of the default takes at most this share of its time. */
    private static final double CLEARLY = 0.95;
    /** The compilers need the processors too. */
    private static final int SPINS = 100;

    private final Communicator all;
    private final Turns turns;
    private final Way[] slabs = new Way[SLABS.length];
    private final Way ring;

    /** One fabric, with its own geometry. */
    private static final class Way implements FrameSink {
        private final Port port;
        private final Outlet out;
        private final int most;
        private final byte[] data = new byte[LONG[0]];
        private int received;

        Way(Port port) {
            this.port = port;
            out = port.outlet(1 - port.self());
            most = port.traits().maxPayload();
        }

        void send(int bytes) {
            for (int at = 0; at < bytes; at += most) {
                int length = Math.min(most, bytes - at);
                long place = out.claim(length);
                for (int spins = 1; place < 0; spins++) {
                    pause(spins);
                    place = out.claim(length);
                }
                MemorySegment.copy(data, at, out.memory(), ValueLayout.JAVA_BYTE, place, length);
                out.commit(place, length, 1, 0);
            }
        }

        void receive(int bytes) {
            received = 0;
            for (int spins = 1; received < bytes; spins++) {
                if (port.poll(this, Integer.MAX_VALUE) == 0) {
                    pause(spins);
                }
            }
        }

        private void pause(int spins) {
            if (spins % SPINS == 0) {
                port.rest();
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }

        @Override
        public void frame(int peer, int meta, long header, MemorySegment memory, long payload, int bytes) {
            MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, payload, data, received, bytes);
            received += bytes;
        }
    }

    private GeometryRank(Communicator all) throws IOException {
        this.all = all;
        turns = new Turns(all, 2 * SHORT.length + SLABS.length * LONG.length, WARM_UP_NS, MEASURE_NS);
        for (int i = 0; i < SLABS.length; i++) {
            slabs[i] = way(new Geometry(SHORT[0] / 2, SLABS[i]));
        }
        ring = way(new Geometry(SHORT[SHORT.length - 1], Geometry.DEFAULT.slabBytes()));
    }

    private Way way(Geometry geometry) throws IOException {
        Path place = Files.createDirectories(
                Path.of(System.getenv("RANKWIRE_JOB"), "geometry." + geometry.text().replace(' ', '.')));
        return new Way(Fabrics.ofProcess(place, all.rank(), 2, geometry));
    }

    public static void main(String[] args) throws IOException {
        try (World world = World.join()) {
            GeometryRank rank = new GeometryRank(world.communicator());
            rank.turns.run(rank::timeAll);
            if (rank.all.rank() == 0 && rank.turns.areEnough()) {
                rank.turns.write(Path.of(args[0]), rank.best().text(), shortThing(0, true));
            }
        }
    }

    private static int shortThing(int size, boolean inRing) {
        return 2 * size + (inRing ? 1 : 0);
    }

    private static int longThing(int slab, int size) {
        return 2 * SHORT.length + slab * LONG.length + size;
    }

    private void timeAll() {
        for (int size = 0; size < SHORT.length; size++) {
            time(shortThing(size, false), slabs[ofDefault()], SHORT[size], SHORT_TIMES);
            time(shortThing(size, true), ring, SHORT[size], SHORT_TIMES);
        }
        for (int slab = 0; slab < SLABS.length; slab++) {
            for (int size = 0; size < LONG.length; size++) {
                time(longThing(slab, size), slabs[slab], LONG[size], LONG_TIMES[size]);
            }
        }
    }

    private void time(int thing, Way way, int bytes, int times) {
        // Once round the slab, whose lines hold what the turn before has left.
        roundTrips(way, bytes, times);
        long start = System.nanoTime();
        roundTrips(way, bytes, times);
        turns.took(thing, (double) (System.nanoTime() - start) / times);
    }

    private void roundTrips(Way way, int bytes, int times) {
        for (int i = 0; i < times; i++) {
            if (all.rank() == 0) {
                way.send(bytes);
                way.receive(bytes);
            } else {
                way.receive(bytes);
                way.send(bytes);
            }
        }
    }

    private static int ofDefault() {
        int at = 0;
        while (SLABS[at] != Geometry.DEFAULT.slabBytes()) {
            at++;
        }
        return at;
    }

    private Geometry best() {
        double[] inRing = new double[SHORT.length];
        double[] inSlab = new double[SHORT.length];
        for (int size = 0; size < SHORT.length; size++) {
            inRing[size] = turns.quick(shortThing(size, true));
            inSlab[size] = turns.quick(shortThing(size, false));
        }
        double[] bySlab = new double[SLABS.length];
        for (int slab = 0; slab < SLABS.length; slab++) {
            // Each size counts the same, however long it takes.
            bySlab[slab] = Math.sqrt(turns.quick(longThing(slab, 0)) * turns.quick(longThing(slab, 1)));
        }
        return best(inRing, inSlab, bySlab);
    }

    /**
     * The default, or what is clearly faster.
     *
     * @param inRing times of payloads of 1, 2 and 4 KiB through the ring
     * @param inSlab the same through the slab
     * @param bySlab times of long messages through slabs of 256 and 512 KiB, 1 and 2 MiB
     */
    static Geometry best(double[] inRing, double[] inSlab, double[] bySlab) {
        int most = Geometry.DEFAULT.mostInRing();
        if (inSlab[0] < CLEARLY * inRing[0]) {
            most = SHORT[0] / 2;
        }
        for (int size = 1; size < SHORT.length && most == SHORT[size - 1]; size++) {
            most = inRing[size] < CLEARLY * inSlab[size] ? SHORT[size] : most;
        }
        int best = ofDefault();
        for (int slab = 0; slab < SLABS.length; slab++) {
            boolean isClear = bySlab[slab] < CLEARLY * bySlab[ofDefault()];
            best = isClear && bySlab[slab] < bySlab[best] ? slab : best;
        }
        return new Geometry(most, SLABS[best]);
    }
}
