package io.rankwire;

import static io.rankwire.Worlds.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Wrong arguments: each error names the argument and its value. */
@Timeout(300)
final class ArgumentTest {
    private static final byte[] FOUR = new byte[4];

    @Test
    void shouldNameARankThatIsNone() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            for (int rank : new int[] {2, -1, -3, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                String[] dest = {"argument dest: " + rank, "world", "has 2", "ArgumentTest.java"};
                assertFails(ErrorClass.RANK, () -> all.send(FOUR, rank, 0), dest);
                assertFails(ErrorClass.RANK, () -> all.send(FOUR, 0, 1, rank, 0), dest);
                assertFails(ErrorClass.RANK, () -> all.isend(FOUR, rank, 0), dest);
                assertFails(ErrorClass.RANK, () -> all.issend(FOUR, rank, 0), dest);
                assertFails(ErrorClass.RANK, () -> all.sendInit(FOUR, 0, 4, rank, 0), dest);
                assertFails(ErrorClass.RANK, () -> all.sendObject("x", rank, 0), dest);
                assertFails(ErrorClass.RANK, () -> all.sendReceive(FOUR, rank, 0, FOUR, 0, 0), dest);
                if (rank != Communicator.ANY_SOURCE) {
                    String[] source = {"argument source: " + rank, "has 2", "ArgumentTest.java"};
                    assertFails(ErrorClass.RANK, () -> all.receive(FOUR, rank, 0), source);
                    assertFails(ErrorClass.RANK, () -> all.irecv(FOUR, rank, 0), source);
                    assertFails(ErrorClass.RANK, () -> all.probe(rank, 0), source);
                    assertFails(ErrorClass.RANK, () -> all.improbe(rank, 0), source);
                    assertFails(ErrorClass.RANK, () -> all.receiveInit(FOUR, 0, 1, rank, 0), source);
                    assertFails(ErrorClass.RANK, () -> all.receiveObject(String.class, rank, 0), source);
                }
            }
            assertFails(ErrorClass.RANK, () -> all.mprobe(Communicator.NONE, 0), "argument source", "NONE");
        });
    }

    /** The error for a wrong buffer, root or destination names rank, call and line. */
    @Test
    void shouldNameRankCallAndLine() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            String at = " at ArgumentTest.java:";
            String who = "rank " + all.rank() + ": ";
            Datatype pair = Datatype.contiguous(2, Datatype.INT);
            Window window = all.allocateWindow(8, 1);
            Map<String, Executable> nulls = Map.of(
                    "send", () -> all.send(null, 0, 0),
                    "irecv", () -> all.irecv(null, 0, 0),
                    "receiveInit", () -> all.receiveInit(null, 0, 0, 0, 0),
                    "broadcast", () -> all.broadcast(null, 0),
                    "iallreduce", () -> all.iallreduce(null, new int[1], Op.SUM),
                    "alltoallv", () -> all.alltoallv(null, new int[2], new int[2], FOUR, new int[2], new int[2]),
                    "isend", () -> all.isend(null, 0, 1, pair, 0, 0),
                    "ibroadcast", () -> all.ibroadcast(null, 0, 1, pair, 0),
                    "put", () -> window.put(null, 0, 0),
                    "window", () -> all.window(null, 1));
            nulls.forEach((call, wrong) ->
                    assertFails(ErrorClass.BUFFER, wrong, who + call + ": argument buffer is null" + at));
            assertFails(ErrorClass.BUFFER, () -> all.send("text", 0, 0), who + "send: argument buffer: a java.lang.Str",
                    at);
            assertFails(ErrorClass.COUNT, () -> all.isend(FOUR, 2, 3, 0, 0),
                    who + "isend: arguments offset 2 and count 3", at);
            assertFails(ErrorClass.COUNT, () -> all.gather(FOUR, 0, FOUR, 0, 3, all.rank()),
                    who + "gather: arguments offset 0 and count 6 do not fit a byte[] of length 4" + at);
            assertFails(ErrorClass.COUNT, () -> all.broadcast(new int[3], 0, 2, pair, 0), who + "broadcast: ", at);
            assertFails(ErrorClass.BUFFER, () -> all.irecv(ByteBuffer.allocate(4).asReadOnlyBuffer(), 0, 0),
                    who + "irecv: argument buffer: ", "read-only", at);
            assertFails(ErrorClass.RANK, () -> all.broadcast(FOUR, 7), who + "broadcast: argument root: 7", at);
            assertFails(ErrorClass.RANK, () -> all.ireduce(FOUR, FOUR, Op.SUM, -1), who + "ireduce: argument root: -1",
                    at);
            assertFails(ErrorClass.RANK, () -> all.scatter(new int[4], 0, 1, pair, new int[2], 0, 1, pair, 2),
                    who + "scatter: argument root: 2", at);
            assertFails(ErrorClass.RANK, () -> all.bsend(FOUR, 9, 0), who + "bsend: argument dest: 9", at);
            assertFails(ErrorClass.ARGUMENT, () -> all.allreduce(FOUR, FOUR, null), who + "allreduce: op is null", at);
            window.free();
        });
    }

    @Test
    void shouldNameATagThatIsNone() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            assertFails(ErrorClass.TAG, () -> all.send(FOUR, 0, -1), "argument tag: -1");
            assertFails(ErrorClass.TAG, () -> all.isend(FOUR, 0, -7), "argument tag: -7");
            assertFails(ErrorClass.TAG, () -> all.send(FOUR, Communicator.NONE, -7), "argument tag: -7");
            assertFails(ErrorClass.TAG, () -> all.receive(FOUR, 0, -2), "argument tag: -2");
            assertFails(ErrorClass.TAG, () -> all.iprobe(0, -2), "argument tag: -2");
            all.send(FOUR, 0, Integer.MAX_VALUE);
            assertEquals(Integer.MAX_VALUE, all.receive(FOUR, 0, Communicator.ANY_TAG).tag());
        });
    }

    @Test
    void shouldNameWhatIsNoBuffer() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            Map<Object, String> wrong = Map.of("text", "java.lang.String", new Object[1], "[Ljava.lang.Object;",
                    new int[1][1], "[[I", Integer.valueOf(3), "java.lang.Integer");
            wrong.forEach((buffer, name) -> {
                assertFails(ErrorClass.BUFFER, () -> all.send(buffer, 0, 1), "argument buffer", name, "sendObject");
                assertFails(ErrorClass.BUFFER, () -> all.isend(buffer, 0, 1, 0, 1), "argument buffer", name);
                assertFails(ErrorClass.BUFFER, () -> all.irecv(buffer, 0, 1), "argument buffer", name);
                assertFails(ErrorClass.BUFFER, () -> all.receive(buffer, 0, 1, 0, 1), "argument buffer", name);
            });
            Executable[] nulls = {() -> all.send(null, 0, 1), () -> all.isend(null, 0, 1),
                    () -> all.receive(null, 0, 1),
                    () -> all.irecv(null, 0, 0, 0, 1), () -> all.sendInit(null, 0, 0, 0, 1),
                    () -> all.sendReceive(null, 0, 1, FOUR, 0, 1), () -> all.sendReceive(FOUR, 0, 1, null, 0, 1)};
            for (Executable call : nulls) {
                assertFails(ErrorClass.BUFFER, call, "argument buffer is null");
            }
            assertFails(ErrorClass.BUFFER, () -> all.receive(ByteBuffer.allocate(4).asReadOnlyBuffer(), 0, 1),
                    "argument buffer", "read-only");
            assertFails(ErrorClass.BUFFER, () -> all.irecv(MemorySegment.ofArray(FOUR).asReadOnly(), 0, 1),
                    "argument buffer", "read-only");
        });
    }

    @Test
    void shouldNameBoundsThatDoNotFit() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            int[][] wrong = {{-1, 1}, {0, 5}, {4, 1}, {0, -1}, {5, 0}, {Integer.MAX_VALUE, 1}, {1, Integer.MAX_VALUE}};
            for (int[] part : wrong) {
                String[] told = {"offset " + part[0], "count " + part[1], "length 4"};
                for (Object buffer : new Object[] {new int[4], ByteBuffer.allocate(9).position(5), new double[4],
                        MemorySegment.ofArray(FOUR)}) {
                    assertFails(ErrorClass.COUNT, () -> all.send(buffer, part[0], part[1], 0, 1), told);
                    assertFails(ErrorClass.COUNT, () -> all.irecv(buffer, part[0], part[1], 0, 1), told);
                    assertFails(ErrorClass.COUNT, () -> all.receive(buffer, part[0], part[1], 0, 1), told);
                    assertFails(ErrorClass.COUNT, () -> all.receiveInit(buffer, part[0], part[1], 0, 1), told);
                }
            }
        });
    }

    @Test
    void shouldNameOtherNulls() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            assertFails(ErrorClass.ARGUMENT, () -> world.codec(null), "is null");
            assertFails(ErrorClass.ARGUMENT, () -> all.receiveObject(null, 0, 1), "argument type is null");
            assertFails(ErrorClass.ARGUMENT, () -> all.mreceive(FOUR, null), "argument message is null");
            assertFails(ErrorClass.ARGUMENT, () -> all.receiveObject(String.class, null), "argument message is null");
            assertFails(ErrorClass.ARGUMENT, () -> Datagram.open(null), "argument world is null");
        });
        assertFails(ErrorClass.ARGUMENT, () -> World.run(1, null), "argument body is null");
        assertFails(ErrorClass.ARGUMENT, () -> World.run(0, world -> {}), "argument ranks: 0");
        assertFails(ErrorClass.ARGUMENT, () -> World.run(-3, world -> {}), "argument ranks: -3");
    }

    /** A failed call has started nothing. */
    @Test
    void shouldLeaveNothingBehindWhenRefused() {
        String told = Worlds.errors(() -> Worlds.run(1, world -> {
            Communicator all = world.communicator();
            assertFails(ErrorClass.RANK, () -> all.sendReceive(FOUR, 9, 0, FOUR, 0, 0));
            assertFails(ErrorClass.TAG, () -> all.sendReceive(FOUR, 0, 1, 0, -4, FOUR, 0, 1, 0, 0));
            assertFails(ErrorClass.COUNT, () -> all.sendReceive(FOUR, 0, 9, 0, 4, FOUR, 0, 1, 0, 0));
            assertFails(ErrorClass.TAG, () -> all.sendReceive(FOUR, 0, 1, 0, 4, FOUR, 0, 1, 0, -9));
        }));
        assertEquals("", told);
    }

    @Test
    void shouldRefuseEverythingAfterClose() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            Request persistent = all.receiveInit(FOUR, 0, 4, 0, 1);
            all.send(FOUR, 0, 5);
            Message message = all.mprobe(0, 5);
            Request forgotten = all.irecv(FOUR, 0, 1);
            Datagram socket = Datagram.open(world);
            Worlds.errors(world::close);
            world.close();
            assertTrue(world.toString().contains("closed"));
            Executable[] calls = {() -> all.send(FOUR, 0, 1), () -> all.receive(FOUR, 0, 1), () -> all.probe(0, 1),
                    () -> all.iprobe(0, 1), () -> all.isend(FOUR, 0, 1), () -> all.duplicate(), () -> all.split(0, 0),
                    () -> all.send(FOUR, Communicator.NONE, 1), () -> persistent.start(), () -> forgotten.await(),
                    () -> forgotten.test(), () -> all.mreceive(FOUR, message), () -> socket.sendTo(FOUR, 0, 1),
                    () -> Datagram.open(world), () -> forgotten.cancel()};
            for (Executable call : calls) {
                assertFails(ErrorClass.CLOSED, call, "the world is closed");
            }
            socket.close();
        });
    }

    @Test
    void shouldNameBothSizesAndBothTypes() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                all.send(new double[3], 1, 1);
                all.send(new double[3], 1, 2);
                Request large = all.isend(new double[9_000], 1, 3);
                Request other = all.isend(new double[9_000], 1, 4);
                large.await();
                assertFails(ErrorClass.TYPE, other::await, "rank 0: isend to rank 1, tag 4", "refused", "another type");
                return;
            }
            assertFails(ErrorClass.TRUNCATE, () -> all.receive(new double[2], 0, 1),
                    "rank 1: receive from rank 0, tag 1", "has 24 bytes", "only 16", "ArgumentTest.java");
            assertFails(ErrorClass.TYPE, () -> all.receive(new int[6], 0, Communicator.ANY_TAG), "rank 0, tag 2",
                    "is of double", "of int", "any tag");
            assertFails(ErrorClass.TRUNCATE, () -> all.irecv(new double[8_999], 0, 3).await(), "72000", "71992");
            assertFails(ErrorClass.TYPE, () -> all.receive(new long[9_000], 0, 4), "is of double", "of long");
        });
    }

    @Test
    void shouldNotCutRawMemoryInTheMiddleOfAnElement() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            all.send(ByteBuffer.allocate(16), 0, 1);
            assertEquals(16, all.receive(new double[2], 0, 1).bytes());
            all.send(ByteBuffer.allocate(12), 0, 1);
            assertFails(ErrorClass.TYPE, () -> all.receive(new double[2], 0, 1), "raw memory (12 bytes)", "of double");
        });
    }
}
