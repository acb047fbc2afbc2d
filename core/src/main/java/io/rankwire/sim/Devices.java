package io.rankwire.sim;

import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.sim.net.Topology;
import java.util.function.IntConsumer;

/**
 * Devices in virtual time without programs: the code that runs in the real world, moved by the events of a {@link
 * SimFabric}. Whoever uses it calls the devices when {@link Turn} gives it a turn, as a host would.
 */
public final class Devices {
    /** What the host of a rank does when its device has been moved, or when a time it asked for has come. */
    @FunctionalInterface
    public interface Turn extends IntConsumer {}

    private static final int ALARM = SimFabric.OTHERS;
    private static final long PS_PER_NS = 1_000;

    private final Events events;
    private final SimFabric fabric;
    private final Device[] devices;

    public Devices(Topology topology, LinkModel links, DeviceModel model, DeviceConfig config, int ranks) {
        events = new Events(SimFabric.actors(topology, ranks), 1 << 12);
        fabric = new SimFabric(events, topology, links, model, ranks, 1);
        devices = new Device[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            devices[rank] = new Device(config, fabric.port(rank));
        }
    }

    public Events events() {
        return events;
    }

    public SimFabric fabric() {
        return fabric;
    }

    public Device device(int rank) {
        return devices[rank];
    }

    /** The rank's host gets a turn at that time. */
    public void wake(int rank, long at) {
        events.add(at, fabric.actor(rank), fabric.actor(rank), ALARM, 0, 0);
    }

    /** Until nothing is left to happen. */
    public void run(Turn turn) {
        while (lookAhead() && events.next()) {
            int rank = events.kind() == ALARM ? events.target() - fabric.actor(0) : fabric.happen();
            if (rank >= 0) {
                drive(rank);
                turn.accept(rank);
                // What the host has started goes on without it.
                drive(rank);
            }
        }
    }

    private boolean lookAhead() {
        int n = events.foresee(GROUP);
        long read = 0;
        for (int i = 0; i < n; i++) {
            events.about(i);
            read += fabric.touch();
        }
        for (int i = 0; i < n; i++) {
            events.about(i);
            fabric.expect(foresight, devices);
        }
        touched += read + foresight.fetch();
        return true;
    }

    private static final int GROUP = Integer.getInteger("group", 16);
    private final io.rankwire.device.Foresight foresight = new io.rankwire.device.Foresight(GROUP);
    private long touched;

    private void drive(int rank) {
        Device device = devices[rank];
        long now = events.now() / PS_PER_NS;
        while (device.progress(now) != 0) {
            continue;
        }
    }
}
