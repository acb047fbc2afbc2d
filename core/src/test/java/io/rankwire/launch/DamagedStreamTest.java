package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.World;
import io.rankwire.fabric.Members;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.tcp.LoopbackRanks;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two ranks over a real connection, of which some bytes are changed long after both have proven themselves. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
final class DamagedStreamTest {
    /** Passes the connections to a rank on. */
    private static final class Relay implements AutoCloseable {
        private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final InetSocketAddress to;
        /** The first bytes of what the dialer sends next become this. */
        volatile byte[] damage;

        Relay(InetSocketAddress to) throws IOException {
            this.to = to;
            Thread.ofPlatform().daemon().start(this::accept);
        }

        private void accept() {
            try {
                while (true) {
                    Socket near = listening.accept();
                    Socket far = new Socket(to.getAddress(), to.getPort());
                    far.setTcpNoDelay(true);
                    Thread.ofPlatform().daemon().start(() -> pass(near, far, true));
                    Thread.ofPlatform().daemon().start(() -> pass(far, near, false));
                }
            } catch (IOException e) {
                // The relay is closed.
            }
        }

        private void pass(Socket from, Socket to, boolean isDialers) {
            byte[] bytes = new byte[16 << 10];
            try (from; to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int count; (count = in.read(bytes)) >= 0; ) {
                    byte[] change = isDialers ? damage : null;
                    if (change != null) {
                        System.arraycopy(change, 0, bytes, 0, change.length);
                        damage = null;
                    }
                    out.write(bytes, 0, count);
                }
            } catch (IOException e) {
                // The other direction has ended.
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }

    private record Places(List<RankSocket> sockets, List<InetSocketAddress> addresses) implements ThreadRanks.Places {
        @Override
        public int node(int rank) {
            return rank;
        }

        @Override
        public Port open(int world, int rank) {
            List<String> hosts = List.of("one", "two");
            return sockets.get(rank).open(new Members(rank, addresses, hosts, LoopbackRanks.SECRET), world, 1);
        }

        @Override
        public void close() {}
    }

    /** What the first bytes of a record become, and what is said of it. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "200, 0; rank 0 has sent a damaged frame, kind 200: there is no such kind",
        "7, 12, -1, -1, 127; rank 0 on one is lost: it sent a frame of ",
    })
    void shouldEndTheJobWithAnErrorThatNamesThePeer(String change, String said) throws Exception {
        InetAddress here = InetAddress.getLoopbackAddress();
        List<RankSocket> sockets = List.of(Fabrics.bind(Fabrics.TCP, here, 0), Fabrics.bind(Fabrics.TCP, here, 0));
        try (Relay relay = new Relay(sockets.get(1).address())) {
            Places places = new Places(sockets, List.of(sockets.get(0).address(), (InetSocketAddress)
                    relay.listening.getLocalSocketAddress()));
            ThreadRanks.Failed failed = assertThrows(ThreadRanks.Failed.class, () -> ThreadRanks.run(2, places, job -> {
                try (World world = World.join()) {
                    play(world.communicator(), relay, change);
                }
            }));
            assertEquals(1, failed.rank());
            assertTrue(failed.getCause().getMessage().contains(said), () -> failed.getCause().getMessage());
            assertTrue(failed.getCause().getMessage().startsWith("rank 1: receive from rank 0, tag 3"),
                    () -> failed.getCause().getMessage());
        }
    }

    private static void play(Communicator world, Relay relay, String change) {
        int[] number = {1};
        if (world.rank() == 1) {
            world.receive(number, 0, 1);
            world.send(number, 0, 2);
            world.receive(number, 0, 3);
            return;
        }
        world.send(number, 1, 1);
        world.receive(number, 1, 2);
        String[] numbers = change.split(", ");
        byte[] damage = new byte[numbers.length];
        for (int i = 0; i < damage.length; i++) {
            damage[i] = (byte) Integer.parseInt(numbers[i]);
        }
        relay.damage = damage;
        world.send(number, 1, 3);
        world.receive(number, 1, 4);
    }
}
