package io.rankwire.launch;

import io.rankwire.fabric.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Set;

/**
 * What the environment says to a rank that was started by hand.
 *
 * @param rootHost the host of rank 0, as the user wrote it
 * @param rootPort where rank 0 listens; 0 on rank 0 itself if it is to choose
 * @param rootFile where rank 0 writes which port it has chosen; null if the port is given
 * @param startSeconds how long ranks wait for each other
 * @param silenceSeconds after how long a host that does not answer counts as dead
 * @param ports where ranks may listen
 * @param interfaceName the interface at whose address ranks listen, or null
 * @param subnet the subnet in which that address lies, or null
 * @param host the name that stands for this host, or null
 * @param fabric {@code auto}, {@code shm}, {@code tcp}, {@code udp} or {@code shm+udp}
 */
record NetworkSettings(int rank, int size, String rootHost, int rootPort, Path rootFile, Secret secret,
        int startSeconds, int silenceSeconds, PortRange ports, String interfaceName, String subnet, String host,
        String fabric) {
    static final String ROOT = "RANKWIRE_ROOT";
    static final String SECRET_FILE = SecretFile.VARIABLE;
    static final String START_TIMEOUT = Fabrics.START_TIMEOUT;
    static final String SILENCE = "RANKWIRE_SILENCE";
    static final String HOST = "RANKWIRE_HOST";

    private static final int MOST_RANKS = (1 << 19) - 1;
    private static final int MOST_SECONDS = 1_000_000;
    private static final int PAUSE_MS = 5;
    private static final int MOST_SILENCE = 127;
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
        int startSeconds = number(environment, START_TIMEOUT, 60, 1, MOST_SECONDS);
        String root = environment.get(ROOT);
        int at = root.indexOf('@');
        int colon = at < 0 ? root.lastIndexOf(':') : at;
        String name = colon < 0 ? "" : root.substring(0, colon);
        if (name.startsWith("[") && name.endsWith("]")) {
            name = name.substring(1, name.length() - 1);
        }
        Path file = at < 0 ? null : Path.of(root.substring(at + 1));
        int port = colon < 0 ? -1 : file == null ? parse(root.substring(colon + 1))
                : rank == 0 ? 0 : awaitPort(file, rank, startSeconds);
        if (name.isEmpty() || port < (file != null && rank == 0 ? 0 : 1) || port > PortRange.MOST) {
            throw new IllegalStateException(ROOT + " is \"" + root + "\", not host:port");
        }
        String fabric = environment.getOrDefault(Fabrics.FABRIC, Fabrics.AUTO);
        if (!Set.of(Fabrics.AUTO, Fabrics.SHM, Fabrics.TCP, Fabrics.UDP, Fabrics.SHM_UDP).contains(fabric)) {
            throw new IllegalStateException(Fabrics.FABRIC + " is \"" + fabric
                    + "\", not auto, shm, tcp, udp or shm+udp");
        }
        NetworkSettings settings = new NetworkSettings(rank, size, name, port, file,
                SecretFile.read(environment.get(SECRET_FILE), SECRET_FILE), startSeconds,
                number(environment, SILENCE, 2, 2, MOST_SILENCE),
                ports(environment), text(environment, LocalAddresses.INTERFACE),
                text(environment, LocalAddresses.SUBNET), text(environment, HOST), fabric);
        // A wrong choice is an error before this rank waits for others.
        settings.address(InetAddress.getLoopbackAddress());
        return settings;
    }

    /** Waits until it is known where rank 0 listens. */
    private static int awaitPort(Path file, int rank, int seconds) {
        long deadline = System.nanoTime() + seconds * 1_000_000_000L;
        try {
            while (!Files.exists(file)) {
                if (System.nanoTime() - deadline >= 0) {
                    throw new IllegalStateException("rank " + rank + " does not know where rank 0 listens: rank 0 has"
                            + " not joined within " + seconds + " s");
                }
                Thread.sleep(PAUSE_MS);
            }
            return parse(Files.readString(file));
        } catch (IOException e) {
            throw new IllegalStateException(ROOT + " names " + file + ", which cannot be read: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the start of this rank was interrupted", e);
        }
    }

    /** The ports at which rank 0 may listen for the others. */
    PortRange rootPorts() {
        return rootPort == 0 ? ports : new PortRange(rootPort, rootPort);
    }

    /** The same, with the port that rank 0 has found; which is made known to the others. */
    NetworkSettings listeningAt(int port) throws IOException {
        if (rootFile == null) {
            return this;
        }
        Path draft = rootFile.resolveSibling(rootFile.getFileName() + ".new");
        JobDirectory.write(draft, ByteBuffer.wrap(Integer.toString(port).getBytes(StandardCharsets.US_ASCII)));
        Files.move(draft, rootFile, StandardCopyOption.ATOMIC_MOVE);
        return new NetworkSettings(rank, size, rootHost, port, rootFile, secret, startSeconds, silenceSeconds, ports,
                interfaceName, subnet, host, fabric);
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

    /**
     * The address of this host at which this rank is to listen.
     *
     * @param usual the one that is taken if none is chosen
     */
    InetAddress address(InetAddress usual) {
        try {
            return LocalAddresses.choose(interfaceName, subnet, usual, LocalAddresses.INTERFACE, LocalAddresses.SUBNET);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    boolean choosesAddress() {
        return interfaceName != null || subnet != null;
    }

    /** Whether the root is given by a name of a host, and not by an address of it or as this very host. */
    boolean isByName() {
        boolean address = rootHost.indexOf(':') >= 0 || rootHost.matches("[0-9.]+");
        return !address && !rootHost.equals("localhost");
    }

    static int number(Map<String, String> environment, String variable, int usual, int least, int most) {
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

    /** The ports at which ranks may listen, as a variable says it. */
    static PortRange ports(Map<String, String> environment) {
        try {
            return PortRange.parse(text(environment, PortRange.VARIABLE), PortRange.VARIABLE);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** What a variable says, or null if it is not set or blank. */
    static String text(Map<String, String> environment, String variable) {
        String text = environment.get(variable);
        return text == null || text.isBlank() ? null : text.strip();
    }
}
