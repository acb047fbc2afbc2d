package io.rankwire.fabric.ofi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The JVM keeps its signals when the library is open: null checks, stack overflows, and the end by SIGTERM. */
@Timeout(300)
final class SignalsTest {
    private static final int ENDED_BY_SIGTERM = 143;

    /** The program of the process that is looked at. */
    static final class Program {
        private int value = 1;

        private static int valueOf(Program program) {
            return program.value;
        }

        private static int deep(int depth) {
            return deep(depth + 1) + 1;
        }

        public static void main(String[] args) throws InterruptedException {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
            try (OfiEndpoint endpoint = (OfiEndpoint) new OfiFabric().bind(null, InetAddress.getLoopbackAddress())) {
                Program some = new Program();
                long sum = 0;
                // Once compiled, the check for null is a load that the system stops by a signal.
                for (int i = 0; i < 2_000_000; i++) {
                    sum += valueOf(some);
                }
                int nulls = 0;
                for (int i = 0; i < 50; i++) {
                    try {
                        sum += valueOf(null);
                    } catch (NullPointerException e) {
                        nulls++;
                    }
                }
                int overflows = 0;
                try {
                    sum += deep(0);
                } catch (StackOverflowError e) {
                    overflows++;
                }
                System.out.println(sum + " " + nulls + " " + overflows + " " + endpoint.name().length);
                Thread.sleep(600_000);
            }
        }
    }

    @Test
    void shouldLeaveTheSignalsToTheJvm() throws IOException, InterruptedException {
        LoopbackEndpoints.assumeProvider("net");
        Process process = PeerProcess.java(Program.class);
        try (BufferedReader out = process.inputReader()) {
            assertEquals("2000000 50 1 16", out.readLine());
            process.toHandle().destroy();
            assertEquals("hook", out.readLine());
            assertEquals(ENDED_BY_SIGTERM, process.waitFor());
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void shouldFindNoHandlerReplaced() {
        LoopbackEndpoints.assumeProvider("net");
        assertEquals(0, Libfabric.open().signals().restored(), "the environment keeps libraries off the signals");
    }
}
