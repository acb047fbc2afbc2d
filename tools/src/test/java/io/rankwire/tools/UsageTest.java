package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.options.UsageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
        assertTrue(complaint("-n", "1", "--stall", "0", "--on-stall", "end", "X").contains("not go with --stall 0"));
        assertTrue(complaint("-n", "1", "--on-failure=continue", "--pause-on-error", "X").contains("does not go with"));
        assertTrue(complaint("-n", "1", "--on-failure=end", "--spares=1", "X").contains("needs --on-failure continue"));
        assertTrue(complaint("-n", "1", "--on-failure=continue", "--threads", "--spares=1", "X")
                .contains("option --spares does not go with --threads"));
        assertTrue(complaint("-n", "2", "--on-failure=continue", "--spares=1", "X", ":", "-n", "1", "Y")
                .contains("option --spares does not go with several programs"));
        assertTrue(complaint("-n", "65000", "--on-failure=continue", "--spares=537", "X")
                .contains("option --spares: 65000 ranks and 537 spares are more than 65536 together"));
        assertTrue(complaint("-n", "1", "X", ":", "-n", "1", "--timeout", "3", "Y").contains("for the whole job"));
        assertTrue(complaint("--threads", "-n", "1", "X", ":", "-n", "1", "Y").contains("several programs"));
    }

    @Test
    void shouldTakeAsManySparesAsThereIsRoomFor() {
        RunOptions options = RunOptions.parse("-n", "65000", "--on-failure=continue", "--spares=536", "X");
        assertEquals(536, options.spares);
        assertEquals(RunOptions.MOST_RANKS, options.places());
    }

    @Test
    void shouldLeaveTheProgramsOwnArgumentsAlone() {
        RunOptions options = RunOptions.parse("-n", "2", "Ring.java", "-n", "5", "--help", "-cp", "x");
        assertEquals("Ring.java", options.program);
        assertEquals(List.of("-n", "5", "--help", "-cp", "x"), options.arguments);
        RunOptions given = RunOptions.parse("-n", "2", "-cp", "p", "Main", "-cp", "x");
        assertEquals("p", given.classPath);
        assertEquals(List.of("-cp", "x"), given.arguments);
        RunOptions after = RunOptions.parse("-n", "2", "Main", "-cp", "p", "-cp", "x");
        assertEquals("p", after.classPath);
        assertEquals(List.of("-cp", "x"), after.arguments);
    }

    @Test
    void shouldSplitJvmOptions() {
        RunOptions options = RunOptions.parse(
                "-n", "1", "--jvm", " -Xmx1g  -Dx='a b' \"-Dy=c d\"", "--jvm=-ea", "Main");
        assertEquals(List.of("-Xmx1g", "-Dx=a b", "-Dy=c d", "-ea"), options.jvm);
    }

    private static void assertPrinted(Command.Result result, int status, String out, String err) {
        assertEquals(status, result.status(), result.err());
        assertTrue(result.out().startsWith(out) && out.isEmpty() == result.out().isEmpty(), result.out());
        assertEquals(err.isEmpty() ? "" : "rankwire: " + err + "\n", result.err());
    }

    @Test
    void shouldReportAWrongCommandLineInOneLine(@TempDir Path jobs) throws Exception {
        assertPrinted(Command.run(jobs, "walk"), 2, "", "unknown command walk; `rankwire help` lists the commands");
        assertPrinted(Command.run(jobs, "rnu"), 2, "", "unknown command rnu; did you mean run?");
        assertPrinted(Command.run(jobs, "run", "-n", "2", "nowhere/Ring.java"), 2, "",
                "there is no source file nowhere/Ring.java");
        assertPrinted(Command.run(jobs, "run", "--tiemout", "3", "-n", "1", "X"), 2, "",
                "unknown option --tiemout; did you mean --timeout? (see `rankwire run --help`)");
        assertPrinted(Command.run(jobs, "sim", "run", "-n", "2", "--threads", "X"), 2, "",
                "option --threads does not go with `rankwire sim run`, but with `rankwire run` and"
                        + " `rankwire sim schedule` (see `rankwire sim run --help`)");
        assertPrinted(Command.run(jobs, "sim", "run", "-n", "2", "--replay", "X"), 2, "",
                "`rankwire sim run` has no option --replay; there is a command `rankwire sim replay`"
                        + " (see `rankwire sim run --help`)");
        assertTrue(Command.isEmpty(jobs));
    }

    @Test
    void shouldPrintHelpAndVersion(@TempDir Path jobs) throws Exception {
        for (String[] words : new String[][] {{"run", "--help"}, {"help", "run"}}) {
            assertPrinted(Command.run(jobs, words), 0, "rankwire run -n N", "");
        }
        assertPrinted(Command.run(jobs, "sim", "--help"), 0, "rankwire sim: ", "");
        assertPrinted(Command.run(jobs, "help", "sim", "run"), 0, "rankwire sim run -n N", "");
        assertPrinted(Command.run(jobs, "--help"), 0, "rankwire: message passing for the JVM\n", "");
        assertPrinted(Command.run(jobs, "--version"), 0, "rankwire ", "");
        assertEquals(2, Command.run(jobs, "help", "walk").status());
        assertEquals(2, Command.run(jobs).status());
    }

    @Test
    void shouldNameTheNewFormOfAnOldCommand(@TempDir Path jobs) throws Exception {
        String[][] forms = {{"-n", "4", "Ring.java", "sim run -n ..."}, {"--figures", "d", "sim figures DIR"},
            {"--schedule=barrier", "-n", "4", "sim schedule S"}, {"--fit", "sim fit FILE"},
            {"--campaign", "sim campaign"}, {"--seed", "4", "--replay", "sim replay SEED"},
            {"--print-model", "sim model"}};
        for (String[] form : forms) {
            String[] words = form.clone();
            System.arraycopy(form, 0, words, 1, form.length - 1);
            words[0] = "sim";
            Command.Result result = Command.run(jobs, words);
            assertEquals(2, result.status());
            assertTrue(result.err().contains(" is now `rankwire " + form[form.length - 1] + "`"), result.err());
        }
    }

    /** The character set of LANG=C lacks the micro sign and the sign of multiplication. */
    @Test
    void shouldPrintAllCharactersWhateverTheLocale(@TempDir Path jobs) throws Exception {
        Map<String, String> plain = Map.of("LANG", "C", "LC_ALL", "C");
        Command.Result schedule = Command.run(jobs, plain, "", "sim", "schedule", "barrier", "-n", "4");
        assertTrue(schedule.out().contains("L 2.5 \u00b5s, "), schedule.out());
        Command.Result explained = Command.run(jobs, plain, "", "run", "-n", "2", "--explain", "-x",
                "RANKWIRE_COST=1500000 1500000 150 80 50 1500000", "-cp", Launch.locationOf(UsageTest.class),
                CollectivePrograms.name("Everything"));
        assertEquals(0, explained.status(), explained.err());
        assertTrue(explained.err().startsWith("rankwire: costs, given: round 1.50 \u00b5s, "), explained.err());
        assertTrue(explained.err().contains("rankwire: allreduce of 1 \u00d7 double"), explained.err());
    }
}
