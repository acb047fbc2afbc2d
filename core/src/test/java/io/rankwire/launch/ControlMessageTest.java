package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.rankwire.fabric.Secret;
import io.rankwire.launch.ControlMessage.Listening;
import io.rankwire.launch.ControlMessage.Seat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ControlMessageTest {
    private static final List<ControlMessage> ALL = List.of(
            new ControlMessage.Beat(),
            new ControlMessage.Arrival("node7", "a mark", 123_456_789_012L),
            new ControlMessage.Refusal("größer"),
            new ControlMessage.MakeDirectory(),
            new ControlMessage.Directory("/dev/shm/x", ""),
            new ControlMessage.LookFor("/dev/shm/x"),
            new ControlMessage.Looked(true),
            new ControlMessage.Table("/dev/shm/x", List.of(new Seat(0, "a", 1), new Seat(1, "b", 2))),
            new Listening(3, new byte[] {10, 0, 0, 1}, 65_535, Secret.challenge(), new byte[] {7, -1}),
            new ControlMessage.Addresses(List.of(new Listening(3, new byte[0], 1, Secret.challenge(), new byte[0]),
                    new Listening(3, new byte[16], 2, Secret.challenge(), new byte[Backends.MOST_NAME]))),
            new ControlMessage.Closed(4),
            new ControlMessage.AllClosed(Integer.MAX_VALUE),
            new ControlMessage.Failed(35, "why"),
            new ControlMessage.Abort(-1, ""),
            new ControlMessage.Leave(),
            new ControlMessage.Measured("5000.000 500.000 0.300000 "),
            new ControlMessage.Lost(7, "why"),
            new ControlMessage.FailedAlone("why"),
            new ControlMessage.Declared(2, 7, "why"),
            new ControlMessage.Ask(3, "key\n0\n7\nworld\n0 1\n1"),
            new ControlMessage.Answered(3, "0 5"),
            new ControlMessage.NewRank(5, new Seat(1, "b", 2),
                    new Listening(0, new byte[0], 1, Secret.challenge(), new byte[] {3})),
            new ControlMessage.Noted(5),
            new ControlMessage.Given("0\n7\nworld\n0 5",
                    List.of(new Listening(3, new byte[0], 1, Secret.challenge(), new byte[0]))),
            new ControlMessage.Agreed("5000.000 500.000 0.300000 "));

    /** All messages as they are sent, without their lengths. */
    static List<byte[]> bodies() {
        return ALL.stream().map(ControlMessageTest::body).toList();
    }

    private static byte[] body(ControlMessage message) {
        byte[] whole = message.encode();
        assertEquals(whole.length - 4, ByteBuffer.wrap(whole).getInt());
        return Arrays.copyOfRange(whole, 4, whole.length);
    }

    @Test
    void shouldReadWhatWasWritten() throws IOException {
        for (ControlMessage message : ALL) {
            ControlMessage read = ControlMessage.decode(body(message));
            assertEquals(message.getClass(), read.getClass());
            assertArrayEquals(message.encode(), read.encode());
        }
    }

    @Test
    void shouldRefuseANameThatIsTooLong() {
        for (int length : new int[] {Backends.MOST_NAME + 1, 0x8000, 0xffff}) {
            byte[] bytes = body(new Listening(0, new byte[0], 1, Secret.challenge(), new byte[length]));
            assertThrows(IOException.class, () -> ControlMessage.decode(bytes));
        }
        byte[] cut = body(new Listening(0, new byte[0], 1, Secret.challenge(), new byte[9]));
        assertThrows(IOException.class, () -> ControlMessage.decode(Arrays.copyOf(cut, cut.length - 1)));
    }

    @Test
    void shouldRefuseWhatIsNoMessage() {
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            byte[] bytes = body(ALL.get(random.nextInt(ALL.size())));
            byte[] changed = Arrays.copyOf(bytes, Math.max(1, bytes.length + random.nextInt(5) - 2));
            changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            try {
                ControlMessage read = ControlMessage.decode(changed);
                assertArrayEquals(body(read), body(ControlMessage.decode(body(read))), "seed " + seed);
            } catch (IOException e) {
                // Refused, as it may be.
            }
        }
    }
}
