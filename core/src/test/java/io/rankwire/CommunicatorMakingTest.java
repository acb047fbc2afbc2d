package io.rankwire;

import static io.rankwire.Worlds.assertFails;
import static io.rankwire.Worlds.assertHolds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The less common ways to create communicators; comparing and naming them. */
@Timeout(300)
final class CommunicatorMakingTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 6})
    void shouldCreateByMembersAlone(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            Group odd = all.group().includeRanges(new Group.Range(Math.floorDiv(ranks - 2, 2) * 2 + 1, 1, -2));
            if (all.rank() % 2 == 1) {
                Communicator part = all.createGroup(odd, 3);
                assertEquals(odd, part.group());
                int[] in = new int[1];
                part.sendReceive(new int[] {all.rank()}, Worlds.next(part), 1, in, Worlds.previous(part), 1);
                assertEquals(odd.worldRank(Worlds.previous(part)), in[0]);
                part.free();
                assertFails(ErrorClass.TAG, () -> all.createGroup(odd, -1), "createGroup", "tag: -1");
                assertFails(ErrorClass.ARGUMENT, () -> all.createGroup(null, 1), "createGroup", "part is null");
            } else {
                assertFails(ErrorClass.COMMUNICATOR, () -> all.createGroup(odd, 3), "createGroup",
                        "world rank " + all.rank(), "not in it", "CommunicatorMakingTest.java:");
            }
        });
    }

    /** Two threads of each rank create two communicators of the same ranks at the same time, with different tags. */
    @Test
    void shouldKeepCreationsAtOnceApart() {
        Worlds.run(3, world -> {
            Communicator all = world.communicator();
            for (int round = 0; round < 50; round++) {
                Communicator[] made = new Communicator[4];
                List<Thread> threads = new ArrayList<>();
                for (int tag = 0; tag < made.length; tag++) {
                    int mine = (tag + all.rank()) % made.length;
                    threads.add(Thread.startVirtualThread(() -> made[mine] = all.createGroup(all.group(), mine)));
                }
                for (Thread thread : threads) {
                    thread.join();
                }
                for (int tag = 0; tag < made.length; tag++) {
                    int[] in = new int[1];
                    made[tag].sendReceive(new int[] {tag}, Worlds.next(all), 9, in, Worlds.previous(all), 9);
                    assertEquals(tag, in[0]);
                }
                for (Communicator each : made) {
                    each.free();
                }
            }
        });
    }

    /** As where a death has ended calls of one member: the rows of three calls with one tag come in another order. */
    @Test
    void shouldPairCallsWithOneTagByTheirMembers() {
        Worlds.run(3, world -> {
            Communicator all = world.communicator();
            Group everyone = all.group();
            Group two = everyone.include(0, 1);
            if (all.rank() == 2) {
                all.createGroup(everyone, 5);
                return;
            }
            boolean isRoot = all.rank() == 0;
            Communicator[] made = new Communicator[3];
            for (int call = 0; call < made.length; call++) {
                made[call] = all.createGroup(call == (isRoot ? 2 : 0) ? everyone : two, 5);
            }
            Communicator[] pair = isRoot ? new Communicator[] {made[0], made[1]}
                    : new Communicator[] {made[1], made[2]};
            for (int call = 0; call < pair.length; call++) {
                pair[call].send(new int[] {call}, 1 - all.rank(), 1);
            }
            for (int call = 0; call < pair.length; call++) {
                int[] in = new int[1];
                pair[call].receive(in, 1 - all.rank(), 1);
                assertEquals(call, in[0]);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void shouldSplitBySharedMemory(int ranks) {
        Worlds.assumeOneHost();
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            Communicator near = all.splitShared(-all.rank());
            assertEquals(ranks, near.size(), "threads of one JVM share all");
            assertEquals(ranks - 1 - all.rank(), near.rank());
            Window window = near.sharedWindow(8, 8);
            window.shared(0).set(java.lang.foreign.ValueLayout.JAVA_INT, 0, 1);
            window.free();
            near.free();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldCompare(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            Communicator copy = all.duplicate();
            Communicator reversed = all.split(0, -all.rank()).orElseThrow();
            Communicator self = all.split(all.rank(), 0).orElseThrow();
            assertEquals(Comparison.IDENTICAL, all.compare(all));
            assertEquals(Comparison.CONGRUENT, all.compare(copy));
            assertEquals(ranks == 1 ? Comparison.CONGRUENT : Comparison.SIMILAR, all.compare(reversed));
            assertEquals(ranks == 1 ? Comparison.CONGRUENT : Comparison.UNEQUAL, all.compare(self));
            assertFails(ErrorClass.ARGUMENT, () -> all.compare(null), "compare", "other is null");
            copy.free();
            assertFails(ErrorClass.COMMUNICATOR, () -> copy.compare(all), "was freed");
        });
    }

    @Test
    void shouldUseGivenNamesInReports() {
        String told = Worlds.errors(() -> Worlds.run(2, world -> {
            Communicator copy = world.communicator().duplicate();
            assertEquals("world.duplicate", copy.name());
            copy.name("solver");
            assertHolds(copy.toString(), "solver (rank ");
            assertFails(ErrorClass.RANK, () -> copy.send(new int[1], 2, 1), "solver");
            assertFails(ErrorClass.ARGUMENT, () -> copy.name(null), "name", "null");
            assertEquals("solver.split(0)", copy.split(0, 0).orElseThrow().name());
            if (copy.rank() == 0) {
                copy.send(new int[1], 1, 8);
            }
        }));
        assertHolds(told, "from rank 0, tag 8, 4 bytes of int, on solver");
    }

    @Test
    @ExtendWith(EndStalls.class)
    void shouldNameTheCallInADeadlock() {
        RankwireException report = assertThrows(RankwireException.class, () -> World.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                all.split(0, 0);
            } else {
                all.receive(new int[1], 0, 3);
            }
        }));
        assertHolds(report.getMessage(), "split with rank 1, on world at CommunicatorMakingTest.java:",
                "receive from rank 0, tag 3, on world", "cycle: 0 -> 1 -> 0");
    }

    @Test
    @ExtendWith(EndStalls.class)
    void shouldNameTheCallOfAnEndingToo() {
        RankwireException report = assertThrows(RankwireException.class, () -> World.run(3, world -> {
            Communicator all = world.communicator();
            Communicator self = all.split(all.rank() == 2 ? -1 : all.rank(), 0).orElse(null);
            if (self == null) {
                all.receive(new int[1], 0, 3);
                return;
            }
            Intercommunicator inter = self.intercommunicator(0, all, 1 - all.rank(), 1);
            if (all.rank() == 0) {
                inter.free();
            } else {
                all.createGroup(all.group().include(2, 1), 4);
            }
        }));
        assertHolds(report.getMessage(), "rank 0: free with rank 0, on world.split(0).inter at Communi",
                "rank 1: createGroup with rank 2, on world at CommunicatorMakingTest.java:");
    }

    @Test
    void shouldGiveEveryCommunicatorAContextOfItsOwn() {
        Worlds.run(4, world -> {
            Communicator all = world.communicator();
            Communicator pair = all.split(all.rank() / 2, 0).orElseThrow();
            Communicator group = all.createGroup(all.group(), 0);
            Communicator near = all.splitShared(0);
            CartesianCommunicator grid = all.cartesian(new int[] {2, 2}, new boolean[2]).orElseThrow();
            CartesianCommunicator column = grid.sub(true, false);
            int[] contexts = {pair.endpoint().context(), group.endpoint().context(), near.endpoint().context(),
                    grid.endpoint().context(), column.endpoint().context()};
            for (int i = 0; i < contexts.length; i++) {
                for (int j = 0; j < i; j++) {
                    assertNotEquals(contexts[i], contexts[j]);
                }
            }
        });
    }
}
