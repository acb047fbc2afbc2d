package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsageTest {
    private static String complaint(String... args) {
        UsageException e = assertThrows(UsageException.class, () -> RunOptions.parse(args));
        assertEquals(2, e.status());
        return e.getMessage();
    }

    @Test
    void shouldNameWhatIsWrong() {
        assertTrue(complaint().startsWith("how many ranks? Give -n N"));
        assertTrue(complaint("-n", "4").startsWith("which program?"));
        assertTrue(complaint("-n").startsWith("option -n needs a value"));
        assertTrue(complaint("-n", "none", "X").contains("not none"));
        assertTrue(complaint("-n", "0", "X").contains("from 1 to"));
        assertTrue(complaint("--rank", "4", "X").startsWith("unknown option --rank"));
        assertTrue(complaint("--threads=yes", "X").startsWith("option --threads takes no value"));
        assertTrue(complaint("-n", "1", "--wdir", "/no/such/place", "X").contains("/no/such/place is no directory"));
        assertTrue(complaint("-n", "1", "--timeout", "-3", "X").contains("not -3"));
        assertTrue(complaint("-n", "1", "-x", "=v", "X").contains("not =v"));
        assertTrue(complaint("-n", "1", "--progress=some", "X").contains("helper, thread or none, not some"));
        assertTrue(complaint("-n", "1", "--jvm", "-Dx='a", "X").contains("a quote is not closed"));
    }

    @Test
    void shouldLeaveTheProgramsOwnArgumentsAlone() {
        RunOptions options = RunOptions.parse(new String[] {"-n", "2", "Ring.java", "-n", "5", "--help", "-cp", "x"});
        assertEquals("Ring.java", options.program);
        assertEquals(List.of("-n", "5", "--help", "-cp", "x"), options.arguments);
        RunOptions given = RunOptions.parse(new String[] {"-n", "2", "-cp", "p", "Main", "-cp", "x"});
        assertEquals("p", given.classPath);
        assertEquals(List.of("-cp", "x"), given.arguments);
        RunOptions after = RunOptions.parse(new String[] {"-n", "2", "Main", "-cp", "p", "-cp", "x"});
        assertEquals("p", after.classPath);
        assertEquals(List.of("-cp", "x"), after.arguments);
    }

    @Test
    void shouldSplitJvmOptions() {
        RunOptions options = RunOptions.parse(
                new String[] {"-n", "1", "--jvm", " -Xmx1g  -Dx='a b' \"-Dy=c d\"", "--jvm=-ea", "Main"});
        assertEquals(List.of("-Xmx1g", "-Dx=a b", "-Dy=c d", "-ea"), options.jvm);
    }

    @Test
    void shouldTellTheUserInOneLine(@TempDir Path jobs) throws Exception {
        Command.Result unknown = Command.run(jobs, "walk");
        assertEquals(2, unknown.status());
        assertEquals("rankwire: unknown command walk; `rankwire help` lists the commands\n", unknown.err());
        Command.Result missing = Command.run(jobs, "run", "-n", "2", "nowhere/Ring.java");
        assertEquals(2, missing.status());
        assertEquals("rankwire: there is no source file nowhere/Ring.java\n", missing.err());
        Command.Result help = Command.run(jobs, "run", "--help");
        assertEquals(0, help.status());
        assertTrue(help.out().startsWith("rankwire run -n N"));
        assertTrue(Command.isEmpty(jobs));
    }
}
