package io.rankwire;

import static io.rankwire.Worlds.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class PortsTest {
    /** Sends a name from one rank to another, as a program would. */
    private static String told(Communicator all, String port, int from, int to) {
        if (all.rank() == from) {
            all.sendObject(port, to, 1);
        }
        return all.rank() == to ? all.receiveObject(String.class, from, 1) : port;
    }

    @Test
    void shouldJoinPartsThatMeetAtAPort() {
        Worlds.run(5, world -> {
            Communicator all = world.communicator();
            boolean serves = all.rank() >= 2;
            Communicator side = all.split(serves ? 1 : 0, -all.rank()).orElseThrow();
            // Roots that are neither the first rank of their side nor of the world.
            String port = all.rank() == 3 ? world.openPort() : null;
            port = told(all, port, 3, 0);
            Intercommunicator inter = serves ? side.accept(port, 1) : side.connect(port, 1);
            assertEquals(serves ? 2 : 3, inter.remoteSize());
            int[] sum = new int[1];
            inter.allreduce(new int[] {1 + all.rank()}, sum, Op.SUM);
            assertEquals(serves ? 1 + 2 : 3 + 4 + 5, sum[0]);
            inter.free();
            if (all.rank() == 3) {
                world.closePort(port);
            }
        });
    }

    @Test
    void shouldTakeOneConnectionAfterTheOther() {
        Worlds.run(4, world -> {
            Communicator all = world.communicator();
            Communicator self = all.createGroup(all.group().include(all.rank()), 0);
            if (all.rank() == 0) {
                String port = world.openPort();
                String other = world.openPort();
                assertNotEquals(port, other);
                for (int client = 1; client < 4; client++) {
                    all.sendObject(port, client, 1);
                }
                int sum = 0;
                for (int i = 1; i < 4; i++) {
                    Intercommunicator client = self.accept(port, 0);
                    int[] number = new int[1];
                    client.receive(number, 0, 5);
                    sum += number[0];
                    client.free();
                }
                assertEquals(1 + 2 + 3, sum);
            } else {
                Intercommunicator server = self.connect(all.receiveObject(String.class, 0, 1), 0);
                server.send(new int[] {all.rank()}, 0, 5);
                server.free();
            }
        });
    }

    @Test
    void shouldTellAPortThatIsNotOpen() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            Communicator self = all.createGroup(all.group().include(all.rank()), 0);
            String port = world.openPort();
            world.closePort(port);
            assertFails(ErrorClass.ARGUMENT, () -> self.accept(port, 0), port, "opened");
            assertFails(ErrorClass.ARGUMENT, () -> world.closePort(port), port, "opened");
            for (String wrong : new String[] {null, "", "rankwire:", "rankwire:9:0", "rankwire:0:x", "http://x"}) {
                assertFails(ErrorClass.ARGUMENT, () -> self.connect(wrong, 0), String.valueOf(wrong), "this job");
            }
            assertFails(ErrorClass.RANK, () -> self.accept(port, 1), "root");
        });
    }
}
