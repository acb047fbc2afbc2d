package io.rankwire.fabric.udp;

/**
 * SipHash-2-4 by Aumasson and Bernstein: a keyed code of 64 bits for short messages. A stranger without the key guesses
 * a right one with one try in 2^64. One object makes one code at a time.
 */
final class SipHash {
    private final long key0;
    private final long key1;
    private long v0;
    private long v1;
    private long v2;
    private long v3;

    SipHash(long key0, long key1) {
        this.key0 = key0;
        this.key1 = key1;
    }

    SipHash begin() {
        v0 = key0 ^ 0x736f_6d65_7073_6575L;
        v1 = key1 ^ 0x646f_7261_6e64_6f6dL;
        v2 = key0 ^ 0x6c79_6765_6e65_7261L;
        v3 = key1 ^ 0x7465_6462_7974_6573L;
        return this;
    }

    /** Takes the next 8 bytes of the message, little-endian. */
    SipHash add(long word) {
        v3 ^= word;
        rounds(2);
        v0 ^= word;
        return this;
    }

    /**
     * Ends the message.
     *
     * @param rest the bytes after the last whole word, little-endian, at most 7
     * @param length bytes of the whole message
     */
    long end(long rest, long length) {
        add(rest | length << 56);
        v2 ^= 0xff;
        rounds(4);
        return v0 ^ v1 ^ v2 ^ v3;
    }

    private void rounds(int count) {
        long a = v0;
        long b = v1;
        long c = v2;
        long d = v3;
        for (int i = 0; i < count; i++) {
            a += b;
            c += d;
            b = Long.rotateLeft(b, 13) ^ a;
            d = Long.rotateLeft(d, 16) ^ c;
            a = Long.rotateLeft(a, 32) + d;
            c += b;
            d = Long.rotateLeft(d, 21) ^ a;
            b = Long.rotateLeft(b, 17) ^ c;
            c = Long.rotateLeft(c, 32);
        }
        v0 = a;
        v1 = b;
        v2 = c;
        v3 = d;
    }
}
