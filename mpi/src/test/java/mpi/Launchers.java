package mpi;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.World;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Runs the command line of the module tools, which must have been built before, as a script of it would. */
final class Launchers {
    record Result(int status, String out, String err) {
        List<String> lines() {
            return out.lines().sorted().toList();
        }
    }

    private Launchers() {}

    /** Skips a test where there is no command line. */
    static void find() {
        Assumptions.assumeTrue(Files.isDirectory(tools()), "skipped: needs the module tools, built before");
    }

    static Path tools() {
        return Path.of("../tools/target/classes").toAbsolutePath().normalize();
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    static String core() throws Exception {
        return Path.of(World.class.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    }

    /** Runs a command with a directory of its own for the files of its job. */
    static Result run(Path place, String... args) throws Exception {
        return process(place, List.of(), command(args));
    }

    static List<String> command(String... args) throws Exception {
        List<String> line = new ArrayList<>(List.of(java(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        line.add("-Drankwire.mpi=" + Path.of("target/classes").toAbsolutePath());
        line.addAll(List.of("-cp", tools() + File.pathSeparator + core(), "io.rankwire.tools.Main"));
        line.addAll(List.of(args));
        return line;
    }

    static Result process(Path place, List<String> variables, List<String> line)
            throws IOException, InterruptedException {
        Path out = place.resolve("out");
        Path err = place.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(line).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().put("RANKWIRE_DIR", place.toString());
        builder.environment().remove("CLASSPATH");
        for (String each : variables) {
            builder.environment().put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
        }
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(3, TimeUnit.MINUTES), "the command did not end: " + line);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    }
}
