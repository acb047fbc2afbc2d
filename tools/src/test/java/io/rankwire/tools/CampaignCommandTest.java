package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class CampaignCommandTest {
    private static String output(int status, String... args) {
        PrintStream before = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            assertEquals(status, CampaignCommand.run(args));
        } finally {
            System.setOut(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldReplayASeedToTheSameHash() {
        String told = output(0, "--seed", "0x2a", "--replay");
        assertEquals(told, output(0, "--replay", "--seed=42"));
        for (String part : new String[] {"seed    42", "world   ", "calls   ", "faults  ", "ended   ", "hash    "}) {
            assertTrue(told.contains("\n" + part) || told.startsWith(part), told);
        }
    }

    @Test
    void shouldRunACampaign() {
        String told = output(0, "--campaign", "--from", "7", "--seeds", "20");
        assertTrue(told.startsWith("20 seeds, 0 failed"), told);
    }

    @Test
    @Timeout(300)
    void shouldShowThatAnEndlessCampaignGoesOnAndWhatItHasWhenItIsInterrupted(@TempDir Path place) throws Exception {
        Path shown = place.resolve("shown");
        List<String> line = new ArrayList<>(Command.line("sim", "--campaign"));
        line.add(1, "-Drankwire.terminal=true");
        ProcessBuilder builder = new ProcessBuilder(line).redirectOutput(shown.toFile());
        try (Command command = Command.start(builder)) {
            Command.await("a line", 60_000, () -> Files.readString(shown).matches("(?s)\\r.*seed \\d+: .* failed, .*"));
            command.signal("INT");
            assertEquals(130, command.result().status());
        }
        String text = Files.readString(shown);
        assertEquals(text.length() - 1, text.indexOf('\n'), text);
        String last = text.substring(text.lastIndexOf('\r'));
        assertTrue(last.matches("\\r\\033\\[K\\d+ seeds, 0 failed, .*\\n"), text);
    }

    @Test
    void shouldKnowItsWords() {
        assertTrue(CampaignCommand.isMeant(new String[] {"--seed", "3", "--replay"}));
        assertFalse(CampaignCommand.isMeant(new String[] {"-n", "4", "Ring.java"}));
        assertThrows(UsageException.class, () -> CampaignCommand.run(new String[] {"--seed", "x", "--replay"}));
        assertThrows(UsageException.class, () -> CampaignCommand.run(new String[] {"--campaign", "-n"}));
    }
}
