package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.World;
import io.rankwire.device.flow.FlowConfig;
import io.rankwire.device.flow.FlowPort;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.udp.DatagramRelay;
import io.rankwire.fabric.udp.LoopbackSockets;
import io.rankwire.memory.Rand;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole jobs over real datagrams, through a relay that loses, changes, delays, repeats and misdirects them. */
@Timeout(300)
final class DatagramSoakTest {
    private static final int RANKS = 3;

    private record Relayed(LoopbackSockets sockets) implements ThreadRanks.Places {
        @Override
        public int node(int rank) {
            return rank;
        }

        @Override
        public Port open(int world, int rank) {
            FlowPort flow = new FlowPort(sockets.openAsBetweenHosts(rank), FlowConfig.DATAGRAMS, world + 1,
                    System.nanoTime());
            flow.clock(System::nanoTime);
            return flow;
        }

        @Override
        public void close() {}
    }

    /** How many of 10,000 datagrams are lost. */
    @ParameterizedTest
    @ValueSource(ints = {0, 500})
    void shouldDoEverythingThroughANetworkThatFails(int loss) throws Exception {
        try (LoopbackSockets sockets = new LoopbackSockets(RANKS);
                DatagramRelay relay = new DatagramRelay(new Rand(loss), sockets)) {
            relay.drop = loss;
            relay.duplicate = loss;
            relay.delay = 2 * loss;
            relay.damage = loss;
            relay.replay = loss;
            relay.misdirect = loss;
            relay.resize = loss;
            relay.start();
            ThreadRanks.run(RANKS, new Relayed(sockets), job -> {
                try (World world = World.join()) {
                    Talks.talk(world.communicator());
                }
            });
            assertTrue(relay.passed > 10_000, relay.passed + " datagrams");
        }
    }
}
