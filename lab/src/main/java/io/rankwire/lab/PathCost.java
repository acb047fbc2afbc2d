package io.rankwire.lab;

import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.fabric.local.LocalFabric;

/**
 * The cost of the device alone for an 8-byte message: two devices in one thread, so no cache line crosses cores.
 * Run: {@code java -XX:+UseParallelGC -cp lab/target/classes:core/target/classes io.rankwire.lab.PathCost}.
 */
public final class PathCost {
    private static final int WINDOW = 64;
    private static final int WINDOWS = 30_000;

    private PathCost() {}

    public static void main(String[] arguments) {
        LocalFabric fabric = new LocalFabric(2);
        Device sender = new Device(DeviceConfig.DEFAULT, fabric.open(0));
        Device receiver = new Device(DeviceConfig.DEFAULT, fabric.open(1));
        for (int round = 0; round < 6; round++) {
            measure(sender, receiver);
        }
    }

    private static void measure(Device sender, Device receiver) {
        byte[] out = new byte[8];
        byte[] in = new byte[8 * WINDOW];
        Operation[] posted = new Operation[WINDOW];
        long postNs = 0;
        long sendNs = 0;
        long finishNs = 0;
        for (int n = 0; n < WINDOWS; n++) {
            long start = System.nanoTime();
            for (int w = 0; w < WINDOW; w++) {
                posted[w] = receiver.receive(0, 0, 1, in, 8L * w, 8, 0);
            }
            long afterPost = System.nanoTime();
            for (int w = 0; w < WINDOW; w++) {
                while (!sender.sendNow(0, 1, 1, out, 0, 8, 0)) {
                    sender.progress(0);
                }
            }
            long afterSend = System.nanoTime();
            for (Operation operation : posted) {
                while (!operation.isDone()) {
                    receiver.progress(0);
                }
                receiver.release(operation);
            }
            postNs += afterPost - start;
            sendNs += afterSend - afterPost;
            finishNs += System.nanoTime() - afterSend;
            sender.progress(0);
        }
        double messages = (double) WINDOW * WINDOWS;
        System.out.printf("post %.1f, send %.1f, arrive and finish %.1f ns%n",
                postNs / messages, sendNs / messages, finishNs / messages);
    }
}
