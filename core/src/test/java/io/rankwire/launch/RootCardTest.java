package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** Cards as bytes. */
final class RootCardTest {
    private static RootCard card() throws IOException {
        return RootCard.of("node0", 7733, List.of(InetAddress.getByName("10.1.0.7"), InetAddress.getByName("fd00::7")));
    }

    @Test
    void shouldReadWhatItHasWritten() throws IOException {
        RootCard card = card();
        RootCard read = RootCard.decode(card.encode());
        assertEquals(card.host(), read.host());
        assertEquals(card.port(), read.port());
        assertEquals(card.addresses(), read.addresses());
        assertArrayEquals(card.bits(), read.bits());
    }

    @Test
    void shouldRefuseEveryCardThatWasCutOrChanged() throws IOException {
        byte[] bytes = card().encode();
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThrows(IOException.class, () -> RootCard.decode(cut));
        }
        for (int at = 0; at < bytes.length; at++) {
            byte[] changed = bytes.clone();
            changed[at] ^= 4;
            String seen = assertThrows(IOException.class, () -> RootCard.decode(changed)).getMessage();
            assertTrue(at >= 8 || seen.contains(at < 4 ? "no card of Rankwire" : "version"), seen);
        }
    }

    @Test
    void shouldRefuseOrReadAnyBytesWithTheRightChecksum() throws IOException {
        byte[] right = card().encode();
        int taken = 0;
        for (int seed = 0; seed < 5_000; seed++) {
            Random random = new Random(seed);
            byte[] bytes = Arrays.copyOf(right, 12 + random.nextInt(right.length));
            for (int i = random.nextInt(4); i >= 0; i--) {
                bytes[8 + random.nextInt(bytes.length - 8)] = (byte) random.nextInt();
            }
            CRC32 sum = new CRC32();
            sum.update(bytes, 0, bytes.length - 4);
            ByteBuffer.wrap(bytes).putInt(bytes.length - 4, (int) sum.getValue());
            try {
                RootCard.decode(bytes);
                taken++;
            } catch (IOException e) {
                assertTrue(e.getMessage().contains("card of rank 0"), e.getMessage());
            }
        }
        assertTrue(taken > 0 && taken < 5_000, taken + " taken");
    }
}
