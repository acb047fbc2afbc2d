package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/**
 * Hosts {@code h0}, {@code h1} and so on that a test makes itself: network namespaces, each with a server for ssh and
 * with a place of its own for files of jobs. The first one is that of the launcher.
 */
final class SshHosts implements AutoCloseable {
    private static final int PORT = 2222;

    /** The command that reaches the hosts. */
    final String ssh;
    private final Path place;
    private final String prefix = "rk" + HexFormat.of().toHexDigits((short) new Random().nextInt()) + "-";
    private final List<String> made = new ArrayList<>();
    private final List<Process> servers = new ArrayList<>();

    /** Makes hosts, or skips the test where that is not allowed. */
    SshHosts(Path place, int count) throws Exception {
        this.place = place;
        ssh = "ssh -F " + place.resolve("ssh_config");
        assumeTrue(Files.isExecutable(Path.of("/usr/sbin/sshd")), "needs openssh-server");
        assumeTrue(Files.isDirectory(Path.of("/run/sshd")), "needs /run/sshd");
        String hub = prefix + "hub";
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
        assumeTrue(status("ip", "netns", "add", hub) == 0, "needs root and ip netns");
        made.add(hub);
        try {
            assumeTrue(status("ip", "-n", hub, "link", "add", "br0", "type", "bridge") == 0, "needs a bridge");
            run("ip", "-n", hub, "link", "set", "br0", "up");
            makeKeys(place);
            StringBuilder client = new StringBuilder();
            for (int host = 0; host < count; host++) {
                add(hub, host);
                client.append("Host h%d\nHostName %s\n".formatted(host, address(host)));
            }
            Files.writeString(place.resolve("ssh_config"), client + client(place, PORT));
            for (int host = 0; host < count; host++) {
                int index = host;
                Command.await("sshd listens", () -> Files.exists(place(index).resolve("pid"))
                        && status(on(index, "bash", "-c", "exec 3<>/dev/tcp/" + address(index) + "/" + PORT)) == 0);
            }
        } catch (Throwable failure) {
            close();
            throw failure;
        }
    }

    /** Makes the keys of a server and of a user. */
    static void makeKeys(Path place) throws Exception {
        for (String key : List.of("server", "user")) {
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", place.resolve(key).toString());
        }
    }

    /** A configuration for clients of such a server, which knows nothing of the user that runs the test. */
    static String client(Path place, int port) {
        return """
                Host *
                IdentityFile %s/user
                IdentitiesOnly yes
                IdentityAgent none
                UserKnownHostsFile /dev/null
                GlobalKnownHostsFile /dev/null
                StrictHostKeyChecking no
                LogLevel ERROR
                Port %d
                """.formatted(place, port);
    }

    private void add(String hub, int host) throws Exception {
        String name = prefix + host;
        run("ip", "netns", "add", name);
        made.add(name);
        run("ip", "link", "add", "e0", "netns", name, "type", "veth", "peer", "name", "p" + host, "netns", hub);
        run("ip", "-n", hub, "link", "set", "p" + host, "master", "br0", "up");
        run("ip", "-n", name, "addr", "add", address(host) + "/24", "dev", "e0");
        run("ip", "-n", name, "link", "set", "lo", "up");
        run("ip", "-n", name, "link", "set", "e0", "up");
        Path own = Files.createDirectory(place(host));
        Files.createDirectory(jobs(host));
        Files.createDirectory(temporary(host));
        Path server = Files.writeString(own.resolve("sshd_config"), """
                HostKey %1$s/server
                AuthorizedKeysFile %1$s/user.pub
                PidFile %2$s/pid
                StrictModes no
                UsePAM no
                PasswordAuthentication no
                UseDNS no
                MaxStartups 100
                SetEnv RANKWIRE_DIR=%3$s TMPDIR=%4$s
                """.formatted(place, own, jobs(host), temporary(host)));
        servers.add(new ProcessBuilder(on(host, "/usr/sbin/sshd", "-D", "-e", "-f", server.toString(), "-o",
                "ListenAddress=" + address(host), "-p", "" + PORT)).redirectErrorStream(true)
                .redirectOutput(own.resolve("log").toFile()).start());
    }

    private Path place(int host) {
        return place.resolve("h" + host);
    }

    /** Where a host has the directories of its jobs. */
    Path jobs(int host) {
        return place(host).resolve("jobs");
    }

    /** Where a host has other files that are not to stay. */
    Path temporary(int host) {
        return place(host).resolve("tmp");
    }

    String address(int host) {
        return "10.78.0." + (host + 1);
    }

    /** A command on a host. */
    String[] on(int host, String... command) {
        List<String> words = new ArrayList<>(List.of("ip", "netns", "exec", prefix + host));
        words.addAll(List.of(command));
        return words.toArray(String[]::new);
    }

    /** All that sshd has started and that still runs, and all that knows the place of a host from its environment. */
    List<ProcessHandle> processes() {
        List<ProcessHandle> found = new ArrayList<>();
        for (Process each : servers) {
            each.descendants().forEach(found::add);
        }
        ProcessHandle.allProcesses().forEach(each -> {
            try {
                String variables = Files.readString(Path.of("/proc/" + each.pid() + "/environ"),
                        StandardCharsets.ISO_8859_1);
                if (variables.contains("RANKWIRE_DIR=" + place) && !found.contains(each)) {
                    found.add(each);
                }
            } catch (IOException e) {
                // It has ended, or is another user's.
            }
        });
        return found;
    }

    /** Files and directories that jobs have left on any host. */
    List<Path> leftovers() throws IOException {
        List<Path> found = new ArrayList<>();
        for (int host = 0; host < servers.size(); host++) {
            for (Path each : List.of(jobs(host), temporary(host))) {
                try (var files = Files.list(each)) {
                    files.forEach(found::add);
                }
            }
        }
        return found;
    }

    private static int status(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start().waitFor();
        } catch (IOException e) {
            return -1;
        }
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), Arrays.toString(command) + ": " + output);
    }

    @Override
    public synchronized void close() {
        try {
            for (Process each : servers) {
                each.destroy();
                each.waitFor();
            }
            for (String namespace : List.copyOf(made)) {
                status("ip", "netns", "del", namespace);
                made.remove(namespace);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
