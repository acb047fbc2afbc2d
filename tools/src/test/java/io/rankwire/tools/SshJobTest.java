package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rankwire.tools.Command.Result;
import io.rankwire.tools.options.UsageException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs on several hosts: real agents and ranks. A command in the place of ssh runs what it gets on this machine; one
 * test has a real server for ssh.
 */
@Timeout(300)
class SshJobTest {
    private static final String CLASSES = Launch.locationOf(Programs.class);

    @TempDir
    Path jobs;

    @TempDir
    Path place;

    private String ssh;

    @BeforeEach
    void makeCommand() throws IOException {
        ssh = script("near", "exec sh -c \"$2\"");
    }

    @AfterEach
    void shouldLeaveNothing() throws Exception {
        Command.await("no file left in the place for jobs", () -> Command.isEmpty(jobs));
        Command.await("no process left", () -> agents().isEmpty());
    }

    /** A command that gets the name of a host and what is to run there. */
    private String script(String name, String text) throws IOException {
        Path script = Files.writeString(place.resolve(name), "#!/bin/sh\n" + text + "\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return script.toString();
    }

    /** All processes of this test's jobs beside the launcher: they share the place for jobs. */
    private List<ProcessHandle> agents() {
        List<ProcessHandle> found = new ArrayList<>();
        ProcessHandle.allProcesses().forEach(each -> {
            try {
                String variables = Files.readString(Path.of("/proc/" + each.pid() + "/environ"),
                        StandardCharsets.ISO_8859_1);
                String line = Files.readString(Path.of("/proc/" + each.pid() + "/cmdline"));
                if (variables.contains("RANKWIRE_DIR=" + jobs) && line.contains("io.rankwire.tools.Agent")
                        && !line.contains("/bin/sh")) {
                    found.add(each);
                }
            } catch (IOException e) {
                // It has ended, or is another user's.
            }
        });
        return found;
    }

    private String[] words(String hosts, int ranks, String... more) {
        List<String> words = new ArrayList<>(List.of("run", "-n", "" + ranks, "--hosts", hosts, "--ssh", ssh, "--jvm",
                Command.LIGHT, "-cp", CLASSES));
        words.addAll(List.of(more));
        return words.toArray(String[]::new);
    }

    @Test
    void shouldWaitForADebuggerOnAnotherHost() throws Exception {
        Path err = place.resolve("err");
        ProcessBuilder builder = Command.builder(jobs, "run", "-n", "2", "--hosts", "a:1,b:1", "--ssh", ssh, "--debug",
                "1", "--verbose", "-cp", CLASSES, Programs.name("Ring"), "1").redirectError(err.toFile());
        try (Command job = Command.start(builder)) {
            Command.await("rank 1 waits", () -> Files.readString(err).contains("jdb -attach "));
            String said = Files.readString(err);
            assertTrue(said.contains("rank 1 on b waits for a debugger: ssh -L ")
                    && said.contains("rank 0 started on a, process "), said);
            int port = Integer.parseInt(said.replaceAll("(?s).*jdb -attach (\\d+).*", "$1"));
            try (Jdb jdb = Jdb.attach(port)) {
                jdb.untilStopped("VM Started").type("cont");
                assertEquals(0, job.result().status(), Files.readString(err));
            }
            assertTrue(Files.readString(err).contains("rank 1 has ended with status 0"), Files.readString(err));
        }
    }

    @Test
    void shouldRunOnHostsOfATreeWithCopies() throws Exception {
        // Only the launcher reaches b.
        ssh = script("near", """
                if [ $1 = b ] && [ -n "$RW_TEST_INSIDE" ]; then exit 255; fi
                RW_TEST_INSIDE=1 exec sh -c "$2\"""");
        ProcessBuilder builder = Command.builder(jobs, words("a:1,b:1,localhost:1", 3, "--copy=always", "--tag-output",
                "--report-bindings", "-x", "RW_TEST_X=7", "--wdir", place.toString(), Programs.name("Ring"), "2"));
        // Each agent starts the next one.
        builder.command().add(1, "-Drankwire.fanOut=1");
        try (Command command = Command.start(builder)) {
            command.endInput();
            Result result = command.result();
            assertEquals(0, result.status(), () -> result.out() + result.err());
            assertEquals(List.of("[0] token 6"), result.lines());
            for (String each : List.of("rank 0 of 3 on a: not bound", "rank 2 of 3 on localhost: not bound")) {
                assertTrue(result.err().contains("rankwire: " + each + "\n"), result.err());
            }
        }
    }

    @Test
    void shouldHaveTheStatusOfTheRankThatFails() throws Exception {
        Result result = Command.run(jobs, words("a:2,b:1", 3, Programs.name("Exit")));
        assertEquals(7, result.status(), () -> result.out() + result.err());
        assertTrue(result.err().endsWith("rankwire: rank 2 of 3 on b failed: it exited with status 7\n"), result.err());
    }

    @Test
    void shouldNameTheRankThatFailsWhenTheOthersAbortThenAndEndFirst() throws Exception {
        Result result = Command.run(jobs, words("a:2,b:1", 3, Programs.name("ThrowsAndEndsLast")));
        assertEquals(1, result.status(), () -> result.out() + result.err());
        assertTrue(result.err().contains("rank 1 on a: java.lang.IllegalStateException: on purpose"), result.err());
        assertTrue(result.err().endsWith("rankwire: rank 1 of 3 on a failed: it exited with status 1\n"), result.err());
    }

    @Test
    void shouldSayWhatRanksDoAfterATimeLimit() throws Exception {
        Result result = Command.run(jobs, words("a:1,b:1", 2, "--timeout", "2.5", Programs.name("Sleeps")));
        assertEquals(124, result.status(), () -> result.out() + result.err());
        assertTrue(result.err().matches("""
                rankwire: the job did not end within 2.5 s
                  rank 0 on a: (receive from rank 1, tag 7, on world .*|has not joined)
                  rank 1 on b: (is running, outside any blocking call|has not joined)
                (  threads of rank 1 on b:
                    thread "main", waiting with a time limit:
                (      at .*
                )+)?"""), result.err());
    }

    @Test
    void shouldEndWhenAnAgentIsKilled() throws Exception {
        try (Command command = waiting("a:1,b:1")) {
            agents().get(0).destroyForcibly();
            Result result = command.result();
            assertEquals(1, result.status(), () -> result.out() + result.err());
            assertTrue(result.err().matches("(?s)(.*\n)?rankwire: the agent on [ab] has ended: it or `.*` was"
                    + " killed by signal 9\n"), result.err());
            assertGone();
        }
    }

    private Command waiting(String hosts) throws Exception {
        Command command = Command.start(jobs, words(hosts, 2, Programs.name("Wait"), place.toString()));
        for (int rank = 0; rank < 2; rank++) {
            Path file = place.resolve("pid." + rank);
            Command.await("rank " + rank + " runs", () -> Files.exists(file));
        }
        Command.assertPrivate(jobs);
        return command;
    }

    private long pid(int rank) throws IOException {
        return Long.parseLong(Files.readString(place.resolve("pid." + rank)));
    }

    private void assertGone() throws Exception {
        for (int rank = 0; rank < 2; rank++) {
            long pid = pid(rank);
            Command.await("rank " + rank + " has ended", () -> ProcessHandle.of(pid).isEmpty());
        }
    }

    @Test
    void shouldNameHostsThatCannotBeUsed() throws Exception {
        String jdk = System.getProperty("java.home");
        ssh = script("far", """
                case $1 in
                    closed) echo "me@closed: Permission denied (publickey)." >&2; exit 255 ;;
                    silent) echo "ssh: connect to host silent port 22: Connection timed out" >&2; exit 255 ;;
                    bare) exec sh -c "$(printf %%s "$2" | sed "s|%s|/none|g; s|/usr/lib/jvm/|/none/|g
                            s|command -v java|false|; s|JAVA25_HOME|NONE|; s|JAVA_HOME|NONE|")" ;;
                    *) exec sh -c "$2" ;;
                esac""".formatted(jdk));
        Map<String, String> reasons = Map.of(
                "closed", "refuses the login (me@closed: Permission denied (publickey).): `" + ssh
                        + " closed true` must work without a password\n",
                "silent", "cannot be reached by ssh: ssh: connect to host silent port 22: Connection timed out\n",
                "bare", "has no JDK: install a JDK 25 or newer there, or set JAVA_HOME");
        Result result = Command.run(jobs, words("good:1,closed:1,silent:1,bare:1", 4, Programs.name("Echo")));
        assertEquals(1, result.status(), result.err());
        assertEquals("", result.out());
        for (String host : reasons.keySet()) {
            assertTrue(result.err().contains("rankwire: " + host + " " + reasons.get(host)), result.err());
        }
    }

    @Test
    void shouldRefuseOptionsThatMakeNoSense() {
        String[][] wrong = {
            {"--copy=never", "option --copy needs --hosts or --hostfile"},
            {"--hosts=a:0", "option --hosts: \"0\" is not a number of slots"},
            {"--hosts=a", "--threads", "option --threads does not go with --hosts"},
            {"--hosts=a", "--ssh= ", "option --ssh needs a command"},
        };
        for (String[] each : wrong) {
            List<String> words = new ArrayList<>(List.of("-n", "2"));
            words.addAll(List.of(each).subList(0, each.length - 1));
            words.add("Main");
            UsageException refused = assertThrows(UsageException.class,
                    () -> RunOptions.parse(words.toArray(String[]::new)));
            assertTrue(refused.getMessage().contains(each[each.length - 1]), refused.getMessage());
        }
    }

    @Test
    void shouldUseTheAllocationOfSlurm() {
        Map<String, String> slurm = Map.of("SLURM_JOB_NODELIST", "n[1-2]", "SLURM_TASKS_PER_NODE", "3(x2)");
        HostOptions found = HostOptions.of(RunOptions.SYNTAX.parse("-n", "2", "Main"), slurm);
        assertEquals("[Host[name=n1, slots=3], Host[name=n2, slots=3]]", found.hosts.toString());
        assertEquals(null, HostOptions.of(RunOptions.SYNTAX.parse("-n", "2", "--threads", "Main"), slurm));
        assertEquals(null, HostOptions.of(RunOptions.SYNTAX.parse("-n", "2", "Main"),
                Map.of("SLURM_JOB_NODELIST", "localhost")));
    }

    /** Through a real server with keys of its own; input goes to rank 0. */
    @Test
    void shouldRunThroughSsh() throws Exception {
        Path sshd = Path.of("/usr/sbin/sshd");
        assumeTrue(Files.isExecutable(sshd), "needs openssh-server");
        boolean isRoot = System.getProperty("user.name").equals("root");
        assumeTrue(!isRoot || Files.isDirectory(Path.of("/run/sshd")), "needs /run/sshd");
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        SshHosts.makeKeys(place);
        Path server = Files.writeString(place.resolve("sshd_config"), """
                HostKey %1$s/server
                AuthorizedKeysFile %1$s/user.pub
                PidFile none
                StrictModes no
                UsePAM no
                PasswordAuthentication no
                AcceptEnv RANKWIRE_DIR
                """.formatted(place));
        Path client = Files.writeString(place.resolve("ssh_config"), SshHosts.client(place, port) + """
                SendEnv RANKWIRE_DIR
                HostName 127.0.0.1
                """);
        Process daemon = new ProcessBuilder(sshd.toString(), "-D", "-e", "-f", server.toString(), "-o",
                "ListenAddress=127.0.0.1", "-p", "" + port).redirectErrorStream(true)
                .redirectOutput(place.resolve("log").toFile()).start();
        try {
            Command.await("sshd listens", () -> {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    return socket.isConnected();
                } catch (IOException e) {
                    return false;
                }
            });
            ssh = "ssh -F " + client;
            Result result = Command.run(jobs, Map.of(), "some words\n",
                    words("a:1,b:1", 2, "--tag-output", Programs.name("Input")));
            assertEquals(0, result.status(), () -> result.out() + result.err());
            assertEquals(List.of("[0] 0 read some words", "[1] 1 read "), result.lines().stream().sorted().toList());
        } finally {
            daemon.destroy();
            daemon.waitFor();
        }
    }

    /** More ranks than processors on each of two hosts, whose networks are apart. */
    @Test
    void shouldRunInNamespaces() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "needs root");
        assumeTrue(Files.isExecutable(Path.of("/usr/sbin/sshd")), "needs openssh-server");
        Path script = Path.of("..", "lab", "ssh-hosts.sh").toAbsolutePath().normalize();
        assumeTrue(new ProcessBuilder(script.toString(), "1", "true").start().waitFor() == 0, "needs ip netns");
        ssh = "SSH";
        ProcessBuilder builder = Command.builder(jobs, words("HOSTS:4", 8, "--explain", Programs.name("Ring"), "2"));
        builder.command().addAll(0, List.of(script.toString(), "2"));
        try (Command command = Command.start(builder)) {
            command.endInput();
            Result result = command.result();
            assertEquals(0, result.status(), () -> result.out() + result.err());
            assertEquals(List.of("token 16"), result.lines());
            String found = "(?s).*rankwire: all 8 ranks were there after \\d+ ms, and connected \\d+ ms later\n.*";
            assertTrue(result.err().matches(found), result.err());
        }
    }
}
