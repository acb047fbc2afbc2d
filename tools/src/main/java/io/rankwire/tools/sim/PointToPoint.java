package io.rankwire.tools.sim;

import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.sim.DeviceModel;
import io.rankwire.sim.Devices;
import io.rankwire.sim.NodeModel;
import io.rankwire.sim.SimFabric;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.sim.net.Topology;

/** Messages from one real device to another over a simulated network, one at a time, the receive always posted. */
final class PointToPoint {
    /** So that what a device measures of its peer has settled. */
    private static final int ROUNDS = 8;
    private static final int CONTEXT = 1;
    private static final int BYTES = 1;
    /** Processors copy 5 GB/s. */
    private static final long COPY_PS_PER_KIB = 204_800;
    private static final long PAUSE_PS = 20_000_000;

    private final Devices devices;
    private final int from;
    private final int to;
    private final byte[] out;
    private final byte[] in;
    private Operation send;
    private Operation receive;
    private int round;
    private int sent;
    private long begun;
    private long took;

    private PointToPoint(Devices devices, int from, int to, int bytes) {
        this.devices = devices;
        this.from = from;
        this.to = to;
        out = new byte[bytes];
        in = new byte[bytes];
    }

    /**
     * How long the last of a few messages took.
     *
     * @param hash of the run
     */
    record Result(long ps, long hash) {}

    static Result run(Topology topology, LinkModel links, DeviceModel model, DeviceConfig config, SimFabric.Ways ways,
            int from, int to, int bytes) {
        Devices devices = new Devices(topology, links, model, config, Math.max(from, to) + 1, 1,
                NodeModel.DEFAULT.withCopies(COPY_PS_PER_KIB));
        devices.fabric().take(ways);
        PointToPoint pair = new PointToPoint(devices, from, to, bytes);
        devices.wake(to, 0);
        devices.wake(from, PAUSE_PS);
        devices.run(pair::turn);
        if (pair.round != ROUNDS) {
            throw new IllegalStateException("message " + pair.round + " of " + bytes + " bytes never came");
        }
        return new Result(pair.took, devices.events().hash());
    }

    private void turn(int rank) {
        Device device = devices.device(rank);
        if (rank == from && send != null && send.isDone()) {
            device.release(send);
            send = null;
        }
        if (rank == to && receive != null && receive.isDone()) {
            device.release(receive);
            receive = null;
            took = devices.events().now() - begun;
            if (++round < ROUNDS) {
                devices.wake(to, devices.events().now() + PAUSE_PS);
                devices.wake(from, devices.events().now() + 2 * PAUSE_PS);
            }
        } else if (rank == to && receive == null && round < ROUNDS) {
            receive = device.receive(CONTEXT, from, round, in, 0, in.length, BYTES);
        } else if (rank == from && send == null && receive != null && sent == round) {
            sent++;
            begun = devices.events().now();
            send = device.send(Operation.Mode.STANDARD, CONTEXT, to, round, out, 0, out.length, BYTES);
            if (send.isDone()) {
                device.release(send);
                send = null;
            }
        }
    }
}
