package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertAll;

import io.rankwire.tools.Command.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.function.Executable;

/** A job on several hosts that goes on while something is done to it. Its ranks print their processes first. */
final class HostsTrial {
    /** Something that is done to a job. */
    interface Deed {
        void run(HostsTrial on) throws Exception;
    }

    final Command command;
    private final SshHosts hosts;
    private final Path out;

    private HostsTrial(SshHosts hosts, Path place, List<String> job) throws Exception {
        this.hosts = hosts;
        out = Files.createTempFile(place, "out", "");
        List<String> line = Command.line("run", "--ssh", hosts.ssh, "--on-failure=continue", "--jvm", Command.LIGHT);
        line.addAll(job);
        ProcessBuilder builder = new ProcessBuilder(hosts.on(0, line.toArray(String[]::new)));
        builder.environment().put("RANKWIRE_DIR", hosts.jobs(0).toString());
        builder.environment().put("TMPDIR", hosts.temporary(0).toString());
        builder.redirectOutput(out.toFile());
        command = Command.start(builder);
    }

    /**
     * Runs a job, does something to it when its ranks have joined, and returns its end; nothing may be left then.
     *
     * @param job its options and its program
     */
    static Result run(SshHosts hosts, Path place, int ranks, Deed deed, List<String> job) throws Exception {
        HostsTrial trial = new HostsTrial(hosts, place, job);
        try (Command command = trial.command) {
            Command.await("all ranks have joined", () -> trial.joined() >= ranks || !isAlive(command));
            deed.run(trial);
            Result end = command.result();
            Result result = new Result(end.status(), trial.out(), end.err(), end.ms());
            for (int host = 1; host < 3; host++) {
                hosts.plug(host);
            }
            String story = story(result);
            Command.await("no process left; " + story + names(hosts), () -> hosts.processes().isEmpty());
            Command.await("no file left; " + story + hosts.leftovers(), () -> hosts.leftovers().isEmpty());
            return result;
        }
    }

    /** Makes all of several trials, also after one that fails, and then fails with what each of those has thrown. */
    static void all(SshHosts hosts, Executable... trials) throws InterruptedException {
        List<Throwable> failures = new ArrayList<>();
        for (Executable each : trials) {
            try {
                each.execute();
            } catch (InterruptedException e) {
                // The time of the test is over.
                failures.forEach(e::addSuppressed);
                throw e;
            } catch (Throwable e) {
                failures.add(e);
                hosts.processes().forEach(ProcessHandle::destroyForcibly);
            }
        }
        assertAll(failures.stream().map(each -> () -> {
            throw each;
        }));
    }

    static String story(Result result) {
        return "status " + result.status() + "\n" + result.out() + result.err();
    }

    private static boolean isAlive(Command command) {
        return ProcessHandle.of(command.pid()).isPresent();
    }

    private static List<String> names(SshHosts hosts) {
        return hosts.processes().stream().map(each -> each.pid() + " " + name(each)).toList();
    }

    private static String name(ProcessHandle process) {
        return read(process, "cmdline").replace('\0', ' ');
    }

    private static String read(ProcessHandle process, String what) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/" + what), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    String out() throws IOException {
        return Files.readString(out);
    }

    /** How many ranks have printed their processes. */
    long joined() throws IOException {
        return out().lines().filter(line -> line.contains("is process")).count();
    }

    /** Waits until this number of ranks have printed their processes. */
    void awaitJoined(int ranks) throws Exception {
        Command.await(ranks + " ranks have joined", () -> joined() >= ranks || !isAlive(command));
    }

    private long process(int rank) throws IOException {
        return Long.parseLong(Pattern.compile("rank " + rank + " is process (\\d+)").matcher(out()).results()
                .findFirst().orElseThrow().group(1));
    }

    void kill(int rank) throws Exception {
        Command.signal(process(rank), "KILL");
    }

    /** Waits until the agent of a rank that was killed has read how its process has ended. */
    void awaitRead(int rank) throws Exception {
        Path process = Path.of("/proc/" + process(rank));
        Command.await("the end of rank " + rank + " is read", () -> !Files.exists(process));
    }

    /** Kills the agent of a host. */
    void killAgent(int host) throws Exception {
        signalAgent(host, "KILL");
    }

    void signalAgent(int host, String signal) throws Exception {
        for (ProcessHandle each : hosts.processes()) {
            String name = name(each);
            if (name.contains("bin/java ") && name.contains("tools.Agent") && !name.contains("sh -c")
                    && read(each, "environ").contains("RANKWIRE_DIR=" + hosts.jobs(host))) {
                Command.signal(each.pid(), signal);
            }
        }
    }
}
