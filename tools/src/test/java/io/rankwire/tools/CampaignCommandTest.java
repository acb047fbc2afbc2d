package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.options.Given;
import io.rankwire.tools.options.Syntax;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class CampaignCommandTest {
    private static String output(Syntax syntax, ToIntFunction<Given> command, String... args) {
        PrintStream before = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            assertEquals(0, command.applyAsInt(syntax.parse(args)));
        } finally {
            System.setOut(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldReplayASeedToTheSameHash() {
        String printed = output(CampaignCommand.REPLAY, CampaignCommand::replay, "0x2a");
        assertEquals(printed, output(CampaignCommand.REPLAY, CampaignCommand::replay, "42"));
        for (String part : new String[] {"seed    42", "world   ", "calls   ", "faults  ", "ended   ", "hash    "}) {
            assertTrue(printed.contains("\n" + part) || printed.startsWith(part), printed);
        }
    }

    @Test
    void shouldRunACampaign() {
        String printed = output(CampaignCommand.CAMPAIGN, CampaignCommand::campaign, "--from", "7", "--seeds", "20");
        assertTrue(printed.startsWith("20 seeds, 0 failed"), printed);
        String overTcp = output(CampaignCommand.CAMPAIGN, CampaignCommand::campaign, "--fabric", "tcp", "--seeds", "5");
        assertTrue(overTcp.startsWith("5 seeds, 0 failed") && overTcp.contains(", reset "), overTcp);
        String replayed = output(CampaignCommand.REPLAY, CampaignCommand::replay, "--fabric", "tcp", "3");
        assertTrue(replayed.contains("; connections ") && replayed.contains("\nended   well\n"), replayed);
        String agree = output(CampaignCommand.CAMPAIGN, CampaignCommand::campaign, "--fabric", "none", "--seeds", "50");
        assertTrue(agree.startsWith("50 seeds, 0 failed") && agree.contains(" deaths"), agree);
        String one = output(CampaignCommand.REPLAY, CampaignCommand::replay, "--fabric", "none", "3");
        assertTrue(one.startsWith("seed    3\ngroups  ") && one.contains("\nended   well\n"), one);
    }

    @Test
    @Timeout(300)
    void shouldShowThatAnEndlessCampaignGoesOnAndWhatItHasWhenItIsInterrupted(@TempDir Path place) throws Exception {
        Path shown = place.resolve("shown");
        List<String> line = new ArrayList<>(Command.line("sim", "campaign"));
        line.add(1, "-Drankwire.terminal=true");
        ProcessBuilder builder = new ProcessBuilder(line).redirectOutput(shown.toFile());
        try (Command command = Command.start(builder)) {
            Command.await("a line", () -> Files.readString(shown).matches("(?s)\\r.*seed \\d+: .* failed, .*"));
            command.signal("INT");
            assertEquals(130, command.result().status());
        }
        String text = Files.readString(shown);
        assertEquals(text.length() - 1, text.indexOf('\n'), text);
        String last = text.substring(text.lastIndexOf('\r'));
        assertTrue(last.matches("\\r\\033\\[K\\d+ seeds, 0 failed, .*\\n"), text);
    }
}
