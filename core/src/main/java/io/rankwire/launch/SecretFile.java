package io.rankwire.launch;

import io.rankwire.fabric.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/**
 * The file with the secret of a job: a file of this user, which no other user can have read or written, or put there.
 * Kubernetes mounts secrets as links to files of root that a group may read. So links are followed, if they are of this
 * user or root, and a file of root may be readable by its group: root has chosen who is in that.
 */
public final class SecretFile {
    /** The environment variable with its name. */
    public static final String VARIABLE = "RANKWIRE_SECRET_FILE";

    private static final int MOST_BYTES = 1 << 16;
    private static final int WRITABLE_BY_ALL = 0002;
    /** Only the owner of a file in the directory may replace it. */
    private static final int STICKY = 01000;

    private SecretFile() {}

    /**
     * Reads a secret.
     *
     * @param name the file; null if none was given
     * @param option what it was given by, for errors
     * @throws IllegalStateException naming the option and what is wrong with the file
     */
    public static Secret read(String name, String option) {
        if (name == null) {
            throw new IllegalStateException(option + " is not set: it names a file with the secret of the job,"
                    + " the same for all ranks, of mode 600");
        }
        String what = option + " is " + name + ", ";
        try {
            Path given = Path.of(name).toAbsolutePath();
            Path file = given.toRealPath();
            checkWay(given, what);
            checkWay(file, what);
            if (!Files.isRegularFile(file)) {
                throw new IllegalStateException(what + "which is no regular file");
            }
            boolean mine = JobDirectory.isMine(file);
            if (!mine && !isOfRoot(file)) {
                throw new IllegalStateException(what + "a file of another user: " + Files.getOwner(file));
            }
            Set<PosixFilePermission> open = EnumSet.copyOf(Files.getPosixFilePermissions(file));
            open.removeAll(Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
            if (!mine) {
                open.remove(PosixFilePermission.GROUP_READ);
            }
            if (!open.isEmpty()) {
                throw new IllegalStateException(what + "which needs mode 600: others may use it (" + open + ")");
            }
            long length = Files.size(file);
            if (length < Secret.LEAST || length > MOST_BYTES) {
                throw new IllegalStateException(what + "a file of " + length + " bytes, not " + Secret.LEAST + " to "
                        + MOST_BYTES);
            }
            return new Secret(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            throw new IllegalStateException(what + "which does not exist", e);
        } catch (IOException | UnsupportedOperationException e) {
            throw new IllegalStateException(what + "which cannot be read: " + e.getMessage(), e);
        }
    }

    private static boolean isOfRoot(Path place) throws IOException {
        return Files.getAttribute(place, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(0);
    }

    /** No other user may put another file in its place. */
    private static void checkWay(Path place, String what) throws IOException {
        if (Files.isSymbolicLink(place) && !JobDirectory.isMine(place) && !isOfRoot(place)) {
            throw new IllegalStateException(what + "a link of another user: " + Files.getOwner(place,
                    LinkOption.NOFOLLOW_LINKS));
        }
        for (Path each = place.getParent(); each != null; each = each.getParent()) {
            int mode = (int) Files.getAttribute(each, "unix:mode");
            if ((mode & WRITABLE_BY_ALL) != 0 && (mode & STICKY) == 0) {
                throw new IllegalStateException(what + "but any user may put another file there: " + each
                        + " is writable by all");
            }
        }
    }
}
