package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.DeviceConfig;
import io.rankwire.fabric.RemoteFabric.Bug;
import io.rankwire.launch.RemoteRanks;
import io.rankwire.launch.ThreadRanks;
import io.rankwire.memory.Rand;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows whose memory the network reads and writes by itself, compared with arrays. */
@Timeout(600)
class RemoteWindowTest {
    private static final int SLICE = 60_000;
    private static final int ROUNDS = 12;

    /** How the ranks of a round end it. */
    private enum Epoch {
        FENCE,
        GROUP,
        LOCK
    }

    private static long run(int ranks, long seed, Bug bug, int refusesOneOf, World.Body body) {
        return RemoteRanks.run(ranks, seed, bug, refusesOneOf, World.rank(DeviceConfig.DEFAULT, body));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9})
    void shouldMoveBytesAsTheModelSays(long seed) {
        int ranks = 2 + (int) (seed % 3);
        long made = run(ranks, seed, Bug.NONE, seed % 3 == 0 ? 15 : 0, world -> new Program(world, seed).run());
        assertTrue(made > 5, made + " accesses of the network");
    }

    @ParameterizedTest
    @EnumSource(value = Bug.class, names = {"DONE_EARLY", "FRAME_OVERTAKES_WRITE"})
    void shouldFindAFabricThatIsWrong(Bug bug) {
        int found = 0;
        for (long seed = 1; seed <= 12 && found == 0; seed++) {
            long now = seed;
            try {
                run(2, now, bug, 0, world -> new Program(world, now).run());
            } catch (ThreadRanks.Failed e) {
                assertTrue(e.toString().contains("byte") || World.failure(e).toString().contains("byte"),
                        () -> "another failure: " + e);
                found++;
            }
        }
        assertEquals(1, found, "episodes in which the bug shows");
    }

    /** Each rank writes its own slice on all ranks, of which it keeps a model, and adds to a counter of all. */
    private static final class Program {
        private final World world;
        private final Communicator all;
        private final Rand rand;
        private final Rand shared;
        private final Window window;
        private final MemorySegment buffer;
        private final byte[][] model;
        private final long slices;
        private long added;

        Program(World world, long seed) {
            this.world = world;
            all = world.communicator();
            rand = new Rand(100 * seed + all.rank());
            shared = new Rand(seed);
            slices = 8;
            window = all.allocateWindow(slices + (long) SLICE * all.size(), 1);
            buffer = world.allocate(2 * SLICE);
            model = new byte[all.size()][SLICE];
        }

        void run() {
            for (int round = 0; round < ROUNDS; round++) {
                Epoch epoch = Epoch.values()[shared.below(3)];
                if (epoch == Epoch.FENCE) {
                    window.fence();
                    for (int to = 0; to < all.size(); to++) {
                        put(to);
                    }
                    window.fence();
                } else if (epoch == Epoch.GROUP) {
                    window.post(all.group());
                    window.start(all.group());
                    put(rand.below(all.size()));
                    window.complete();
                    window.await();
                } else {
                    byLock(rand.below(all.size()));
                    all.barrier();
                }
                ownSlicesHoldWhatOthersWrote(window.memory().toArray(ValueLayout.JAVA_BYTE));
                readBack();
            }
            window.fence();
            counterHoldsAll();
            window.free();
        }

        /** Puts random bytes, from allocated memory or an array; the source is spoiled when the epoch allows that. */
        private void put(int to) {
            int bytes = 1 + rand.below(rand.chance(1, 3) ? 600 : SLICE);
            int at = rand.below(SLICE - bytes + 1);
            byte[] data = new byte[bytes];
            for (int i = 0; i < bytes; i++) {
                data[i] = (byte) rand.nextLong();
            }
            System.arraycopy(data, 0, model[to], at, bytes);
            long place = slices + (long) all.rank() * SLICE + at;
            if (rand.chance(1, 4)) {
                window.put(data, to, place);
            } else {
                MemorySegment source = world.allocate(bytes);
                source.copyFrom(MemorySegment.ofArray(data));
                window.put(source, to, place);
            }
        }

        private void byLock(int to) {
            window.lock(Window.Lock.EXCLUSIVE, to);
            long before = window.fetchAndOp(1L, to, 0, Op.SUM);
            assertTrue(before >= 0);
            added++;
            MemorySegment source = buffer.asSlice(0, SLICE);
            source.fill((byte) rand.nextLong());
            MemorySegment.copy(source, ValueLayout.JAVA_BYTE, 0, model[to], 0, SLICE);
            window.put(source, to, slices + (long) all.rank() * SLICE);
            window.flushLocal(to);
            source.fill((byte) 0x33);
            window.unlock(to);
        }

        /** Looks at what was here when the epoch ended. */
        private void ownSlicesHoldWhatOthersWrote(byte[] then) {
            byte[] theirs = new byte[SLICE];
            for (int from = 0; from < all.size(); from++) {
                for (int to = 0; to < all.size(); to++) {
                    if (from == to) {
                        continue;
                    }
                    if (all.rank() == from) {
                        all.send(model[to], to, 7);
                    } else if (all.rank() == to) {
                        all.receive(theirs, from, 7);
                        int writer = from;
                        int at = (int) slices + from * SLICE;
                        byte[] here = Arrays.copyOfRange(then, at, at + SLICE);
                        Ranks.assertSame(theirs, here, () -> "what rank " + writer + " wrote");
                    }
                }
            }
            all.barrier();
        }

        private void readBack() {
            int from = rand.below(all.size());
            window.lock(Window.Lock.SHARED, from);
            MemorySegment into = buffer.asSlice(SLICE, SLICE);
            into.fill((byte) 0x77);
            window.get(into, from, slices + (long) all.rank() * SLICE);
            if (rand.chance(1, 2)) {
                window.flush(from);
            } else {
                window.flushLocal(from);
            }
            byte[] found = into.toArray(ValueLayout.JAVA_BYTE);
            Ranks.assertSame(model[from], found, () -> "what comes back from rank " + from);
            window.unlock(from);
            all.barrier();
        }

        private void counterHoldsAll() {
            long[] total = new long[1];
            all.allreduce(new long[] {added}, total, Op.SUM);
            long[] there = {window.memory().get(ValueLayout.JAVA_LONG, 0)};
            long[] sum = new long[1];
            all.allreduce(there, sum, Op.SUM);
            assertEquals(total[0], sum[0], "operations on elements");
        }
    }

    @Test
    void shouldKeepMemoryUntilTheNetworkHasLetGoOfIt() {
        run(2, 1, Bug.NONE, 0, world -> {
            Communicator all = world.communicator();
            Window window = all.allocateWindow(1 << 20, 1);
            window.lockAll();
            for (int i = 0; i < 50; i++) {
                MemorySegment memory = world.allocate(1 << 20);
                window.get(memory, 1 - all.rank(), 0);
                world.free(memory);
                assertThrows(RankwireException.class, () -> world.free(memory));
            }
            window.unlockAll();
            window.free();
        });
    }
}
