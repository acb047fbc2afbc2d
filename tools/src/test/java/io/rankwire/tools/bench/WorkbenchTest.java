package io.rankwire.tools.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@DisabledOnOs(OS.WINDOWS)
class WorkbenchTest {
    @Test
    void shouldTellHowAProgramEndedAndLeaveNothingBehind() throws IOException {
        Path directory;
        try (Workbench bench = Workbench.open()) {
            directory = bench.directory();
            Workbench.Outcome good = bench.run(List.of("/bin/sh", "-c", "echo one; echo two"), 10);
            assertTrue(good.ok());
            assertEquals(List.of("one", "two"), good.lines());
            Workbench.Outcome bad = bench.run(List.of("/bin/sh", "-c", "echo ----- >&2; echo why >&2; exit 3"), 10);
            assertEquals("ended with status 3: why", bad.failure());
        }
        assertFalse(Files.exists(directory));
    }

    @Test
    void shouldKillAProgramThatHangsWithAllItStarted() throws IOException, InterruptedException {
        try (Workbench bench = Workbench.open()) {
            long start = System.nanoTime();
            Workbench.Outcome outcome =
                    bench.run(List.of("/bin/sh", "-c", "trap '' TERM; sleep 600 & echo $!; wait; wait"), 0.5);
            assertEquals("did not end within 1 s and was killed", outcome.failure().replace("0 s", "1 s"));
            assertTrue(System.nanoTime() - start < 120_000_000_000L);
            long child = Long.parseLong(outcome.lines().get(0));
            for (int i = 0; i < 6_000 && isRunning(child); i++) {
                Thread.sleep(20);
            }
            assertFalse(isRunning(child));
        }
    }

    private static boolean isRunning(long pid) {
        // A killed orphan that nobody has collected yet still counts as alive, but has no command any more.
        return ProcessHandle.of(pid)
                .map(handle -> handle.isAlive() && handle.info().command().isPresent())
                .orElse(false);
    }

    @Test
    void shouldSayInOneLineThatAPeerIsAbsent() throws IOException {
        try (Workbench bench = Workbench.open()) {
            for (String name : BenchOptions.PEERS) {
                for (String path : new String[] {null, "", bench.directory().toString()}) {
                    Peers.Found found = new Peers(bench, path).find(name);
                    assertNull(found.side());
                    assertTrue(found.absent().startsWith("absent: ") && !found.absent().contains("\n"), found.absent());
                }
            }
        }
    }

    @Test
    void shouldTellLaunchersApartByWhatTheySay() {
        List<String> open = List.of("open mpi", "openrte");
        List<String> mpich = List.of("hydra", "mpich");
        assertEquals("4.1.4", Peers.version("mpirun.openmpi (OpenRTE) 4.1.4\n\nReport bugs to ...", open));
        assertEquals("5.0.3rc1", Peers.version("mpirun (Open MPI) 5.0.3rc1", open));
        assertNull(Peers.version("mpirun (Open MPI) 5.0.3", mpich));
        String hydra = "HYDRA build details:\n    Version:      4.0.2\n    Release Date:  Thu Apr  7 12:34:45 CDT 2022";
        assertEquals("4.0.2", Peers.version(hydra, mpich));
        assertNull(Peers.version(hydra, open));
    }

    @Test
    void shouldUseAPlainInstallationOnlyOfTheRightLibrary() throws IOException {
        try (Workbench bench = Workbench.open()) {
            script(bench, "mpirun", "echo 'mpirun (Open MPI) 9.8.7'; case $1 in --version) ;; *) exit 0 ;; esac");
            script(bench, "mpicc", "exit 0");
            Peers peers = new Peers(bench, bench.directory().toString());
            Peers.Found open = peers.find("openmpi");
            assertEquals("9.8.7", open.side().version());
            assertTrue(open.side().loops().get(0).endsWith("mpirun"));
            assertNull(peers.find("mpich").side());
            script(bench, "mpicc", "echo no such header >&2; exit 1");
            assertTrue(peers.find("openmpi").absent().contains("no such header"));
        }
    }

    private static void script(Workbench bench, String name, String text) throws IOException {
        Path file = bench.directory().resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + text + "\n");
        assertTrue(file.toFile().setExecutable(true));
    }
}
