package io.rankwire;

import static io.rankwire.launch.MortalRanks.awaitDeaths;
import static io.rankwire.launch.MortalRanks.dies;
import static io.rankwire.launch.MortalRanks.places;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.MortalRanks;
import io.rankwire.memory.Rand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies of states, with ranks that are threads and die. A spare rank takes the place of a dead one here. */
class CheckpointTest {
    private static final int LONG = 50_000;

    @TempDir
    Path directory;

    @Test
    void shouldRestoreBuffersOfAllKinds() {
        MortalRanks.run(3, null, (ranks, job) -> {
            try (World world = World.join(); Arena arena = Arena.ofConfined()) {
                int rank = job.rank();
                Checkpoint safe = Checkpoint.on(world.communicator());
                int[] ints = new int[rank * LONG];
                assertEquals(0, safe.restore("state", new long[1], ints));
                assertEquals(0, safe.ranks("state"));
                boolean[] flags = {rank > 0, true};
                MemorySegment segment = arena.allocate(16);
                segment.set(ValueLayout.JAVA_LONG, 8, 40 + rank);
                ByteBuffer bytes = ByteBuffer.allocate(8).position(4);
                bytes.put(5, (byte) (rank + 9));
                Arrays.fill(ints, rank);
                Object[] all = {ints, flags, segment, bytes, new double[] {rank + 0.5}, new char[] {'a'}};
                assertEquals(1, safe.save("state", all));
                assertEquals(2, safe.save("state", all));
                assertEquals(1, safe.save("other", new long[] {rank}));
                Arrays.fill(ints, -1);
                flags[0] = rank == 0;
                segment.set(ValueLayout.JAVA_LONG, 8, 0);
                bytes.put(5, (byte) 0);
                ((double[]) all[4])[0] = 0;
                assertEquals(2, safe.restore("state", all));
                assertTrue(Arrays.stream(ints).allMatch(each -> each == rank));
                assertEquals(rank > 0, flags[0]);
                assertEquals(40 + rank, segment.get(ValueLayout.JAVA_LONG, 8));
                assertEquals(rank + 9, bytes.get(5));
                assertEquals(rank + 0.5, ((double[]) all[4])[0]);
                long[] next = new long[1];
                assertEquals(1, safe.restoreOf("other", (rank + 1) % 3, next));
                assertEquals((rank + 1) % 3, next[0]);
                assertEquals(3, safe.ranks("other"));
            }
        });
    }

    @Test
    void shouldFailAtAllMembersIfTheBuffersOfOneDoNotFit() {
        MortalRanks.run(3, null, (ranks, job) -> {
            try (World world = World.join()) {
                Checkpoint safe = Checkpoint.on(world.communicator());
                safe.save("state", new int[4]);
                int[] into = new int[job.rank() == 1 ? 5 : 4];
                RankwireException error = assertThrows(RankwireException.class, () -> safe.restore("state", into));
                assertTrue(error.getMessage().contains(job.rank() == 1
                        ? "buffer 0 has 20 bytes, and was saved with 16" : "failed"), error.getMessage());
                assertTrue(world.communicator().isRevoked());
                Checkpoint again = safe.moveTo(world.communicator().shrink());
                assertEquals(1, again.restore("state", new int[4]));
            }
        });
    }

    /** The others do not wait for a member whose argument is wrong. */
    @Test
    void shouldFailAtAllMembersIfAnArgumentOfOneIsWrong() {
        MortalRanks.run(3, null, (ranks, job) -> {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                MemorySegment closed;
                try (Arena arena = Arena.ofConfined()) {
                    closed = arena.allocate(8);
                }
                assertWrong(all, ErrorClass.ARGUMENT, "save: argument name: \"a b\"",
                        (safe, it) -> safe.save(it ? "a b" : "a"));
                assertWrong(all, ErrorClass.ARGUMENT, "restore: argument name: \"null\"",
                        (safe, it) -> safe.restore(it ? null : "a"));
                assertWrong(all, ErrorClass.ARGUMENT, "save: argument buffers is null",
                        (safe, it) -> safe.save("a", it ? null : new Object[0]));
                assertWrong(all, ErrorClass.ARGUMENT, "restoreOf: argument buffers is null",
                        (safe, it) -> safe.restoreOf("a", 0, it ? null : new Object[0]));
                assertWrong(all, ErrorClass.BUFFER, "save: argument buffer: a java.lang.String is no",
                        (safe, it) -> safe.save("a", it ? "text" : new int[1]));
                assertWrong(all, ErrorClass.BUFFER, "save: argument buffer is null",
                        (safe, it) -> safe.save("a", new int[1], it ? null : new int[1]));
                assertWrong(all, ErrorClass.BUFFER, "save: argument buffer: its memory is closed",
                        (safe, it) -> safe.save("a", it ? closed : new int[1]));
                assertWrong(all, ErrorClass.BUFFER, "restore: argument buffer: HeapByteBufferR is read-only",
                        (safe, it) -> safe.restore("a", it ? ByteBuffer.allocate(8).asReadOnlyBuffer() : new int[1]));
            }
        });
    }

    @Test
    void shouldNameTheLineOfACallThatARevocationEndsOnce() {
        MortalRanks.run(2, null, (ranks, job) -> {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                Checkpoint safe = Checkpoint.on(all);
                if (all.rank() == 1) {
                    all.revoke();
                }
                RankwireException error =
                        assertThrows(RankwireException.class, () -> safe.restore("state", new int[1]));
                assertEquals(ErrorClass.REVOKED, error.errorClass());
                assertTrue(error.getMessage().matches(
                        "rank [01]: restore with rank [01], on world: world was revoked at CheckpointTest.java:\\d+"),
                        error.getMessage());
            }
        });
    }

    private static void assertWrong(
            Communicator all, ErrorClass of, String what, BiConsumer<Checkpoint, Boolean> call) {
        Communicator on = all.shrink();
        boolean it = on.rank() == 1;
        RankwireException error =
                assertThrows(RankwireException.class, () -> call.accept(Checkpoint.on(on), it), what);
        assertEquals(it ? of : ErrorClass.REVOKED, error.errorClass(), error.getMessage());
        assertTrue(!it || error.getMessage().startsWith("rank 1: " + what)
                && error.getMessage().matches(".* at CheckpointTest.java:\\d+"), error.getMessage());
        on.free();
    }

    /** A spare has the place of a dead rank, as a rank has that replaces it. */
    private static Communicator withSpare(Communicator all, int dead) {
        Communicator live = all.shrink();
        int[] order = new int[live.size()];
        int next = 0;
        for (int i = 0; i < order.length; i++) {
            order[i] = i == dead ? live.size() - 1 : next++;
        }
        return live.create(live.group().include(order)).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void shouldGiveANewRankTheStateOfTheDeadOne(int victim) {
        MortalRanks.run(6, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            boolean isSpare = job.rank() >= 4;
            Communicator four = all.split(isSpare ? -1 : 0, 0).orElse(null);
            Checkpoint safe = null;
            long[] state = new long[LONG];
            if (!isSpare) {
                safe = Checkpoint.on(four);
                Arrays.fill(state, 7 * job.rank());
                safe.save("state", state);
                all.send(new int[1], 5, 1);
                if (job.rank() == victim) {
                    dies();
                }
            } else if (job.rank() == 5) {
                for (int i = 0; i < 4; i++) {
                    all.receive(new int[1], i, 1);
                }
            }
            // Rank 5 dies too, but has no state.
            if (job.rank() == 5) {
                dies();
            }
            awaitDeaths(all, 2);
            Communicator repaired = withSpare(all, victim);
            safe = isSpare ? Checkpoint.on(repaired) : safe.moveTo(repaired);
            Arrays.fill(state, -1);
            assertEquals(1, safe.restore("state", state));
            assertTrue(Arrays.stream(state).allMatch(each -> each == 7 * repaired.rank()));
            Arrays.fill(state, 9 * repaired.rank());
            assertEquals(2, safe.save("state", state));
            assertEquals(2, safe.restoreOf("state", 3 - repaired.rank(), state));
            assertEquals(9 * (3 - repaired.rank()), state[LONG - 1]);
            // There are as many copies as before: two steps later the next one may die.
            if (repaired.rank() == 2) {
                dies();
            }
            Communicator three = repaired.shrink();
            safe = safe.moveTo(three);
            assertEquals(2, safe.restoreOf("state", 2, state));
            assertEquals(18, state[0]);
            assertEquals(4, safe.ranks("state"));
            world.close();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldLoseAStateOnlyWithAllItsCopies(int partners) {
        MortalRanks.run(5, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Checkpoint safe = Checkpoint.on(all).partners(partners);
            long[] state = {job.rank() * 3};
            safe.save("state", state);
            if (job.rank() == 2 || job.rank() == 3) {
                dies();
            }
            awaitDeaths(all, 2);
            Checkpoint less = safe.moveTo(all.shrink());
            if (partners == 2) {
                assertEquals(1, less.restoreOf("state", 2, state));
                assertEquals(6, state[0]);
                assertEquals(1, less.restoreOf("state", 3, state));
                assertEquals(9, state[0]);
            } else {
                RankwireException error = assertThrows(RankwireException.class, () -> less.restore("state", state));
                assertEquals(ErrorClass.RESOURCE, error.errorClass());
                assertTrue(error.getMessage().contains("what rank 2 of 5 has saved is lost"), error.getMessage());
            }
            world.close();
        });
    }

    @Test
    void shouldRestoreFromDisk() {
        for (int job = 0; job < 2; job++) {
            boolean first = job == 0;
            MortalRanks.run(3, null, (ranks, rank) -> {
                try (World world = World.join()) {
                    Checkpoint safe = Checkpoint.on(world.communicator()).partners(0).directory(directory);
                    long[] state = {rank.rank()};
                    assertEquals(first ? 0 : 4, safe.restore("state", state));
                    assertEquals(first ? rank.rank() : rank.rank() + 40, state[0]);
                    for (int epoch = 1; first && epoch <= 4; epoch++) {
                        state[0] = rank.rank() + 10 * epoch;
                        assertEquals(epoch, safe.save("state", state));
                    }
                }
            });
        }
        assertArrayEquals(IntStream.range(0, 6).mapToObj(i -> "state.3." + i / 2 + "." + (3 + i % 2)).toArray(),
                Arrays.stream(directory.toFile().list()).sorted().toArray());
    }

    /** Two saves fail when some ranks have written their files, and others not: neither is taken for the other. */
    @Test
    void shouldNotMixWhatFailedSavesHaveWritten(@TempDir Path full) throws Exception {
        for (int failing = 0; failing < 2; failing++) {
            // In the place of a draft.
            Files.createDirectories(full.resolve("state." + (3 - failing) + ".0.2.draft").resolve("any"));
            Files.createDirectories(full.resolve("state.3." + failing + ".2.draft").resolve("any"));
        }
        MortalRanks.run(3, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Checkpoint.on(all).directory(directory).save("state", new long[] {10 + job.rank()});
            for (int failing = 0; failing < 2; failing++) {
                Path place = job.rank() == failing ? full : directory;
                Checkpoint safe = Checkpoint.on(all).directory(directory);
                long[] state = new long[1];
                assertEquals(1, safe.restore("state", state));
                assertEquals(10 + job.rank(), state[0]);
                state[0] = 20 + 10 * failing + job.rank();
                RankwireException error = assertThrows(RankwireException.class,
                        () -> safe.directory(place).save("state", state));
                assertTrue(error.getMessage().contains(place == directory ? "failed" : "cannot keep a state"),
                        error.getMessage());
                all = all.shrink();
            }
            long[] state = new long[1];
            assertEquals(1, Checkpoint.on(all).directory(directory).restore("state", state));
            assertEquals(10 + job.rank(), state[0]);
            world.close();
        });
        assertArrayEquals(new String[] {"state.3.0.1", "state.3.1.1", "state.3.2.1"},
                Arrays.stream(directory.toFile().list()).sorted().toArray());
    }

    /** A job ended when some ranks had committed their files: the others' drafts are as good. */
    @Test
    void shouldRestoreDraftsOfASaveThatWasAgreedOn() throws Exception {
        for (int job = 0; job < 2; job++) {
            boolean first = job == 0;
            MortalRanks.run(3, null, (ranks, rank) -> {
                try (World world = World.join()) {
                    Checkpoint safe = Checkpoint.on(world.communicator()).partners(0).directory(directory);
                    long[] state = {rank.rank()};
                    for (int epoch = 1; first && epoch <= 2; epoch++) {
                        state[0] = rank.rank() + 10 * epoch;
                        safe.save("state", state);
                    }
                    if (!first) {
                        assertEquals(2, safe.restore("state", state));
                        assertEquals(rank.rank() + 20, state[0]);
                    }
                }
            });
            if (first) {
                Files.move(directory.resolve("state.3.1.2"), directory.resolve("state.3.1.2.draft"));
            }
        }
    }

    /** Runs a job of three ranks with files of states. */
    private void job(boolean restores, int expected, int value, int saves) {
        MortalRanks.run(3, null, (ranks, rank) -> {
            try (World world = World.join()) {
                Checkpoint safe = Checkpoint.on(world.communicator()).directory(directory);
                long[] state = {-1};
                if (restores) {
                    assertEquals(expected, safe.restore("state", state));
                    assertEquals(value + rank.rank(), state[0]);
                }
                for (int i = 0; i < saves; i++) {
                    state[0] = value + 10 * i + rank.rank();
                    assertEquals(expected + 1 + i, safe.save("state", state));
                }
            }
        });
    }

    /** A job that does not restore: what it saves is later than the files that are there. */
    @Test
    void shouldRestoreFromDiskWhatTheLastJobHasSaved() {
        job(false, 0, 100, 3);
        job(false, 3, 200, 1);
        job(true, 4, 200, 0);
        job(false, 4, 300, 2);
        job(true, 6, 310, 0);
    }

    /** A file of the last save is gone, or is cut short: then all restore the one before, and do not mix the two. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 4, 17})
    void shouldRestoreTheSaveBeforeIfAFileIsLost(int bytes) throws Exception {
        job(false, 0, 100, 3);
        Path last = directory.resolve("state.3.1.3");
        byte[] content = Files.readAllBytes(last);
        Files.delete(last);
        if (bytes >= 0) {
            Files.write(last, Arrays.copyOf(content, bytes));
        }
        job(true, 2, 110, 0);
        MortalRanks.run(3, null, (ranks, rank) -> {
            try (World world = World.join()) {
                Checkpoint safe = Checkpoint.on(world.communicator()).directory(directory);
                long[] state = {-1};
                assertEquals(2, safe.restore("state", state));
                state[0] = 200 + rank.rank();
                assertEquals(4, safe.save("state", state));
            }
        });
        job(true, 4, 200, 0);
    }

    @Test
    void shouldFailAtAllMembersIfFilesOfTwoSavesAreLost() throws Exception {
        job(false, 0, 100, 3);
        Files.delete(directory.resolve("state.3.1.3"));
        Files.write(directory.resolve("state.3.1.2"), new byte[3]);
        MortalRanks.run(3, null, (ranks, rank) -> {
            try (World world = World.join()) {
                Checkpoint safe = Checkpoint.on(world.communicator()).directory(directory);
                RankwireException error = assertThrows(RankwireException.class,
                        () -> safe.restore("state", new long[1]));
                assertEquals(ErrorClass.RESOURCE, error.errorClass());
                assertTrue(error.getMessage().contains("what rank 1 of 3 has saved is lost"), error.getMessage());
                assertEquals(4, safe.save("state", new long[] {200 + rank.rank()}));
            }
        });
        job(true, 4, 200, 0);
    }

    @Test
    void shouldSaveAndRestoreOnAThreadThatIsInterrupted() {
        for (int job = 0; job < 2; job++) {
            boolean first = job == 0;
            MortalRanks.run(2, null, (ranks, rank) -> {
                try (World world = World.join()) {
                    Checkpoint safe = Checkpoint.on(world.communicator()).directory(directory);
                    long[] state = {40 + rank.rank()};
                    Thread.currentThread().interrupt();
                    if (first) {
                        assertEquals(1, safe.save("state", state));
                    } else {
                        state[0] = 0;
                        assertEquals(1, safe.restore("state", state));
                        assertEquals(40 + rank.rank(), state[0]);
                    }
                    assertTrue(Thread.interrupted());
                }
            });
        }
    }

    /** A rank ends in the agreement of a save, which other ranks may have found to be good: its file is needed then. */
    @Test
    void shouldKeepTheFileOfASaveWhoseEndIsNotKnown() throws Exception {
        Path mine = directory.resolve("state.2.0.1.draft");
        Path other = directory.resolve("state.2.1.1.draft");
        // Its rank waits there until this is read.
        assertEquals(0, new ProcessBuilder("mkfifo", other.toString()).start().waitFor());
        MortalRanks.run(2, null, (ranks, job) -> {
            World world = World.join();
            Checkpoint safe = Checkpoint.on(world.communicator()).partners(0).directory(directory);
            if (job.rank() == 1) {
                ranks.aside("killer", () -> {
                    while (mine.toFile().length() < 3 * Long.BYTES) {
                        LockSupport.parkNanos(100_000);
                    }
                    ranks.declare(0);
                });
                ranks.aside("reader", () -> {
                    while (world.communicator().failed().size() == 0) {
                        LockSupport.parkNanos(100_000);
                    }
                    Files.readAllBytes(other);
                });
            }
            RankwireException error = assertThrows(RankwireException.class, () -> safe.save("state", new long[1]));
            assertEquals(job.rank() == 0 ? ErrorClass.ABORTED : ErrorClass.PEER, error.errorClass(), error.toString());
            world.close();
        });
        assertArrayEquals(new String[] {mine.getFileName().toString()}, directory.toFile().list());
    }

    static List<Integer> seeds() {
        return IntStream.range(0, Integer.getInteger("rankwire.test.checkpoint.deaths", 60)).boxed().toList();
    }

    /**
     * A rank dies at any time, most often inside a save: all that live have saved, or none. {@code
     * -Drankwire.test.checkpoint.deaths=2000} is for many.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldSaveAtAllMembersOrNone(int seed) {
        Rand plan = new Rand(seed);
        int size = 2 + plan.below(4);
        int victim = plan.below(size);
        int fatal = 1 + plan.below(4);
        int kind = plan.below(4);
        long pauseNs = plan.below(400_000);
        Map<Integer, Long> epochs = new ConcurrentHashMap<>();
        CountDownLatch begun = new CountDownLatch(1);
        MortalRanks.run(size, places(seed % 3 == 0), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Checkpoint safe = seed % 5 == 0 ? Checkpoint.on(all).directory(directory) : Checkpoint.on(all);
            long[] state = new long[seed % 2 == 0 ? 3 : LONG];
            try {
                for (int step = 1; step <= 8; step++) {
                    Arrays.fill(state, 100 * step + job.rank());
                    if (job.rank() == victim && step == fatal) {
                        if (kind == 0) {
                            dies();
                        }
                        begun.countDown();
                    }
                    if (job.rank() == (victim + 1) % size && step == fatal && kind != 0) {
                        begun.await();
                        ranks.aside("killer", () -> {
                            LockSupport.parkNanos(pauseNs);
                            ranks.declare(victim);
                        });
                    }
                    assertEquals(step, safe.save("state", state));
                }
                // The death was later than all saves.
                while (all.agree(1) != 0) {
                    Thread.onSpinWait();
                }
            } catch (RankwireException e) {
                if (job.rank() == victim) {
                    throw e;
                }
                assertEquals(ErrorClass.PEER, e.errorClass(), e.toString());
            }
            Communicator live = all.shrink();
            Checkpoint moved = safe.moveTo(live);
            long epoch = moved.restoreOf("state", job.rank(), state);
            epochs.put(job.rank(), epoch);
            if (epoch > 0) {
                assertTrue(Arrays.stream(state).allMatch(each -> each == 100 * epoch + job.rank()));
                assertEquals(epoch, moved.restoreOf("state", victim, state));
                assertTrue(Arrays.stream(state).allMatch(each -> each == 100 * epoch + victim));
            }
            assertEquals(epoch + 1, moved.save("state", state));
            world.close();
        });
        assertEquals(size - 1, epochs.size());
        assertEquals(1, epochs.values().stream().distinct().count(), epochs.toString());
    }
}
