package io.rankwire.launch;

import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Uninterrupted;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The private directory of one job: mode 0700, an unguessable name, made by the launcher and gone when the job is. It
 * holds the board, the launcher's identity, and whatever the fabric and failing ranks put there. On the way to the
 * start of the ranks strings are joined without {@code +}: its set-up would cost every job tens of milliseconds.
 */
public final class JobDirectory {
    /** Environment variable that names another place for job directories than {@code /dev/shm}. */
    public static final String ROOT_VARIABLE = "RANKWIRE_DIR";

    private static final String PREFIX = "rankwire-";
    private static final String OWNER = "pid";
    private static final String BOARD = "board";
    private static final long UNCLAIMED_MS = 60_000;
    private static final int DELETE_ATTEMPTS = 20;

    private final Path path;

    private JobDirectory(Path path) {
        this.path = path;
    }

    public static JobDirectory at(Path path) {
        return new JobDirectory(path);
    }

    public Path path() {
        return path;
    }

    /** Where jobs of this host live: fast memory when there is some, otherwise temporary files. */
    public static Path root() {
        String chosen = System.getenv(ROOT_VARIABLE);
        if (chosen != null && !chosen.isEmpty()) {
            return Path.of(chosen).toAbsolutePath();
        }
        Path memory = Path.of("/dev/shm");
        return Files.isDirectory(memory) && Files.isWritable(memory)
                ? memory
                : Path.of(System.getProperty("java.io.tmpdir"));
    }

    /**
     * Makes the directory and claims it for this process; a full file system is swept of dead jobs once before it
     * fails.
     */
    public static JobDirectory create(Path root) throws IOException {
        return create(name(root));
    }

    /** A new directory, not made yet. */
    public static JobDirectory name(Path root) throws IOException {
        return new JobDirectory(root.resolve(PREFIX.concat(randomName())));
    }

    /** Makes a directory that has a name. */
    public static JobDirectory create(JobDirectory made) throws IOException {
        Path root = made.path.getParent();
        try {
            Files.createDirectory(made.path, ownerOnly(root));
        } catch (IOException e) {
            throw new IOException("cannot make a job directory in " + root + ": " + reason(e)
                    + "; set " + ROOT_VARIABLE + " to a directory you may write to", e);
        }
        try {
            made.claim();
        } catch (IOException e) {
            sweep(root);
            try {
                made.claim();
            } catch (IOException again) {
                made.delete();
                throw again;
            }
        }
        return made;
    }

    private void claim() throws IOException {
        claim(ProcessIdentity.current());
    }

    private void claim(ProcessIdentity owner) throws IOException {
        write(path.resolve(OWNER), ByteBuffer.wrap(owner.toString().getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Another process of this host needs the directory longer than the one that owns it. Returns false if that process
     * has ended.
     */
    boolean handTo(long process) {
        ProcessIdentity other = ProcessIdentity.of(process);
        if (other.start() == 0) {
            return false;
        }
        try {
            claim(other);
        } catch (IOException e) {
            // That process has ended meanwhile, and has removed the directory.
        }
        return true;
    }

    /**
     * Makes the board's file; {@link #openBoard()} maps it, for the launcher best done while the ranks start.
     *
     * @param places the number of ranks, those that may come later included
     * @param worldSize the number of ranks at the start
     */
    public void createBoard(int places, int worldSize) throws IOException {
        Board.create(path.resolve(BOARD), places, worldSize);
    }

    public Board openBoard() throws IOException {
        return Board.open(path.resolve(BOARD));
    }

    /**
     * Where the fabric of the job's first, second … world lives. A rank that joins a world knows that all have joined,
     * and so left behind, the one before the last.
     *
     * @param isFirst whether no live rank of this host is before the one that joins: it removes that world
     */
    Path ofWorld(int world, boolean isFirst) {
        if (world == 0) {
            return path;
        }
        if (world > 2 && isFirst) {
            deleteTree(worldPath(world - 2));
        }
        try {
            return makeDirectory(worldPath(world));
        } catch (IOException e) {
            throw new FabricException("cannot make " + worldPath(world) + ": " + reason(e), e);
        }
    }

    /** Makes a directory inside that of a job, which only this user can use, unless it is there already. */
    public static Path makeDirectory(Path place) throws IOException {
        return Files.createDirectories(place, ownerOnly(place.getParent()));
    }

    private static FileAttribute<?>[] ownerOnly(Path parent) {
        return posix(parent) ? attributes("rwx------") : new FileAttribute<?>[0];
    }

    private Path worldPath(int world) {
        return path.resolve("world.".concat(Integer.toString(world)));
    }

    /** Where a rank writes why it failed. */
    public Path failure(int rank) {
        return path.resolve("failure." + rank);
    }

    /** Where a rank's process describes its threads when the launcher wants to know. */
    public Path stacks(int rank) {
        return path.resolve("stacks." + rank);
    }

    /** Where a rank describes what is under way when {@code rankwire queues} wants to know. */
    public Path queues(int rank) {
        return path.resolve("queues." + rank);
    }

    /** Where a rank's process writes the stacks of its threads when {@code rankwire stack} wants to know. */
    public Path dump(int rank) {
        return path.resolve("dump." + rank);
    }

    /** The jobs of this user whose owners are alive, with the process of each owner. */
    public static Map<JobDirectory, Long> live(Path root) throws IOException {
        Map<JobDirectory, Long> live = new LinkedHashMap<>();
        try (DirectoryStream<Path> jobs = Files.newDirectoryStream(root, PREFIX.concat("*"))) {
            for (Path job : jobs) {
                if (Files.isDirectory(job, LinkOption.NOFOLLOW_LINKS) && isMine(job) && Files.exists(job.resolve(BOARD))
                        && !isDead(job)) {
                    live.put(new JobDirectory(job), owner(job).pid());
                }
            }
        } catch (NoSuchFileException e) {
            // A job has ended meanwhile.
        }
        return live;
    }

    /** The part of the directory's name by which commands name the job. */
    public String id() {
        return path.getFileName().toString().substring(PREFIX.length());
    }

    private static ProcessIdentity owner(Path job) throws IOException {
        return ProcessIdentity.parse(Files.readString(job.resolve(OWNER)));
    }

    /** Writes a new private file in full, also if the thread is interrupted; no room is one clear error. */
    public static void write(Path file, ByteBuffer content) throws IOException {
        // Not a lambda: the first one of a process takes tens of milliseconds.
        Uninterrupted.run(new Uninterrupted.Work<Void, IOException>() {
            @Override
            public Void run() throws IOException {
                writeNow(file, content);
                return null;
            }
        });
    }

    /** The same of a file that others look for: it is there whole or not at all. */
    public static void put(Path file, byte[] content) throws IOException {
        Path draft = file.resolveSibling(file.getFileName().toString().concat(".draft"));
        write(draft, ByteBuffer.wrap(content));
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void writeNow(Path file, ByteBuffer content) throws IOException {
        int needed = content.remaining();
        Set<StandardOpenOption> options = Set.of(
                StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        FileAttribute<?>[] mode = posix(file.getParent()) ? attributes("rw-------") : new FileAttribute<?>[0];
        ByteBuffer rest = content.duplicate();
        try (FileChannel channel = FileChannel.open(file, options, mode)) {
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
        } catch (IOException e) {
            long available = file.getParent().toFile().getUsableSpace();
            if (available >= needed) {
                throw e;
            }
            throw new IOException("no room in " + file.getParent().getParent() + ": " + file.getFileName() + " needs "
                    + needed + " bytes and " + available + " are available; free some space there, or set "
                    + ROOT_VARIABLE + " to a directory elsewhere", e);
        }
    }

    /** Removes the directory and all in it. Ranks that still end may add a file meanwhile, so it tries again. */
    public void delete() {
        for (int attempt = 0; attempt < DELETE_ATTEMPTS && Files.exists(path, LinkOption.NOFOLLOW_LINKS); attempt++) {
            deleteTree(path);
        }
    }

    private static void deleteTree(Path tree) {
        if (Files.isDirectory(tree, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(tree)) {
                for (Path entry : entries) {
                    deleteTree(entry);
                }
            } catch (IOException e) {
                // Another rank removes it at the same time; the caller looks again.
            }
        }
        try {
            Files.deleteIfExists(tree);
        } catch (IOException e) {
            // As above.
        }
    }

    /** Removes what launchers left that were killed together with all their ranks. */
    public static void sweep(Path root) {
        try (DirectoryStream<Path> jobs = Files.newDirectoryStream(root, PREFIX.concat("*"))) {
            for (Path job : jobs) {
                if (Files.isDirectory(job, LinkOption.NOFOLLOW_LINKS) && isMine(job) && isDead(job)) {
                    new JobDirectory(job).delete();
                }
            }
        } catch (IOException e) {
            // Sweeping is a courtesy: a root that cannot be listed fails the job elsewhere, or not at all.
        }
    }

    /** Whether a directory or file is one of this user. */
    static boolean isMine(Path place) throws IOException {
        Path self = Path.of("/proc/self");
        try {
            return !Files.exists(self)
                    || Files.getOwner(place, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(self));
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static boolean isDead(Path job) {
        try {
            return owner(job).isDead();
        } catch (NoSuchFileException e) {
            // Not claimed yet, or never: its maker needs microseconds.
            return System.currentTimeMillis() - job.toFile().lastModified() > UNCLAIMED_MS;
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    private static String randomName() throws IOException {
        byte[] bits = new byte[16];
        Path source = Path.of("/dev/urandom");
        if (Files.isReadable(source)) {
            // What SecureRandom would read, without the cost of loading its providers at every start.
            try (var in = Files.newInputStream(source)) {
                if (in.readNBytes(bits, 0, bits.length) == bits.length) {
                    return HexFormat.of().formatHex(bits);
                }
            }
        }
        new SecureRandom().nextBytes(bits);
        return HexFormat.of().formatHex(bits);
    }

    private static boolean posix(Path place) {
        return place.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static FileAttribute<?>[] attributes(String permissions) {
        return new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        };
    }

    private static String reason(IOException e) {
        String name = e.getClass().getSimpleName();
        return switch (name) {
            case "AccessDeniedException" -> "access denied";
            case "NoSuchFileException" -> "no such directory";
            default -> e.getMessage();
        };
    }
}
