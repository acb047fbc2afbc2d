package io.rankwire;

import static io.rankwire.Worlds.assertFails;
import static io.rankwire.Worlds.assertHolds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.JobDirectory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ranks that a program starts. Those that are processes leave neither processes nor files behind. */
class RanksTest {
    private static final Duration LONG = Duration.ofMinutes(3);

    /** The kinds of ranks. */
    enum Kind {
        THREADS,
        PROCESSES,
        SIMULATED;

        Ranks ranks(int count) {
            return switch (this) {
                case THREADS -> Ranks.threads(count).timeout(LONG);
                case PROCESSES -> Ranks.processes(count).timeout(LONG);
                case SIMULATED -> Ranks.simulated(count, "crossbar").timeout(LONG);
            };
        }
    }

    private static String sum(World world) {
        Communicator all = world.communicator();
        int[] sum = new int[1];
        all.allreduce(new int[] {all.rank() + 1}, sum, Op.SUM);
        return all.rank() + ":" + sum[0];
    }

    private static void waitInTurn(World world) {
        Communicator all = world.communicator();
        all.receive(new int[1], (all.rank() + 1) % all.size(), 3);
    }

    /** What processes of ranks leave behind; other tests may run beside this one, in other processes. */
    private static void assertNothingIsLeft(Set<Long> before) throws IOException {
        List<Long> children = new ArrayList<>(ProcessHandle.current().children().map(ProcessHandle::pid).toList());
        children.removeAll(before);
        assertEquals(List.of(), children);
        assertFalse(JobDirectory.live(JobDirectory.root()).containsValue(ProcessHandle.current().pid()));
    }

    private static Set<Long> children() {
        return new HashSet<>(ProcessHandle.current().children().map(ProcessHandle::pid).toList());
    }

    @ParameterizedTest
    @EnumSource
    void shouldGiveTheValueOfEachRank(Kind kind) throws IOException {
        Set<Long> before = children();
        Ranks.Results<String> results = kind.ranks(3).run(RanksTest::sum);
        assertEquals(List.of("0:6", "1:6", "2:6"), results.values());
        assertEquals("2:6", results.value(2));
        assertNothingIsLeft(before);
    }

    @ParameterizedTest
    @EnumSource
    void shouldNameTheRankThatFails(Kind kind) throws IOException {
        Set<Long> before = children();
        RankwireException error = assertFails(ErrorClass.ABORTED, () -> kind.ranks(2).execute(world -> {
            if (world.communicator().rank() == 1) {
                throw new IllegalStateException("no more");
            }
            world.communicator().barrier();
        }), "rank 1 of 2 failed: java.lang.IllegalStateException: no more");
        Throwable cause = assertInstanceOf(IllegalStateException.class, error.getCause());
        assertEquals(RanksTest.class.getName(), cause.getStackTrace()[0].getClassName());
        assertNothingIsLeft(before);
    }

    /** A program that counts in a static field, and may exit. */
    static final class Counting {
        private static int calls;

        static void main(String[] args) {
            calls++;
            try (World world = World.join()) {
                int[] sum = new int[1];
                world.communicator().allreduce(new int[] {calls}, sum, Op.SUM);
                if (sum[0] != world.communicator().size()) {
                    throw new AssertionError("ranks share a field: " + sum[0]);
                }
            }
            System.exit(Integer.parseInt(args[0]));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRunAMainMethod(Kind kind) throws IOException {
        Set<Long> before = children();
        assertNull(kind.ranks(2).runMain(Counting.class, "0").value(1));
        assertFails(ErrorClass.ABORTED, () -> kind.ranks(2).runMain(Counting.class, "3"),
                "of 2 failed: it exited with status 3");
        assertNothingIsLeft(before);
    }

    @ParameterizedTest
    @EnumSource
    void shouldListWhatRanksWaitFor(Kind kind) throws IOException {
        Set<Long> before = children();
        assertFails(ErrorClass.ABORTED, () -> kind.ranks(2).stall(Duration.ofSeconds(1)).execute(RanksTest::waitInTurn),
                "deadlock", "rank 0: receive from rank 1, tag 3, on world at RanksTest.java:",
                "cycle: 0 -> 1 -> 0");
        assertNothingIsLeft(before);
    }

    @ParameterizedTest
    @EnumSource
    void shouldEndRanksThatTakeTooLong(Kind kind) throws IOException {
        Set<Long> before = children();
        RankwireException error;
        Duration limit = Duration.ofMillis(250);
        do {
            // On a busy machine they may take longer to begin.
            limit = limit.multipliedBy(2);
            Ranks ranks = kind.ranks(2).timeout(limit);
            error = assertFails(ErrorClass.ABORTED, () -> ranks.execute(world -> Thread.sleep(600_000)),
                    "the ranks did not end within ");
        } while (!error.getMessage().contains("sleep") && limit.compareTo(LONG) < 0);
        assertHolds(error.getMessage(), "sleep", "RanksTest");
        assertFalse(error.getMessage().contains("goes on"), error.getMessage());
        assertNothingIsLeft(before);
    }

    @ParameterizedTest
    @EnumSource
    void shouldEndWithItsCaller(Kind kind) throws IOException, InterruptedException {
        Set<Long> before = children();
        Thread caller = Thread.currentThread();
        Thread interrupting = Thread.ofPlatform().start(() -> {
            try {
                Thread.sleep(500);
                caller.interrupt();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        assertFails(ErrorClass.ABORTED, () -> kind.ranks(2).execute(world -> Thread.sleep(600_000)), "interrupted");
        interrupting.join();
        assertTrue(Thread.interrupted(), "the status is kept");
        assertNothingIsLeft(before);
    }

    @Test
    void shouldNotStartRanksOfAnInterruptedThread() {
        AtomicInteger started = new AtomicInteger();
        Thread.currentThread().interrupt();
        try {
            assertFails(ErrorClass.ABORTED, () -> Ranks.threads(1).execute(world -> started.incrementAndGet()),
                    "no rank was started");
        } finally {
            assertTrue(Thread.interrupted());
        }
        assertEquals(0, started.get());
    }

    @Test
    void shouldLeaveAThreadBehindThatComputes() {
        boolean[] ends = new boolean[1];
        RankwireException error = assertFails(ErrorClass.ABORTED,
                () -> Ranks.threads(2).timeout(Duration.ofMillis(200)).execute(world -> {
                    while (world.communicator().rank() == 1 && !endsNow(ends)) {
                        Thread.onSpinWait();
                    }
                }), "did not end within 0.2 s", "rank 1 could not be ended: its thread goes on");
        assertNull(error.getCause());
        synchronized (ends) {
            ends[0] = true;
        }
    }

    private static boolean endsNow(boolean[] ends) {
        synchronized (ends) {
            return ends[0];
        }
    }

    @Test
    void shouldReportAProcessThatDies() throws IOException {
        Set<Long> before = children();
        assertFails(ErrorClass.ABORTED, () -> Kind.PROCESSES.ranks(2).execute(world -> {
            if (world.communicator().rank() == 1) {
                Runtime.getRuntime().halt(9);
            }
            world.communicator().barrier();
        }), "rank 1 of 2 failed: it exited with status 9");
        assertFails(ErrorClass.ABORTED, () -> Kind.PROCESSES.ranks(1).jvmOptions("-XX:Nonsense").execute(world -> { }),
                "rank 0 of 1 failed: it exited with status 1 before its program began");
        assertNothingIsLeft(before);
    }

    @Test
    void shouldSendOptionsAndLocalVariablesToProcesses() {
        String word = "sent";
        Ranks ranks = Kind.PROCESSES.ranks(1).jvmOptions("-Dtest.given=by options");
        assertEquals(List.of("sent by options " + RanksTest.class.desiredAssertionStatus()), ranks.run(world ->
                word + " " + System.getProperty("test.given") + " " + Ranks.class.desiredAssertionStatus()).values());
    }

    @Test
    void shouldRefuseWhatCannotBeSent() {
        Object captured = new Object();
        assertFails(ErrorClass.ARGUMENT, () -> Ranks.processes(2).run(world -> captured.hashCode()),
                "argument body cannot be sent to other processes: java.io.NotSerializableException: java.lang.Object");
        assertFails(ErrorClass.CODEC, () -> Kind.PROCESSES.ranks(1).run(world -> new Object()),
                "rank 0 of 1 failed", "the value of this rank cannot be sent");
    }

    @Test
    void shouldRefuseOptionsOfOtherKinds() {
        assertFails(ErrorClass.ARGUMENT, () -> Ranks.threads(0), "argument count: 0 is below one");
        assertFails(ErrorClass.ARGUMENT, () -> Ranks.threads(2).faults(1), "faults: is for ranks that are simulated,",
                "not for 2 threads");
        assertFails(ErrorClass.ARGUMENT, () -> Ranks.simulated(2, "torus").jvmOptions("-ea"), "that are processes");
        assertFails(ErrorClass.ARGUMENT, () -> Ranks.threads(2).classPath("x"), "that are processes");
        assertFails(ErrorClass.ARGUMENT, () -> Ranks.threads(2).timeout(Duration.ZERO), "PT0S is not above zero");
        assertFails(ErrorClass.ARGUMENT, () -> Ranks.simulated(9, "torus:2x2x2"), "8 nodes, too few for 9");
        assertFails(ErrorClass.ARGUMENT, () -> Ranks.simulated(2, "torus").setting("link.speed", "2"), "link.speed");
        assertFails(ErrorClass.ARGUMENT, () -> Ranks.threads(2).run(null), "argument body is null");
        assertFails(ErrorClass.ARGUMENT, () -> Ranks.threads(2).runMain(null), "argument main is null");
        assertFails(ErrorClass.ARGUMENT, () -> Ranks.threads(1).run(world -> 1).hash(), "were not simulated");
    }

    @Test
    void shouldGiveTimeAndHashOfASimulation() {
        Ranks ranks = Ranks.simulated(64, "torus:4x4x4").timeout(LONG);
        Ranks.Results<String> results = ranks.run(RanksTest::sum);
        assertTrue(results.virtualTime().isPositive());
        assertEquals(results.hash(), ranks.run(RanksTest::sum).hash());
        Ranks.Results<String> slower = ranks.setting("link.latency", "5 us").run(RanksTest::sum);
        assertTrue(slower.virtualTime().compareTo(results.virtualTime()) > 0);
        Ranks.Results<String> faulty = ranks.faults(7).run(RanksTest::sum);
        assertEquals(results.values(), faulty.values());
        assertNotEquals(results.hash(), faulty.hash());
    }

    @Test
    void shouldRunRanksInsideRanks() {
        for (Kind outer : Kind.values()) {
            for (Kind inner : Kind.values()) {
                List<String> values = outer.ranks(outer == Kind.PROCESSES ? 1 : 2).<String>run(world -> {
                    world.communicator().barrier();
                    List<String> inside = world.communicator().rank() == 0
                            ? inner.ranks(2).run(RanksTest::sum).values() : List.of();
                    world.communicator().barrier();
                    return inside.toString();
                }).values();
                assertEquals("[0:3, 1:3]", values.get(0), outer + " with " + inner);
            }
        }
    }
}
