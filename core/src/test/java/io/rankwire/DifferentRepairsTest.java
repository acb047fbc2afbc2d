package io.rankwire;

import static io.rankwire.launch.MortalRanks.awaitDeaths;
import static io.rankwire.launch.MortalRanks.dies;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.MortalRanks;
import org.junit.jupiter.api.Test;

/** Repairs without a launcher that could replace ranks, and members that make different calls. */
class DifferentRepairsTest {
    private static int sum(Communicator on) {
        int[] sum = new int[1];
        on.allreduce(new int[] {1}, sum, Op.SUM);
        return sum[0];
    }

    @Test
    void shouldReplaceNoRankWhereAllAreAlive() {
        MortalRanks.run(3, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            assertFalse(world.isReplacement());
            if (job.rank() == 1) {
                all.revoke();
            }
            Communicator again = all.replace();
            assertEquals(Comparison.IDENTICAL, again.group().compare(all.group()));
            assertEquals(3, sum(again));
            // The world communicator was revoked, which does not concern others.
            Communicator twin = again.duplicate();
            assertEquals(3, sum(twin));
            twin.free();
            again.free();
            world.close();
        });
    }

    @Test
    void shouldRefuseAtAllMembersToReplaceWithoutALauncher() {
        MortalRanks.run(4, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            if (job.rank() == 2) {
                dies();
            }
            awaitDeaths(all, 1);
            RankwireException error = assertThrows(RankwireException.class, all::replace);
            assertEquals(ErrorClass.RESOURCE, error.errorClass(), error.getMessage());
            assertTrue(error.getMessage().contains("this job cannot start new ranks: call shrink()"),
                    error.getMessage());
            assertEquals(3, sum(all.shrink()));
            world.close();
        });
    }

    @Test
    void shouldEndAgreementsThatMeetARepair() {
        MortalRanks.run(3, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            if (job.rank() == 1) {
                assertEquals(0, all.agree(1));
                int[] flags = {1};
                all.iagree(flags).await();
                assertEquals(0, flags[0]);
            }
            Communicator again = job.rank() == 0 ? all.shrink() : shrinkAfterAgree(all, job.rank());
            assertEquals(3, sum(again));
            assertEquals(1, again.agree(1));
            world.close();
        });
    }

    private static Communicator shrinkAfterAgree(Communicator all, int rank) {
        if (rank == 2) {
            assertEquals(0, all.agree(1));
        }
        return all.shrink();
    }

    @Test
    void shouldRefuseDifferentRepairsAtAllMembers() {
        MortalRanks.run(3, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            RankwireException error = assertThrows(RankwireException.class,
                    () -> (job.rank() == 1 ? all.replace() : all.shrink()).rank());
            assertEquals(ErrorClass.COMMUNICATOR, error.errorClass(), error.getMessage());
            assertTrue(error.getMessage().contains("some call shrink and others replace"), error.getMessage());
            assertEquals(3, sum(all));
            world.close();
        });
    }
}
