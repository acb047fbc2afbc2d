package io.rankwire.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The codes of the messages 00, 00 01, 00 01 02 … with the key 00 … 0f, as the authors of SipHash have published. */
final class SipHashTest {
    private static final long[] PUBLISHED = {
        0x726fdb47dd0e0e31L, 0x74f839c593dc67fdL, 0x0d6c8009d9a94f5aL, 0x85676696d7fb7e2dL,
        0xcf2794e0277187b7L, 0x18765564cd99a68dL, 0xcbc9466e58fee3ceL, 0xab0200f58b01d137L,
        0x93f5f5799a932462L, 0x9e0082df0ba9e4b0L, 0x7a5dbbc594ddb9f3L, 0xf4b32f46226bada7L,
        0x751e8fbc860ee5fbL, 0x14ea5627c0843d90L, 0xf723ca908e7af2eeL, 0xa129ca6149be45e5L,
        0x3f2acc7f57c29bdbL,
    };

    @Test
    void shouldMakeThePublishedCodes() {
        SipHash hash = new SipHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);
        for (int length = 0; length < PUBLISHED.length; length++) {
            hash.begin();
            long word = 0;
            for (int i = 0; i < length; i++) {
                word |= (long) i << 8 * (i % 8);
                if (i % 8 == 7) {
                    hash.add(word);
                    word = 0;
                }
            }
            assertEquals(PUBLISHED[length], hash.end(word, length), "a message of " + length + " bytes");
        }
    }
}
