package io.rankwire.device.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.fabric.MixedPort;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.Shared;
import io.rankwire.fabric.TriggeringPort;
import io.rankwire.fabric.local.LocalFabric;
import io.rankwire.type.ElementType;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Programs that a network runs, one by one: which, how they end, and what is left of them. */
class DeferredWorkTest {
    private static final int CONTEXT = 5;
    private static final int TAG = 9;
    private static final ElementType BYTE = ElementType.BYTE;

    private final TriggeringPort[] ports = new TriggeringPort[2];
    private final Device[] devices = new Device[2];
    private Shared memory;

    private void open(int mostEntries) {
        LocalFabric fabric = new LocalFabric(2);
        for (int rank = 0; rank < 2; rank++) {
            ports[rank] = new TriggeringPort(fabric.open(rank), rank, mostEntries);
            devices[rank] = new Device(DeviceConfig.DEFAULT, ports[rank]);
        }
        memory = devices[0].memory().allocate(1 << 16);
    }

    private void progressUntil(BooleanSupplier done) {
        for (int i = 0; !done.getAsBoolean(); i++) {
            assertTrue(i < 100_000, "nothing moves any more");
            devices[0].progressAll(i);
            devices[1].progressAll(i);
        }
    }

    /** A program of rank 0 over the memory: counters 0 and 1, one queue. */
    private WorkProgram program(BiConsumer<WorkProgram, WorkQueue> entries) {
        WorkProgram program = new WorkProgram(CONTEXT, 2);
        program.bind(program.buffer(1 << 16), memory.memory(), 0);
        program.counter();
        program.counter();
        entries.accept(program, program.queue(false));
        program.deferring.allow();
        return program;
    }

    private WorkProgram answer(int bytes) {
        return program((program, queue) ->
            queue.receive(1, 0, 0, 8, BYTE, 0).await(0, 1).send(1, 0, 0, bytes, BYTE, 1).await(1, 1));
    }

    private String obstacle(WorkProgram program) {
        devices[0].start(program, TAG);
        return program.deferring.obstacle();
    }

    @Test
    void shouldSayWhatStandsInTheWay() {
        open(10);
        assertNull(obstacle(answer(8)));
        assertEquals("no send and no put waits for a counter", obstacle(program((program, queue) ->
                queue.send(1, 0, 0, 8, BYTE, 0).receive(1, 0, 0, 8, BYTE, 1))));
        assertEquals("entry 1 of queue 0 copies", obstacle(program((program, queue) ->
                queue.receive(1, 0, 0, 8, BYTE, 0).copy(0, 0, 0, 8, 8))));
        assertEquals("entry 0 of queue 0 enables a queue", obstacle(program((program, queue) -> {
            program.queue(true).receive(1, 0, 0, 8, BYTE, 0);
            queue.enableReceives(1);
        })));
        assertEquals("entry 2 of queue 0 sends to its own rank", obstacle(program((program, queue) ->
                queue.receive(1, 0, 0, 8, BYTE, 0).await(0, 1).send(0, 0, 0, 8, BYTE, 1))));
        assertTrue(obstacle(answer(1 << 16)).startsWith("entry 2 of queue 0 sends 65536 bytes, where a message of up"));
        WorkProgram onHeap = answer(8);
        onHeap.bind(0, new byte[1 << 16], 0);
        assertEquals("entry 2 of queue 0 sends memory that is not from World.allocate", obstacle(onHeap));
        assertEquals("the network has no room for 12 entries and 3 counters", obstacle(program((program, queue) -> {
            queue.receive(1, 0, 0, 8, BYTE, 0).await(0, 1);
            for (int i = 0; i < 12; i++) {
                queue.send(1, 0, 0, 8, BYTE, 1);
            }
        })));
    }

    @Test
    void shouldKeepProgramsWithPeersOnTheHostInTheDevice() {
        LocalFabric fabric = new LocalFabric(2);
        TriggeringPort network = new TriggeringPort(new LocalFabric(2).open(0), 1, 10);
        devices[0] = new Device(DeviceConfig.DEFAULT,
                MixedPort.over(fabric.open(0), network, new boolean[] {true, true}));
        memory = devices[0].memory().allocate(1 << 16);
        assertEquals("entry 2 of queue 0 has a peer that the network does not reach: rank 1 of the world is on this"
                + " host", obstacle(answer(8)));
        devices[0] = new Device(DeviceConfig.DEFAULT,
                MixedPort.over(fabric.open(0), network, new boolean[] {true, false}));
        memory = devices[0].memory().allocate(1 << 16);
        assertNull(obstacle(answer(8)));
    }

    @Test
    void shouldGiveCreditAndRoomBackWhenARunFails() {
        open(10);
        WorkProgram program = answer(4096);
        byte[] wrong = new byte[4];
        for (int run = 0; run < 2_000; run++) {
            Operation whole = devices[0].start(program, TAG);
            assertNull(program.deferring.obstacle(), "run " + run);
            assertTrue(devices[0].networkSends.memory().isLent(memory));
            assertTrue(devices[1].sendNow(CONTEXT, 0, TAG, wrong, 0, 4, BYTE.code()));
            progressUntil(whole::isDone);
            assertEquals(Code.BAD_SIZE, whole.code());
            devices[0].release(whole);
            progressUntil(() -> ports[0].programs() == 0);
            assertFalse(devices[0].networkSends.memory().isLent(memory));
        }
        assertEquals(2_000, ports[0].replaced);
    }

    /** The message that is to begin the send comes first, then the peer is lost: before or after the send began. */
    @Test
    void shouldEndWithTheSameErrorWhenAPeerIsLost() {
        for (int steps = 0; steps < 30; steps++) {
            for (boolean byNetwork : new boolean[] {false, true}) {
                open(10);
                WorkProgram program = answer(8);
                program.deferring.isAllowed = byNetwork;
                Operation whole = devices[0].start(program, TAG);
                if (steps % 2 == 0) {
                    assertTrue(devices[1].sendNow(CONTEXT, 0, TAG, new byte[8], 0, 8, BYTE.code()));
                }
                for (int i = 0; i < steps; i++) {
                    devices[0].progressAll(i);
                }
                boolean wasDone = whole.isDone();
                devices[0].lose(new PeerLost(1, "rank 1 was killed"));
                progressUntil(whole::isDone);
                if (!wasDone) {
                    boolean hadGone = whole.code() == Code.OK;
                    assertTrue(hadGone && steps % 2 == 0 || whole.code() == Code.PEER_DEAD, "steps " + steps);
                    assertTrue(hadGone || program.failedPeer() == 1, "steps " + steps);
                }
                devices[0].release(whole);
            }
        }
    }
}
