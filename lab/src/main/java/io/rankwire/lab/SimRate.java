package io.rankwire.lab;

import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.memory.Rand;
import io.rankwire.sim.DeviceModel;
import io.rankwire.sim.Devices;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.sim.net.Torus;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Events per second of the simulator with real devices on a 16 x 16 x 16 torus. In each round every node exchanges
 * messages with six others, its neighbours ({@code halo}) or random nodes ({@code random}). With a fourth argument
 * {@code matching}, searches of the devices take virtual time too. Prints the trace hash with the rate.
 */
public final class SimRate {
    private static final int PARTNERS = 6;
    private static final int BYTES = 48;
    private static final DeviceConfig CONFIG = new DeviceConfig(4096, 1 << 28, 64, 16, 32, 1 << 16,
            DeviceConfig.Overflow.GROW, DeviceConfig.Truncation.DELIVER, 1 << 16, 1, DeviceConfig.Large.TWO_ENDED,
            1 << 20);

    /** With threads for all frames, so that devices may be moved late. */
    private static final DeviceModel MODEL = new DeviceModel(50_000, DeviceModel.UNLIMITED, 50_000,
            DeviceModel.UNLIMITED, 51_200, 1 << 18, 4096, true);

    private final Devices devices;
    private final int nodes;
    private final int[] partners;
    private final int[] sources;
    private final Operation[] receives;
    private final byte[][] buffers;
    private final int[] round;
    private final int[] done;
    private final int rounds;

    private SimRate(boolean halo, int side, int rounds, DeviceModel model) {
        Torus torus = new Torus(side, side, side);
        nodes = torus.nodes();
        this.rounds = rounds;
        devices = new Devices(torus, LinkModel.DEFAULT, model, CONFIG, nodes);
        partners = new int[nodes * PARTNERS];
        sources = new int[nodes * PARTNERS];
        receives = new Operation[nodes * PARTNERS];
        buffers = new byte[nodes][BYTES * PARTNERS];
        round = new int[nodes];
        done = new int[nodes];
        Rand rand = new Rand(1);
        for (int i = 0; i < PARTNERS; i++) {
            int shift = 1 + rand.below(nodes - 1);
            for (int node = 0; node < nodes; node++) {
                int to = halo ? torus.end(node * PARTNERS + i) : (node + shift) % nodes;
                partners[node * PARTNERS + i] = to;
                sources[to * PARTNERS + i] = node;
            }
        }
    }

    private void start(int node) {
        Device device = devices.device(node);
        int now = round[node]++;
        done[node] = 0;
        for (int i = 0; i < PARTNERS; i++) {
            receives[node * PARTNERS + i] = device.receive(
                    1, sources[node * PARTNERS + i], now << 3 | i, buffers[node], i * BYTES, BYTES, 1);
        }
        for (int i = 0; i < PARTNERS; i++) {
            int to = partners[node * PARTNERS + i];
            if (!device.sendNow(1, to, now << 3 | i, buffers[node], i * BYTES, BYTES, 1)) {
                throw new IllegalStateException("no room for " + node + " to " + to);
            }
        }
    }

    private void turn(int node) {
        if (round[node] == 0) {
            start(node);
            return;
        }
        while (done[node] < PARTNERS && receives[node * PARTNERS + done[node]].isDone()) {
            devices.device(node).release(receives[node * PARTNERS + done[node]++]);
        }
        if (done[node] == PARTNERS && round[node] < rounds) {
            start(node);
        }
    }

    private void run() {
        for (int node = 0; node < nodes; node++) {
            devices.wake(node, node % 7 * 1_000);
        }
        devices.run(this::turn);
    }

    public static void main(String[] args) {
        boolean halo = args.length == 0 || args[0].equals("halo");
        int side = args.length < 2 ? 16 : Integer.parseInt(args[1]);
        int rounds = args.length < 3 ? 100 : Integer.parseInt(args[2]);
        boolean matching = args.length > 3 && args[3].equals("matching");
        DeviceModel model = matching ? DeviceModel.MATCHING : MODEL;
        for (int i = 0; i < 4; i++) {
            SimRate rate = new SimRate(halo, side, rounds, model);
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long before = System.nanoTime();
            long cpuBefore = threads.getCurrentThreadCpuTime();
            rate.run();
            double seconds = (System.nanoTime() - before) / 1e9;
            double cpu = (threads.getCurrentThreadCpuTime() - cpuBefore) / 1e9;
            long count = rate.devices.events().count();
            System.out.printf("%s %d: %,d events in %.2f s (%.2f s of a core), %.2f (%.2f) M/s, virtual %.1f us,"
                            + " hash %016x%n",
                    halo ? "halo" : "random", side, count, seconds, cpu, count / seconds / 1e6, count / cpu / 1e6,
                    rate.devices.events().now() / 1e6, rate.devices.events().hash());
        }
    }
}
