package io.rankwire.sim.program;

import static io.rankwire.sim.program.SimulatedRanksTest.body;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.Request;
import io.rankwire.World;
import io.rankwire.launch.ThreadRanks;
import io.rankwire.memory.Rand;
import io.rankwire.sim.program.SimulatedRanksTest.Program;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several jobs on the nodes of one simulated machine. */
@Timeout(300)
class SimulatedJobsTest {
    private static final int[] TWO_AND_TWO = {2, 2};

    /** Two ranks send a message to and fro; all others do nothing. */
    private static ThreadRanks.Body pingPong(int first, int second, int bytes, int rounds) {
        return body((world, all) -> {
            byte[] data = new byte[bytes];
            for (int i = 0; i < rounds; i++) {
                if (all.rank() == first) {
                    all.send(data, second, 7);
                    all.receive(data, second, 7);
                } else if (all.rank() == second) {
                    all.receive(data, first, 7);
                    all.send(data, first, 7);
                }
            }
        });
    }

    /** One rank sends messages to another, one behind the other. */
    private static ThreadRanks.Body stream(int bytes, int messages) {
        return body((world, all) -> {
            Request[] requests = new Request[messages];
            for (int i = 0; i < messages; i++) {
                requests[i] = all.rank() == 0 ? all.isend(new byte[bytes], 1, 7) : all.irecv(new byte[bytes], 0, 7);
            }
            for (Request each : requests) {
                each.await();
            }
        });
    }

    /** With devices of their own, ranks of two jobs share the links of their nodes. */
    @ParameterizedTest
    @CsvSource({"own", "1"})
    void shouldTakeLongerOnlyWhereJobsShareTheirNodes(String devices) {
        Settings settings = Settings.DEFAULT.with("node.devices", devices).with("topology", "crossbar:4");
        ThreadRanks.Body near = pingPong(0, 1, 30_000, 20);
        ThreadRanks.Body far = pingPong(2, 3, 30_000, 20);
        long alone = SimulatedRanks.run(settings, 4, near).timePs();

        SimulatedRanks shared = SimulatedRanks.run(settings, new int[] {4, 4}, near, near);
        assertTrue(shared.timePs(0) > alone, alone + " and " + shared.timePs(0));
        assertTrue(shared.timePs(1) > alone, alone + " and " + shared.timePs(1));
        assertEquals(Math.max(shared.timePs(0), shared.timePs(1)), shared.timePs());
        long beside = SimulatedRanks.run(settings, new int[] {4, 2}, near, stream(30_000, 200)).timePs(0);
        assertTrue(beside > 1.3 * alone, alone + " and " + beside);

        SimulatedRanks apart = SimulatedRanks.run(settings, new int[] {4, 4}, near, far);
        assertEquals(alone, apart.timePs(0), 100);
        assertEquals(SimulatedRanks.run(settings, 4, far).timePs(), apart.timePs(1), 100);
    }

    /** A device that two ranks share copies for one after the other, whichever jobs the ranks belong to. */
    @Test
    void shouldShareTheDeviceOfANode() {
        Settings settings = Settings.DEFAULT.with("link.bandwidth", "unlimited").with("device.copy", "1 GB/s");
        ThreadRanks.Body program = stream(4_000, 100);
        long alone = SimulatedRanks.run(settings, 2, program).timePs();
        long own = SimulatedRanks.run(settings, TWO_AND_TWO, program, program).timePs();
        long one = SimulatedRanks.run(settings.with("node.devices", "1"), TWO_AND_TWO, program, program).timePs();
        assertEquals(alone, own, 1_000);
        assertTrue(one > 1.8 * alone, alone + " and " + one);
    }

    /** Sends what only its own job can know to ranks and with tags that both jobs use, in contexts that are equal. */
    private static Program stamped(int stamp, long seed) {
        return (world, all) -> {
            Rand rand = new Rand(seed);
            Communicator other = all.duplicate();
            int rank = all.rank();
            for (int step = 0; step < 25; step++) {
                Communicator on = rand.chance(1, 2) ? all : other;
                int bytes = rand.chance(1, 4) ? 40_000 : rand.below(200);
                int shift = 1 + rand.below(all.size() - 1);
                boolean any = rand.chance(1, 2);
                int from = (rank - shift + all.size()) % all.size();
                byte[] data = new byte[bytes + 2];
                byte[] in = new byte[bytes + 2];
                data[0] = (byte) stamp;
                data[bytes + 1] = (byte) rank;
                Request sends = on.isend(data, (rank + shift) % all.size(), step);
                on.receive(in, any ? Communicator.ANY_SOURCE : from, step);
                sends.await();
                assertEquals(stamp, in[0], "the job of a message");
                assertEquals(from, in[bytes + 1], "its source");
                int[] sum = new int[1];
                on.allreduce(new int[] {stamp}, sum, Op.SUM);
                assertEquals(stamp * all.size(), sum[0]);
            }
        };
    }

    @ParameterizedTest
    @CsvSource({
        "own, pinned, 1, no, yes", "1, pinned, 2, no, no", "2, claimed, 1, no, yes", "own, pinned, 2, yes, yes",
        "2, pinned, 3, yes, no"
    })
    void shouldNeverMixMessagesOfJobs(String devices, String sharing, int perNode, String tree, String offload) {
        for (int seed = 1; seed <= 2; seed++) {
            Settings settings = Settings.DEFAULT.with("node.devices", devices).with("node.sharing", sharing)
                    .with("ranks-per-node", "" + perNode).with("tree", tree).with("device.offload", offload)
                    .with("seed", "" + seed).with("jitter", "200 ns");
            ThreadRanks.Body[] bodies = {
                body(stamped(1, seed)), body(stamped(2, seed)), body(stamped(3, seed + 50)),
            };
            int[] sizes = {3, 5, 4};
            SimulatedRanks first = SimulatedRanks.run(settings, sizes, bodies);
            assertEquals(first.hash(), SimulatedRanks.run(settings, sizes, bodies).hash());
            assertNotEquals(first.hash(), SimulatedRanks.run(settings.with("seed", "99"), sizes, bodies).hash());
        }
    }

    @Test
    void shouldGiveEachJobItsOwnWorldOnTheSameNodes() {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        Program program = (world, all) -> seen.add(all.size() + ":" + all.rank() + " with "
                + all.splitShared(0).size());
        SimulatedRanks.run(Settings.DEFAULT.with("ranks-per-node", "2"), new int[] {3, 2}, body(program),
                body(program));
        Collections.sort(seen);
        assertArrayEquals(new String[] {"2:0 with 2", "2:1 with 2", "3:0 with 2", "3:1 with 2", "3:2 with 1"},
                seen.toArray());
    }

    /** A job that ends, or closes a world and opens the next, does not wait for the other job. */
    @Test
    void shouldNotWaitForTheOtherJobAtTheEnd() {
        ThreadRanks.Body world = pingPong(0, 1, 100, 5);
        ThreadRanks.Body twice = job -> {
            world.run(job);
            world.run(job);
        };
        ThreadRanks.Body sleeper = body((of, all) -> {
            if (all.rank() > 1) {
                of.spend(50_000_000);
            }
            all.barrier();
        });
        Settings settings = Settings.DEFAULT.with("topology", "crossbar:4");
        long alone = SimulatedRanks.run(settings, 2, twice).timePs();
        long slow = SimulatedRanks.run(settings, 4, sleeper).timePs();
        SimulatedRanks both = SimulatedRanks.run(settings, new int[] {2, 4}, twice, sleeper);
        assertTrue(both.timePs(0) < 1.5 * alone, alone + " and " + both.timePs(0));
        assertEquals(slow, both.timePs(1), 1_000_000);
    }

    @Test
    void shouldNameTheJobOfADeadlockWhenTheOtherHasFinished() {
        boolean[] finished = new boolean[2];
        ThreadRanks.Body stuck = body((world, all) -> all.receive(new byte[1], 1 - all.rank(), 3));
        ThreadRanks.Body well = job -> {
            pingPong(0, 1, 1_000, 50).run(job);
            finished[job.rank()] = true;
        };
        for (boolean first : new boolean[] {true, false}) {
            ThreadRanks.Failed failed = assertThrows(ThreadRanks.Failed.class, () -> SimulatedRanks.run(
                    Settings.DEFAULT, TWO_AND_TWO, first ? stuck : well, first ? well : stuck));
            String text = failed.getMessage();
            assertTrue(text.startsWith("job " + (first ? 1 : 2) + ": deadlock: "), text);
            assertTrue(text.contains("rank 0: receive from rank 1, tag 3") && text.contains("cycle: "), text);
            assertEquals(text.indexOf("job "), text.lastIndexOf("job "), text);
            assertArrayEquals(new boolean[] {true, true}, finished);
            finished[0] = finished[1] = false;
        }
        ThreadRanks.Failed both = assertThrows(ThreadRanks.Failed.class, () -> SimulatedRanks.run(
                Settings.DEFAULT, TWO_AND_TWO, stuck, stuck));
        assertTrue(both.getMessage().matches("(?s)job 1: deadlock: .*\njob 2: deadlock: .*"), both.getMessage());
    }

    @Test
    void shouldNameTheJobOfAFailure() {
        ThreadRanks.Body fails = body((world, all) -> {
            if (all.rank() == 1) {
                throw new IllegalStateException("on purpose");
            }
            all.receive(new byte[1], 1, 0);
        });
        ThreadRanks.Failed failed = assertThrows(ThreadRanks.Failed.class, () -> SimulatedRanks.run(
                Settings.DEFAULT, TWO_AND_TWO, pingPong(0, 1, 8, 100), fails));
        assertEquals("rank 1 of job 2 failed: java.lang.IllegalStateException: on purpose", failed.getMessage());
    }

    @Test
    void shouldRefuseSockets() {
        ThreadRanks.Body program = pingPong(0, 1, 8, 1);
        for (String fabric : new String[] {"tcp", "udp"}) {
            assertThrows(IllegalArgumentException.class, () -> SimulatedRanks.run(
                    Settings.DEFAULT.with("fabric", fabric), TWO_AND_TWO, program, program));
        }
    }
}
