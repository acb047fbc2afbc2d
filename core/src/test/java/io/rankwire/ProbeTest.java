package io.rankwire;

import static io.rankwire.Communicator.ANY_SOURCE;
import static io.rankwire.Communicator.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Probing messages, and matched probes. */
@Timeout(300)
final class ProbeTest {
    private static byte[] bytes(int length, int seed) {
        byte[] result = new byte[length];
        for (int i = 0; i < length; i++) {
            result[i] = (byte) (i * 7 + (i >> 9) + seed);
        }
        return result;
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 40_000})
    void shouldProbeWithoutTakingAndTakeWithMprobe(int size) {
        Ranks.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                Request.awaitAll(all.isend(bytes(size, 1), 1, 1), all.isend(bytes(size, 2), 1, 1),
                        all.isend(bytes(size, 3), 1, 1));
                return;
            }
            assertEquals(Optional.empty(), all.iprobe(0, 2));
            assertEquals(Optional.empty(), all.improbe(0, 2));
            Status probed = all.probe(ANY_SOURCE, ANY_TAG);
            assertEquals(size, probed.count());
            assertEquals(1, probed.tag());
            assertTrue(all.iprobe(0, 1).isPresent());
            Message first = all.mprobe(0, 1);
            byte[] in = new byte[size];
            all.receive(in, 0, 1);
            assertArrayEquals(bytes(size, 2), in, "the first message was taken");
            Message third = all.improbe(ANY_SOURCE, 1).or(() -> Optional.of(all.mprobe(0, 1))).orElseThrow();
            all.mreceive(in, third);
            assertArrayEquals(bytes(size, 3), in);
            Status status = first.irecv(in).await();
            assertArrayEquals(bytes(size, 1), in);
            assertEquals(size, status.count());
            assertEquals(size, first.status().count());
            Ranks.assertFails(ErrorClass.REQUEST, () -> first.receive(in), "only once");
        });
    }

    @Test
    void shouldReceiveAnObjectMessageOnlyOnce() {
        Ranks.run(1, world -> {
            Communicator all = world.communicator();
            all.sendObject("text", 0, 1);
            Message message = all.mprobe(0, 1);
            assertEquals("text", all.receiveObject(String.class, message));
            Ranks.assertFails(ErrorClass.REQUEST, () -> all.receiveObject(String.class, message), "only once");
        });
    }
}
