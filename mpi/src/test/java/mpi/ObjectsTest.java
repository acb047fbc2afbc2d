package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.Serializable;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ObjectsTest {
    /** A class of the program. */
    record Point(int x, int y) implements Serializable {}

    /** Some of each way to send and receive. */
    public static final class Ways implements Runnable {
        @Override
        public void run() {
            Comm all = MPI.COMM_WORLD;
            Point shared = new Point(1, all.Rank());
            Object[] mine = {null, shared, shared, "text", new double[][] {{1, 2}, {3}}};
            Object[] got = new Object[6];
            // Larger than what goes without the receiver, and synchronous: receives must be posted to end this.
            Object[] large = {new int[100_000]};
            ((int[]) large[0])[99_999] = all.Rank();
            Object[] largeGot = new Object[1];
            Request first = all.Irecv(got, 1, 5, MPI.OBJECT, Jobs.previous(), 1);
            Request second = all.Irecv(largeGot, 0, 1, MPI.OBJECT, Jobs.previous(), 2);
            all.Ssend(large, 0, 1, MPI.OBJECT, Jobs.next(), 2);
            all.Ssend(mine, 0, 5, MPI.OBJECT, Jobs.next(), 1);
            assertEquals(5, first.Wait().Get_count(MPI.OBJECT));
            second.Wait();
            assertNull(got[1]);
            assertEquals(new Point(1, Jobs.previous()), got[2]);
            assertSame(got[2], got[3], "what objects share they share on the other side");
            assertArrayEquals(new double[] {3}, ((double[][]) got[5])[1]);
            assertEquals(Jobs.previous(), ((int[]) largeGot[0])[99_999]);

            String[] words = {"a", "b"};
            all.Sendrecv_replace(words, 0, 2, MPI.OBJECT, Jobs.next(), 3, Jobs.previous(), 3);
            assertArrayEquals(new String[] {"a", "b"}, words);
            all.Bsend(mine, 3, 1, MPI.OBJECT, Jobs.next(), 4);
            Status status = all.Probe(MPI.ANY_SOURCE, 4);
            assertEquals(1, status.Get_count(MPI.OBJECT));
            assertEquals(1, all.Probe(MPI.ANY_SOURCE, 4).Get_count(MPI.OBJECT));
            all.Recv(got, 0, 1, MPI.OBJECT, status.source, status.tag);
            assertEquals("text", got[0]);
            assertNull(all.Iprobe(MPI.ANY_SOURCE, 4));
        }
    }

    @Test
    void shouldMoveObjectsInEveryWay() {
        Jobs.run(2, Ways.class);
    }

    /** Every second object, and packed ones. */
    public static final class Layouts implements Runnable {
        @Override
        public void run() {
            Comm all = MPI.COMM_WORLD;
            Datatype second = Datatype.Vector(3, 1, 2, MPI.OBJECT);
            assertEquals(5, second.Extent());
            assertEquals(3, second.Size());
            Object[] from = {0, 1, 2, 3, 4, 5, 6};
            Object[] to = new Object[7];
            all.Send(from, 1, 1, second, 0, 1);
            assertEquals(1, all.Recv(to, 0, 1, second, 0, 1).Get_count(second));
            assertArrayEquals(new Object[] {1, null, 3, null, 5, null, null}, to);
            byte[] packed = new byte[500];
            int end = all.Pack(from, 0, 2, MPI.OBJECT, packed, 3);
            Arrays.fill(to, null);
            assertEquals(end, all.Unpack(packed, 3, to, 2, 2, MPI.OBJECT));
            assertArrayEquals(new Object[] {null, null, 0, 1, null, null, null}, to);
        }
    }

    @Test
    void shouldPlaceObjectsByLayouts() {
        Jobs.run(1, Layouts.class);
    }

    /** To all, from any rank. */
    public static final class Broadcast implements Runnable {
        @Override
        public void run() {
            Comm all = MPI.COMM_WORLD;
            for (int root = 0; root < all.Size(); root++) {
                Object[] words = {all.Rank() == root ? List.of("from", root) : null, "kept"};
                MPI.COMM_WORLD.Bcast(words, 0, 1, MPI.OBJECT, root);
                assertEquals(List.of("from", root), words[0]);
                assertEquals("kept", words[1]);
            }
        }
    }

    @Test
    void shouldBroadcastObjects() {
        Jobs.run(3, Broadcast.class);
    }

    /** What cannot go, does not fit, or is no array of objects. */
    public static final class Mistakes implements Runnable {
        @Override
        public void run() {
            Comm all = MPI.COMM_WORLD;
            Object[] one = {new Thread()};
            Jobs.assertFails(MPI.ERR_CONVERSION, () -> all.Send(one, 0, 1, MPI.OBJECT, 0, 1), "Thread");
            Jobs.assertFails(MPI.ERR_BUFFER, () -> all.Send(new int[1], 0, 1, MPI.OBJECT, 0, 1), "int[]");
            Jobs.assertFails(MPI.ERR_COUNT, () -> all.Send(one, 1, 1, MPI.OBJECT, 0, 1), "1");
            all.Send(new Object[] {1, 2}, 0, 2, MPI.OBJECT, 0, 1);
            Jobs.assertFails(MPI.ERR_TRUNCATE, () -> all.Recv(one, 0, 1, MPI.OBJECT, 0, 1), "2 objects");
            all.Send(new Object[] {1}, 0, 1, MPI.OBJECT, 0, 1);
            Jobs.assertFails(MPI.ERR_CONVERSION, () -> all.Recv(new String[1], 0, 1, MPI.OBJECT, 0, 1), "Integer");
            all.Send(new int[1], 0, 1, MPI.INT, 0, 1);
            Jobs.assertFails(MPI.ERR_TYPE, () -> all.Recv(one, 0, 1, MPI.OBJECT, 0, 1), "int");
        }
    }

    @Test
    void shouldSayWhatIsWrong() {
        Jobs.run(1, Mistakes.class);
    }

    @Test
    void shouldRefuseBytesThatLie() {
        Object[] from = {new byte[100]};
        ObjectFormat.Encoded good = ObjectFormat.encode(from, 0, 1, MPI.OBJECT);
        byte[] bytes = Arrays.copyOf(good.bytes(), good.length());
        Object[] to = new Object[1];
        assertEquals(1, ObjectFormat.decode(bytes, 0, bytes.length, to, 0, 1, MPI.OBJECT));
        for (int i = 0; i < bytes.length - 100; i++) {
            byte[] bad = bytes.clone();
            bad[i] ^= 0x55;
            try {
                ObjectFormat.decode(bad, 0, bad.length, to, 0, 1, MPI.OBJECT);
            } catch (MPIException told) {
                // As it should be; what must not come out is any other exception, or the lack of memory.
            }
        }
        Jobs.assertFails(MPI.ERR_CONVERSION, () -> ObjectFormat.decode(bytes, 0, 2, to, 0, 1, MPI.OBJECT), "2 bytes");
    }

    @Test
    void shouldRefuseALengthThatTheBytesDoNotPayFor() {
        for (Object array : new Object[] {new int[] {9, 9, 9}, new Object[3], new String[] {"", "", ""}}) {
            ObjectFormat.Encoded good = ObjectFormat.encode(new Object[] {array}, 0, 1, MPI.OBJECT);
            byte[] bytes = Arrays.copyOf(good.bytes(), good.length());
            int at = bytes.length - 1;
            while (!(bytes[at] == 3 && bytes[at - 1] == 0 && bytes[at - 2] == 0 && bytes[at - 3] == 0)) {
                at--;
            }
            bytes[at - 3] = 0x7F;
            Jobs.assertFails(MPI.ERR_CONVERSION,
                    () -> ObjectFormat.decode(bytes, 0, bytes.length, new Object[1], 0, 1, MPI.OBJECT),
                    "object 0 of 1 cannot be received", "REJECTED");
        }
    }

    @Test
    void shouldRefuseClassesThatTheReceiverDoesNotDeclare() {
        // Both names are of the same length: one is the program's, the other nobody's or one inside the JDK.
        for (String other : new String[] {"mpi.ObjectsTest$Paint", "jdk.internal.misc.CDS"}) {
            ObjectFormat.Encoded good =
                    ObjectFormat.encode(new Object[] {new Point(1, 2)}, 0, 1, MPI.OBJECT);
            String text = new String(good.bytes(), 0, good.length(), StandardCharsets.ISO_8859_1);
            assertEquals(other.length(), Point.class.getName().length());
            byte[] bytes = text.replace(Point.class.getName(), other).getBytes(StandardCharsets.ISO_8859_1);
            Jobs.assertFails(MPI.ERR_CONVERSION,
                    () -> ObjectFormat.decode(bytes, 0, bytes.length, new Object[1], 0, 1, MPI.OBJECT),
                    "object 0 of 1");
        }
    }

    /** Each refers to the one before. */
    static final class Link implements Serializable {
        private static final long serialVersionUID = 1;
        private final Link before;

        Link(Link before) {
            this.before = before;
        }
    }

    @Test
    void shouldTellAChainThatIsTooLong() {
        Link link = null;
        for (int i = 0; i < 1_000_000; i++) {
            link = new Link(link);
        }
        Object[] objects = {"first", link};
        Jobs.assertFails(MPI.ERR_CONVERSION, () -> ObjectFormat.encode(objects, 0, 2, MPI.OBJECT), "object 1 of 2",
                "chain", "-Xss");
    }

    @Test
    void shouldTakeWhatProgramsOfTheJdkSend() {
        Object[] from = {
            new GregorianCalendar(TimeZone.getTimeZone("Europe/Berlin")), new BigDecimal("1.5"),
            LocalDate.of(2020, 2, 3),
            new TreeMap<>(Map.of("a", List.of(1))), Thread.State.NEW, Optional.class, Locale.GERMANY,
            URI.create("http://example.org/"), UUID.randomUUID(), new StringBuilder("x").toString()
        };
        ObjectFormat.Encoded encoded = ObjectFormat.encode(from, 0, from.length, MPI.OBJECT);
        Object[] to = new Object[from.length];
        ObjectFormat.decode(encoded.bytes(), 0, encoded.length(), to, 0, to.length, MPI.OBJECT);
        assertArrayEquals(from, to);
    }
}
