package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ObjectInputFilter;
import java.io.Serializable;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;

class CodecTest {
    record Point(int x, int y) implements Serializable {}

    @Test
    void shouldCarryRecordsByDefault() {
        Codec codec = Codec.records();
        byte[] bytes = codec.encode(new Point(1, 2));
        assertEquals(new Point(1, 2), codec.decode(bytes, 0, bytes.length, Point.class));
    }

    @Test
    void shouldSerializeOnlyThroughAFilter() {
        assertThrows(NullPointerException.class, () -> Codec.serialization(null));
        Codec codec = Codec.serialization(ObjectInputFilter.Config.createFilter("java.base/*;io.rankwire.*;!*"));
        byte[] bytes = codec.encode(List.of(new Point(1, 2), BigInteger.TEN));
        assertEquals(List.of(new Point(1, 2), BigInteger.TEN), codec.decode(bytes, 0, bytes.length, List.class));

        Codec strict = Codec.serialization(ObjectInputFilter.Config.createFilter("java.base/*;!*"));
        assertTrue(refusal(strict, bytes, List.class).contains("REJECTED"));
        assertTrue(refusal(codec, bytes, Point.class).contains("expected a serialized io.rankwire.CodecTest$Point"));
        assertTrue(refusal(codec, new byte[3], Point.class).contains("Java serialization refuses"));
        assertThrows(RankwireException.class, () -> codec.encode(new Object()));
    }

    @Test
    void shouldThrowRankwireExceptionOnEveryError() {
        Codec codec = Codec.records();
        byte[] bytes = codec.encode(new Point(1, 2));
        assertTrue(refusal(codec, bytes, String.class).contains("found record io.rankwire.CodecTest$Point"));
        RankwireException told = assertThrows(RankwireException.class, () -> codec.encode(new Object()));
        assertEquals(ErrorClass.CODEC, told.errorClass());
    }

    private static String refusal(Codec codec, byte[] bytes, Class<?> type) {
        RankwireException told = assertThrows(
                RankwireException.class, () -> codec.decode(bytes, 0, bytes.length, type));
        assertEquals(ErrorClass.CODEC, told.errorClass());
        return told.getMessage();
    }
}
