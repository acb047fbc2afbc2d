package io.rankwire.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.World;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests that the tests of this module run; most of them fail. */
final class Samples {
    private Samples() {}

    static void add(Communicator all) {
        int[] sum = new int[1];
        all.allreduce(new int[] {all.rank() + 1}, sum, Op.SUM);
        assertEquals(all.size() * (all.size() + 1) / 2, sum[0]);
    }

    static class Assertions {
        @OnRanks(3)
        void shouldFailOnOneRank(Communicator all) {
            assertEquals(5, all.rank() == 1 ? 4 : 5, "the number");
            all.barrier();
        }

        @OnRanks(value = 2, as = OnRanks.Kind.PROCESSES)
        void shouldFailInAProcess(Communicator all) {
            assertEquals(5, all.rank() == 1 ? 4 : 5, "the number");
            all.barrier();
        }

        @OnRanks(2)
        void shouldThrow(World world) {
            if (world.communicator().rank() == 0) {
                throw new UnsupportedOperationException("not this");
            }
            world.communicator().barrier();
        }

        @OnRanks(2)
        void shouldBeSkipped(Communicator all) {
            assumeTrue(all.rank() == 0, "only rank 0 can do that");
            all.barrier();
        }
    }

    static class Stuck {
        @OnRanks(value = 2, stall = 1)
        void shouldWaitForEver(Communicator all) {
            all.receive(new int[1], 1 - all.rank(), 7);
        }

        @OnRanks(value = 2, as = OnRanks.Kind.SIMULATED)
        void shouldWaitInASimulation(Communicator all) {
            all.receive(new int[1], 1 - all.rank(), 7);
        }

        @OnRanks(value = 1, timeout = 0.5)
        void shouldTakeTooLong() throws InterruptedException {
            Thread.sleep(600_000);
        }
    }

    /** Assumes that messages come in the order of ranks, which a fabric need not do. */
    @UnderFaults(seeds = 12, first = 5)
    static class Hasty {
        @OnRanks(value = {1, 3}, as = OnRanks.Kind.SIMULATED)
        void shouldMeetRanksInOrder(Communicator all) {
            if (all.rank() > 0) {
                all.send(new int[] {all.rank()}, 0, 1);
                return;
            }
            for (int rank = 1; rank < all.size(); rank++) {
                assertEquals(rank, all.receive(new int[1], Communicator.ANY_SOURCE, 1).source(), "the next sender");
            }
        }
    }

    @OnRanks({1, 2})
    @OnRanks(value = 64, as = OnRanks.Kind.SIMULATED, topology = "torus:4x4x4")
    static class OfClass {
        @OnRanks
        void shouldTakeNumbersOfItsClass(Communicator all) {
            add(all);
        }

        @OnRanks(3)
        void shouldTakeItsOwn(Communicator all, TestInfo info) {
            assertEquals(3, all.size());
            assertEquals("3 ranks", info.getDisplayName());
        }
    }

    static class Without {
        @OnRanks
        void shouldHaveNumbers() {}
    }

    /** Two tests that end only if they run side by side. */
    @Execution(ExecutionMode.CONCURRENT)
    static class Parallel {
        private static final CyclicBarrier BOTH = new CyclicBarrier(2);

        @OnRanks(2)
        void shouldRunBeside(Communicator all) throws Exception {
            meet(all);
        }

        @OnRanks(3)
        void shouldRunBesideTheOther(Communicator all) throws Exception {
            meet(all);
        }

        private static void meet(Communicator all) throws Exception {
            if (all.rank() == 0) {
                BOTH.await(100, TimeUnit.SECONDS);
            }
            add(all);
        }
    }

    /** What is done before and after, and on which object. */
    static class Prepared {
        static final Set<Object> OBJECTS = ConcurrentHashMap.newKeySet();
        private String prepared;

        @BeforeEach
        void prepare() {
            prepared = "yes";
        }

        @AfterEach
        void end() {
            assertEquals("yes", prepared);
        }

        @OnRanks(3)
        void shouldShareTheObject(Communicator all) {
            assertEquals("yes", prepared);
            OBJECTS.add(this);
            all.barrier();
        }

        @Nested
        class Inside {
            @OnRanks(value = 2, as = OnRanks.Kind.PROCESSES, jvmOptions = "-Dsample=given")
            void shouldHaveItsOwn(Communicator all) {
                assertEquals("yes", prepared);
                assertNotNull(System.getProperty("sample"));
                assertEquals(0, OBJECTS.size(), "another process");
                add(all);
            }
        }
    }
}
