package io.rankwire;

import static io.rankwire.RepairTest.assertRevoked;
import static io.rankwire.RepairTest.sum;
import static io.rankwire.launch.MortalRanks.awaitDeaths;
import static io.rankwire.launch.MortalRanks.dies;
import static io.rankwire.launch.MortalRanks.places;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.rankwire.fabric.Allocations;
import io.rankwire.fabric.Shared;
import io.rankwire.launch.MortalRanks;
import io.rankwire.runtime.Host;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows of communicators that were revoked, and windows that are not made because a member revokes or is dead. */
class WindowRepairTest {
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRefuseAccessesToARevokedWindow(boolean severalHosts) {
        MortalRanks.run(2, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator on = world.communicator().duplicate();
            Window locked = on.allocateWindow(16, 8);
            Window all = on.window(new long[2], 8);
            Window fenced = on.allocateWindow(16, 8);
            Window posted = on.allocateWindow(16, 8);
            int other = 1 - on.rank();
            if (on.rank() == 0) {
                locked.lock(Window.Lock.EXCLUSIVE, 1);
            }
            all.lockAll();
            fenced.fence();
            posted.post(on.group().include(other));
            posted.start(on.group().include(other));
            for (Window each : new Window[] {all, fenced, posted}) {
                each.put(new long[] {7}, other, 0);
            }
            all.flushAll();
            on.barrier();
            if (on.rank() == 0) {
                on.revoke();
            }
            assertRevoked(on::barrier);
            for (Window each : new Window[] {all, fenced, posted}) {
                assertRevoked(() -> each.put(new long[1], other, 0));
                assertRevoked(() -> each.get(new long[1], other, 0));
                assertRevoked(() -> each.accumulate(new long[1], other, 0, Op.SUM));
                assertRevoked(() -> each.fetchAndOp(1L, other, 0, Op.SUM));
                assertRevoked(each::sync);
            }
            assertRevoked(all::flushAll);
            assertRevoked(() -> all.flush(other));
            assertRevoked(all::unlockAll);
            assertRevoked(all::lockAll);
            assertRevoked(fenced::fence);
            assertRevoked(posted::complete);
            assertRevoked(posted::await);
            assertRevoked(() -> locked.lock(Window.Lock.SHARED, other));
            // What a rank has itself it can still save.
            assertEquals(16, locked.memory().byteSize());
            if (on.rank() == 0) {
                assertRevoked(() -> locked.unlock(1));
            }
            for (Window each : new Window[] {locked, all, fenced, posted}) {
                each.free();
            }
            on.free();
            world.close();
        });
    }

    /** The window ends with all that this rank has begun there. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFreeARevokedWindowInAnEpoch(boolean severalHosts) {
        MortalRanks.run(2, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            for (int i = 0; i < 20; i++) {
                Communicator on = all.duplicate();
                Window locked = on.allocateWindow(16, 8);
                Window posted = on.allocateWindow(16, 8);
                int other = 1 - on.rank();
                locked.lock(Window.Lock.SHARED, other);
                long[] now = new long[2];
                locked.put(now, other, 0);
                locked.get(now, other, 0);
                posted.post(on.group().include(other));
                posted.start(on.group().include(other));
                posted.put(now, other, 0);
                all.barrier();
                if (on.rank() == 0) {
                    on.revoke();
                }
                assertRevoked(on::barrier);
                locked.free();
                posted.free();
                on.free();
            }
            assertEquals(3, sum(all, all.rank() + 1));
            world.close();
        });
    }

    /** Rank 0 holds what the others wait for: a lock, and the epoch of a group. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFreeAWindowWithADeadMemberInAnEpoch(boolean severalHosts) {
        String told = Worlds.errors(() -> MortalRanks.run(3, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Window locked = all.allocateWindow(16, 8);
            Window shared = all.allocateWindow(16, 8);
            Window posted = all.allocateWindow(16, 8);
            if (all.rank() == 0) {
                locked.lock(Window.Lock.EXCLUSIVE, 1);
                locked.put(new long[] {5}, 1, 0);
            }
            shared.lockAll();
            all.barrier();
            if (all.rank() == 2) {
                dies();
            }
            awaitDeaths(all, 1);
            Group other = all.group().include(1 - all.rank());
            posted.post(other);
            if (all.rank() == 0) {
                posted.start(other);
                posted.put(new long[] {6}, 1, 0);
            } else {
                posted.await();
                assertEquals(6, posted.memory().get(ValueLayout.JAVA_LONG, 0));
                locked.lock(Window.Lock.EXCLUSIVE, 1);
                assertEquals(5, locked.memory().get(ValueLayout.JAVA_LONG, 0));
                locked.unlock(1);
            }
            for (Window each : new Window[] {posted, locked, shared}) {
                each.free();
            }
            assertEquals(3, sum(all.shrink(), all.rank() + 1));
            world.close();
        }));
        assertEquals("", told);
    }

    /** They are no mistakes of the program, whose calls ended with the death. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldReportNoMessagesOfAWindowWithADeadMember(boolean severalHosts) {
        String told = Worlds.errors(() -> MortalRanks.run(3, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Window posted = all.allocateWindow(16, 8);
            all.barrier();
            if (all.rank() == 2) {
                dies();
            }
            awaitDeaths(all, 1);
            posted.post(all.group().include(1 - all.rank()));
            assertEquals(3, sum(all.shrink(), all.rank() + 1));
            world.close();
        }));
        assertEquals("", told);
    }

    /** Where the next allocation of a rank goes, and how many regions it lets others reach. */
    private static String memoryOf(Communicator all) {
        Host host = all.endpoint().host();
        host.lock();
        try {
            Shared next = host.device.memory().allocate(8);
            host.device.memory().free(next);
            return Allocations.place(next.id()) + ", " + host.device.oneSided().regions().count() + ", "
                    + all.endpoint().session().windowMemory().size();
        } finally {
            host.unlock();
        }
    }

    /** Rank 2 makes no window: the others wait for its part, or already for the communicator of the window. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLeaveNothingOfWindowsThatAreNotMade(boolean severalHosts) {
        MortalRanks.run(3, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            String before = memoryOf(all);
            for (int i = 0; i < 15; i++) {
                Communicator on = all.duplicate();
                int kind = i;
                if (all.rank() == 2) {
                    Thread.sleep(kind % 2);
                    on.revoke();
                } else {
                    assertRevoked(() -> window(on, kind % 3));
                }
                on.free();
            }
            assertEquals(before, memoryOf(all));
            all.barrier();
            if (all.rank() == 2) {
                dies();
            }
            for (int kind = 0; kind < 3; kind++) {
                int which = kind;
                assertEquals(ErrorClass.PEER,
                        assertThrows(RankwireException.class, () -> window(all, which)).errorClass());
            }
            assertEquals(before, memoryOf(all));
            world.close();
        });
    }

    private static Window window(Communicator on, int kind) {
        return switch (kind) {
            case 0 -> on.allocateWindow(1 << 16, 8);
            case 1 -> on.window(new long[2], 8);
            default -> on.dynamicWindow();
        };
    }
}
