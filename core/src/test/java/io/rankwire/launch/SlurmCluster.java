package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A real Slurm of several nodes on this machine, as processes of the test; it needs no rights and no other service. */
final class SlurmCluster implements AutoCloseable {
    private static final long MINUTES = 2;

    private final Path directory;
    private final int nodes;
    private final List<Process> daemons = new ArrayList<>();

    SlurmCluster(Path directory, int nodes) throws Exception {
        this.directory = Files.createDirectories(directory);
        this.nodes = nodes;
        String host = output("hostname", "-s");
        String user = output("id", "-un");
        StringBuilder text = new StringBuilder(Files.readString(Path.of("src/test/resources/slurm.conf"))
                .replace("@DIRECTORY@", directory.toString()).replace("@HOST@", host).replace("@USER@", user)
                .replace("@PORT@", Integer.toString(HandStarted.freePort())));
        for (int node = 1; node <= nodes; node++) {
            text.append("NodeName=n" + node + " NodeHostname=" + host + " NodeAddr=127.0.0.1 Port="
                    + HandStarted.freePort() + " CPUs=4 State=UNKNOWN\n");
            Files.createDirectories(directory.resolve("spool.n" + node));
            Files.createDirectories(directory.resolve("tmp.n" + node));
        }
        Files.createDirectories(directory.resolve("state"));
        Files.writeString(directory.resolve("slurm.conf"), text);
        Files.writeString(hosts(), "127.0.0.1 n1\n127.0.0.1 n2\n");
        Files.writeString(script(), "#!/bin/sh\nexec \"$@\"\n");
        try {
            start("slurmctld", "-D", "-c");
            for (int node = 1; node <= nodes; node++) {
                start("slurmd", "-D", "-N", "n" + node);
            }
            awaitNodes();
        } catch (Exception | Error e) {
            close();
            throw e;
        }
    }

    /** A start that asks too early waits for seconds. */
    private void awaitNodes() throws Exception {
        long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
        while (!output("sinfo", "-h", "-t", "idle", "-o", "%D").equals(Integer.toString(nodes))) {
            assertTrue(System.nanoTime() - until < 0, () -> "no nodes: " + log("slurmctld") + log("slurmd"));
            Thread.sleep(20);
        }
    }

    private String log(String name) {
        try {
            return Files.readString(directory.resolve(name + ".output"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** What a client of this cluster needs in its environment. */
    Map<String, String> variables() {
        return new HashMap<>(Map.of("SLURM_CONF", directory.resolve("slurm.conf").toString()));
    }

    /** A file with the addresses of the nodes. */
    Path hosts() {
        return directory.resolve("hosts");
    }

    /** A batch script that runs its arguments. */
    Path script() {
        return directory.resolve("script");
    }

    private void start(String... command) throws IOException {
        daemons.add(builder(command).redirectOutput(directory.resolve(command[0] + ".output").toFile()).start());
    }

    private ProcessBuilder builder(String... command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(variables());
        builder.environment().compute("PATH", (name, path) -> path + ":/usr/sbin");
        return builder;
    }

    private String output(String... command) throws IOException, InterruptedException {
        Process process = builder(command).start();
        String text = new String(process.getInputStream().readAllBytes()).strip();
        process.waitFor();
        return text;
    }

    @Override
    public void close() {
        try {
            stop();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits until no job is left. */
    void awaitEnd() throws IOException, InterruptedException {
        for (int i = 0; i < 2_000 && !output("squeue", "-h").isEmpty(); i++) {
            Thread.sleep(20);
        }
    }

    /** Tasks outlive the daemons, so they end first. */
    private void stop() throws IOException, InterruptedException {
        if (!output("squeue", "-h").isEmpty()) {
            output("scancel", "-u", output("id", "-un"));
            awaitEnd();
        }
        for (Process each : daemons.reversed()) {
            each.destroy();
            if (!each.waitFor(10, TimeUnit.SECONDS)) {
                each.destroyForcibly().waitFor();
            }
        }
    }
}
