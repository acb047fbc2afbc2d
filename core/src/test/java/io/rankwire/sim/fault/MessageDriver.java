package io.rankwire.sim.fault;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Device;
import io.rankwire.device.DeviceAudit;
import io.rankwire.device.DeviceConfig;
import io.rankwire.fabric.Port;
import io.rankwire.memory.Rand;
import io.rankwire.sim.Events;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/** The messages of the campaign and their model, on devices of any fabric that are driven in random order. */
public final class MessageDriver {
    private final Rand rand;
    private final DeviceConfig config;
    private final IntConsumer clock;
    private final MatchModel model;
    private final Device[] devices;
    private final MessageLoad[] loads;
    /** None. */
    private final Faults faults;
    private long now;

    /**
     * @param clock told before each round of a rank's progress
     */
    public MessageDriver(Rand rand, DeviceConfig config, int ranks, int depth, int mostBytes, IntFunction<Port> ports,
            IntConsumer clock) {
        this.rand = rand;
        this.config = config;
        this.clock = clock;
        Rand calm = new Rand(0);
        faults = new Faults(new FaultPlan(calm, ranks, false, false), calm, new Events(1, 16), ranks);
        devices = new Device[ranks];
        model = new MatchModel(config, ranks, Set.of(0, 4097, 1 << 31),
                (rank, peer) -> DeviceAudit.offered(devices[rank], peer));
        loads = new MessageLoad[ranks];
        int[] ids = new int[1];
        MessageLoad.Bounds bounds = new MessageLoad.Bounds(ranks, depth, mostBytes, config);
        for (int rank = 0; rank < ranks; rank++) {
            int to = rank;
            devices[rank] = new Device(config, new WatchedPort(ports.apply(rank),
                    (from, meta, header, memory, payload, bytes) ->
                            model.frame(to, from, meta, header, memory, payload),
                    Integer.MAX_VALUE, () -> model.look(to)));
            loads[rank] = new MessageLoad(rank, bounds, rand, model, devices[rank], ids);
        }
    }

    /** A random call of a rank. */
    public void step(int rank) {
        if (rand.chance(1, 12)) {
            sweep();
        } else {
            loads[rank].step();
        }
        loads[rank].audit();
    }

    public void progress(int rank) {
        now += rand.below(2_000);
        clock.accept(rank);
        if (rand.chance(1, 10)) {
            devices[rank].progressAll(now);
        } else {
            devices[rank].progress(now);
        }
        model.look(rank);
        if (rand.chance(1, 20)) {
            devices[rank].rest();
        }
        if (rand.chance(1, 200)) {
            loads[rank].deepAudit();
        }
    }

    /** Moves all that can move without a call: then no message is under way that a posted receive could take. */
    public void rest() {
        int work = 1;
        for (int rounds = 0; work > 0; rounds++) {
            assertTrue(rounds < 20_000, "never comes to rest");
            work = 0;
            now += 2_000;
            for (int rank = 0; rank < devices.length; rank++) {
                work += devices[rank].progressAll(now);
                devices[rank].rest();
                model.look(rank);
            }
        }
        Message stuck = model.stuck();
        assertNull(stuck, () -> "a receive waits for it, and it does not come: " + stuck);
    }

    /** Takes the results of what is done. */
    private void sweep() {
        for (MessageLoad load : loads) {
            load.sweep();
        }
    }

    public void drain() {
        for (int round = 0; waitsFor() != null; round++) {
            assertTrue(round < 20_000, () -> "does not drain: " + waitsFor());
            for (int rank = 0; rank < devices.length; rank++) {
                loads[rank].drain();
                progress(rank);
            }
        }
        for (MessageLoad load : loads) {
            load.finish(faults);
        }
    }

    private Object waitsFor() {
        for (MessageLoad load : loads) {
            Object what = load.waitsFor(faults);
            if (what != null) {
                return what;
            }
        }
        return model.underWay(faults);
    }

    public void checkNothingLeft() {
        for (Device device : devices) {
            while (device.progressAll(now) > 0) {
                device.rest();
            }
        }
        for (int rank = 0; rank < devices.length; rank++) {
            loads[rank].deepAudit();
            loads[rank].checkBuffers();
            assertNull(DeviceAudit.left(devices[rank], 0));
            for (Device other : devices) {
                assertNull(DeviceAudit.creditAtRest(devices[rank], other));
            }
        }
    }

    /** Whether the store of some rank is full, and the policy is to fail then. */
    public boolean mayFail() {
        boolean full = false;
        for (int rank = 0; rank < devices.length; rank++) {
            full |= model.held(rank) > config.maxHeaders();
        }
        return full && config.overflow() == DeviceConfig.Overflow.FAIL;
    }

    public int cancelledSends() {
        return model.cancelledSends;
    }

    /** How often a message has passed others that its sender had to keep. */
    public int passing() {
        return model.passing;
    }

    public int cancelledReceives() {
        return model.cancelledReceives;
    }
}
