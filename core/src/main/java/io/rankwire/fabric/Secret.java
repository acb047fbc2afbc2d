package io.rankwire.fabric;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.spec.HKDFParameterSpec;
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
    private static final String DERIVATION = "HKDF-SHA256";

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

    /** Loaded at first use. */
    private static final class Source {
        static final SecureRandom RANDOM = new SecureRandom();
    }

    /** A number that no other side can foresee. */
    public static byte[] challenge() {
        byte[] bits = new byte[CHALLENGE];
        Source.RANDOM.nextBytes(bits);
        return bits;
    }

    /** Proves that this side has the secret. Each part counts with its length. */
    public byte[] proof(String purpose, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(CODE);
            mac.init(key);
            add(mac, purpose.getBytes(StandardCharsets.UTF_8));
            for (byte[] part : parts) {
                add(mac, part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + CODE, e);
        }
    }

    /**
     * Derives the bytes of a key for one purpose, by HKDF (RFC 5869) without a salt. Those of another purpose or other
     * parts say nothing about them, and they say nothing about the secret. Each part counts with its length.
     */
    public byte[] key(String label, int bytes, byte[]... parts) {
        ByteArrayOutputStream info = new ByteArrayOutputStream();
        add(info, label.getBytes(StandardCharsets.UTF_8));
        for (byte[] part : parts) {
            add(info, part);
        }
        try {
            return KDF.getInstance(DERIVATION).deriveData(
                    HKDFParameterSpec.ofExtract().addIKM(key).thenExpand(info.toByteArray(), bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + DERIVATION, e);
        }
    }

    private static void add(ByteArrayOutputStream info, byte[] part) {
        info.writeBytes(ByteBuffer.allocate(4).putInt(part.length).array());
        info.writeBytes(part);
    }

    private static void add(Mac mac, byte[] part) {
        mac.update(ByteBuffer.allocate(4).putInt(part.length).array());
        mac.update(part);
    }

    /** Whether the other side has proven this; takes the same time wherever a wrong proof differs. */
    public boolean isProof(byte[] given, String purpose, byte[]... parts) {
        return MessageDigest.isEqual(given, proof(purpose, parts));
    }
}
