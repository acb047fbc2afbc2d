package io.rankwire.launch;

import io.rankwire.fabric.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * What the environment says to a rank that was started by hand.
 *
 * @param rootHost the host of rank 0, as the user wrote it
 * @param rootPort where rank 0 listens
 * @param startSeconds how long ranks wait for each other
 * @param silenceSeconds after how long a host that does not answer counts as dead
 * @param firstPort the lowest port a rank may listen at, or 0 for any
 * @param lastPort the highest
 * @param host the name that stands for this host, or null
 * @param fabric {@code auto}, {@code shm}, {@code tcp}, {@code udp} or {@code shm+udp}
 */
record NetworkSettings(int rank, int size, String rootHost, int rootPort, Secret secret, int startSeconds,
        int silenceSeconds, int firstPort, int lastPort, String host, String fabric) {
    static final String ROOT = "RANKWIRE_ROOT";
    static final String SECRET_FILE = "RANKWIRE_SECRET_FILE";
    static final String START_TIMEOUT = "RANKWIRE_START_TIMEOUT";
    static final String SILENCE = "RANKWIRE_SILENCE";
    static final String PORTS = "RANKWIRE_PORTS";
    static final String HOST = "RANKWIRE_HOST";

    private static final int MOST_RANKS = (1 << 19) - 1;
    private static final int MOST_SECRET = 1 << 16;
    private static final int MOST_SECONDS = 1_000_000;
    private static final int MOST_SILENCE = 127;
    private static final int MOST_PORT = 65_535;
    /** Beats in the time after which a silent host counts as dead. */
    private static final int BEATS = 4;

    /** Whether the environment asks for a rank that finds the others over the network. */
    static boolean isPresent(Map<String, String> environment) {
        return environment.containsKey(ROOT) && !environment.containsKey(ProcessJob.DIRECTORY);
    }

    /**
     * Reads all variables.
     *
     * @throws IllegalStateException naming the variable that makes no sense
     */
    static NetworkSettings of(Map<String, String> environment) {
        int size = number(environment, ProcessJob.SIZE, 0, 1, MOST_RANKS);
        int rank = number(environment, ProcessJob.RANK, -1, 0, size - 1);
        String root = environment.get(ROOT);
        int colon = root.lastIndexOf(':');
        String name = colon < 0 ? "" : root.substring(0, colon);
        if (name.startsWith("[") && name.endsWith("]")) {
            name = name.substring(1, name.length() - 1);
        }
        int port = colon < 0 ? -1 : parse(root.substring(colon + 1));
        if (name.isEmpty() || port < 1 || port > MOST_PORT) {
            throw new IllegalStateException(ROOT + " is \"" + root + "\", not host:port");
        }
        int[] ports = ports(environment.get(PORTS));
        String fabric = environment.getOrDefault(Fabrics.FABRIC, Fabrics.AUTO);
        if (!Set.of(Fabrics.AUTO, Fabrics.SHM, Fabrics.TCP, Fabrics.UDP, Fabrics.SHM_UDP).contains(fabric)) {
            throw new IllegalStateException(Fabrics.FABRIC + " is \"" + fabric
                    + "\", not auto, shm, tcp, udp or shm+udp");
        }
        String host = environment.get(HOST);
        return new NetworkSettings(rank, size, name, port, secret(environment.get(SECRET_FILE)),
                number(environment, START_TIMEOUT, 60, 1, MOST_SECONDS),
                number(environment, SILENCE, 2, 2, MOST_SILENCE),
                ports[0], ports[1], host == null || host.isBlank() ? null : host.strip(), fabric);
    }

    /** Where rank 0 is, as the user wrote it. */
    String root() {
        return (rootHost.indexOf(':') < 0 ? rootHost : "[" + rootHost + "]") + ":" + rootPort;
    }

    long startNs() {
        return startSeconds * 1_000_000_000L;
    }

    /** How often connections that are silent otherwise carry a beat. */
    long beatNs() {
        return silenceSeconds * 1_000_000_000L / BEATS;
    }

    /** Whether the root is given by a name of a host, and not by an address of it or as this very host. */
    boolean isByName() {
        boolean address = rootHost.indexOf(':') >= 0 || rootHost.matches("[0-9.]+");
        return !address && !rootHost.equals("localhost");
    }

    private static int number(Map<String, String> environment, String variable, int usual, int least, int most) {
        String text = environment.get(variable);
        int value = text == null ? usual : parse(text);
        if (value < least || value > most) {
            throw new IllegalStateException(variable + " is " + (text == null ? "not set" : "\"" + text + "\"")
                    + ", not a number from " + least + " to " + most);
        }
        return value;
    }

    private static int parse(String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static int[] ports(String text) {
        if (text == null) {
            return new int[] {0, 0};
        }
        String[] parts = text.split("-", 2);
        int first = parse(parts[0]);
        int last = parts.length < 2 ? first : parse(parts[1]);
        if (first < 1 || last < first || last > MOST_PORT) {
            throw new IllegalStateException(PORTS + " is \"" + text + "\", not a range of ports such as 5000-5099");
        }
        return new int[] {first, last};
    }

    /** Reads a secret that no other user can have read or written. */
    private static Secret secret(String name) {
        if (name == null) {
            throw new IllegalStateException(SECRET_FILE + " is not set: it names a file with the secret of the job,"
                    + " the same for all ranks, of mode 600");
        }
        String what = SECRET_FILE + " is " + name + ", ";
        Path file = Path.of(name);
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                throw new IllegalStateException(what + (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                        ? "which is no regular file" : "which does not exist"));
            }
            if (!JobDirectory.isMine(file)) {
                throw new IllegalStateException(what + "a file of another user: "
                        + Files.getOwner(file, LinkOption.NOFOLLOW_LINKS));
            }
            Set<PosixFilePermission> open = EnumSet.copyOf(Files.getPosixFilePermissions(file));
            open.removeAll(Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
            if (!open.isEmpty()) {
                throw new IllegalStateException(what + "which needs mode 600: others may use it (" + open + ")");
            }
            long length = Files.size(file);
            if (length < Secret.LEAST || length > MOST_SECRET) {
                throw new IllegalStateException(what + "a file of " + length + " bytes, not " + Secret.LEAST + " to "
                        + MOST_SECRET);
            }
            return new Secret(Files.readAllBytes(file));
        } catch (IOException | UnsupportedOperationException e) {
            throw new IllegalStateException(what + "which cannot be read: " + e.getMessage(), e);
        }
    }
}
