package io.rankwire.device.work;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.device.onesided.RegionTable;
import io.rankwire.fabric.Shared;
import io.rankwire.fabric.TriggeringPort;
import io.rankwire.fabric.local.LocalFabric;
import io.rankwire.type.ElementType;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Puts that a network makes: what they write and when, epochs that end before they begin, and refusals. */
class DeferredPutsTest {
    private static final int CONTEXT = 5;
    private static final int TAG = 9;
    private static final int AT = 16;
    private static final ElementType BYTE = ElementType.BYTE;
    private static final String CLOSED =
            "entry 2 of queue 0 is a put to rank 1 of the world, and it is closed";

    private final TriggeringPort[] ports = new TriggeringPort[2];
    private final Device[] devices = new Device[2];
    private final byte[] there = new byte[64];
    private SwitchedPart part;
    private Shared memory;

    @BeforeEach
    void open() {
        LocalFabric fabric = new LocalFabric(2);
        for (int rank = 0; rank < 2; rank++) {
            ports[rank] = new TriggeringPort(fabric.open(rank), rank, 20);
            devices[rank] = new Device(DeviceConfig.DEFAULT, ports[rank]);
        }
        memory = devices[0].memory().allocate(64);
        part = new SwitchedPart().at(1, devices[1].oneSided().regions().add(there, 0, there.length, BYTE.code(),
                RegionTable.READ | RegionTable.WRITE));
        Arrays.fill(there, (byte) 0);
    }

    private void progressUntil(BooleanSupplier done) {
        for (int i = 0; !done.getAsBoolean(); i++) {
            assertTrue(i < 100_000, "nothing moves any more");
            progress(i);
        }
    }

    private void progress(int step) {
        devices[0].progressAll(step);
        devices[1].progressAll(step);
    }

    /** Rank 0 waits for 8 bytes of rank 1, writes them into its memory, and sends to it when they are there. */
    private WorkProgram writeBack(long at, boolean byNetwork) {
        WorkProgram program = new WorkProgram(CONTEXT, 2);
        program.bind(program.buffer(64), memory.memory(), 0);
        int messages = program.counter();
        int written = program.counter();
        program.queue(false).receive(1, 0, 0, 8, BYTE, messages).await(messages, 1)
                .put(part, at, 0, 0, 8, BYTE, written).await(written, 1).send(1, 0, 8, 4, BYTE, messages);
        program.deferring.isAllowed = byNetwork;
        return program;
    }

    private static byte[] bytes(int run) {
        byte[] bytes = new byte[8];
        Arrays.fill(bytes, (byte) (run + 1));
        return bytes;
    }

    private void send(byte[] bytes) {
        assertTrue(devices[1].sendNow(CONTEXT, 0, TAG, bytes, 0, bytes.length, BYTE.code()));
    }

    private void assertWritten(byte[] bytes) {
        assertArrayEquals(bytes, Arrays.copyOfRange(there, AT, AT + 8));
    }

    private int end(Operation whole) {
        progressUntil(whole::isDone);
        int code = whole.code();
        devices[0].release(whole);
        progressUntil(() -> ports[0].programs() == 0 && !devices[0].networkSends.memory().isLent(memory));
        assertEquals(0, part.claims);
        return code;
    }

    @Test
    void shouldWriteWhatWasReceivedBeforeTheNextMessageIsSent() {
        WorkProgram program = writeBack(AT, true);
        for (int run = 0; run < 500; run++) {
            Operation whole = devices[0].start(program, TAG);
            assertNull(program.deferring.obstacle());
            assertEquals(1, part.claims);
            Operation receive = devices[1].receive(CONTEXT, 0, TAG, new byte[4], 0, 4, BYTE.code());
            send(bytes(run));
            progressUntil(receive::isDone);
            assertWritten(bytes(run));
            devices[1].release(receive);
            assertEquals(Code.OK, end(whole));
            assertEquals(1, program.count(1));
            assertEquals(run + 1, part.uses);
        }
        assertEquals(3 * 500, ports[0].sent);
    }

    @Test
    void shouldSayWhatStandsInTheWay() {
        WorkProgram program = writeBack(AT, true);
        part.isOpen = false;
        Operation whole = devices[0].start(program, TAG);
        assertEquals(CLOSED, program.deferring.obstacle());
        part.isOpen = true;
        send(bytes(3));
        assertEquals(Code.OK, end(whole));
        assertWritten(bytes(3));

        WorkProgram onHeap = writeBack(AT, true);
        onHeap.bind(0, new byte[64], 0);
        devices[0].start(onHeap, TAG);
        assertEquals("entry 2 of queue 0 sends memory that is not from World.allocate", onHeap.deferring.obstacle());
        assertEquals(0, part.claims);

        WorkProgram reads = new WorkProgram(CONTEXT, 2);
        reads.bind(reads.buffer(64), memory.memory(), 0);
        reads.counter();
        reads.queue(false).get(part, 0, 0, 0, 8, BYTE, 0);
        reads.deferring.allow();
        devices[0].start(reads, TAG);
        assertEquals("entry 0 of queue 0 reads memory of a window", reads.deferring.obstacle());
    }

    /** The epoch ends before the message comes that the put waits for, or while it is on its way. */
    @Test
    void shouldMakeAPutOnceIfItsEpochEndsAndAnotherBegins() {
        WorkProgram program = writeBack(AT, true);
        for (int run = 0; run < 500; run++) {
            Operation whole = devices[0].start(program, TAG);
            assertNull(program.deferring.obstacle());
            if (run % 2 == 1) {
                send(bytes(run));
            }
            for (int step = 0; step < run % 16; step++) {
                progress(step);
            }
            part.isOpen = false;
            devices[0].epochClosed();
            part.isOpen = true;
            if (run % 2 == 0) {
                send(bytes(run));
            }
            assertEquals(Code.OK, end(whole), "run " + run);
            assertWritten(bytes(run));
            assertEquals(1, program.count(1));
        }
        assertTrue(ports[0].replaced >= 250, ports[0].replaced + " puts were withdrawn");
    }

    @Test
    void shouldFailAsInTheDeviceIfNoEpochIsOpenWhenThePutIsReached() {
        for (boolean byNetwork : new boolean[] {false, true}) {
            WorkProgram program = writeBack(AT, byNetwork);
            for (int run = 0; run < 100; run++) {
                Operation whole = devices[0].start(program, TAG);
                part.isOpen = false;
                devices[0].epochClosed();
                send(bytes(run));
                assertEquals(Code.ENTRY_FAILED, end(whole));
                assertEquals("it is closed", program.failure());
                assertEquals(1, program.failedPeer());
                assertWritten(new byte[8]);
                part.isOpen = true;
            }
            assertEquals(byNetwork, program.deferring.obstacle() == null);
        }
    }

    @Test
    void shouldEndWithTheOwnersRefusal() {
        for (boolean byNetwork : new boolean[] {false, true}) {
            WorkProgram program = writeBack(60, byNetwork);
            for (int run = 0; run < 100; run++) {
                Operation whole = devices[0].start(program, TAG);
                assertEquals(byNetwork, program.deferring.obstacle() == null);
                send(bytes(run));
                assertEquals(Code.OUT_OF_BOUNDS, end(whole));
                assertEquals(1, program.failedPeer());
                assertEquals(60, program.refusedAt());
                assertEquals(8, program.refusedBytes());
            }
        }
    }

    /** The run fails before the put: what is left of the put must not meet the next run. */
    @Test
    void shouldWithdrawAPutWhenTheRunFails() {
        WorkProgram program = writeBack(AT, true);
        for (int run = 0; run < 300; run++) {
            Operation whole = devices[0].start(program, TAG);
            assertNull(program.deferring.obstacle(), "run " + run);
            send(new byte[4]);
            progressUntil(whole::isDone);
            assertEquals(Code.BAD_SIZE, whole.code());
            devices[0].release(whole);
            assertWritten(new byte[8]);
            Operation next = devices[0].start(writeBack(AT, true), TAG);
            send(bytes(run));
            assertEquals(Code.OK, end(next));
            assertWritten(bytes(run));
            Arrays.fill(there, (byte) 0);
        }
    }

    @Test
    void shouldRunInTheDeviceIfThePortTakesAPart() {
        WorkProgram program = writeBack(AT, true);
        for (int run = 0; run < 60; run++) {
            ports[0].takes = run % 4;
            Operation whole = devices[0].start(program, TAG);
            String obstacle = program.deferring.obstacle();
            assertTrue(obstacle != null && obstacle.startsWith("the network took " + run % 4 + " of "), obstacle);
            send(bytes(run));
            assertEquals(Code.OK, end(whole));
            assertWritten(bytes(run));
            assertFalse(devices[0].networkSends.memory().isLent(memory));
        }
    }
}
