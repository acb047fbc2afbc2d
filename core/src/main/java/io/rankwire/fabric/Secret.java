package io.rankwire.fabric;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret of a job. A process proves that it has the secret by a code over numbers that both sides have chosen; the
 * secret itself is never sent. A proof is made for one purpose, so that it cannot be used for another, or be sent back
 * to the side that made it.
 */
public final class Secret {
    /** Bytes of a proof. */
    public static final int PROOF = 32;
    /** Bytes of a {@link #challenge}. */
    public static final int CHALLENGE = 16;
    /** Shorter secrets could be guessed. */
    public static final int LEAST = 16;

    private static final String CODE = "HmacSHA256";

    private final SecretKeySpec key;

    /**
     * @param bytes at least {@link #LEAST}
     */
    public Secret(byte[] bytes) {
        if (bytes.length < LEAST) {
            throw new IllegalArgumentException("a secret of " + bytes.length + " bytes; it needs " + LEAST);
        }
        key = new SecretKeySpec(bytes, CODE);
    }

    /** The secret of those that know this one and these bytes too. */
    public Secret with(byte[] more) {
        return new Secret(proof("rankwire secret: with more", more));
    }

    /** A number that no other side can foresee. */
    public static byte[] challenge() {
        byte[] bits = new byte[CHALLENGE];
        new SecureRandom().nextBytes(bits);
        return bits;
    }

    /** Proves that this side has the secret. Each part counts with its length. */
    public byte[] proof(String purpose, byte[]... parts) {
        MessageCode code = new MessageCode(key.getEncoded());
        add(code, purpose.getBytes(StandardCharsets.UTF_8));
        for (byte[] part : parts) {
            add(code, part);
        }
        return code.code();
    }

    private static void add(MessageCode code, byte[] part) {
        code.update(ByteBuffer.allocate(4).putInt(part.length).array());
        code.update(part);
    }

    /** Whether the other side has proven this; takes the same time wherever a wrong proof differs. */
    public boolean isProof(byte[] given, String purpose, byte[]... parts) {
        return MessageDigest.isEqual(given, proof(purpose, parts));
    }
}
