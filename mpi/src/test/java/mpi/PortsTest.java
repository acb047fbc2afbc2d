package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Parts of one job that meet at a port. */
@Timeout(300)
class PortsTest {
    public static final class ServerAndClients implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            int me = all.getRank();
            boolean serves = me == 0;
            Intracomm side = all.split(serves ? 0 : 1, me);
            char[] name = new char[MPI.MAX_PORT_NAME];
            if (serves) {
                String port = Intracomm.openPort();
                port.getChars(0, port.length(), name, 0);
            }
            all.bcast(name, name.length, MPI.CHAR, 0);
            String port = new String(name).trim();
            Intercomm inter = serves ? side.accept(port, 0) : side.connect(port, MPI.INFO_NULL, 1);
            assertEquals(serves ? 2 : 1, inter.getRemoteSize());
            int[] got = new int[2];
            inter.allGather(new int[] {me}, 1, MPI.INT, got, 1, MPI.INT);
            assertArrayEquals(serves ? new int[] {1, 2} : new int[2], got);
            inter.disconnect();
            if (serves) {
                Intracomm.closePort(port);
                Jobs.assertFails(MPI.ERR_PORT, () -> Intracomm.closePort(port), port);
            }
            Jobs.assertFails(MPI.ERR_PORT, () -> MPI.COMM_SELF.connect("tcp://other:1", 0), "other", "this job");
        }
    }

    @Test
    void shouldMeetAtAPort() {
        Jobs.run(3, ServerAndClients.class);
    }
}
