package io.rankwire.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs commands as a user types them, and returns what they print. */
final class Shell {
    private static final int MINUTES = 5;

    private Shell() {}

    /** What a command prints on both of its outputs; it must end well. */
    static String run(Path directory, Map<String, String> environment, List<String> command) throws Exception {
        Path out = Files.createTempFile("out", ".txt");
        try {
            ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile())
                    .redirectErrorStream(true).redirectOutput(out.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
            if (!ended) {
                process.destroyForcibly();
            }
            String text = Files.readString(out, StandardCharsets.UTF_8);
            assertTrue(ended, () -> command + " did not end: " + text);
            assertEquals(0, process.exitValue(), () -> command + ": " + text);
            return text;
        } finally {
            Files.delete(out);
        }
    }

    static String run(Path directory, String... command) throws Exception {
        return run(directory, Map.of(), List.of(command));
    }

    /** Whether there is such a command. */
    static boolean has(String command) throws Exception {
        return new ProcessBuilder("sh", "-c", "command -v " + command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
    }
}
