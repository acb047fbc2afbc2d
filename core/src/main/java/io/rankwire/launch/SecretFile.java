package io.rankwire.launch;

import io.rankwire.fabric.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/**
 * The file with the secret of a job: a file of this user, which no other user can have read or written. Kubernetes
 * mounts secrets as links to files of root that a group may read, so links are followed, and such a file is taken too.
 */
public final class SecretFile {
    /** The environment variable with its name. */
    public static final String VARIABLE = "RANKWIRE_SECRET_FILE";

    private static final int MOST_BYTES = 1 << 16;

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
            Path file = Path.of(name).toRealPath();
            if (!Files.isRegularFile(file)) {
                throw new IllegalStateException(what + "which is no regular file");
            }
            boolean mine = JobDirectory.isMine(file);
            if (!mine && !Files.getAttribute(file, "unix:uid").equals(0)) {
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
}
