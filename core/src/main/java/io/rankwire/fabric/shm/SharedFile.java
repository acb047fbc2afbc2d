package io.rankwire.fabric.shm;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Uninterrupted;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A file of the job's directory that several processes map. */
final class SharedFile {
    /** Maps a file whatever its size. */
    static final long ANY_SIZE = -1;

    private static final int ZEROS = 1 << 16;
    /** Larger files are not written from end to end when they are made. */
    private static final long WRITTEN = 64L << 20;
    private static final AtomicInteger MADE = new AtomicInteger();

    private SharedFile() {}

    /**
     * Maps the file, made first if no one has: zeros are written under a name of our own, so every page exists before
     * anyone maps it, then linked to its real name in one step that only one maker wins.
     */
    static MemorySegment make(Path file, long bytes, Arena arena) {
        return Uninterrupted.run(() -> makeAndMap(file, bytes, arena));
    }

    private static MemorySegment makeAndMap(Path file, long bytes, Arena arena) {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            Path fresh = fresh(file);
            try {
                fill(fresh, bytes, "a ring");
                Files.createLink(file, fresh);
            } catch (FileAlreadyExistsException otherWasFirst) {
                // its file serves both
            } catch (IOException e) {
                throw new FabricException("cannot make " + file + ": " + e.getMessage(), e);
            } finally {
                unlink(fresh);
            }
        }
        return mapNow(file, bytes, arena);
    }

    private static Path fresh(Path file) {
        return file.resolveSibling("new." + ProcessHandle.current().pid() + "." + MADE.incrementAndGet());
    }

    /**
     * As {@link #make}, for a file that another process unlinks as soon as it has found it: it is mapped before it gets
     * its name.
     */
    static MemorySegment hand(Path file, long bytes, Arena arena) {
        return Uninterrupted.run(() -> {
            Path fresh = fresh(file);
            try {
                fill(fresh, bytes, "a ring");
                MemorySegment memory = mapNow(fresh, bytes, arena);
                Files.createLink(file, fresh);
                return memory;
            } catch (FileAlreadyExistsException madeBefore) {
                return mapNow(file, bytes, arena);
            } catch (IOException e) {
                throw new FabricException("cannot make " + file + ": " + e.getMessage(), e);
            } finally {
                unlink(fresh);
            }
        });
    }

    static MemorySegment map(Path file, long bytes, Arena arena) {
        return Uninterrupted.run(() -> mapNow(file, bytes, arena));
    }

    private static MemorySegment mapNow(Path file, long bytes, Arena arena) {
        try (FileChannel channel = FileChannel.open(file, Set.of(READ, WRITE, LinkOption.NOFOLLOW_LINKS))) {
            if (bytes != ANY_SIZE && channel.size() != bytes) {
                throw new IOException("it has " + channel.size() + " bytes, not " + bytes);
            }
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), arena);
        } catch (IOException e) {
            throw new FabricException("cannot map " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * A new file of zeros. Up to a limit they are written, so that every page exists; beyond it pages come into being
     * at their first use, and only their number is held against the room there is, less what other such files of the
     * directory may still take. Room that others use up later cannot be kept for us.
     */
    static void create(Path file, long bytes) {
        Uninterrupted.run(() -> {
            createNow(file, bytes);
            return null;
        });
    }

    private static void createNow(Path file, long bytes) {
        try {
            if (bytes <= WRITTEN) {
                fill(file, bytes, "memory");
            } else {
                extend(file, bytes);
            }
        } catch (IOException e) {
            unlink(file);
            throw new FabricException("cannot make " + file + ": " + e.getMessage(), e);
        } catch (FabricException e) {
            unlink(file);
            throw e;
        }
    }

    private static void extend(Path file, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, Set.of(CREATE_NEW, WRITE), ownerOnly(file))) {
            channel.write(ByteBuffer.allocate(1), bytes - 1);
        } catch (IOException e) {
            throw noSpace(file, bytes, "memory", e);
        }
        FileStore store = Files.getFileStore(file);
        if (store.getTotalSpace() > 0 && promised(file.getParent()) > store.getUsableSpace()) {
            throw noSpace(file, bytes, "memory", new IOException("sparse files of this job may take more than that"));
        }
    }

    /** Bytes that the sparse files of a directory may take in all. */
    private static long promised(Path directory) throws IOException {
        long sum = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path each : files) {
                try {
                    long size = Files.size(each);
                    sum += size > WRITTEN ? size : 0;
                } catch (NoSuchFileException freed) {
                    // By a peer, just now.
                }
            }
        }
        return sum;
    }

    /** Throws unless there is room for a file of this size and for something else that matters more. */
    static void checkRoom(Path file, long bytes, long reserved) {
        try {
            if (Files.getFileStore(file.getParent()).getUsableSpace() < bytes + reserved) {
                throw new IOException("and " + reserved + " bytes are reserved");
            }
        } catch (IOException e) {
            throw noSpace(file, bytes, "a slab", e);
        }
    }

    /**
     * Takes the pages of a file away, which stays mapped; no process may touch it before it is {@link #refill
     * refilled}. A system that does not let a mapped file shrink keeps them.
     */
    static void empty(Path file) {
        Uninterrupted.run(() -> {
            try (FileChannel channel = FileChannel.open(file, Set.of(WRITE, LinkOption.NOFOLLOW_LINKS))) {
                channel.truncate(0);
            } catch (IOException kept) {
                // The file takes the same room as before.
            }
            return null;
        });
    }

    /** Writes zeros, so that every page of the file exists again where it is mapped. */
    static void refill(Path file, long bytes) {
        Uninterrupted.run(() -> {
            try (FileChannel channel = FileChannel.open(file, Set.of(WRITE, LinkOption.NOFOLLOW_LINKS))) {
                writeZeros(channel, bytes);
                return null;
            } catch (IOException e) {
                empty(file);
                throw noSpace(file, bytes, "a slab", e);
            }
        });
    }

    static void unlink(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new FabricException("cannot remove " + file + ": " + e.getMessage(), e);
        }
    }

    private static void fill(Path file, long bytes, String what) throws IOException {
        try (FileChannel channel = FileChannel.open(file, Set.of(CREATE_NEW, WRITE), ownerOnly(file))) {
            writeZeros(channel, bytes);
        } catch (IOException e) {
            throw noSpace(file, bytes, what, e);
        }
    }

    private static void writeZeros(FileChannel channel, long bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(bytes, ZEROS));
        for (long done = 0; done < bytes; ) {
            zeros.clear().limit((int) Math.min(bytes - done, zeros.capacity()));
            done += channel.write(zeros);
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path file) {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return new FileAttribute<?>[0];
        }
        var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        return new FileAttribute<?>[] {mode};
    }

    private static FabricException noSpace(Path file, long bytes, String what, IOException cause) {
        String free;
        try {
            free = Files.getFileStore(file.getParent()).getUsableSpace() + " are free";
        } catch (IOException e) {
            free = "how much is free is not known";
        }
        return new FabricException(
                "shared memory in " + file.getParent() + ": " + what + " needs " + bytes + " bytes, " + free + " ("
                        + cause.getMessage() + "); make it larger, or choose another place with RANKWIRE_DIR=DIR",
                cause);
    }
}
