package io.rankwire.fabric.ofi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.device.work.DeferredEpisode;
import io.rankwire.device.work.WorkProgram;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.Shared;
import io.rankwire.memory.Rand;
import io.rankwire.type.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Work programs of devices over libfabric: run by the provider where it takes deferred work, with equal results. */
class OfiWorkTest {
    private static final int RANKS = 3;
    private static final int CONTEXT = 5;
    private static final ElementType BYTE = ElementType.BYTE;
    private static final int SEEDS = Integer.getInteger("rankwire.test.seeds", 20);
    private static final long MOST_NS = 120_000_000_000L;

    private final Device[] devices = new Device[RANKS];
    private final Port[] ports = new Port[RANKS];

    private void open(LoopbackEndpoints endpoints) {
        for (int rank = 0; rank < RANKS; rank++) {
            ports[rank] = endpoints.open(rank, OfiConfig.DEFAULT);
            devices[rank] = new Device(DeviceConfig.DEFAULT, ports[rank]);
        }
    }

    private void close() {
        for (Port port : ports) {
            port.close();
        }
    }

    private void progressUntil(BooleanSupplier done, String what) {
        long began = System.nanoTime();
        while (!done.getAsBoolean()) {
            assertTrue(System.nanoTime() - began < MOST_NS, what + " does not end");
            for (Device device : devices) {
                device.advance(System.nanoTime());
                device.progressAll(System.nanoTime());
                device.rest();
            }
            Thread.yield();
        }
    }

    private List<List<List<Long>>> run(long seed, boolean mayDefer, boolean isDeferred, boolean reopens) {
        Rand random = new Rand(seed);
        List<DeferredEpisode> episodes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            episodes.add(new DeferredEpisode(seed + 1_000_003L * i, RANKS, 24));
        }
        List<List<List<Long>>> results = new ArrayList<>();
        int deferred = 0;
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < episodes.size(); i++) {
                episodes.get(i).start(devices, 10 * round + i, mayDefer);
            }
            progressUntil(() -> {
                if (reopens && random.below(50) == 0) {
                    int rank = random.below(RANKS);
                    episodes.get(random.below(episodes.size())).reopen(rank, devices[rank]);
                }
                return episodes.stream().allMatch(DeferredEpisode::isDone);
            }, "seed " + seed);
            for (DeferredEpisode episode : episodes) {
                for (int rank = 0; rank < RANKS; rank++) {
                    deferred += episode.wasDeferred(rank) ? 1 : 0;
                }
                results.add(episode.result(devices));
            }
        }
        assertEquals(isDeferred, deferred > 0, "seed " + seed + ": the provider has run " + deferred + " programs: "
                + episodes.getFirst().obstacle(0));
        return results;
    }

    private void compare(String provider, boolean isDeferred) {
        LoopbackEndpoints.assumeProvider(provider);
        try (LoopbackEndpoints endpoints = new LoopbackEndpoints(provider, RANKS)) {
            open(endpoints);
            for (long seed = 0; seed < SEEDS; seed++) {
                assertEquals(run(seed, false, false, false), run(seed, true, isDeferred, seed % 2 == 1),
                        "seed " + seed);
            }
            close();
        }
    }

    @Test
    void shouldGiveTheSameResultsByTheProviderSockets() {
        compare("sockets", true);
    }

    @Test
    void shouldRunInTheDeviceOverTheProviderNet() {
        compare("net", false);
    }

    /** Rank 0 waits for a message of rank 1, and then sends to it. */
    private WorkProgram answer(Shared memory, int bytes) {
        WorkProgram program = new WorkProgram(CONTEXT, RANKS);
        program.bind(program.buffer(memory.memory().byteSize()), memory.memory(), 0);
        int arrived = program.counter();
        int sent = program.counter();
        program.queue(false).receive(1, 0, 0, 8, BYTE, arrived).await(arrived, 1)
                .send(1, 0, 0, bytes, BYTE, sent).await(sent, 1);
        program.deferring.allow();
        return program;
    }

    /** More credit than there is would be used up, and more room, if some of it were left behind by each run. */
    @Test
    void shouldWithdrawWhatHasNotBegun() {
        LoopbackEndpoints.assumeProvider("sockets");
        try (LoopbackEndpoints endpoints = new LoopbackEndpoints("sockets", RANKS)) {
            open(endpoints);
            Shared memory = devices[0].memory().allocate(1 << 12);
            WorkProgram program = answer(memory, 1 << 12);
            for (int run = 0; run < 1_500; run++) {
                Operation whole = devices[0].start(program, 1);
                assertNull(program.deferring.obstacle(), "run " + run);
                Operation wrong = devices[1].send(Operation.Mode.STANDARD, CONTEXT, 0, 1, new byte[4], 0, 4,
                        BYTE.code());
                progressUntil(() -> whole.isDone() && wrong.isDone() && !devices[0].remote().isLent(memory),
                        "run " + run);
                assertEquals(Code.BAD_SIZE, whole.code());
                devices[0].release(whole);
                devices[1].release(wrong);
            }
            close();
        }
    }

    @Test
    void shouldEndARunWhosePeerIsLost() {
        LoopbackEndpoints.assumeProvider("sockets");
        try (LoopbackEndpoints endpoints = new LoopbackEndpoints("sockets", RANKS)) {
            open(endpoints);
            WorkProgram program = answer(devices[0].memory().allocate(64), 64);
            Operation whole = devices[0].start(program, 1);
            assertNull(program.deferring.obstacle());
            devices[0].lose(new PeerLost(1, "rank 1 was killed"));
            progressUntil(whole::isDone, "the run");
            assertEquals(Code.PEER_DEAD, whole.code());
            assertEquals(1, program.failedPeer());
            close();
        }
    }

    @Test
    void shouldCloseWhileAProgramWaits() {
        LoopbackEndpoints.assumeProvider("sockets");
        for (int round = 0; round < 5; round++) {
            try (LoopbackEndpoints endpoints = new LoopbackEndpoints("sockets", RANKS)) {
                open(endpoints);
                for (int i = 0; i < 5; i++) {
                    WorkProgram program = answer(devices[0].memory().allocate(64), 61);
                    devices[0].start(program, i);
                    assertNull(program.deferring.obstacle());
                }
                close();
            }
        }
    }
}
