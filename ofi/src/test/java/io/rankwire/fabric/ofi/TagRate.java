package io.rankwire.fabric.ofi;

import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.type.ElementType;
import java.util.Arrays;

/**
 * What a message costs that the device matches, and one that the provider matches: two devices in one thread, so the
 * time is that of both processors' work. Prints nanoseconds a message, the best and the median of some rounds.
 * Arguments: providers.
 */
public final class TagRate {
    private static final int BYTE = ElementType.BYTE.code();
    private static final int ROUNDS = 15;
    private static final int MESSAGES = 1_024;

    private TagRate() {}

    public static void main(String[] providers) {
        for (String provider : providers) {
            for (int depth : new int[] {1, 32}) {
                for (int bytes : new int[] {8, 8_000}) {
                    System.out.printf("%s, %d bytes, %d receives posted: by the device %s, by the provider %s%n",
                            provider, bytes, depth, measure(provider, false, depth, bytes),
                            measure(provider, true, depth, bytes));
                }
            }
        }
    }

    private static String measure(String provider, boolean byProvider, int depth, int bytes) {
        OfiConfig config = new OfiConfig(0, 300_000_000_000L, 0, false);
        try (LoopbackEndpoints endpoints = new LoopbackEndpoints(provider, 2)) {
            Device from = new Device(DeviceConfig.DEFAULT, endpoints.open(0, config));
            Device to = new Device(DeviceConfig.DEFAULT, endpoints.open(1, config));
            if (byProvider && !to.network().match(0, true)) {
                from.close();
                to.close();
                return "not possible";
            }
            long[] times = new long[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                long start = System.nanoTime();
                exchange(from, to, depth, bytes);
                times[round] = (System.nanoTime() - start) / MESSAGES;
            }
            String ways = byProvider ? " (" + 100 * to.network().came() / (ROUNDS * MESSAGES) + " % with tags)" : "";
            from.close();
            to.close();
            Arrays.sort(times);
            return times[0] + " and " + times[ROUNDS / 2] + " ns" + ways;
        }
    }

    private static void exchange(Device from, Device to, int depth, int bytes) {
        byte[] message = new byte[bytes];
        byte[][] buffers = new byte[depth][bytes];
        Operation[] receives = new Operation[depth];
        for (int sent = 0; sent < MESSAGES; sent += depth) {
            for (int i = 0; i < depth; i++) {
                receives[i] = to.receive(0, 0, i, buffers[i], 0, bytes, BYTE);
            }
            for (int i = depth - 1; i >= 0; i--) {
                while (!from.sendNow(0, 1, i, message, 0, bytes, BYTE)) {
                    drive(from, to);
                }
            }
            for (int i = 0; i < depth; i++) {
                while (!receives[i].isDone()) {
                    drive(from, to);
                }
                to.release(receives[i]);
            }
        }
    }

    private static void drive(Device from, Device to) {
        long now = System.nanoTime();
        from.advance(now);
        from.progress(now);
        to.advance(now);
        to.progress(now);
    }
}
