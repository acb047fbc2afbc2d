package io.rankwire;

import static io.rankwire.Worlds.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Buffers in thread-confined memory, in ranks of several threads. */
@Timeout(300)
final class ConfinedMemoryTest {
    private static final int[] SIZES = {8, 64, 3_000, 7_000, 200_000};
    /** Every other int, and rows long enough to be copied one by one. */
    private static final Datatype[] TYPES = {
        Datatype.vector(2_000, 1, 2, Datatype.INT), Datatype.vector(20, 1_000, 1_500, Datatype.BYTE)};

    /** The programs of the ranks; each must pass with and without native access. */
    enum Case {
        RECEIVE_BESIDE_ANOTHER_THREAD, SEND_BESIDE_ANOTHER_THREAD, LEAVE_REQUESTS_TO_ANOTHER_THREAD,
        LEAVE_TYPED_REQUESTS_TO_ANOTHER_THREAD, LEAVE_PERSISTENT_REQUESTS, AWAIT_FROM_ANOTHER_THREAD, REFUSE_STRANGERS,
        ACCESS_WINDOWS, KEEP_WINDOW_TO_ONE_THREAD, KEEP_COLLECTIVE_TO_ONE_THREAD, CLOSE_UNDER_REQUESTS,
        LEND_MESSAGES
    }

    /** Entry point of a separate process with native access. */
    static final class InProcess {
        public static void main(String[] args) {
            for (Case each : Case.values()) {
                Worlds.run(2, world -> run(each, world));
            }
            Worlds.run(2, ConfinedMemoryTest::combineBesideAnotherThread);
            System.out.println("all held, by address: " + Words.reachAll());
        }
    }

    private static void run(Case which, World world) throws Exception {
        Communicator all = world.communicator();
        switch (which) {
            case RECEIVE_BESIDE_ANOTHER_THREAD -> receiveBeside(all);
            case SEND_BESIDE_ANOTHER_THREAD -> sendBeside(all);
            case LEAVE_REQUESTS_TO_ANOTHER_THREAD -> leaveRequests(all);
            case LEAVE_TYPED_REQUESTS_TO_ANOTHER_THREAD -> leaveTypedRequests(all);
            case LEAVE_PERSISTENT_REQUESTS -> leavePersistent(all);
            case AWAIT_FROM_ANOTHER_THREAD -> awaitFromAnother(all);
            case REFUSE_STRANGERS -> refuseStrangers(all);
            case ACCESS_WINDOWS -> accessWindows(all);
            case KEEP_WINDOW_TO_ONE_THREAD -> keepWindow(all);
            case KEEP_COLLECTIVE_TO_ONE_THREAD -> keepCollective(all);
            case CLOSE_UNDER_REQUESTS -> closeUnderRequests(all);
            case LEND_MESSAGES -> lendMessages(all);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldHoldWithoutNativeAccess(Case which) {
        Worlds.run(2, world -> run(which, world));
    }

    @Test
    void shouldHoldWithNativeAccess() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-ea",
                        "--enable-native-access=ALL-UNNAMED", "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        InProcess.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(200, TimeUnit.SECONDS));
        assertEquals("all held, by address: true\n", said);
    }

    private static CompletableFuture<Throwable> inThread(Executable call) {
        CompletableFuture<Throwable> got = new CompletableFuture<>();
        new Thread(() -> {
            try {
                call.execute();
                got.complete(null);
            } catch (Throwable e) {
                got.complete(e);
            }
        }, "other").start();
        return got;
    }

    private static byte[] bytes(int size, int seed) {
        byte[] made = new byte[size];
        for (int i = 0; i < size; i++) {
            made[i] = (byte) (i * 7 + (i >> 8) + seed);
        }
        return made;
    }

    private static byte[] read(MemorySegment memory, int size) {
        return memory.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE);
    }

    private static void lendMessages(Communicator all) {
        if (all.rank() == 1) {
            for (int i = 0; i < 40; i++) {
                all.send(bytes(SIZES[i % SIZES.length], i), 0, 1);
            }
            return;
        }
        Message[] lent = new Message[40];
        MemorySegment[] views = new MemorySegment[40];
        for (int i = 0; i < 40; i++) {
            lent[i] = all.mprobe(1, 1);
            views[i] = lent[i].view();
        }
        for (int i = 0; i < 40; i++) {
            MemorySegment view = views[i];
            assertArrayEquals(bytes(SIZES[i % SIZES.length], i), read(view, (int) view.byteSize()));
            lent[i].release();
            assertThrows(IllegalStateException.class, () -> view.get(ValueLayout.JAVA_BYTE, 0));
        }
    }

    private static void receiveBeside(Communicator all) throws Exception {
        if (all.rank() == 1) {
            for (int i = 0; i < 40; i++) {
                all.send(bytes(SIZES[i % SIZES.length], i), 0, 1);
            }
            all.receive(new byte[1], 0, 2);
            all.send(bytes(8, 99), 0, 55);
            return;
        }
        byte[] late = new byte[8];
        CompletableFuture<Throwable> other = inThread(() -> all.receive(late, 1, 55));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(200_000);
            for (int i = 0; i < 40; i++) {
                int size = SIZES[i % SIZES.length];
                assertEquals(size, all.receive(memory, 1, 1).bytes());
                assertArrayEquals(bytes(size, i), read(memory, size));
            }
        }
        all.send(new byte[1], 1, 2);
        assertNull(other.get());
        assertArrayEquals(bytes(8, 99), late);
    }

    private static void sendBeside(Communicator all) throws Exception {
        if (all.rank() == 1) {
            for (int i = 0; i < 40; i++) {
                byte[] got = new byte[SIZES[i % SIZES.length]];
                all.receive(got, 0, 1);
                assertArrayEquals(bytes(got.length, i), got);
            }
            all.send(new byte[1], 0, 55);
            return;
        }
        CompletableFuture<Throwable> other = inThread(() -> all.receive(new byte[1], 1, 55));
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < 40; i++) {
                MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes(SIZES[i % SIZES.length], i));
                if (i % 2 == 0) {
                    all.send(memory, 1, 1);
                } else {
                    all.ssend(memory, 1, 1);
                }
            }
        }
        assertNull(other.get());
    }

    /** The thread that has started the operations waits for another thread, which alone makes calls meanwhile. */
    private static void leaveRequests(Communicator all) throws Exception {
        int other = 1 - all.rank();
        for (int size : SIZES) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment in = arena.allocate(size);
                Request received = all.irecv(in, other, 1);
                Request sent = all.isend(arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes(size, all.rank())), other, 1);
                Request confirmed = all.issend(arena.allocate(size), other, 2);
                assertNull(inThread(() -> {
                    all.receive(new byte[size], other, 2);
                    all.sendReceive(new byte[1], other, 3, new byte[1], other, 3);
                }).get());
                Request.awaitAll(received, sent, confirmed);
                assertArrayEquals(bytes(size, other), read(in, size));
            }
        }
    }

    private static void leaveTypedRequests(Communicator all) throws Exception {
        int other = 1 - all.rank();
        for (Datatype type : TYPES) {
            int extent = (int) type.extent();
            try (Arena arena = Arena.ofConfined()) {
                byte[] pattern = bytes(2 * extent, 5);
                MemorySegment in = arena.allocateFrom(ValueLayout.JAVA_BYTE, pattern);
                Request received = all.irecv(in, 0, 2, type, other, 1);
                Request sent = all.isend(arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes(2 * extent, all.rank())), 0, 2,
                        type, other, 1);
                assertNull(inThread(() -> all.sendReceive(new byte[1], other, 3, new byte[1], other, 3)).get());
                Request.awaitAll(received, sent);
                byte[] packed = new byte[(int) type.packSize(2)];
                type.pack(bytes(2 * extent, other), 0, 2, packed, 0);
                type.unpack(packed, 0, pattern, 0, 2);
                assertArrayEquals(pattern, read(in, 2 * extent));
            }
        }
    }

    private static void leavePersistent(Communicator all) throws Exception {
        int other = 1 - all.rank();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment in = arena.allocate(200_000);
            MemorySegment out = arena.allocate(200_000);
            Request received = all.receiveInit(in, 0, 200_000, other, 1);
            Request sent = all.sendInit(out, 0, 200_000, other, 1);
            for (int i = 0; i < 3; i++) {
                out.copyFrom(MemorySegment.ofArray(bytes(200_000, i + all.rank())));
                Request.startAll(received, sent);
                assertNull(inThread(() -> all.sendReceive(new byte[1], other, 3, new byte[1], other, 3)).get());
                Request.awaitAll(sent, received);
                assertArrayEquals(bytes(200_000, i + other), read(in, 200_000));
            }
            assertNull(inThread(() -> assertFails(
                    ErrorClass.BUFFER, received::start, "belongs to another thread than other")).get());
        }
    }

    private static void awaitFromAnother(Communicator all) throws Exception {
        int other = 1 - all.rank();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment in = arena.allocate(8);
            Request received = all.irecv(in, other, 1);
            assertNull(inThread(() -> {
                all.send(bytes(8, all.rank()), other, 1);
                all.sendReceive(new byte[1], other, 3, new byte[1], other, 3);
                assertFails(ErrorClass.REQUEST, received::await, "only by the thread it belongs to");
                assertFails(ErrorClass.REQUEST, () -> Request.awaitAll(received), "only by the thread it belongs to");
            }).get());
            assertEquals(8, received.await().bytes());
            assertArrayEquals(bytes(8, other), read(in, 8));
        }
    }

    private static void refuseStrangers(Communicator all) throws Exception {
        int other = 1 - all.rank();
        Arena arena = Arena.ofConfined();
        MemorySegment memory = arena.allocate(16);
        String wrong = "belongs to another thread than other at ConfinedMemoryTest.java:";
        assertNull(inThread(() -> {
            assertFails(ErrorClass.BUFFER, () -> all.send(memory, other, 1), wrong);
            assertFails(ErrorClass.BUFFER, () -> all.isend(memory.asByteBuffer(), other, 1), wrong);
            assertFails(ErrorClass.BUFFER, () -> all.receive(memory, other, 1), wrong);
            assertFails(ErrorClass.BUFFER, () -> all.irecv(memory, 0, 1, Datatype.INT, other, 1), wrong);
            assertFails(ErrorClass.BUFFER, () -> all.allreduce(memory, new int[4], Op.SUM), wrong);
            assertFails(ErrorClass.BUFFER, () -> all.ibroadcast(memory, 0), wrong);
            assertFails(ErrorClass.BUFFER, () -> all.window(memory, 1), wrong);
        }).get());
        arena.close();
        String closed = "argument buffer: its memory is closed at ConfinedMemoryTest.java:";
        assertFails(ErrorClass.BUFFER, () -> all.send(memory, other, 1), closed);
        assertFails(ErrorClass.BUFFER, () -> all.irecv(memory, other, 1), closed);
        assertFails(ErrorClass.BUFFER, () -> all.broadcast(memory, 0), closed);
        all.sendReceive(new byte[1], other, 3, new byte[1], other, 3);
    }

    private static void accessWindows(Communicator all) throws Exception {
        int other = 1 - all.rank();
        Window window = all.window(new long[4], 8);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(32, 8);
            all.barrier();
            CompletableFuture<Throwable> beside = inThread(() -> all.receive(new byte[1], other, 99));
            window.lock(Window.Lock.SHARED, other);
            for (int i = 0; i < 40; i++) {
                memory.setAtIndex(ValueLayout.JAVA_LONG, 0, i);
                window.put(memory, 0, 32, other, 0);
                window.flush(other);
                memory.fill((byte) 0);
                window.get(memory, 0, 32, other, 0);
                window.flush(other);
                assertEquals(i, memory.getAtIndex(ValueLayout.JAVA_LONG, 0));
                memory.fill((byte) 0);
                window.rget(memory, 0, 32, other, 0).await();
                assertEquals(i, memory.getAtIndex(ValueLayout.JAVA_LONG, 0));
            }
            window.unlock(other);
            all.send(new byte[1], other, 99);
            assertNull(beside.get());
            all.barrier();
        }
        window.free();
    }

    private static void keepWindow(Communicator all) throws Exception {
        int other = 1 - all.rank();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(64);
            Window window = all.window(memory, 1);
            assertNull(inThread(() -> assertFails(ErrorClass.BUFFER, () -> all.send(new byte[1], other, 9),
                    "thread other cannot make calls now", "in a window or collective call",
                    "at ConfinedMemoryTest.java:")).get());
            window.fence();
            window.put(new byte[] {9}, 0, 1, other, 3);
            window.fence();
            assertEquals(9, memory.get(ValueLayout.JAVA_BYTE, 3));
            window.free();
            assertNull(inThread(() -> all.sendReceive(new byte[1], other, 3, new byte[1], other, 3)).get());
            assertFails(ErrorClass.BUFFER, () -> all.window(memory, 1), "several threads of this rank make calls");
        }
    }

    private static void keepCollective(Communicator all) throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(80_000, 8);
            Request reduced = all.rank() == 0 ? all.ibroadcast(memory, 1) : null;
            if (all.rank() == 0) {
                assertNull(inThread(() -> assertFails(ErrorClass.BUFFER, () -> all.send(new byte[1], 1, 9),
                        "thread other cannot make calls now")).get());
                all.send(new byte[1], 1, 9);
                reduced.await();
                assertArrayEquals(bytes(80_000, 3), read(memory, 80_000));
                assertNull(inThread(() -> all.send(new byte[1], 1, 9)).get());
                assertFails(ErrorClass.BUFFER, () -> all.ibroadcast(memory, 1), "several threads of this rank");
            } else {
                all.receive(new byte[1], 0, 9);
                memory.copyFrom(MemorySegment.ofArray(bytes(80_000, 3)));
                all.ibroadcast(memory, 1).await();
                all.receive(new byte[1], 0, 9);
            }
        }
    }

    /** Closes arenas under requests while another thread drives the device: only these requests may fail. */
    private static void closeUnderRequests(Communicator all) throws Exception {
        int rounds = 400;
        if (all.rank() == 1) {
            for (int i = 0; i < rounds; i++) {
                all.receive(new byte[1], 0, 2);
                all.send(bytes(8, i), 0, 7);
                all.send(new byte[i % 2 == 0 ? 64 : 20_000 + i * 10], 0, 1);
                all.receive(new byte[30_000], 0, 4);
            }
            return;
        }
        CompletableFuture<Throwable> other = inThread(() -> {
            byte[] got = new byte[8];
            for (int i = 0; i < rounds; i++) {
                all.receive(got, 1, 7);
                assertArrayEquals(bytes(8, i), got);
            }
        });
        for (int i = 0; i < rounds; i++) {
            Arena arena = Arena.ofConfined();
            Request received = all.irecv(arena.allocate(30_000), 1, 1);
            Request sent = all.isend(arena.allocate(30_000), 1, 4);
            all.send(new byte[1], 1, 2);
            for (int spin = i % 200; spin > 0; spin--) {
                Thread.onSpinWait();
            }
            arena.close();
            assertFails(ErrorClass.BUFFER, received::await, "irecv from rank 1, tag 1, on world",
                    "closed while it was under way");
            sent.await();
        }
        assertNull(other.get());
    }

    private static void combineBesideAnotherThread(World world) throws Exception {
        Communicator all = world.communicator();
        CompletableFuture<Throwable> other = inThread(() -> all.receive(new byte[1], 1 - all.rank(), 55));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment in = arena.allocate(400_000, 8);
            MemorySegment out = arena.allocate(400_000, 8);
            for (int i = 0; i < 20; i++) {
                for (int at = 0; at < 50_000; at++) {
                    in.setAtIndex(ValueLayout.JAVA_DOUBLE, at, at + i);
                }
                all.allreduce(in, out, Op.SUM.as(double.class));
                assertEquals(2.0 * (49_999 + i), out.getAtIndex(ValueLayout.JAVA_DOUBLE, 49_999));
            }
        }
        all.send(new byte[1], 1 - all.rank(), 55);
        assertNull(other.get());
    }

    @Test
    void shouldRefuseBlockingCollectivesOfSeveralThreadsWithoutNativeAccess() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            assertNull(inThread(() -> all.sendReceive(new byte[1], 1 - all.rank(), 3, new byte[1], 1 - all.rank(), 3))
                    .get());
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment memory = arena.allocate(4_000_000, 8);
                assertFails(ErrorClass.BUFFER, () -> all.allreduce(memory, memory, Op.SUM.as(double.class)),
                        "several threads of this rank make calls", "at ConfinedMemoryTest.java:");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 3_000, 7_000, 300_000})
    void shouldHurtOnlyTheReceivesWhoseSharedMemoryIsClosed(int size) {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 1) {
                all.receive(new byte[1], 0, 9);
                all.send(new byte[size], 0, 1);
                all.ssend(new byte[size], 0, 2);
                all.send(bytes(2 * size, 1), 0, 3);
                all.send(bytes(size, 1), 0, 4);
                return;
            }
            Arena arena = Arena.ofShared();
            byte[] good = new byte[size];
            Request[] hurt = {all.irecv(arena.allocate(size), 1, 1), all.irecv(arena.allocate(size), 1, 2),
                all.irecv(arena.allocate(2L * size), 0, size / 2, Datatype.vector(1, 2, 3, Datatype.BYTE), 1, 3)};
            Request whole = all.irecv(good, 1, 4);
            arena.close();
            all.send(new byte[1], 1, 9);
            whole.await();
            assertArrayEquals(bytes(size, 1), good);
            for (Request each : hurt) {
                assertFails(
                        ErrorClass.BUFFER, each::await, "rank 0: irecv from rank 1", "memory of its buffer was closed");
            }
        });
    }

    @Test
    void shouldTellBothSidesWhenTheSharedMemoryOfAMessageIsClosed() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            int size = 3_000_000;
            if (all.rank() == 1) {
                all.receive(new byte[1], 0, 9);
                assertFails(ErrorClass.BUFFER, () -> all.receive(new byte[size], 0, 1),
                        "rank 1: receive from rank 0, tag 1", "rank 0 closed the memory of the message");
                byte[] good = new byte[size];
                all.receive(good, 0, 2);
                assertArrayEquals(bytes(size, 4), good);
                return;
            }
            Arena arena = Arena.ofShared();
            Request hurt = all.isend(arena.allocate(size), 1, 1);
            Request whole = all.isend(bytes(size, 4), 1, 2);
            arena.close();
            all.send(new byte[1], 1, 9);
            whole.await();
            assertFails(ErrorClass.BUFFER, hurt::await, "rank 0: isend to rank 1", "memory of its buffer was closed");
        });
    }

    @Test
    void shouldRefuseAccessToAWindowWhoseMemoryIsClosed() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            Arena arena = Arena.ofShared();
            Window window = all.window(arena.allocate(64), 1);
            Window sound = all.window(new byte[64], 1);
            arena.close();
            all.barrier();
            int other = 1 - all.rank();
            window.lock(Window.Lock.SHARED, other);
            window.put(new byte[8], 0, 8, other, 0);
            assertFails(ErrorClass.DISPLACEMENT, () -> window.flush(other), "no such memory, or not any more");
            window.get(new byte[8], 0, 8, other, 0);
            assertFails(ErrorClass.DISPLACEMENT, () -> window.flush(other), "no such memory, or not any more");
            window.accumulate(new byte[8], 0, 8, other, 0, Op.SUM);
            assertFails(ErrorClass.DISPLACEMENT, () -> window.flush(other), "no such memory, or not any more");
            window.unlock(other);
            sound.fence();
            sound.put(new byte[8], 0, 8, other, 0);
            sound.fence();
            window.free();
            sound.free();
        });
    }

    /** A thread closes shared arenas at any moment: a message arrives complete, or fails with a specific error. */
    @Test
    void shouldLoseNothingElseWhenSharedMemoryIsClosedAtAnyMoment() {
        int rounds = 600;
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            for (int i = 0; i < rounds; i++) {
                int size = SIZES[i % SIZES.length];
                byte[] content = bytes(size, i);
                if (all.rank() == 0) {
                    Arena arena = Arena.ofShared();
                    MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_BYTE, content);
                    int spins = i * 37 % 3_000;
                    CompletableFuture<Throwable> closer = inThread(() -> {
                        for (int spin = 0; spin < spins; spin++) {
                            Thread.onSpinWait();
                        }
                        arena.close();
                    });
                    boolean sent = false;
                    try {
                        all.isend(memory, 1, 1).await();
                        sent = true;
                    } catch (RankwireException e) {
                        assertEquals(ErrorClass.BUFFER, e.errorClass(), e.getMessage());
                    }
                    assertFalse(Thread.interrupted(), "round " + i);
                    assertNull(closer.get());
                    all.send(new boolean[] {sent}, 1, 2);
                } else {
                    boolean[] sent = new boolean[1];
                    byte[] got = new byte[size];
                    Request received = all.irecv(got, 0, 1);
                    all.receive(sent, 0, 2);
                    if (sent[0]) {
                        received.await();
                        assertTrue(Arrays.equals(content, got), "round " + i);
                    } else {
                        received.cancel();
                        try {
                            received.await();
                        } catch (RankwireException e) {
                            assertEquals(ErrorClass.BUFFER, e.errorClass(), e.getMessage());
                        }
                    }
                }
                all.barrier();
            }
        });
    }
}
