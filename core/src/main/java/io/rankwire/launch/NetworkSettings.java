package io.rankwire.launch;

import io.rankwire.fabric.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a rank that finds the others over the network knows at its start, from its environment, its launcher or the
 * program.
 *
 * @param rootHost the host of the root, as the user wrote it; null before the ranks have exchanged cards
 * @param rootPort where the root listens; 0 for the root itself if it is to choose
 * @param rootFile where the root writes which port it has chosen; null if it does not choose
 * @param rootAddresses addresses of the root, to be tried one after another; null if its name is to be resolved
 * @param secret null if there is none yet
 * @param startSeconds how long ranks wait for each other
 * @param silenceSeconds after how long a host that does not answer counts as dead
 * @param ports where ranks may listen
 * @param interfaceName the interface at whose address ranks listen, or null
 * @param subnet the subnet in which that address lies, or null
 * @param host the name that stands for this host, or null
 * @param fabric {@code auto}, {@code shm}, {@code tcp}, {@code udp}, {@code shm+udp}, {@code ofi} or {@code shm+ofi},
 *     the last two maybe with a colon and a provider
 * @param encrypted whether what ranks send over the network is sealed
 * @param goesOn whether the job goes on when a rank has failed; the root is then in the process of an agent, which has
 *     {@link #NO_RANK}, and not in that of rank 0
 * @param places the number of ranks that the job can have, those that come later included
 * @param hosts on how many hosts there may be ranks, those that come later included; 0 if ranks find that out
 */
record NetworkSettings(int rank, int size, String rootHost, int rootPort, Path rootFile,
        List<InetAddress> rootAddresses, Secret secret, int startSeconds, int silenceSeconds, PortRange ports,
        String interfaceName, String subnet, String host, String fabric, boolean encrypted, boolean goesOn,
        int places, int hosts) {
    static final String ROOT = "RANKWIRE_ROOT";
    static final String SECRET_FILE = SecretFile.VARIABLE;
    static final String START_TIMEOUT = Fabrics.START_TIMEOUT;
    static final String SILENCE = "RANKWIRE_SILENCE";
    static final String HOST = "RANKWIRE_HOST";
    static final String PLACES = "RANKWIRE_PLACES";
    static final String HOSTS = "RANKWIRE_HOSTS";
    static final int NO_RANK = -1;

    private static final int PAUSE_MS = 5;
    private static final int LONGEST_PAUSE_MS = 40;
    private static final int MOST_RANKS = (1 << 19) - 1;
    private static final int MOST_SECONDS = 1_000_000;
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
        int rank = number(environment, ProcessJob.RANK, -1, 0, places(environment, size) - 1);
        return of(environment, rank, size)
                .at(environment.get(ROOT), SecretFile.read(environment.get(SECRET_FILE), SECRET_FILE));
    }

    /** The same for a root in the process of an agent. */
    static NetworkSettings ofRoot(Map<String, String> environment) {
        return of(environment, NO_RANK, number(environment, ProcessJob.SIZE, 0, 1, MOST_RANKS))
                .at(environment.get(ROOT), SecretFile.read(environment.get(SECRET_FILE), SECRET_FILE));
    }

    /**
     * Reads the variables that say nothing about the place of this rank or of rank 0. The secret is that of a file, if
     * one is given.
     *
     * @throws IllegalStateException naming the variable that makes no sense
     */
    static NetworkSettings of(Map<String, String> environment, int rank, int size) {
        String fabric = environment.getOrDefault(Fabrics.FABRIC, Fabrics.AUTO);
        if (!Fabrics.isKnown(fabric)) {
            throw new IllegalStateException(Fabrics.FABRIC + " is \"" + fabric
                    + "\", not auto, shm, tcp, udp, shm+udp, ofi[:PROVIDER] or shm+ofi[:PROVIDER]");
        }
        String file = text(environment, SECRET_FILE);
        NetworkSettings settings = new NetworkSettings(rank, size, null, 0, null, null,
                file == null ? null : SecretFile.read(file, SECRET_FILE),
                startSeconds(environment),
                number(environment, SILENCE, 2, 2, MOST_SILENCE),
                ports(environment), text(environment, LocalAddresses.INTERFACE),
                text(environment, LocalAddresses.SUBNET), text(environment, HOST), fabric,
                isEncrypted(environment), goesOn(environment), places(environment, size),
                number(environment, HOSTS, 0, 0, MOST_RANKS));
        if (settings.encrypted) {
            settings.checkSealable(Fabrics.ENCRYPT);
        }
        // A wrong choice is an error before this rank waits for others.
        settings.address(InetAddress.getLoopbackAddress());
        return settings;
    }

    private static int places(Map<String, String> environment, int size) {
        return number(environment, PLACES, size, size, MOST_RANKS);
    }

    /** How long ranks wait for each other. */
    static int startSeconds(Map<String, String> environment) {
        return number(environment, START_TIMEOUT, 60, 1, MOST_SECONDS);
    }

    /** Only agents can outlive the ranks. */
    private static boolean goesOn(Map<String, String> environment) {
        String text = environment.getOrDefault(AgentRank.ON_FAILURE, "end");
        if (!text.equals("end") && !text.equals(AgentRank.CONTINUE)) {
            throw new IllegalStateException(AgentRank.ON_FAILURE + " is \"" + text + "\", not end or continue");
        }
        if (text.equals(AgentRank.CONTINUE) && !environment.containsKey(AgentRank.DIRECTORY)) {
            throw new IllegalStateException(AgentRank.ON_FAILURE + " is continue, which needs `rankwire run"
                    + " --on-failure=continue`: no other launcher watches the ranks of a job when one has failed");
        }
        return text.equals(AgentRank.CONTINUE);
    }

    /** These settings with a root that is given as {@code host:port} or {@code host@file}. */
    NetworkSettings at(String root, Secret shared) {
        int file = root.indexOf('@');
        int colon = file < 0 ? root.lastIndexOf(':') : file;
        String name = colon < 0 ? "" : root.substring(0, colon);
        if (name.startsWith("[") && name.endsWith("]")) {
            name = name.substring(1, name.length() - 1);
        }
        Path path = file < 0 ? null : Path.of(root.substring(file + 1));
        boolean chooses = path != null && rank == (goesOn ? NO_RANK : 0);
        int port = colon < 0 ? -1 : chooses ? 0 : path != null ? awaitPort(path) : parse(root.substring(colon + 1));
        if (name.isEmpty() || port < (chooses ? 0 : 1) || port > PortRange.MOST) {
            throw new IllegalStateException(ROOT + " is \"" + root + "\", not host:port");
        }
        return at(name, port, path, null, shared);
    }

    /** Waits until it is known where the root listens. */
    private int awaitPort(Path file) {
        long deadline = System.nanoTime() + startNs();
        try {
            for (int pause = PAUSE_MS; !Files.exists(file); pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
                if (System.nanoTime() - deadline >= 0) {
                    throw new IllegalStateException("rank " + rank + " does not know where " + rootName() + " listens: "
                            + rootName() + " has not joined within " + startSeconds + " s");
                }
                Thread.sleep(pause);
            }
            return parse(Files.readString(file));
        } catch (IOException e) {
            throw new IllegalStateException(ROOT + " names " + file + ", which cannot be read: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the start of this rank was interrupted", e);
        }
    }

    /** The ports at which the root may listen. */
    PortRange rootPorts() {
        return rootPort == 0 ? ports : new PortRange(rootPort, rootPort);
    }

    /** The same, with the port that the root has found; which is made known to the others. */
    NetworkSettings listeningAt(int port) throws IOException {
        if (rootFile == null) {
            return this;
        }
        JobDirectory.put(rootFile, Integer.toString(port).getBytes(StandardCharsets.US_ASCII));
        return at(rootHost, port, rootFile, rootAddresses, secret);
    }

    /** These settings with the root that a card describes. */
    NetworkSettings at(RootCard card) {
        return at(card.host(), card.port(), null, card.addresses(), card.secret(secret));
    }

    private NetworkSettings at(String name, int port, Path file, List<InetAddress> addresses, Secret shared) {
        return new NetworkSettings(rank, size, name, port, file, addresses, shared, startSeconds, silenceSeconds,
                ports, interfaceName, subnet, host, fabric, encrypted, goesOn, places, hosts);
    }

    /** The same, sealed whatever the environment says. */
    NetworkSettings sealed() {
        checkSealable("encryption");
        return new NetworkSettings(rank, size, rootHost, rootPort, rootFile, rootAddresses, secret, startSeconds,
                silenceSeconds, ports, interfaceName, subnet, host, fabric, true, goesOn, places, hosts);
    }

    private void checkSealable(String option) {
        String obstacle = Fabrics.notSealed(fabric, option);
        if (obstacle != null) {
            throw new IllegalStateException(obstacle);
        }
    }

    /** Where the root may be found, to be tried one after another. */
    List<InetSocketAddress> candidates() throws UnknownHostException {
        List<InetAddress> all = rootAddresses != null ? rootAddresses : List.of(InetAddress.getByName(rootHost));
        List<InetSocketAddress> candidates = new ArrayList<>();
        for (InetAddress each : all) {
            candidates.add(new InetSocketAddress(each, rootPort));
        }
        return candidates;
    }

    /** What the root is a part of, for errors. */
    String rootName() {
        return goesOn ? "the root" : "rank 0";
    }

    /** The same, and where it is. */
    String rootAt() {
        return rootName() + " at " + root();
    }

    /** Whether this rank came later than the world at the start, or waits as a spare. */
    boolean isLate() {
        return rank >= size;
    }

    /** Where the root is, as the user wrote it. */
    String root() {
        return (rootHost.indexOf(':') < 0 ? rootHost : "[" + rootHost + "]") + ":" + rootPort;
    }

    /** Whether this rank seals what it sends, as a number in hellos. */
    int mode() {
        return encrypted ? 1 : 0;
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
        if (rootAddresses != null) {
            return true;
        }
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

    /** Whether a variable asks for sealed messages. */
    static boolean isEncrypted(Map<String, String> environment) {
        return number(environment, Fabrics.ENCRYPT, 0, 0, 1) == 1;
    }

    /** What a variable says, or null if it is not set or blank. */
    static String text(Map<String, String> environment, String variable) {
        String text = environment.get(variable);
        return text == null || text.isBlank() ? null : text.strip();
    }
}
