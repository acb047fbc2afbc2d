package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.Request;
import io.rankwire.Work;
import io.rankwire.WorkBuffer;
import io.rankwire.WorkQueue;
import io.rankwire.World;
import io.rankwire.tools.Command.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Looking into a job that runs. */
@Timeout(600)
class JobsCommandTest {
    @TempDir
    Path jobs;

    /** Rank 1 waits for a message that rank 0 sends when its input ends; others wait in the queues. */
    static final class Waiting {
        public static void main(String[] args) throws Exception {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                if (all.rank() == 1) {
                    all.receive(new int[1], 0, 8);
                    all.receive(new int[3], 0, 5);
                    all.send(new double[10], 0, 7);
                    all.ibarrier().await();
                    return;
                }
                Request received = all.irecv(new double[10], 1, 7);
                Request barrier = all.ibarrier();
                all.send(new int[3], 1, 5);
                System.in.readAllBytes();
                all.send(new int[1], 1, 8);
                Request.awaitAll(received, barrier);
            }
        }
    }

    @Test
    void shouldPrintWhatAJobWaitsFor(@TempDir Path place) throws Exception {
        assertEquals("no jobs\n", Command.run(jobs, "ps").out());
        Result none = Command.run(jobs, "queues");
        assertEquals(2, none.status());
        assertTrue(none.err().contains("no job of this user runs on this host"), none.err());
        try (Command job = Command.start(jobs, "run", "-n", "2", "--stall", "0", "--jvm", "-Drankwire.lines=true",
                "-cp",
                Launch.locationOf(Waiting.class), Waiting.class.getName())) {
            AtomicReference<String> list = new AtomicReference<>("");
            Command.await("rank 1 waits", () -> {
                list.set(Command.run(jobs, "ps").out());
                return list.get().lines().anyMatch(line -> line.matches(".* 2 +1 .*run -n 2 .*Waiting"));
            });
            String name = list.get().lines().skip(1).findFirst().orElseThrow().substring(0, 8);
            for (String chosen : List.of(name, "" + job.pid(), "")) {
                Result queues = chosen.isEmpty() ? Command.run(jobs, "queues") : Command.run(jobs, "queues", chosen);
                assertEquals(0, queues.status(), queues.err());
                assertEquals(List.of(
                        "rank 0 (process P) is running, outside any blocking call",
                        "  posted receives, in the order in which they match (1):",
                        "    receive from rank 1, tag 7, on world, room for 80 bytes at JobsCommandTest.java:L",
                        "  collective calls and work programs under way (1):",
                        "    ibarrier, on world at JobsCommandTest.java:L",
                        "rank 1 (process P) waits in receive from rank 0, tag 8, on world at JobsCommandTest.java:L;"
                                + " a message from rank 0 with tag 5 is waiting",
                        "  posted receives, in the order in which they match (1):",
                        "    receive from rank 0, tag 8, on world, room for 4 bytes at JobsCommandTest.java:L",
                        "  messages that no call has received (1):",
                        "    from rank 0, tag 5, 12 bytes of int, on world"),
                        queues.lines().stream().skip(1).map(line -> line.replaceAll("process \\d+", "process P")
                                .replaceAll("java:\\d+", "java:L")).toList());
            }
            Result stacks = Command.run(jobs, "stack", name);
            assertEquals(0, stacks.status(), stacks.err());
            assertTrue(stacks.out().matches("(?s)job " + name + ", run .*\nrank 0 \\(process \\d+\\) is running,.*\n"
                    + "    thread \"main\", running or in native code:\n      at java.io.InputStream.readAllBytes\n"
                    + "      at io.rankwire.tools.JobsCommandTest\\$Waiting.main.*\nrank 1 .*\n"
                    + "    thread \"main\", in a call:\n      at io.rankwire.Communicator.receive\\(.*\n"
                    + "      at io.rankwire.tools.JobsCommandTest\\$Waiting.main\\(JobsCommandTest.java:\\d+\\)\n"),
                    stacks.out());
            Result wrong = Command.run(jobs, "queues", "zzz");
            assertTrue(wrong.status() == 2 && wrong.err().contains("these do: " + name), wrong.err());
            Result once = Command.run(jobs, "attach", "--once");
            assertEquals(0, once.status(), once.err());
            List<String> lines = once.lines();
            assertTrue(lines.get(0).matches("job " + name + ", \\d+:\\d\\d, run -n 2 .*Waiting"), once.out());
            assertTrue(lines.get(2).matches(" +0 +\\d+ +[1-9]\\d* .* is running, outside any blocking call"),
                    once.out());
            assertTrue(lines.get(3).matches(" +1 +\\d+ .* 2  waits for [\\d.]+ s in receive from rank 0, tag 8, on"
                    + " world at JobsCommandTest.java:\\d+; a message .*"), once.out());
            Path seen = place.resolve("seen");
            try (Command watch = Command.start(
                    Command.builder(jobs, "attach", name, "--every", "2").redirectOutput(seen.toFile()))) {
                Command.await("a table", () -> Files.readString(seen).contains("DOING"));
                job.endInput();
                assertEquals(0, job.result().status());
                assertEquals(0, watch.result().status());
                assertTrue(Files.readString(seen).endsWith("job " + name + " has ended\n"), Files.readString(seen));
            }
        }
        assertEquals("no jobs\n", Command.run(jobs, "ps").out());
    }

    /** Rank 0 runs a work program whose message rank 1 sends when its input ends. */
    static final class Program {
        public static void main(String[] args) throws Exception {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                if (all.rank() == 0) {
                    System.in.readAllBytes();
                    all.send(new int[1], 1, 3);
                    return;
                }
                Work work = all.work();
                int came = work.counter();
                int sent = work.counter();
                WorkBuffer word = work.buffer(new int[1]);
                WorkQueue later = work.disabledQueue().send(1, word, sent);
                work.queue().receive(0, word, came).await(came, 1).enable(later, 1).receive(1, word, came)
                        .await(sent, 1);
                work.start(3).await();
            }
        }
    }

    @Test
    void shouldPrintWhatTheQueuesOfAWorkProgramWaitFor() throws Exception {
        try (Command job = Command.start(jobs, "run", "-n", "2", "--stall", "0", "--jvm", "-Drankwire.lines=true",
                "-cp", Launch.locationOf(Program.class), Program.class.getName())) {
            AtomicReference<Result> seen = new AtomicReference<>();
            Command.await("rank 1 waits", () -> {
                seen.set(Command.run(jobs, "queues"));
                return seen.get().out().contains("waits in work program");
            });
            assertEquals(List.of(
                    "  collective calls and work programs under way (1):",
                    "    work program, on world at JobsCommandTest.java:L",
                    "      entry 0 of queue 0 is not enabled",
                    "      entry 1 of queue 1 waits for counter 0 to reach 1; it is 0"),
                    seen.get().lines().stream().dropWhile(line -> !line.contains("programs under way"))
                            .map(line -> line.replaceAll("java:\\d+", "java:L")).toList());
            job.endInput();
            assertEquals(0, job.result().status());
        }
    }
}
