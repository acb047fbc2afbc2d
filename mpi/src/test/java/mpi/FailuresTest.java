package mpi;

import static mpi.Jobs.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.World;
import org.junit.jupiter.api.Test;

/** Ranks that die: the calls and error classes of ULFM, in both dialects. */
class FailuresTest {
    private static int rank() {
        return MPI.COMM_WORLD.getRank();
    }

    private static void awaitFailed(Comm comm, int count) {
        while (comm.getFailed().getSize() < count) {
            Thread.onSpinWait();
        }
    }

    private static int[] ranks(Group group) {
        int[] own = new int[group.getSize()];
        for (int i = 0; i < own.length; i++) {
            own[i] = i;
        }
        return Group.translateRanks(group, own, MPI.COMM_WORLD.getGroup());
    }

    private static int sum(Comm comm, int mine) {
        int[] sum = new int[1];
        comm.allReduce(new int[] {mine}, sum, 1, MPI.INT, MPI.SUM);
        return sum[0];
    }

    @Test
    void shouldHaveTheNumbersOfOpenMpi() {
        assertEquals(75, MPI.ERR_PROC_FAILED);
        assertEquals(76, MPI.ERR_PROC_FAILED_PENDING);
        assertEquals(77, MPI.ERR_REVOKED);
        assertTrue(MPI.ERR_REVOKED < MPI.ERR_LASTCODE);
    }

    @Test
    void shouldFailCallsThatNeedADeadRank() {
        Jobs.runOn(4, Needs.class);
    }

    public static final class Needs implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            assertFalse(MPI.isReplacement());
            if (rank() == 2) {
                throw new Jobs.Death();
            }
            int[] one = new int[1];
            assertFails(MPI.ERR_PROC_FAILED, all::barrier, "rank " + rank() + ": ", "on MPI.COMM_WORLD: rank 2 threw");
            assertFails(MPI.ERR_PROC_FAILED, () -> all.Send(one, 0, 1, MPI.INT, 2, 1),
                    "send to rank 2, tag 1, on MPI.COMM_WORLD: rank 2 threw");
            assertFails(MPI.ERR_PROC_FAILED, () -> all.recv(one, 1, MPI.INT, 2, 1), "rank 2 threw");
            assertFails(MPI.ERR_PROC_FAILED, () -> all.recv(one, 1, MPI.INT, MPI.ANY_SOURCE, 1));
            assertFails(MPI.ERR_PROC_FAILED, () -> all.probe(MPI.ANY_SOURCE, 1));
            assertFails(MPI.ERR_PROC_FAILED, () -> all.Irecv(one, 0, 1, MPI.INT, 2, 1).waitFor());
            assertFails(MPI.ERR_PROC_FAILED, all::dup);
            assertArrayEquals(new int[] {2}, ranks(all.getFailed()));
            assertArrayEquals(new int[] {2}, ranks(all.Get_failed()));
            assertEquals(0, all.failureGetAcked().getSize());
            assertEquals(0, all.ackFailed(0));
            assertEquals(1, all.Ack_failed(4));
            assertArrayEquals(new int[] {2}, ranks(all.Failure_get_acked()));
            all.failureAck();
            all.Failure_ack();
            // Messages between others go on.
            if (rank() == 0) {
                assertEquals(1, all.recv(one, 1, MPI.INT, MPI.ANY_SOURCE, 7).getSource());
            } else if (rank() == 1) {
                all.send(one, 1, MPI.INT, 0, 7);
            }
        }
    }

    @Test
    void shouldWithdrawTheReceiveOfAnExchangeWhoseSendFails() {
        Jobs.runOn(3, Exchange.class);
    }

    /** A receive that was left would take the message of rank 1. */
    public static final class Exchange implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            if (rank() == 2) {
                throw new Jobs.Death();
            }
            awaitFailed(all, 1);
            Object[] word = {"one"};
            if (rank() == 1) {
                all.recv(new int[1], 1, MPI.INT, 0, 5);
                all.send(word, 1, MPI.OBJECT, 0, 3);
                all.send(new int[1], 1, MPI.INT, 0, 4);
                return;
            }
            Object[] got = new Object[1];
            assertFails(MPI.ERR_PROC_FAILED,
                    () -> all.Sendrecv(word, 0, 1, MPI.OBJECT, 2, 3, got, 0, 1, MPI.OBJECT, 1, 3), "rank 2 threw");
            assertFails(MPI.ERR_RANK,
                    () -> all.Sendrecv(word, 0, 1, MPI.OBJECT, 9, 3, got, 0, 1, MPI.OBJECT, 1, 3), "9");
            all.send(new int[1], 1, MPI.INT, 1, 5);
            all.recv(new int[1], 1, MPI.INT, 1, 4);
            assertNotNull(all.iProbe(1, 3), "a receive that was left has taken the message");
            all.recv(got, 1, MPI.OBJECT, 1, 3);
            assertEquals("one", got[0]);
        }
    }

    @Test
    void shouldKeepReceivesFromAnySourceActive() {
        Jobs.runOn(3, Pending.class);
    }

    public static final class Pending implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            Intracomm two = all.dup();
            if (rank() == 2) {
                throw new Jobs.Death();
            }
            awaitFailed(all, 1);
            if (rank() == 1) {
                all.recv(new int[1], 1, MPI.INT, 0, 9);
                for (int tag = 1; tag <= 4; tag++) {
                    all.send(new int[] {tag}, 1, MPI.INT, 0, tag);
                }
                all.send(new Object[] {"five"}, 1, MPI.OBJECT, 0, 5);
                return;
            }
            int[][] got = new int[5][1];
            Request[] receives = new Request[3];
            for (int i = 0; i < 3; i++) {
                receives[i] = all.Irecv(got[i], 0, 1, MPI.INT, MPI.ANY_SOURCE, i + 1);
            }
            Prequest persistent = all.Recv_init(got[3], 0, 1, MPI.INT, MPI.ANY_SOURCE, 4);
            persistent.Start();
            Object[] word = new Object[1];
            Request object = all.Irecv(word, 0, 1, MPI.OBJECT, MPI.ANY_SOURCE, 5);
            Request vain = all.Irecv(got[4], 0, 1, MPI.INT, MPI.ANY_SOURCE, 6);

            int pending = MPI.ERR_PROC_FAILED_PENDING;
            assertFails(pending, receives[0]::waitFor, "rank 0: ", "rank 2 threw");
            assertFails(pending, receives[0]::test);
            assertFails(pending, receives[0]::waitFor);
            assertFails(pending, () -> Request.waitAll(receives));
            assertFails(pending, () -> Request.waitAny(new Request[] {receives[1]}));
            assertFails(pending, persistent::Wait);
            assertFails(pending, object::waitFor);
            assertFails(pending, vain::waitFor);
            for (Request each : receives) {
                assertFalse(each.isNull());
            }
            assertFalse(object.isNull());
            vain.cancel();
            assertTrue(vain.waitStatus().isCancelled());
            assertTrue(vain.isNull());

            all.failureAck();
            assertFalse(receives[0].test());
            assertNull(receives[1].getStatus());
            all.send(new int[1], 1, MPI.INT, 1, 9);
            assertEquals(1, receives[0].waitStatus().getSource());
            assertTrue(receives[0].isNull());
            assertTrue(Request.waitAny(receives) > 0);
            Request.waitAll(receives);
            persistent.Wait();
            object.waitFor();
            for (int i = 0; i < 4; i++) {
                assertEquals(i + 1, got[i][0]);
            }
            assertEquals("five", word[0]);
            failWhereTheCommunicatorWasRevoked(two);
        }

        private static void failWhereTheCommunicatorWasRevoked(Comm comm) {
            awaitFailed(comm, 1);
            Request[][] revoked = new Request[3][];
            for (int kind = 0; kind < 3; kind++) {
                Request[] requests = {comm.Irecv(new int[1], 0, 1, MPI.INT, MPI.ANY_SOURCE, 1)};
                assertFails(MPI.ERR_PROC_FAILED_PENDING, requests[0]::waitFor);
                revoked[kind] = requests;
            }
            comm.revoke();
            assertFails(MPI.ERR_REVOKED, () -> Request.waitAny(revoked[0]), "was revoked");
            assertFails(MPI.ERR_REVOKED, () -> Request.testAny(revoked[1]), "was revoked");
            assertFails(MPI.ERR_REVOKED, () -> Request.waitSome(revoked[2]), "was revoked");
            for (Request[] each : revoked) {
                assertTrue(each[0].isNull());
                assertEquals(MPI.UNDEFINED, Request.waitAny(each));
            }
        }
    }

    @Test
    void shouldInitializeANewRankWhoseWorldWasRevokedMeanwhile() {
        Jobs.runBare(2, RevokedInInit.class);
    }

    /** What a new rank meets if another one dies at once and the others revoke. */
    public static final class RevokedInInit implements Runnable {
        @Override
        public void run() {
            World world = World.join();
            if (world.communicator().rank() == 0) {
                world.communicator().revoke();
            }
            while (!world.communicator().isRevoked()) {
                Thread.onSpinWait();
            }
            assertArrayEquals(new String[] {"a"}, RankState.mine().begin(world, new String[] {"a"}));
            assertTrue(MPI.COMM_WORLD.isRevoked());
            assertEquals(1, MPI.COMM_SELF.getSize());
            assertEquals(5, sum(MPI.COMM_SELF, 5));
            assertEquals(2, sum(MPI.COMM_WORLD.shrink(), 1));
            MPI.Finalize();
        }
    }

    @Test
    void shouldRevoke() {
        Jobs.runOn(3, Revoked.class);
    }

    public static final class Revoked implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            Intracomm one = all.dup();
            Intracomm two = all.dup();
            assertFalse(one.isRevoked());
            all.barrier();
            if (rank() == 0) {
                one.revoke();
                two.Revoke();
            } else {
                assertFails(MPI.ERR_REVOKED, () -> one.recv(new int[1], 1, MPI.INT, 0, 1), "was revoked");
            }
            assertFails(MPI.ERR_REVOKED, () -> one.send(new int[1], 1, MPI.INT, 0, 1));
            assertFails(MPI.ERR_REVOKED, two::Barrier);
            assertTrue(one.isRevoked() && one.Is_revoked());
            assertEquals(1, one.agree(1));
            assertEquals(3, sum(two.Shrink(), 1));
            Intracomm again = one.iShrink();
            again.getRequest().waitFor();
            assertEquals(3, sum(again, 1));
            one.free();
            assertEquals(3, sum(all, 1));
            again.setErrhandler(MPI.ERRORS_RETURN);
            assertSame(MPI.ERRORS_RETURN, again.shrink().getErrhandler());
        }
    }

    @Test
    void shouldAgreeAndShrink() {
        Jobs.runOn(4, Agreed.class);
    }

    public static final class Agreed implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            assertEquals(~0b1111, all.agree(~(1 << rank())));
            CartComm grid = all.createCart(new int[] {4}, new boolean[] {true}, false);
            if (rank() == 3) {
                throw new Jobs.Death();
            }
            int[] flag = {0b1000 | 1 << rank()};
            assertFails(MPI.ERR_PROC_FAILED, () -> all.agree(flag), "on MPI.COMM_WORLD: rank 3 threw");
            assertEquals(0b1000, flag[0]);
            assertFails(MPI.ERR_PROC_FAILED, () -> all.Agree(1));
            if (rank() == 0) {
                all.failureAck();
            }
            int[] later = {0b10000 | 1 << rank()};
            Request agreement = all.iAgree(later);
            assertFails(MPI.ERR_PROC_FAILED, agreement::waitFor, "rank 3 threw");
            assertEquals(0b10000, later[0]);
            assertEquals(1, all.ackFailed(1));
            assertEquals(1, all.agree(1));
            all.Iagree(later).Wait();
            assertEquals(0b10000, later[0]);
            Intracomm three = all.shrink();
            assertEquals(3, sum(three, rank()));
            assertEquals(3, grid.shrink().getSize());
            assertEquals(MPI.UNDEFINED, grid.shrink().getTopology());
            assertEquals(3, three.Replace().getSize());
        }
    }

    @Test
    void shouldRepairIntercommunicators() {
        Jobs.runOn(5, Between.class);
    }

    public static final class Between implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            boolean low = rank() < 2;
            Intracomm side = all.split(low ? 0 : 1, rank());
            Intercomm inter = all.createIntercomm(side, 0, low ? 2 : 0, 4);
            int[] flag = {~(1 << rank())};
            inter.agree(flag);
            assertEquals(low ? ~0b11100 : ~0b00011, flag[0], "the bits of the remote group");
            if (rank() == 2) {
                throw new Jobs.Death();
            }
            flag[0] = ~(1 << rank());
            assertFails(MPI.ERR_PROC_FAILED, () -> inter.agree(flag), "rank 2 threw");
            assertEquals(low ? ~0b11000 : ~0b00011, flag[0]);
            assertArrayEquals(new int[] {2}, ranks(inter.getFailed()));
            assertFails(MPI.ERR_PROC_FAILED, inter::barrier);
            // All have had that error before one of them revokes.
            assertFails(MPI.ERR_PROC_FAILED, () -> inter.agree(new int[1]));
            inter.revoke();
            assertFails(MPI.ERR_REVOKED, () -> inter.send(flag, 1, MPI.INT, 0, 1));
            Intercomm live = inter.shrink();
            assertEquals(2, live.getRemoteSize());
            assertEquals(low ? 7 : 1, sum(live, rank()));
            if (low) {
                throw new Jobs.Death();
            }
            awaitFailed(live, 2);
            Intercomm none = live.Shrink();
            assertNotNull(none);
            assertTrue(none.isNull());
        }
    }

    @Test
    void shouldFinalizeWithRequestsThatWereFreed() {
        Jobs.runOn(2, Freed.class);
    }

    public static final class Freed implements Runnable {
        @Override
        public void run() {
            if (rank() == 1) {
                throw new Jobs.Death();
            }
            Request sent = MPI.COMM_WORLD.Issend(new int[100_000], 0, 100_000, MPI.INT, 1, 1);
            Request receive = MPI.COMM_WORLD.Irecv(new int[1], 0, 1, MPI.INT, MPI.ANY_SOURCE, 1);
            sent.free();
            receive.free();
            awaitFailed(MPI.COMM_WORLD, 1);
        }
    }
}
