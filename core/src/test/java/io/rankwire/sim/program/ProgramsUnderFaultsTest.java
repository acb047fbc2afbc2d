package io.rankwire.sim.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.Counters;
import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.launch.ThreadRanks;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs on a machine where much goes wrong; see also {@link ExamplesUnderFaultsTest}. */
@Timeout(300)
class ProgramsUnderFaultsTest {
    private static final Settings OFFLOAD = Settings.DEFAULT;
    private static final Settings ON_HOST = Settings.DEFAULT.with("device.offload", "no");

    private static SimulatedRanks run(Settings settings, int ranks, Adversity adversity, MixedCalls.Program program) {
        return SimulatedRanks.run(settings, ranks, null, adversity, MixedCalls.body(program));
    }

    private static Adversity faults(long seed, int ranks) {
        return new Adversity(seed, null, Settings.DEFAULT, ranks, ranks);
    }

    private static Adversity kill(String which, int ranks) {
        return new Adversity(null, which, Settings.DEFAULT, ranks, ranks);
    }

    @Test
    void shouldGiveTheSameAnswersWhateverGoesWrong() {
        for (long seed = 1; seed <= 30; seed++) {
            long number = seed;
            int ranks = 2 + (int) seed % 5;
            Settings settings = seed % 3 == 0 ? ON_HOST : OFFLOAD;
            SimulatedRanks first = run(settings, ranks, faults(seed, ranks), MixedCalls.of(number));
            SimulatedRanks again = run(settings, ranks, faults(seed, ranks), MixedCalls.of(number));
            SimulatedRanks other = run(settings, ranks, faults(seed + 100, ranks), MixedCalls.of(number));
            assertEquals(first.hash(), again.hash(), "seed " + seed);
            assertEquals(first.timePs(), again.timePs(), "seed " + seed);
            assertEquals(first.faults(), again.faults());
            assertNotEquals(first.hash(), other.hash());
        }
    }

    @Test
    void shouldCountInVirtualTime() {
        Counters[] counted = new Counters[2];
        SimulatedRanks.run(Settings.DEFAULT, 2, null, null, MixedCalls.body((world, all) -> {
            if (all.rank() == 0) {
                world.spend(50_000);
                all.send(new long[1], 1, 1);
                all.send(new byte[100_000], 1, 2);
            } else {
                all.receive(new long[1], 0, 1);
                all.receive(new byte[100_000], 0, 2);
            }
            counted[all.rank()] = world.counters();
        }));
        assertEquals(1, counted[0].eagerSent());
        assertEquals(1, counted[0].announcedSent());
        assertEquals(2, counted[1].matchedPosted() + counted[1].matchedUnexpected());
        assertTrue(counted[1].waits() >= 1 && counted[1].waitNanos() >= 50_000, counted[1].toString());
    }

    @Test
    void shouldCountFramesThatWereLostAndSentAgain() {
        Counters[] counted = new Counters[2];
        run(OFFLOAD, 2, faults(3, 2), (world, all) -> {
            byte[] token = new byte[100];
            for (int i = 0; i < 50; i++) {
                all.sendReceive(token, 1 - all.rank(), 1, token.clone(), 1 - all.rank(), 1);
            }
            counted[all.rank()] = world.counters();
        });
        assertTrue(counted[0].retransmissions() + counted[1].retransmissions() > 0, counted[0].toString());
    }

    /** A lost frame stops everybody for a while, and nothing is pending then but its repetition. */
    @Test
    void shouldTellALossFromADeadlock() {
        for (long seed = 1; seed <= 40; seed++) {
            long number = seed;
            ThreadRanks.Failed failed = assertThrows(ThreadRanks.Failed.class,
                    () -> run(OFFLOAD, 3, faults(number, 3), (world, all) -> {
                        byte[] token = new byte[100];
                        for (int i = 0; i < 30; i++) {
                            if (all.rank() == 0) {
                                all.send(token, 1, 1);
                                all.receive(token, 2, 1);
                            } else {
                                all.receive(token, all.rank() - 1, 1);
                                all.send(token, (all.rank() + 1) % 3, 1);
                            }
                        }
                        all.receive(token, (all.rank() + 1) % 3, 2);
                    }));
            assertEquals(-1, failed.rank());
            assertTrue(failed.getMessage().contains("cycle: 0 -> 1 -> 2 -> 0"), failed.getMessage());
        }
    }

    /** A launcher that takes very long: the layer that repeats frames notices the death first. */
    @Test
    void shouldEndWhatWaitsForAKilledRankWithAnErrorThatNamesIt() {
        Settings late = Settings.DEFAULT.with("fabric", "udp").with("launcher.notice", "90 s to 100 s");
        List<String> heard = new ArrayList<>();
        ThreadRanks.Failed failed = assertThrows(ThreadRanks.Failed.class,
                () -> run(late, 4, new Adversity(null, "2@30 us", late, 4, 4), (world, all) -> {
                    int[] word = {all.rank()};
                    if (all.rank() == 2) {
                        world.spend(1_000_000);
                    } else if (all.rank() == 0) {
                        world.spend(100_000);
                        all.send(word, 2, 1);
                        RankwireException late1 = assertThrows(RankwireException.class, () -> all.receive(word, 2, 1));
                        assertEquals(ErrorClass.PEER, late1.errorClass());
                        heard.add(late1.getMessage());
                        assertThrows(RankwireException.class, () -> all.send(word, 2, 2));
                        assertThrows(RankwireException.class, () -> all.probe(2, 3));
                        assertThrows(RankwireException.class, () -> all.iprobe(2, 3));
                        assertThrows(RankwireException.class, () -> all.isend(new byte[100_000], 2, 3).await());
                        all.send(word, 1, 4);
                        all.receive(word, Communicator.ANY_SOURCE, 5);
                        heard.add("from any rank " + word[0]);
                    } else if (all.rank() == 1) {
                        all.receive(word, 0, 4);
                        word[0] = 77;
                        all.send(word, 0, 5);
                    } else {
                        all.receive(word, 2, 9);
                    }
                }));
        assertEquals(2, heard.size());
        assertTrue(heard.get(0).matches("rank 0: receive from rank 2, tag 1, on world at ProgramsUnderFaultsTest.java:"
                + "\\d+: rank 2 did not answer for 60 retries over .*; frames to it .*: 1"), heard.get(0));
        assertEquals("from any rank 77", heard.get(1));
        assertEquals("rank 2 was killed at 30 us of virtual time", failed.getMessage());
    }

    @Test
    void shouldEndTheJobWhenARankIsKilledThatNobodyMisses() {
        ThreadRanks.Failed failed = assertThrows(ThreadRanks.Failed.class,
                () -> run(OFFLOAD, 3, kill("1@5 us", 3), (world, all) -> world.spend(all.rank() == 1 ? 50_000 : 10)));
        assertEquals("rank 1 was killed at 5 us of virtual time", failed.getMessage());
        // A program that has ended before is not harmed.
        assertEquals(-1, run(OFFLOAD, 3, kill("1@5 s", 3), (world, all) -> all.barrier()).killed());
    }

    @Test
    void shouldNeverHangOrEndWellWhenARankIsKilled() {
        for (long seed = 1; seed <= 25; seed++) {
            long number = seed;
            int ranks = 2 + (int) seed % 4;
            Adversity adversity = new Adversity(seed, "", Settings.DEFAULT, ranks, ranks);
            try {
                SimulatedRanks ended = run(seed % 3 == 0 ? ON_HOST : OFFLOAD, ranks, adversity,
                        MixedCalls.of(number));
                assertEquals(-1, ended.killed(), "seed " + seed);
            } catch (ThreadRanks.Failed e) {
                assertTrue(e.getMessage().startsWith("rank " + adversity.kills().getFirst().rank() + " was killed"),
                        () -> "seed " + number + ": " + e);
            }
        }
    }

    @Test
    void shouldSayWhatIsWrongWithAKill() {
        assertEquals("kill: 4 is no rank of 4",
                assertThrows(IllegalArgumentException.class, () -> kill("4", 4)).getMessage());
        assertTrue(assertThrows(IllegalArgumentException.class, () -> kill("1@soon", 4)).getMessage()
                .startsWith("soon is not a time such as 100 ns"));
        assertEquals("faults are for 1024 ranks at most, not 1025",
                assertThrows(IllegalArgumentException.class, () -> faults(1, 1_025)).getMessage());
        Settings large = Settings.DEFAULT.with("device.frame", "65537 B");
        assertEquals("faults are for frames of 65536 B at most (device.frame), not 65537 B",
                assertThrows(IllegalArgumentException.class, () -> new Adversity(1L, null, large, 4, 4)).getMessage());
        Settings most = Settings.DEFAULT.with("device.frame", "64 KiB");
        run(most, 3, new Adversity(5L, null, most, 3, 3), MixedCalls.of(5));
        assertEquals("faults: kill rank 1 at 2 us, kill rank 0 at 3 ms", kill("1@2 us, 0@3 ms", 4).drawn());
        assertEquals(3, kill("3:7@1 us", 4).kills().stream().filter(each -> each.atPs() < 1_000_000)
                .mapToInt(Kill::rank).distinct().count());
        assertEquals("kill: there are no 5 among 4 ranks",
                assertThrows(IllegalArgumentException.class, () -> kill("5:1", 4)).getMessage());
        assertEquals("kill: \"x\" is not like 2, \"2@50 us\", 3:SEED or \"3:SEED@50 us\"",
                assertThrows(IllegalArgumentException.class, () -> kill("1,x", 4)).getMessage());
    }
}
