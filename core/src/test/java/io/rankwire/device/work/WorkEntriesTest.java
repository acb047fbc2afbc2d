package io.rankwire.device.work;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.util.List;
import org.junit.jupiter.api.Test;

/** Entries beyond the plain ones, and programs that are refused. */
class WorkEntriesTest {
    private static final int CONTEXT = 5;
    private static final ElementType LONG = ElementType.LONG;

    private final LocalFabric fabric = new LocalFabric(3);
    private final Device[] devices = {
        new Device(DeviceConfig.DEFAULT, fabric.open(0)), new Device(DeviceConfig.DEFAULT, fabric.open(1)),
        new Device(DeviceConfig.DEFAULT, fabric.open(2))};

    private void progress() {
        for (int i = 0; i < 200; i++) {
            for (Device device : devices) {
                device.progressAll(i);
            }
        }
    }

    private static WorkProgram program() {
        return new WorkProgram(CONTEXT, 3);
    }

    private static int bind(WorkProgram program, long... content) {
        int buffer = program.buffer(8L * content.length);
        program.bind(buffer, content, 0);
        return buffer;
    }

    /** Keeps the left operand's tens and the right one's ones: tells the order. */
    private static Combination ordered() {
        return new Combination((left, l, right, r, target, t, count) -> {
            for (int i = 0; i < count; i++) {
                ((long[]) target)[t + i] = ((long[]) left)[l + i] / 10 * 10 + ((long[]) right)[r + i] % 10;
            }
        }, LONG, 1);
    }

    @Test
    void shouldCombineSeveralArgumentsInOrderForSeveralTargetsAndPeers() {
        for (int own = -1; own < 3; own++) {
            WorkProgram program = program();
            long[][] cells = {{11}, {22}, {33}, {0}, {0}};
            int[] buffers = new int[cells.length];
            for (int i = 0; i < cells.length; i++) {
                buffers[i] = program.buffer(8);
                program.bind(buffers[i], cells[i], 0);
            }
            int result = own < 0 ? 3 : own;
            int sent = program.counter();
            program.queue(false).calc(program.combination(ordered()),
                    List.of(new Place(buffers[0], 0), new Place(buffers[1], 0), new Place(buffers[2], 0)),
                    List.of(new Place(buffers[result], 0), new Place(buffers[4], 0)), 8, LONG, sent, 1, 2)
                    .await(sent, 2);
            long[][] got = {{0}, {0}};
            for (int peer = 1; peer <= 2; peer++) {
                devices[peer].receive(CONTEXT, 0, 7, got[peer - 1], 0, 8, LONG.code());
            }
            Operation whole = devices[0].start(program, 7);
            progress();
            assertTrue(whole.isDone());
            for (long[] each : new long[][] {cells[result], cells[4], got[0], got[1]}) {
                assertEquals(13, each[0], "with argument " + own + " as target");
            }
        }
    }

    @Test
    void shouldAdvanceTheCounterThatAMessageNames() {
        WorkProgram receiver = program();
        int slot = bind(receiver, 0);
        int log = bind(receiver, 0, 0);
        int first = receiver.counter();
        int second = receiver.counter();
        receiver.queue(false).receiveNamed(0, slot, 0, 8, LONG).receiveNamed(0, slot, 0, 8, LONG);
        receiver.queue(false).await(first, 1).copy(slot, 0, log, 0, 8);
        receiver.queue(false).await(second, 1).copy(slot, 0, log, 8, 8);
        long[] seen = (long[]) receiver.bases[log];
        Operation whole = devices[1].start(receiver, 4);
        send(second, 52);
        progress();
        assertArrayEquals(new long[] {0, 52}, seen);
        assertFalse(whole.isDone());
        send(first, 51);
        progress();
        assertArrayEquals(new long[] {51, 52}, seen);
        assertEquals(Code.OK, whole.code());
    }

    private void send(int counterThere, long content) {
        WorkProgram sender = program();
        int message = bind(sender, content);
        sender.queue(false).sendNaming(1, counterThere, message, 0, 8, LONG, sender.counter());
        devices[0].start(sender, 4);
        progress();
    }

    @Test
    void shouldEndWhenAMessageNamesNoCounter() {
        WorkProgram receiver = program();
        int slot = bind(receiver, 0);
        receiver.counter();
        receiver.queue(false).receiveNamed(0, slot, 0, 8, LONG);
        Operation whole = devices[1].start(receiver, 4);
        send(9, 1);
        progress();
        assertEquals(Code.ENTRY_FAILED, whole.code());
        assertEquals("a message names counter 9, and this program has 1", receiver.failure());
        assertEquals(0, receiver.failedPeer());
    }

    @Test
    void shouldEnableOneEntryAfterAnother() {
        WorkProgram program = program();
        int cells = bind(program, 0, 0);
        int go = program.counter();
        int got = program.counter();
        WorkQueue receives = program.queue(true);
        receives.receive(1, cells, 0, 8, LONG, got).receive(1, cells, 8, 8, LONG, got);
        int nothing = program.buffer(0);
        program.bind(nothing, new byte[0], 0);
        program.queue(false).enableReceives(receives.number())
                .receive(2, nothing, 0, 0, ElementType.BYTE, go).await(go, 1).enableReceives(receives.number());
        long[] seen = (long[]) program.bases[cells];
        Operation whole = devices[0].start(program, 2);
        for (long value : new long[] {5, 6}) {
            devices[1].sendNow(CONTEXT, 0, 2, new long[] {value}, 0, 8, LONG.code());
        }
        progress();
        assertArrayEquals(new long[] {5, 0}, seen);
        devices[2].sendNow(CONTEXT, 0, 2, new byte[0], 0, 0, ElementType.BYTE.code());
        progress();
        assertArrayEquals(new long[] {5, 6}, seen);
        assertTrue(whole.isDone());
    }

    @Test
    void shouldRefuseForADisabledReceiveThatCombines() {
        WorkProgram receiver = program();
        int sum = bind(receiver, 40);
        int go = receiver.counter();
        WorkQueue receives = receiver.refusingQueue();
        receives.receiveCombine(0, sum, 0, sum, 0, 8, LONG,
                receiver.combination(Combination.of(Reduction.SUM, LONG)), false, receiver.counter());
        int signal = bind(receiver, 0);
        receiver.queue(false).receive(2, signal, 0, 8, LONG, go).await(go, 1).enableReceives(receives.number());
        Operation whole = devices[1].start(receiver, 3);
        WorkProgram sender = program();
        int own = bind(sender, 2);
        sender.queue(false).sendConfirmed(1, own, 0, 8, LONG, sender.counter(), 0);
        Operation refused = devices[0].start(sender, 3);
        progress();
        assertEquals(Code.NOT_ENABLED, refused.code());
        assertEquals(40, ((long[]) receiver.bases[sum])[0]);
        devices[2].sendNow(CONTEXT, 1, 3, new long[1], 0, 8, LONG.code());
        progress();
        Operation taken = devices[0].start(sender, 3);
        progress();
        assertEquals(Code.OK, taken.code());
        assertTrue(whole.isDone());
        assertEquals(42, ((long[]) receiver.bases[sum])[0]);
    }

    /** A pipe that fails must leave no receive behind that would take the next message. */
    @Test
    void shouldWithdrawWhatAFailedPipeWaitedFor() {
        WorkProgram middle = program();
        int slots = middle.buffer(3 * 8);
        middle.bind(slots, new byte[24], 0);
        middle.queue(false).pipe(0, 2, slots, 8, 3, 80, ElementType.BYTE, middle.counter());
        Operation whole = devices[1].start(middle, 6);
        devices[0].sendNow(CONTEXT, 1, 6, new byte[5], 0, 5, ElementType.BYTE.code());
        progress();
        assertEquals(Code.BAD_SIZE, whole.code());
        devices[0].sendNow(CONTEXT, 1, 6, new byte[8], 0, 8, ElementType.BYTE.code());
        progress();
        assertTrue(devices[1].probes().find(CONTEXT, 0, 6) >= 0, "the message is still to be had");
    }

    @Test
    void shouldRefuseWaitsThatOnlyLaterEntriesCouldEnd() {
        WorkProgram behind = program();
        int cell = bind(behind, 1);
        int counter = behind.counter();
        behind.queue(false).await(counter, 1).send(1, cell, 0, 8, LONG, counter);
        refused("entry 0 of queue 0 waits for 1 of counter 0, which comes to 0 at most", behind);

        WorkProgram circle = program();
        int place = bind(circle, 1);
        int here = circle.counter();
        int there = circle.counter();
        circle.queue(false).await(there, 1).send(1, place, 0, 8, LONG, here);
        circle.queue(false).await(here, 1).send(1, place, 0, 8, LONG, there);
        refused("entry 0 of queue 0 waits for 1 of counter 1", circle);

        WorkProgram never = program();
        int slot = bind(never, 1);
        int arrived = never.counter();
        WorkQueue receives = never.queue(true);
        receives.receive(1, slot, 0, 8, LONG, arrived);
        never.queue(false).await(arrived, 1).enableReceives(receives.number(), 1);
        refused("queue 0 is enabled up to entry 0 only", never);

        WorkProgram beyond = program();
        WorkQueue empty = beyond.queue(true);
        beyond.queue(false).enableSends(empty.number());
        refused("enables entry 0 of queue 0, which has 0", beyond);
    }

    private void refused(String why, WorkProgram program) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> devices[0].start(program, 1));
        assertTrue(e.getMessage().contains(why), e.getMessage());
    }
}
