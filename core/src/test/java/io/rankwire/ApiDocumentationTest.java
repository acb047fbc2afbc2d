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
        List<String> sources = new ArrayList<>();
        try (Stream<Path> files = Files.list(SOURCES.resolve("io/rankwire"))) {
            files.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(sources::add);
        }
        assertTrue(sources.contains(SOURCES.resolve("io/rankwire/Communicator.java").toString()));
        assertEquals(List.of(), withoutComment(sources));
    }

    @Test
    void shouldFindWhatHasNoComment() throws IOException {
        Path source = Files.writeString(output.resolve("Sample.java"), """
                public class Sample {
                    /** Has one. */
                    public Sample() {}
                    protected int none;
                    int hidden;
                }
                """);
        List<String> lines = withoutComment(List.of(source.toString()));
        assertEquals(List.of("1", "4"), lines.stream().map(line -> line.replaceAll(".*Sample.java:(\\d+).*", "$1"))
                .toList(), lines.toString());
    }

    private List<String> withoutComment(List<String> sources) {
        List<String> arguments = new ArrayList<>(List.of("-Xdoclint:missing/protected", "-Xmaxwarns", "10000",
                "-proc:none", "-implicit:none", "-cp", "target/classes", "-d", output.toString()));
        arguments.addAll(sources);
        StringWriter text = new StringWriter();
        PrintWriter writer = new PrintWriter(text);
        int status = ToolProvider.findFirst("javac").orElseThrow().run(writer, writer,
                arguments.toArray(new String[0]));
        assertEquals(0, status, text::toString);
        return text.toString().lines().filter(line -> line.contains("no comment")).toList();
    }
}
