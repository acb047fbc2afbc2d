package io.rankwire.fabric;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * HMAC with SHA-256 (RFC 2104), as two digests of the JDK. It is the same code as that of {@code javax.crypto.Mac},
 * whose first use takes each process some 50 ms of processor time for providers and policies.
 */
final class MessageCode {
    private static final String DIGEST = "SHA-256";
    private static final int BLOCK = 64;
    private static final byte INNER = 0x36;
    private static final byte OUTER = 0x5c;

    private final MessageDigest inner = digest();
    private final MessageDigest outer = digest();

    MessageCode(byte[] key) {
        byte[] padded = Arrays.copyOf(key.length > BLOCK ? digest().digest(key) : key, BLOCK);
        byte[] masked = new byte[BLOCK];
        for (int i = 0; i < BLOCK; i++) {
            masked[i] = (byte) (padded[i] ^ INNER);
        }
        inner.update(masked);
        for (int i = 0; i < BLOCK; i++) {
            masked[i] = (byte) (padded[i] ^ OUTER);
        }
        outer.update(masked);
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance(DIGEST);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + DIGEST, e);
        }
    }

    void update(byte[] bytes) {
        inner.update(bytes);
    }

    byte[] code() {
        return outer.digest(inner.digest());
    }
}
