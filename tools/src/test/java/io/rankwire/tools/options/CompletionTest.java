package io.rankwire.tools.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Main;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The completion script, in a real bash. */
@Timeout(300)
class CompletionTest {
    private static final Path BASH = Path.of("/bin/bash");

    @TempDir
    Path place;

    @BeforeEach
    void findAShell() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(BASH), "skipped: needs bash");
        Files.writeString(place.resolve("script"), Completion.script("bash", Main.ownCommands()));
        Files.createDirectory(place.resolve("folder"));
        Files.writeString(place.resolve("Ring.java"), "");
    }

    /** What bash would offer for the last of these words. */
    private List<String> completed(String... words) throws Exception {
        List<String> line = new ArrayList<>(List.of(BASH.toString(), "-c", """
                . ./script
                COMP_WORDS=("$@")
                COMP_CWORD=$(($# - 1))
                _rankwire 2> errors
                printf '%s\\n' "${COMPREPLY[@]}"
                # The variables of the script are its own.
                printf '%s' "${options:-}${valued:-}${operand:-}${command:-}${word:-}"
                """, "bash", "rankwire"));
        line.addAll(List.of(words));
        Process bash = new ProcessBuilder(line).directory(place.toFile()).redirectErrorStream(true).start();
        String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(bash.waitFor(60, TimeUnit.SECONDS));
        // Outside of a completion, compopt may only complain.
        String errors = Files.readString(place.resolve("errors"));
        assertTrue(errors.lines().allMatch(each -> each.contains("compopt")), errors);
        return out.lines().filter(each -> !each.isEmpty()).sorted().toList();
    }

    @Test
    void shouldCompleteCommands() throws Exception {
        assertEquals(List.of("attach", "bench", "completion", "doctor", "help", "ps", "queues", "run", "sim",
                "stack", "version"), completed(""));
        assertEquals(List.of("campaign", "figures", "fit", "model", "replay", "run", "schedule"), completed("sim", ""));
        assertEquals(List.of("run"), completed("help", "r"));
        assertEquals(List.of("--help", "--version"), completed("--"));
    }

    @Test
    void shouldCompleteEveryOption() throws Exception {
        for (Syntax each : Main.ownCommands()) {
            List<String> words = new ArrayList<>(List.of(each.name().split(" ")));
            words.add("-");
            assertEquals(List.copyOf(new TreeSet<>(each.optionNames())), completed(words.toArray(String[]::new)));
        }
    }

    @Test
    void shouldCompleteValues() throws Exception {
        assertEquals(List.of("--timeout"), completed("run", "-n", "4", "--ti"));
        assertEquals(List.of("helper", "none", "thread"), completed("run", "--progress", ""));
        assertEquals(List.of("helper"), completed("run", "--progress", "=", "h"));
        assertEquals(List.of("helper", "none", "thread"), completed("run", "--progress", "="));
        assertEquals(List.of("--progress=helper"), completed("run", "--progress=he"));
        assertEquals(List.of("folder"), completed("run", "--wdir", ""));
        assertEquals(List.of(), completed("run", "-n", ""));
        assertEquals(List.of("bash", "fish", "zsh"), completed("completion", ""));
        assertEquals(List.of("Ring.java"), completed("run", "-n", "4", "--progress", "=", "none", "Ri"));
        assertEquals(List.of("Ring.java"), completed("sim", "run", "-n", "4", "R"));
        assertEquals(List.of(), completed("run", "-n", "4", "Ring.java", "--ti"));
    }

    @Test
    void shouldMakeAScriptForZsh() {
        String script = Completion.script("zsh", Main.ownCommands());
        assertTrue(script.contains("bashcompinit") && script.contains("source <(rankwire completion zsh)"), script);
    }
}
