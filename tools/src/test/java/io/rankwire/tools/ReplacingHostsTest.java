package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import io.rankwire.tools.Command.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on several hosts whose dead ranks are replaced, where their hosts are alive and where they are not. */
@Timeout(1200)
class ReplacingHostsTest {
    @TempDir
    Path place;

    private SshHosts hosts;

    private Result trial(HostsTrial.Deed deed, List<String> options, String... args) throws Exception {
        List<String> job = new ArrayList<>(List.of("-n", "4"));
        job.addAll(options);
        job.addAll(List.of("-cp", Launch.locationOf(Programs.class), ReplacePrograms.name("Barriers")));
        job.addAll(List.of(args));
        long before = System.nanoTime();
        Result result = HostsTrial.run(hosts, place, 4, deed, job);
        if (Boolean.getBoolean("rankwire.test.verbose")) {
            System.out.println(String.join(" ", options) + ": " + (System.nanoTime() - before) / 1_000_000 + " ms");
        }
        return result;
    }

    /** @param ends of the ranks: place, host, and how many ranks share memory there */
    private static void assertReplaced(Result result, String... ends) {
        String story = HostsTrial.story(result);
        assertEquals(0, result.status(), story);
        for (int rank = 0; rank < ends.length; rank++) {
            String[] words = ends[rank].split(" ");
            String line = "rank " + rank + " is done, place " + words[0] + " on " + words[1] + ", shares memory with "
                    + words[2];
            assertTrue(result.lines().stream().anyMatch(each -> each.matches(line)), line + "\n" + story);
        }
    }

    @Test
    void shouldReplaceWhateverIsLost() throws Exception {
        try (SshHosts made = new SshHosts(place, 3)) {
            hosts = made;
            HostsTrial.all(hosts, this::sameHost, this::first, this::agent, this::silent, this::spare, this::early,
                    this::again, this::agentMeanwhile, this::slowAgent, this::heat);
        }
    }

    private void sameHost() throws Exception {
        assertReplaced(trial(job -> job.kill(2), List.of("--hosts", "localhost:2,h1:2"), "1"),
                "0 localhost 2", "1 localhost 2", "4 h1 2", "3 h1 2");
    }

    private void first() throws Exception {
        assertReplaced(trial(job -> job.kill(0), List.of("--hosts", "localhost:2,h1:2", "--fabric", "tcp"), "1"),
                "4 localhost 1", "1 localhost 1", "2 h1 1", "3 h1 1");
    }

    /** The third host has no rank at first. */
    private void agent() throws Exception {
        assertReplaced(trial(job -> job.killAgent(1), List.of("--hosts", "localhost:2,h1:2,h2:2"), "2"),
                "0 localhost 2", "1 localhost 2", "[45] h2 2", "[45] h2 2");
    }

    private void silent() throws Exception {
        assertReplaced(trial(_ -> hosts.unplug(2), List.of("--hosts", "localhost:1,h1:2,h2:1"), "1"),
                "0 localhost [12]", "1 h1 [23]", "2 h1 [23]", "4 (localhost|h1) [23]");
    }

    private void spare() throws Exception {
        assertReplaced(trial(job -> job.kill(3), List.of("--hosts", "localhost:3,h1:2", "--spares=1"), "1"),
                "0 localhost 3", "1 localhost 3", "2 localhost 3", "4 h1 1");
    }

    private void early() throws Exception {
        assertReplaced(trial(job -> job.kill(1), List.of("--hosts", "localhost:2,h1:2"), "1", "early"),
                "0 localhost 2", "5 localhost 2", "2 h1 2", "3 h1 2");
    }

    /** A rank that has replaced another one is killed, too, and one more beside it. */
    private void again() throws Exception {
        assertReplaced(trial(job -> {
            job.kill(2);
            job.awaitJoined(5);
            job.kill(4);
            job.kill(1);
        }, List.of("--hosts", "localhost:2,h1:2"), "2"),
                "0 localhost 2", "[56] localhost 2", "[56] h1 2", "3 h1 2");
    }

    /** The host is lost while the new rank starts there, or just before. */
    private void agentMeanwhile() throws Exception {
        long seed = Long.getLong("rankwire.test.seed", System.nanoTime());
        System.out.println("-Drankwire.test.seed=" + seed);
        int pauseMs = new Rand(seed).below(600);
        assertReplaced(trial(job -> {
            job.kill(3);
            Thread.sleep(pauseMs);
            job.killAgent(1);
        }, List.of("--hosts", "localhost:2,h1:1,h2:2"), "2"),
                "0 localhost [23]", "1 localhost [23]", "[4-6] (localhost|h2) [123]", "[4-6] (localhost|h2) [123]");
    }

    /** An agent does not answer for a while; then its host is used again. */
    private void slowAgent() throws Exception {
        assertReplaced(trial(job -> {
            job.signalAgent(1, "STOP");
            job.kill(2);
            job.awaitJoined(5);
            job.signalAgent(1, "CONT");
            job.awaitRead(2);
            job.kill(3);
        }, List.of("--hosts", "localhost:2,h1:2"), "2"),
                "0 localhost 3", "1 localhost 3", "4 localhost 3", "5 h1 1");
    }

    private void heat() throws Exception {
        Result result = HostsTrial.run(hosts, place, 0, _ -> { }, List.of("-n", "4", "--hosts", "localhost:2,h1:2",
                Path.of("../examples/SurvivingHeat.java").toAbsolutePath().normalize().toString(), "120"));
        assertEquals(0, result.status(), HostsTrial.story(result));
        assertTrue(result.out().contains("as by one rank"), HostsTrial.story(result));
    }
}
