package io.rankwire.lab;

import io.rankwire.device.flow.FlowConfig;
import io.rankwire.device.flow.FlowPort;
import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.local.LocalFabric;

/**
 * The cost of reliability per frame: both ends in one thread, over lossless rings, without the flow layer, with it, and
 * with its congestion control.
 * Run: {@code java -XX:+UseParallelGC -cp lab/target/classes:core/target/classes io.rankwire.lab.FlowRate}.
 */
public final class FlowRate {
    private static final int FRAMES = 2_000_000;
    private static final int[] SIZES = {8, 64, 1024, 4096};

    private static long taken;

    private FlowRate() {}

    public static void main(String[] arguments) {
        for (int round = 0; round < 3; round++) {
            for (int bytes : SIZES) {
                LocalFabric bare = new LocalFabric(2);
                double without = measure(bare.open(0), bare.open(1), bytes);
                double with = measure(FlowConfig.DEFAULT, bytes);
                double controlled = measure(FlowConfig.DATAGRAMS.withReceiveFrames(1_000), bytes);
                System.out.printf(
                        "%5d bytes: rings %.1f ns a frame, with flow %.1f ns, with congestion control %.1f ns%n",
                        bytes, without, with, controlled);
            }
        }
    }

    private static double measure(FlowConfig config, int bytes) {
        LocalFabric fabric = new LocalFabric(2);
        return measure(new FlowPort(fabric.open(0), config, 1, System.nanoTime()),
                new FlowPort(fabric.open(1), config, 1, System.nanoTime()), bytes);
    }

    private static double measure(Port a, Port b, int bytes) {
        FrameSink sink = (peer, meta, header, memory, payload, payloadBytes) -> taken++;
        Outlet outlet = a.outlet(1);
        int frames = bytes > 1_000 ? FRAMES / 4 : FRAMES;
        long goal = taken + frames;
        int sent = 0;
        long start = System.nanoTime();
        while (taken < goal) {
            long at;
            while (sent < frames && (at = outlet.claim(bytes)) >= 0) {
                outlet.memory().asSlice(at, bytes).fill((byte) sent);
                outlet.commit(at, bytes, 1, sent++);
            }
            tick(b);
            b.poll(sink, 32);
            b.rest();
            tick(a);
            a.poll(sink, 32);
            a.rest();
        }
        return (double) (System.nanoTime() - start) / frames;
    }

    private static void tick(Port port) {
        if (port instanceof FlowPort flow) {
            flow.advance(System.nanoTime());
        }
    }
}
