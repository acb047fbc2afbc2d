package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.World;
import io.rankwire.fabric.Secret;
import io.rankwire.fabric.tcp.Hostility;
import io.rankwire.launch.HandStarted.Started;
import io.rankwire.memory.Rand;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Strangers connect to the sockets of a job that runs: those of its ranks, and that at which rank 0 has waited for the
 * others. With {@code -Drankwire.hostile=10000} there are more, spread over some seconds, and the test prints how many
 * messages the job has exchanged before, during and after that.
 */
class HostilePeersTest {
    private static final int STRANGERS = Integer.getInteger("rankwire.hostile", 1_000);
    private static final boolean MEASURES = System.getProperty("rankwire.hostile") != null;
    private static final int PHASE_MS = 5_000;

    @TempDir
    Path directory;

    /** Both ranks send each other numbered messages until the input of rank 0 says that it is enough. */
    static final class Exchanges {
        private static final int COUNT = 8_192;

        public static void main(String[] args) throws IOException {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                int other = 1 - all.rank();
                long[] out = new long[COUNT];
                long[] in = new long[COUNT];
                long began = System.nanoTime();
                long first = 0;
                for (long round = 0; in[0] >= 0; round++) {
                    out[0] = round;
                    if (all.rank() == 0 && System.in.available() > 0) {
                        boolean isLast = System.in.read() == 'e';
                        long now = System.nanoTime();
                        System.out.println("messages a second: " + (round - first) * 2_000_000_000L / (now - began));
                        began = now;
                        first = round;
                        out[0] = isLast ? -1 : round;
                    }
                    out[COUNT - 1] = round * 31 + all.rank();
                    all.sendReceive(out, other, 1, in, other, 1);
                    if (in[0] != round && in[0] >= 0 || in[COUNT - 1] != round * 31 + other) {
                        throw new IllegalStateException("message " + round + " of rank " + other + " is " + in[0]);
                    }
                    if (out[0] < 0) {
                        break;
                    }
                    if (round == 100) {
                        System.out.println("exchanging");
                    }
                }
                System.out.println("all messages came");
            }
        }
    }

    /** The protocol of control connections: a stranger that says it is rank 1. */
    private static final Hostility.Protocol CONTROL = new Hostility.Protocol() {
        @Override
        public int versionAt() {
            return 7;
        }

        @Override
        public int answerBytes() {
            return ControlProof.ANSWER;
        }

        @Override
        public Hostility.Dialed dial(Secret secret) {
            byte[] challenge = Secret.challenge();
            return new Hostility.Dialed() {
                @Override
                public byte[] hello() {
                    return ControlProof.greeting(1, 2, ControlProof.DOWN, 0, challenge);
                }

                @Override
                public byte[] proof(byte[] answer) {
                    byte[] other = new byte[Secret.CHALLENGE];
                    System.arraycopy(answer, 16, other, 0, other.length);
                    return new ControlProof(1, 2, 2, ControlProof.DOWN, 0, 0, challenge, other).proofOfRank(secret);
                }
            };
        }

        @Override
        public byte[] answer(Secret secret, byte[] hello) {
            return ControlProof.ofGreeting(ByteBuffer.wrap(hello), 2, 0).answer(secret);
        }

        @Override
        public byte[] reflected(byte[] answer) {
            byte[] proof = new byte[Secret.PROOF];
            System.arraycopy(answer, answer.length - Secret.PROOF, proof, 0, proof.length);
            return proof;
        }
    };

    @Test
    void shouldLoseNothingToStrangersAndLetNoneIn() throws Exception {
        Secret secret = new Secret("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
        int[] ports = {HandStarted.freePort(), HandStarted.freePort()};
        try (HandStarted job = new HandStarted(directory, 2); Hostility.Held held = new Hostility.Held()) {
            for (int rank = 0; rank < 2; rank++) {
                job.start(List.of(), rank, Map.of(NetworkSettings.HOST, "host" + rank, PortRange.VARIABLE,
                        Integer.toString(ports[rank])), Exchanges.class);
            }
            Started first = job.ranks().get(0).awaitText("exchanging");
            InetAddress here = InetAddress.getByName("127.0.0.1");
            InetSocketAddress root = new InetSocketAddress(here, Integer.parseInt(job.root.split(":")[1]));
            Rand rand = new Rand(16);
            phase(first);
            long began = System.nanoTime();
            for (int i = 0; i < STRANGERS; i++) {
                Hostility kind = Hostility.values()[i % Hostility.values().length];
                int target = i / Hostility.values().length % 3;
                if (target == 2) {
                    kind.attack(root, CONTROL, secret, rand, held);
                } else {
                    kind.attack(new InetSocketAddress(here, ports[target]), Hostility.ofPorts(1 - target, target),
                            secret, rand, held);
                }
                while (MEASURES && System.nanoTime() - began < PHASE_MS * 1_000_000L / STRANGERS * i) {
                    Thread.sleep(1);
                }
            }
            say(first, 'p');
            phase(first);
            say(first, 'e');
            for (Started each : job.ranks()) {
                assertEquals(0, each.awaitEnd(), each::toString);
                assertTrue(each.text().contains("all messages came"), each.text());
            }
            assertTrue(first.text().lines().count() < 40, first.text());
            assertEquals(List.of(), job.leftovers());
            if (MEASURES) {
                System.out.println(STRANGERS + " strangers in " + (System.nanoTime() - began) / 1_000_000
                        + " ms\n" + first.text());
            }
        }
    }

    private static void phase(Started rank) throws Exception {
        if (MEASURES) {
            Thread.sleep(PHASE_MS);
        }
        say(rank, 'p');
    }

    private static void say(Started rank, char what) throws IOException {
        rank.process().getOutputStream().write(what);
        rank.process().getOutputStream().flush();
    }
}
