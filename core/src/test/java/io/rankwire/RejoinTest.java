package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.ThreadRanks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import program.Nap;

/** Several worlds, one after another, in the same job. */
@Timeout(300)
class RejoinTest {
    private static final int WORLDS = 60;

    @Test
    void shouldJoinWorldsOneAfterAnother() {
        ThreadRanks.run(3, job -> {
            for (int round = 0; round < WORLDS; round++) {
                try (World world = World.join()) {
                    Communicator all = world.communicator();
                    int[] token = {round * 10 + all.rank()};
                    int[] got = new int[1];
                    all.sendReceive(token, Worlds.next(all), 1, got, Worlds.previous(all), 1);
                    assertEquals(round * 10 + Worlds.previous(all), got[0]);
                    long[] sum = {1};
                    all.duplicate().allreduce(sum.clone(), sum, Op.SUM);
                    assertEquals(3, sum[0]);
                }
            }
        });
    }

    /** Unreceived messages stay in their world, and are reported before the next one. */
    @Test
    void shouldKeepMessagesOfAWorldApartFromTheNext() {
        String told = Worlds.errors(() -> ThreadRanks.run(2, job -> {
            try (World world = World.join()) {
                if (job.rank() == 0) {
                    world.communicator().send(new int[] {1}, 1, 5);
                }
            }
            try (World world = World.join()) {
                int[] word = {2};
                if (job.rank() == 0) {
                    world.communicator().send(word, 1, 5);
                } else {
                    world.communicator().receive(word, 0, 5);
                    assertEquals(2, word[0]);
                }
            }
        }));
        Worlds.assertHolds(told, "rank 1: 1 message was sent here and never received", "from rank 0, tag 5");
        assertEquals(1, told.lines().filter(line -> line.contains("rankwire:")).count(), told);
    }

    /** A rank that has closed its world and computes may join again, so it must prevent the proof of a deadlock. */
    @Test
    void shouldNotTakeARankBetweenTwoWorldsForADeadlock() {
        ThreadRanks.run(2, job -> {
            World.join().close();
            if (job.rank() == 0) {
                Nap.take(1500);
            }
            try (World world = World.join()) {
                Communicator all = world.communicator();
                all.sendReceive(new int[1], Worlds.next(all), 1, new int[1], Worlds.previous(all), 1);
            }
        });
    }

    @Test
    @ExtendWith(EndStalls.class)
    void shouldReportADeadlockWithARankThatWantsToJoinAgain() {
        ThreadRanks.Failed failed = assertThrows(ThreadRanks.Failed.class, () -> ThreadRanks.run(2, job -> {
            try (World world = World.join()) {
                if (job.rank() == 1) {
                    world.communicator().receive(new int[1], 0, 5);
                }
            }
            World.join().close();
        }));
        assertTrue(failed.getMessage().contains("deadlock"), failed.getMessage());
    }

    @Test
    void shouldRefuseASecondWorldBesideTheFirst() {
        Worlds.run(1, world -> Worlds.assertFails(ErrorClass.ARGUMENT, World::join, "joined its world already"));
    }
}
