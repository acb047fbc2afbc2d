package io.rankwire;

import static io.rankwire.Communicator.ANY_SOURCE;
import static io.rankwire.Worlds.assertFails;
import static io.rankwire.Worlds.assertHolds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.rankwire.runtime.Agreement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
final class IntercommunicatorTest {
    /** An intercommunicator of the even ranks, highest first, and the odd ones; the last of each side is the leader. */
    private static Intercommunicator evenAndOdd(Communicator all, Communicator side) {
        int odd = all.rank() % 2;
        int leader = side.size() - 1;
        boolean leads = side.rank() == leader;
        // The last rank of the even side is rank 0, that of the odd side the highest odd rank.
        int remoteLeader = odd == 1 ? 0 : (all.size() - 2) / 2 * 2 + 1;
        return side.intercommunicator(leader, leads ? all : null, leads ? remoteLeader : -5, 77);
    }

    private static Communicator side(Communicator all) {
        int odd = all.rank() % 2;
        return all.split(odd, odd == 0 ? -all.rank() : all.rank()).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6})
    void shouldPassMessagesToTheOtherSide(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            Communicator side = side(all);
            Intercommunicator inter = evenAndOdd(all, side);
            assertEquals(side.rank(), inter.rank());
            assertEquals(side.size(), inter.size());
            assertEquals(ranks - side.size(), inter.remoteSize());
            assertEquals(side.group(), inter.group());
            assertNotEquals(Comparison.UNEQUAL, all.group().difference(side.group()).compare(inter.remoteGroup()));

            // Each rank sends to each rank of the other side; sources are ranks of the other side.
            Request[] sent = new Request[inter.remoteSize()];
            for (int to = 0; to < sent.length; to++) {
                sent[to] = inter.isend(new int[] {all.rank()}, to, 5);
            }
            int[] in = new int[1];
            boolean[] heard = new boolean[inter.remoteSize()];
            for (int i = 0; i < heard.length; i++) {
                Status status = inter.receive(in, ANY_SOURCE, 5);
                assertEquals(inter.remoteGroup().worldRank(status.source()), in[0]);
                assertFalse(heard[status.source()], "heard twice");
                heard[status.source()] = true;
            }
            Request.awaitAll(sent);

            // Pairs exchange small and large messages.
            if (inter.rank() < inter.remoteSize()) {
                for (int size : new int[] {1, 100, 20_000}) {
                    double[] ball = new double[size];
                    if (all.rank() % 2 == 0) {
                        ball[size - 1] = size;
                        inter.send(ball, inter.rank(), 6);
                        assertEquals(inter.rank(), inter.receive(ball, inter.rank(), 6).source());
                        assertEquals(size + 1, ball[size - 1]);
                    } else {
                        assertEquals(size, inter.probe(inter.rank(), 6).count());
                        inter.receive(ball, inter.rank(), 6);
                        ball[size - 1]++;
                        inter.send(ball, inter.rank(), 6);
                    }
                }
            }
            Intercommunicator copy = inter.duplicate();
            assertEquals(Comparison.CONGRUENT, copy.compare(inter));
            assertEquals(Comparison.IDENTICAL, inter.compare(inter));
            if (copy.rank() == 0) {
                copy.sendObject("over " + all.rank(), 0, 1);
                assertEquals("over " + copy.remoteGroup().worldRank(0), copy.receiveObject(String.class, 0, 1));
            }
            copy.free();
            inter.free();
            assertFails(ErrorClass.COMMUNICATOR, () -> inter.send(in, 0, 5), "was freed", "world.split", ".inter");
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 6})
    void shouldMergeTheHighSideLast(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            Communicator side = side(all);
            Intercommunicator inter = evenAndOdd(all, side);
            Group even = all.rank() % 2 == 0 ? inter.group() : inter.remoteGroup();
            Group odd = all.rank() % 2 == 1 ? inter.group() : inter.remoteGroup();
            for (int high = 0; high < 2; high++) {
                Communicator merged = inter.merge(all.rank() % 2 == high);
                Group expected = high == 0 ? odd.union(even) : even.union(odd);
                assertEquals(expected, merged.group());
                int[] in = new int[1];
                merged.sendReceive(
                        new int[] {all.rank()}, Worlds.next(merged), 1, in, Worlds.previous(merged), 1);
                assertEquals(expected.worldRank(Worlds.previous(merged)), in[0]);
                merged.free();
            }
            Communicator undecided = inter.merge(true);
            assertEquals(Comparison.SIMILAR, worse(undecided.group().compare(all.group())));
            long[][] groups = Agreement.of(all.endpoint(), 1000, "test").allgather(
                    undecided.group().worldRank(0), undecided.group().worldRank(ranks - 1));
            for (long[] row : groups) {
                assertEquals(groups[0][0], row[0], "all agree on the order");
                assertEquals(groups[0][1], row[1]);
            }
            undecided.free();
            inter.free();
            side.free();
        });
    }

    private static Comparison worse(Comparison groups) {
        return groups == Comparison.IDENTICAL ? Comparison.SIMILAR : groups;
    }

    @Test
    void shouldTellAllThatASideContradictsItself() {
        Worlds.run(4, world -> {
            Communicator all = world.communicator();
            Intercommunicator inter = evenAndOdd(all, side(all));
            assertFails(ErrorClass.ARGUMENT, () -> inter.merge(all.rank() == 3), "merge", "high", "world ranks",
                    "3", "1", "same side");
            inter.free();
        });
    }

    @Test
    void shouldRefuseSidesThatHaveARankInCommon() {
        Worlds.run(3, world -> {
            Communicator all = world.communicator();
            Optional<Communicator> low = all.create(all.group().include(0, 1));
            Optional<Communicator> high = all.create(all.group().include(2, 1));
            List<Thread> threads = new ArrayList<>();
            List<Throwable> seen = new ArrayList<>();
            low.ifPresent(side -> threads.add(fail(seen, () -> side.intercommunicator(0, all, 2, 1))));
            high.ifPresent(side -> threads.add(fail(seen, () -> side.intercommunicator(0, all, 0, 1))));
            for (Thread thread : threads) {
                thread.join();
            }
            assertEquals(all.rank() == 1 ? 2 : 1, seen.size());
            for (Throwable error : seen) {
                assertHolds(error.getMessage(), "intercommunicator", "world rank 1 is on both sides");
            }
        });
    }

    private static Thread fail(List<Throwable> seen, Runnable call) {
        Thread thread = new Thread(() -> {
            RankwireException error = assertFails(ErrorClass.COMMUNICATOR, call::run);
            synchronized (seen) {
                seen.add(error);
            }
        });
        thread.start();
        return thread;
    }

    @Test
    void shouldNameWrongArguments() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            Communicator self = all.split(all.rank(), 0).orElseThrow();
            assertFails(ErrorClass.RANK, () -> self.intercommunicator(1, all, 0, 1), "leader: 1", self.name());
            assertFails(ErrorClass.ARGUMENT, () -> self.intercommunicator(0, null, 0, 1), "bridge is null");
            assertFails(ErrorClass.RANK, () -> self.intercommunicator(0, all, 2, 1), "remoteLeader: 2");
            assertFails(ErrorClass.RANK, () -> self.intercommunicator(0, all, all.rank(), 1), "this rank itself");
            int other = 1 - all.rank();
            assertFails(ErrorClass.TAG, () -> self.intercommunicator(0, all, other, -1), "tag: -1");
            assertFails(ErrorClass.TAG, () -> self.intercommunicator(0, all, other, 1 << 28), "tag: 268435456");
            Intercommunicator inter = self.intercommunicator(0, all, other, (1 << 28) - 1);
            assertFails(ErrorClass.RANK, () -> inter.send(new int[1], 1, 0), "dest: 1", ".inter");
            assertHolds(inter.toString(), "rank 0 of 1, facing 1");
            inter.name("bridge");
            assertFails(ErrorClass.RANK, () -> inter.irecv(new int[1], 1, 0), "source: 1", "bridge");
            inter.free();
        });
    }

    @Test
    void shouldReuseContextsOfMany() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            Communicator self = all.split(all.rank(), 0).orElseThrow();
            for (int i = 0; i < 5_000; i++) {
                Intercommunicator inter = self.intercommunicator(0, all, 1 - all.rank(), 0);
                if (i % 1000 == 0) {
                    inter.merge(all.rank() == 0).free();
                }
                inter.free();
            }
        });
    }
}
