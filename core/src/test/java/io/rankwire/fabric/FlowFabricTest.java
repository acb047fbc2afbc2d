package io.rankwire.fabric;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.flow.FlowConfig;
import io.rankwire.device.flow.FlowPort;
import io.rankwire.device.flow.LossyNet;
import io.rankwire.memory.Rand;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A fabric that loses, doubles, reorders and damages frames keeps the contract with the flow layer above it. */
final class FlowFabricTest extends FabricContract {
    private static final int STEP_NS = 20_000;

    private LossyNet net;
    private final List<Port> flows = new ArrayList<>();

    @Override
    Port open(int rank, int ranks) {
        if (net == null) {
            net = new LossyNet(new Rand(7), ranks, 8192);
            net.faults.drop = 300;
            net.faults.duplicate = 300;
            net.faults.corrupt = 300;
            net.faults.truncate = 100;
            net.faults.maxDelay = 40_000;
        }
        Port flow = FlowPort.over(net.open(rank), FlowConfig.DEFAULT, 1, 0);
        flows.add(flow);
        return flow;
    }

    @Override
    void pass() {
        net.now += STEP_NS;
        for (Port flow : flows) {
            assertNull(flow.advance(net.now));
        }
    }

    @Override
    boolean handsOverLate() {
        return true;
    }

    @Test
    void shouldLieOverPortsThatPromiseTooLittleAlone() throws Exception {
        assertInstanceOf(FlowPort.class, port(0, 2));
        Port raw = net.open(1);
        assertFalse(raw.traits().isExact());
        assertThrows(IllegalArgumentException.class, () -> new Device(DeviceConfig.DEFAULT, raw));
        Port example = new ExampleFabric(2).open(0);
        assertSame(example, FlowPort.over(example, FlowConfig.DEFAULT, 1, 0));
    }
}
