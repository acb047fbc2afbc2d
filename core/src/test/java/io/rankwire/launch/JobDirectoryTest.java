package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobDirectoryTest {
    @TempDir
    Path root;

    @Test
    void shouldBePrivateUnguessableAndGoneAfterwards() throws IOException {
        JobDirectory job = JobDirectory.create(root);
        assertTrue(job.path().getFileName().toString().matches("rankwire-[0-9a-f]{32}"));
        job.createBoard(4, 4);
        assertEquals(Board.bytes(4), Files.size(job.path().resolve("board")));
        if (Files.getFileStore(root).supportsFileAttributeView("posix")) {
            assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(job.path())));
            Path board = job.path().resolve("board");
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(board)));
        }
        Files.createDirectories(job.path().resolve("classes/a/b"));
        Files.writeString(job.path().resolve("classes/a/b/C.class"), "x");
        job.delete();
        assertFalse(Files.exists(job.path()));
    }

    @Test
    void shouldNotFollowLinksWhenDeleting(@TempDir Path elsewhere) throws IOException {
        Path kept = Files.writeString(elsewhere.resolve("kept"), "x");
        JobDirectory job = JobDirectory.create(root);
        Files.createSymbolicLink(job.path().resolve("link"), elsewhere);
        job.delete();
        assertTrue(Files.exists(kept));
        assertFalse(Files.exists(job.path()));
    }

    @Test
    void shouldSweepOnlyTheDead() throws IOException, InterruptedException {
        JobDirectory living = JobDirectory.create(root);
        JobDirectory dead = JobDirectory.create(root);
        Process ended = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-version")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        ended.waitFor();
        String own = Files.readString(living.path().resolve("pid"));
        String namespace = own.substring(own.lastIndexOf(' '));
        Files.writeString(dead.path().resolve("pid"), ended.pid() + " 12345" + namespace);
        JobDirectory reused = JobDirectory.create(root);
        Files.writeString(
                reused.path().resolve("pid"), ProcessHandle.current().pid() + " 1" + namespace);
        JobDirectory foreign = JobDirectory.create(root);
        Files.writeString(foreign.path().resolve("pid"), ended.pid() + " 12345 pid:[1]");
        Path young = Files.createDirectory(root.resolve("rankwire-young"));
        Path old = Files.createDirectory(root.resolve("rankwire-old"));
        Files.setLastModifiedTime(old, FileTime.fromMillis(System.currentTimeMillis() - 3_600_000));
        Path other = Files.createDirectory(root.resolve("something-else"));
        JobDirectory.sweep(root);
        assertTrue(Files.exists(living.path()));
        assertFalse(Files.exists(dead.path()));
        assertFalse(Files.exists(reused.path()), "another process with the same number");
        assertTrue(Files.exists(foreign.path()), "a process of another container cannot be judged");
        assertTrue(Files.exists(young));
        assertFalse(Files.exists(old));
        assertTrue(Files.exists(other));
    }

    @Test
    void shouldWriteForAThreadThatIsInterrupted() throws IOException {
        Path file = root.resolve("file");
        Thread.currentThread().interrupt();
        try {
            JobDirectory.write(file, ByteBuffer.wrap(new byte[] {1, 2, 3}));
        } finally {
            assertTrue(Thread.interrupted());
        }
        assertEquals(3, Files.size(file));
    }

    @Test
    void shouldSayWhatIsWrongWithTheRoot() {
        IOException e = assertThrows(IOException.class, () -> JobDirectory.create(root.resolve("missing")));
        assertTrue(e.getMessage().contains("no such directory"), e.getMessage());
        assertTrue(e.getMessage().contains("RANKWIRE_DIR"), e.getMessage());
    }

    @Test
    void shouldNameTheSizesWhenThereIsNoRoom() {
        Path full = Path.of("/dev/full");
        Assumptions.assumeTrue(Files.isWritable(full), "skipped: needs /dev/full");
        IOException e = assertThrows(IOException.class, () -> JobDirectory.write(full, ByteBuffer.allocate(10)));
        assertTrue(e.getMessage().toLowerCase().contains("no "), e.getMessage());
    }
}
