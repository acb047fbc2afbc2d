package io.rankwire.tools.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentStartTest {
    @TempDir
    Path place;

    /** csh looks into its history for what follows an exclamation mark, inside quotes too. */
    @Test
    void shouldSendWhatEveryLoginShellHandsOn() throws Exception {
        String jar = Files.writeString(place.resolve("it's.jar"), "no jar").toString();
        AgentStart start = new AgentStart(List.of("ssh"), "/jdk", jar, jar, "", "auto");
        List<String> words = start.command("node1", false);
        String command = words.get(words.size() - 1);
        assertEquals("node1", words.get(words.size() - 2));
        assertFalse(command.matches("(?s).*(\n|![^ =]).*"), command);
    }
}
