package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class StatusLineTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private StatusLine line(boolean rewrites) {
        PrintStream results = new PrintStream(out, true);
        return new StatusLine(results, rewrites ? results : new PrintStream(err, true), rewrites, 2);
    }

    @Test
    void shouldRewriteOneLineAtATerminalAndLeaveTheResults() throws Exception {
        try (StatusLine line = line(true)) {
            line.doing("first");
            Command.await("a line", () -> out.toString().contains("\r\033[Kfirst, 0 s"));
            line.println("a result");
            line.doing("second");
            Command.await("another", () -> out.toString().contains("\r\033[Ksecond, "));
        }
        String text = out.toString();
        assertTrue(text.contains("first, 0 s\r\033[Ka result\n"), text);
        assertTrue(text.endsWith("s\r\033[K"), text);
        assertEquals(1, text.lines().filter(each -> each.endsWith("a result")).count());
    }

    @Test
    void shouldAddLinesElsewhereAndKeepThemFromTheResults() throws Exception {
        try (StatusLine line = line(false)) {
            line.doing("first");
            Command.await("two lines", () -> err.toString().lines().count() > 1);
            line.println("a result");
        }
        assertEquals("a result\n", out.toString());
        assertTrue(err.toString().startsWith("first, 0 s\nfirst, "), err.toString());
        assertTrue(!err.toString().contains("\r"));
    }
}
