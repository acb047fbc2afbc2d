package io.rankwire.runtime;

import io.rankwire.fabric.Uninterrupted;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * States on disk. File {@code NAME.RANKS.RANK.EPOCH} has the state of one of RANKS ranks. It is written as a draft,
 * with {@code .draft} behind its name, and renamed when the ranks have agreed that each has written its draft. So one
 * file that was renamed shows that the states of all ranks are on disk, some of them perhaps as drafts. If there are
 * only drafts, that save does not count, and they are not used.
 */
public record CheckpointFiles(Path directory) {
    private static final long MOST_AT_ONCE = 1 << 30;

    private Path file(String name, int ranks, int rank, long epoch) {
        return directory.resolve(name + "." + ranks + "." + rank + "." + epoch);
    }

    private Path draft(String name, int ranks, int rank, long epoch) {
        return directory.resolve(name + "." + ranks + "." + rank + "." + epoch + ".draft");
    }

    /** Writes a draft. */
    public void write(String name, int ranks, int rank, long epoch, MemorySegment state) throws IOException {
        Uninterrupted.run(() -> writeNow(draft(name, ranks, rank, epoch), state));
    }

    private static Path writeNow(Path draft, MemorySegment state) throws IOException {
        try (FileChannel to = FileChannel.open(draft,
                StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            for (long at = 0; at < state.byteSize(); at += MOST_AT_ONCE) {
                ByteBuffer part = state.asSlice(at, Math.min(MOST_AT_ONCE, state.byteSize() - at)).asByteBuffer();
                while (part.hasRemaining()) {
                    to.write(part);
                }
            }
            to.force(false);
        }
        return draft;
    }

    /** The ranks have agreed on their drafts. */
    public void commit(String name, int ranks, int rank, long epoch) {
        try {
            Files.move(draft(name, ranks, rank, epoch), file(name, ranks, rank, epoch),
                    StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            // It stays a draft, which counts if another rank has committed its own.
        }
    }

    /** Adds a state, if there is a file of it that is whole. */
    public void read(String name, int ranks, int rank, long epoch, Map<Integer, MemorySegment> to) throws IOException {
        Path file = file(name, ranks, rank, epoch);
        Path found = Files.exists(file) ? file : draft(name, ranks, rank, epoch);
        try {
            MemorySegment state = Uninterrupted.run(() -> readNow(found));
            if (CheckpointState.isWhole(state)) {
                to.put(rank, state);
            }
        } catch (NoSuchFileException e) {
            // Another rank may have it in memory.
        }
    }

    private static MemorySegment readNow(Path found) throws IOException {
        try (FileChannel from = FileChannel.open(found); Arena mapped = Arena.ofConfined()) {
            MemorySegment state = CheckpointState.allocate(from.size());
            return state.copyFrom(from.map(FileChannel.MapMode.READ_ONLY, 0, from.size(), mapped));
        }
    }

    /** The last epoch of a rank on which all have agreed; 0 if there is none. */
    public long newest(String name, int ranks, int rank) throws IOException {
        long newest = 0;
        String first = name + "." + ranks + "." + rank + ".";
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, first + "*")) {
            for (Path each : found) {
                String epoch = each.getFileName().toString().substring(first.length());
                newest = epoch.matches("\\d{1,18}") ? Math.max(newest, Long.parseLong(epoch)) : newest;
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return newest;
    }

    /** Deletes a state that is not needed any more; one that cannot be deleted stays. */
    public void delete(String name, int ranks, int rank, long epoch) {
        try {
            Files.deleteIfExists(file(name, ranks, rank, epoch));
            Files.deleteIfExists(draft(name, ranks, rank, epoch));
        } catch (IOException e) {
            // It is never read.
        }
    }
}
