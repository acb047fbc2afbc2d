package io.rankwire.fabric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class SecretTest {
    private static final byte[] BITS = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final Secret secret = new Secret(BITS);

    private static byte[] code(byte[] key, byte[]... parts) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        for (byte[] part : parts) {
            mac.update(part);
        }
        return mac.doFinal();
    }

    @Test
    void shouldDeriveKeysAsRfc5869Says() throws Exception {
        byte[] info = ByteBuffer.allocate(4 + 5 + 4 + 2)
                .putInt(5).put("label".getBytes()).putInt(2).put(new byte[] {7, 8}).array();
        byte[] extracted = code(new byte[32], BITS);
        byte[] first = code(extracted, info, new byte[] {1});
        byte[] second = code(extracted, first, info, new byte[] {2});
        byte[] both = ByteBuffer.allocate(64).put(first).put(second).array();
        assertArrayEquals(Arrays.copyOf(both, 44), secret.key("label", 44, new byte[] {7, 8}));
    }

    @Test
    void shouldDeriveAnotherKeyForAnythingElse() {
        Set<String> keys = new HashSet<>();
        for (String label : new String[] {"a", "ab"}) {
            for (byte[][] parts : new byte[][][] {{}, {{}}, {{}, {}}, {{1}}, {{1}, {2}}, {{1, 2}}, {{2}, {1}}}) {
                keys.add(Arrays.toString(secret.key(label, 16, parts)));
                keys.add(Arrays.toString(secret.with(new byte[] {1}).key(label, 16, parts)));
            }
        }
        assertEquals(2 * 7 * 2, keys.size());
    }

    @Test
    void shouldProveForOnePurpose() {
        byte[] proof = secret.proof("a", new byte[] {1, 2});
        assertTrue(secret.isProof(proof, "a", new byte[] {1, 2}));
        assertFalse(secret.isProof(proof, "b", new byte[] {1, 2}));
        assertFalse(secret.isProof(proof, "a", new byte[] {1}, new byte[] {2}));
        assertFalse(secret.isProof(Arrays.copyOf(proof, 31), "a", new byte[] {1, 2}));
        assertFalse(secret.with(new byte[] {1}).isProof(proof, "a", new byte[] {1, 2}));
        assertThrows(IllegalArgumentException.class, () -> new Secret(new byte[15]));
    }

    /** Short keys, those of a block and longer ones, which are digested first. */
    @Test
    void shouldMakeTheCodeOfTheJdk() throws GeneralSecurityException, IOException {
        Random random = new Random(1);
        for (int keyBytes : List.of(16, 32, 63, 64, 65, 200)) {
            byte[] key = new byte[keyBytes];
            random.nextBytes(key);
            byte[] part = new byte[random.nextInt(300)];
            random.nextBytes(part);
            ByteArrayOutputStream message = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(message);
            for (byte[] each : List.of("purpose".getBytes(StandardCharsets.UTF_8), part, new byte[0])) {
                out.writeInt(each.length);
                out.write(each);
            }
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            assertArrayEquals(mac.doFinal(message.toByteArray()),
                    new Secret(key).proof("purpose", part, new byte[0]));
        }
    }
}
