package io.rankwire.device.work;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.fabric.local.LocalFabric;
import io.rankwire.type.Combination;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import org.junit.jupiter.api.Test;

/** Work programs on devices that one thread drives, so that each step is the engine's own. */
class WorkEngineTest {
    private static final int CONTEXT = 5;

    private final LocalFabric fabric = new LocalFabric(3);
    private final Device[] devices = {
        new Device(DeviceConfig.DEFAULT, fabric.open(0)), new Device(DeviceConfig.DEFAULT, fabric.open(1)),
        new Device(DeviceConfig.DEFAULT, fabric.open(2))};

    private void progressUntil(Operation... operations) {
        for (int i = 0; i < 100_000; i++) {
            boolean done = true;
            for (Device device : devices) {
                device.progressAll(i);
            }
            for (Operation operation : operations) {
                done &= operation.isDone();
            }
            if (done) {
                return;
            }
        }
        throw new AssertionError("nothing moves any more");
    }

    /** Two children send, the node sums and sends up, enables its receives again, and does it once more. */
    @Test
    void shouldSumUpFromTwoChildrenTwice() {
        WorkProgram node = new WorkProgram(CONTEXT, 3);
        int left = node.buffer(16);
        int right = node.buffer(16);
        int sum = node.combination(Combination.of(Reduction.SUM, ElementType.DOUBLE));
        int arrived = node.counter();
        int sent = node.counter();
        WorkQueue receives = node.queue(true);
        WorkQueue work = node.queue(false);
        for (int round = 0; round < 2; round++) {
            receives.receive(1, left, 0, 16, ElementType.DOUBLE, arrived);
            receives.receive(2, right, 0, 16, ElementType.DOUBLE, arrived);
        }
        for (int round = 1; round <= 2; round++) {
            work.enableReceives(receives.number(), 2 * round).await(arrived, 2 * round)
                    .calc(sum, left, 0, right, 0, 16, false).send(1, left, 0, 16, ElementType.DOUBLE, sent)
                    .await(sent, round);
        }
        node.bind(left, new double[2], 0);
        node.bind(right, new double[2], 0);
        Operation whole = devices[0].start(node, 9);
        for (int round = 0; round < 2; round++) {
            double[] result = new double[2];
            Operation up = devices[1].receive(CONTEXT, 0, 9, result, 0, 16, ElementType.DOUBLE.code());
            for (int child = 1; child <= 2; child++) {
                double[] own = {child + round, 10 * child};
                assertTrue(devices[child].sendNow(CONTEXT, 0, 9, own, 0, 16, ElementType.DOUBLE.code()));
            }
            progressUntil(up);
            assertArrayEquals(new double[] {3 + 2 * round, 30}, result);
            devices[1].release(up);
        }
        progressUntil(whole);
        assertEquals(Code.OK, whole.code());
        devices[0].release(whole);
    }

    @Test
    void shouldStreamALongMessageThroughAFewSlots() {
        int bytes = 1_000_003;
        WorkProgram middle = new WorkProgram(CONTEXT, 3);
        int slots = middle.buffer(4 * 4096);
        int gone = middle.counter();
        middle.queue(false).pipe(0, 2, slots, 4096, 4, bytes, ElementType.BYTE, gone).await(gone, 245);
        middle.bind(slots, new byte[4 * 4096], 0);
        byte[] sent = new byte[bytes];
        byte[] got = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            sent[i] = (byte) (i * 31 + i / 4096);
        }
        WorkProgram first = chunks(true, sent);
        WorkProgram last = chunks(false, got);
        Operation[] all = {devices[0].start(first, 1), devices[1].start(middle, 1), devices[2].start(last, 1)};
        progressUntil(all);
        assertArrayEquals(sent, got);
    }

    private static WorkProgram chunks(boolean send, byte[] buffer) {
        WorkProgram program = new WorkProgram(CONTEXT, 3);
        int whole = program.buffer(buffer.length);
        int counter = program.counter();
        WorkQueue queue = program.queue(false);
        for (int at = 0; at < buffer.length; at += 4096) {
            int length = Math.min(4096, buffer.length - at);
            if (send) {
                queue.send(1, whole, at, length, ElementType.BYTE, counter);
            } else {
                queue.receive(1, whole, at, length, ElementType.BYTE, counter);
            }
        }
        program.bind(whole, buffer, 0);
        return program;
    }

    @Test
    void shouldTellThePeerWhenADisabledReceiveRefuses() {
        WorkProgram receiver = new WorkProgram(CONTEXT, 3);
        int buffer = receiver.buffer(8);
        int go = receiver.counter();
        int got = receiver.counter();
        WorkQueue receives = receiver.refusingQueue();
        receives.receive(0, buffer, 0, 8, ElementType.LONG, got);
        receiver.queue(false).receive(2, buffer, 0, 8, ElementType.LONG, go).await(go, 1)
                .enableReceives(receives.number(), 1);
        long[] cell = new long[1];
        receiver.bind(buffer, cell, 0);
        Operation whole = devices[1].start(receiver, 3);
        WorkProgram sender = new WorkProgram(CONTEXT, 3);
        int own = sender.buffer(8);
        sender.queue(false).sendConfirmed(1, own, 0, 8, ElementType.LONG, sender.counter(), 0);
        sender.bind(own, new long[] {77}, 0);
        Operation refused = devices[0].start(sender, 3);
        progressUntil(refused);
        assertEquals(Code.NOT_ENABLED, refused.code());
        assertEquals(1, sender.failedPeer());
        devices[0].release(refused);
        devices[2].sendNow(CONTEXT, 1, 3, new long[] {5}, 0, 8, ElementType.LONG.code());
        for (int i = 0; i < 100; i++) {
            devices[1].progressAll(i);
        }
        Operation taken = devices[0].start(sender, 3);
        progressUntil(taken, whole);
        assertEquals(Code.OK, taken.code());
        assertEquals(77, cell[0]);
    }

    @Test
    void shouldRunManyProgramsAtOnce() {
        int programs = 50;
        Operation[] all = new Operation[2 * programs];
        long[][] got = new long[programs][1];
        for (int i = 0; i < programs; i++) {
            for (int rank = 0; rank < 2; rank++) {
                WorkProgram program = new WorkProgram(CONTEXT, 3);
                int in = program.buffer(8);
                int out = program.buffer(8);
                int counter = program.counter();
                program.queue(false).receive(1 - rank, in, 0, 8, ElementType.LONG, counter).await(counter, 1)
                        .copy(in, 0, out, 0, 8);
                program.queue(false).send(1 - rank, out, 0, 8, ElementType.LONG, program.counter());
                program.bind(in, new long[1], 0);
                program.bind(out, rank == 0 ? got[i] : new long[] {i}, 0);
                all[2 * i + rank] = devices[rank].start(program, i);
            }
        }
        progressUntil(all);
        for (int i = 0; i < programs; i++) {
            assertEquals(i, got[i][0]);
        }
    }

    @Test
    void shouldSendToItself() {
        WorkProgram program = new WorkProgram(CONTEXT, 3);
        int buffer = program.buffer(16);
        int counter = program.counter();
        program.queue(false).receive(0, buffer, 8, 8, ElementType.LONG, counter)
                .send(0, buffer, 0, 8, ElementType.LONG, counter).await(counter, 2);
        long[] cells = {4, 0};
        program.bind(buffer, cells, 0);
        progressUntil(devices[0].start(program, 1));
        assertEquals(4, cells[1]);
    }

    @Test
    void shouldRefuseBadPrograms() {
        WorkProgram program = new WorkProgram(CONTEXT, 3);
        int buffer = program.buffer(8);
        int counter = program.counter();
        WorkQueue queue = program.queue(false);
        refused("outside buffer", () -> queue.send(1, buffer, 1, 8, ElementType.BYTE, counter));
        refused("peer 3", () -> queue.send(3, buffer, 0, 8, ElementType.BYTE, counter));
        refused("buffer 7", () -> queue.copy(7, 0, buffer, 0, 8));
        refused("counter 4", () -> queue.await(4, 1));
        refused("combination 0", () -> queue.calc(0, buffer, 0, buffer, 0, 8, false));
        queue.send(1, buffer, 0, 8, ElementType.BYTE, counter).await(counter, 2);
        refused("waits for 2", () -> devices[0].start(program, 1));
        WorkProgram other = new WorkProgram(CONTEXT, 3);
        other.queue(false).enableSends(5, 1);
        refused("enables queue 5", () -> devices[0].start(other, 1));
        WorkProgram never = new WorkProgram(CONTEXT, 3);
        int place = never.buffer(8);
        never.queue(true).send(1, place, 0, 8, ElementType.BYTE, never.counter());
        refused("is enabled up to entry 0", () -> devices[0].start(never, 1));
    }

    private static void refused(String why, Runnable action) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, action::run);
        assertTrue(e.getMessage().contains(why), e.getMessage());
    }
}
