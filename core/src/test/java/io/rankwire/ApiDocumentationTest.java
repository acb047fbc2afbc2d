package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Every public type and member of the API has a comment. The build checks the comments themselves with doclint. */
@Execution(ExecutionMode.CONCURRENT)
class ApiDocumentationTest {
    private static final Path SOURCES = Path.of("src", "main", "java");

    @TempDir
    private Path output;

    @Test
    void shouldCommentOnEveryMember() throws IOException {
        List<String> lines = javadoc();
        assertEquals(List.of(), lines.stream().filter(line -> line.contains("no comment")).toList());
        assertTrue(Files.exists(output.resolve("io/rankwire/Communicator.html")), () -> String.join("\n", lines));
    }

    private List<String> javadoc() throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-quiet", "-Xdoclint:missing", "-Xmaxwarns", "10000", "-d",
                output.toString(), "--source-path", SOURCES.toString()));
        try (Stream<Path> files = Files.list(SOURCES.resolve("io/rankwire"))) {
            files.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(arguments::add);
        }
        StringWriter text = new StringWriter();
        PrintWriter writer = new PrintWriter(text);
        ToolProvider.findFirst("javadoc").orElseThrow().run(writer, writer, arguments.toArray(new String[0]));
        return text.toString().lines().toList();
    }
}
