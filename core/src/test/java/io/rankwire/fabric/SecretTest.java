package io.rankwire.fabric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class SecretTest {
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
