package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LinesTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Lines.Shared shared = new Lines.Shared(out);
    private final Lines plain = new Lines(shared, "");
    private final Lines tagged = new Lines(shared, "[3] ");

    private static void write(Lines to, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        to.write(bytes, 0, bytes.length);
    }

    @Test
    void shouldHoldALineUntilItIsWhole() throws IOException {
        write(plain, "a");
        write(tagged, "x\n");
        write(plain, "b");
        write(plain, "c\nd\ne");
        assertEquals("[3] x\nabc\nd\n", out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void shouldTagEveryLine() throws IOException {
        write(tagged, "a\n\nb\nc");
        tagged.finish();
        assertEquals("[3] a\n[3] \n[3] b\n[3] c", out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void shouldKeepALastLineWithoutEndAndStartTheNextTextBelow() throws IOException {
        write(plain, "left");
        plain.finish();
        assertEquals("left", out.toString(StandardCharsets.UTF_8));
        shared.print("next\n");
        assertEquals("left\nnext\n", out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void shouldGoOnWithALineThatWasLetOutEarly() throws IOException {
        write(tagged, "how many? ");
        tagged.finish();
        write(tagged, "then");
        write(tagged, " go\nnext\n");
        assertEquals("[3] how many? then go\n[3] next\n", out.toString(StandardCharsets.UTF_8));
        write(tagged, "a");
        tagged.finish();
        write(plain, "b\n");
        assertEquals("[3] how many? then go\n[3] next\n[3] a\nb\n", out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void shouldTakeLinesOfAnyLength() throws IOException {
        String piece = "0123456789".repeat(1000);
        for (int i = 0; i < 100; i++) {
            write(plain, piece);
            write(tagged, "between\n");
        }
        out.reset();
        write(plain, "\n");
        assertEquals(1_000_001, out.size());
    }
}
