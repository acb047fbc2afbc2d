package io.rankwire.fabric;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * One direction of an encrypted connection. One side seals records by AES-GCM, the other opens them, each in the same
 * order. A nonce counts the records, so one that was changed, repeated, left out or put elsewhere cannot be opened.
 * After a number of records both sides take the key of the next epoch.
 */
public final class Seal {
    /** Bytes by which a sealed record is longer. */
    public static final int TAG = 16;
    /** Bytes of the material of an epoch: a key of 128 bits, and the first bytes of its nonces. */
    public static final int MATERIAL = 20;
    /** Records under one key. With at most 64 KiB each, that is far below what is known to be safe with AES-GCM. */
    public static final long RECORDS = 1 << 20;

    private static final int KEY = 16;
    private static final int NONCE = 12;
    /** For {@link #warmUp}: the JVM's ciphers have another way for less than 512 bytes. */
    private static final int WARM_BYTES = 1_024;
    private static final int WARM_ROUNDS = 3_000;
    private static final AtomicBoolean WARM = new AtomicBoolean();

    private final Cipher cipher;
    private final int mode;
    private final IntFunction<byte[]> materials;
    private final long recordsPerKey;
    private final ByteBuffer nonce = ByteBuffer.allocate(NONCE);
    private SecretKeySpec key;
    private long records;

    private Seal(int mode, IntFunction<byte[]> materials, long recordsPerKey) {
        this.mode = mode;
        this.materials = materials;
        this.recordsPerKey = recordsPerKey;
        try {
            cipher = Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has AES-GCM", e);
        }
    }

    /**
     * The side that seals.
     *
     * @param materials gives the material of each epoch, which no other direction of any connection has
     * @param recordsPerKey after how many records the next epoch begins
     */
    public static Seal sealing(IntFunction<byte[]> materials, long recordsPerKey) {
        return new Seal(Cipher.ENCRYPT_MODE, materials, recordsPerKey);
    }

    /** The side that opens what {@link #sealing} has sealed. */
    public static Seal opening(IntFunction<byte[]> materials, long recordsPerKey) {
        return new Seal(Cipher.DECRYPT_MODE, materials, recordsPerKey);
    }

    /**
     * Seals and opens short records, in a thread of its own, until the JVM has compiled the ciphers: before that, a
     * record of 64 KiB takes a hundred times as long as later.
     */
    public static void warmUp() {
        if (!WARM.getAndSet(true)) {
            Thread thread = new Thread(null, Seal::tryCiphers, "rankwire-ciphers", 0, false);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void tryCiphers() {
        Seal one = sealing(epoch -> new byte[MATERIAL], RECORDS);
        Seal other = opening(epoch -> new byte[MATERIAL], RECORDS);
        byte[] sealed = new byte[WARM_BYTES + TAG];
        byte[] plain = new byte[WARM_BYTES];
        try {
            for (int i = 0; i < WARM_ROUNDS; i++) {
                other.open(sealed, 0, one.seal(plain, 0, WARM_BYTES, sealed, 0), plain, 0);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Seals or opens the next record into another array; returns its new length. */
    private int next(byte[] from, int at, int bytes, byte[] to, int start) throws GeneralSecurityException {
        if (records % recordsPerKey == 0) {
            byte[] material = materials.apply((int) (records / recordsPerKey));
            key = new SecretKeySpec(material, 0, KEY, "AES");
            nonce.put(0, material, KEY, MATERIAL - KEY);
        }
        nonce.putLong(NONCE - Long.BYTES, records++);
        cipher.init(mode, key, new GCMParameterSpec(8 * TAG, nonce.array()));
        return cipher.doFinal(from, at, bytes, to, start);
    }

    /** Seals bytes as the next record; returns how many they are then. */
    public int seal(byte[] plain, int at, int bytes, byte[] to, int start) {
        try {
            return next(plain, at, bytes, to, start);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Opens the next record; returns how many bytes it has.
     *
     * @throws IOException if it is not what the other side has sealed next
     */
    public int open(byte[] sealed, int at, int bytes, byte[] to, int start) throws IOException {
        try {
            return next(sealed, at, bytes, to, start);
        } catch (AEADBadTagException e) {
            throw new ForgedRecord();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
