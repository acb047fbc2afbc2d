package io.rankwire.launch;

import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Members;
import io.rankwire.fabric.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Files in the directory of a world by which ranks of one host find each other's sockets: {@code address.R} is where
 * rank R listens, and {@code secret} is made by rank 0 before its own port. Only the user of the job can read them.
 */
final class AddressFiles {
    private static final int SECRET_BYTES = 32;
    private static final long PAUSE_NS = 500_000;
    private static final long LONGEST_PAUSE_NS = 20_000_000;
    private static final String HOST = "this host";
    private static final String COST = "network.cost";

    private final Path directory;
    private final int rank;
    private final Board board;
    /** How long ranks wait for each other; 0 for ever, as in shared memory. */
    private final int seconds;
    private final long startNs = System.nanoTime();

    AddressFiles(Path directory, int rank, Board board, int seconds) {
        this.directory = directory;
        this.rank = rank;
        this.board = board;
        this.seconds = seconds;
    }

    /** How long ranks wait for each other in the first world. */
    static int startSeconds() {
        return NetworkSettings.number(System.getenv(), NetworkSettings.START_TIMEOUT, 0, 0, Integer.MAX_VALUE);
    }

    /** Binds the socket of this rank at the loopback address, or where the environment says. */
    static RankSocket bind(String fabric) {
        Map<String, String> environment = System.getenv();
        String open = NetworkSettings.isEncrypted(environment) ? Fabrics.notSealed(fabric, Fabrics.ENCRYPT) : null;
        if (open != null) {
            throw new FabricException(open, null);
        }
        InetAddress at = LocalAddresses.choose(NetworkSettings.text(environment, LocalAddresses.INTERFACE),
                NetworkSettings.text(environment, LocalAddresses.SUBNET), InetAddress.getLoopbackAddress(),
                LocalAddresses.INTERFACE, LocalAddresses.SUBNET);
        return NetworkSettings.ports(environment).bind(fabric, at);
    }

    /** Shows where this rank listens; returns when all ranks have done so. */
    Members exchange(RankSocket socket) {
        InetSocketAddress own = socket.address();
        try {
            if (rank == 0) {
                byte[] secret = new byte[SECRET_BYTES];
                new SecureRandom().nextBytes(secret);
                put("secret", secret);
            }
            put("address." + rank, (own.getPort() + " " + own.getAddress().getHostAddress() + " "
                    + HexFormat.of().formatHex(socket.name())).getBytes(StandardCharsets.UTF_8));
            List<InetSocketAddress> addresses = new ArrayList<>();
            List<byte[]> names = new ArrayList<>();
            for (int peer = 0; peer < board.size(); peer++) {
                byte[] text = await("address." + peer, peer, seconds, () -> { });
                String[] at = new String(text, StandardCharsets.UTF_8).split(" ");
                addresses.add(new InetSocketAddress(InetAddress.ofLiteral(at[1]), Integer.parseInt(at[0])));
                if (at.length > 2) {
                    names.add(HexFormat.of().parseHex(at[2]));
                }
            }
            return new Members(rank, addresses, Collections.nCopies(board.size(), HOST),
                    new Secret(await("secret", 0, 0, () -> { })),
                    NetworkSettings.isEncrypted(System.getenv()), names);
        } catch (IOException e) {
            throw new FabricException("cannot exchange addresses in " + directory + ": " + e.getMessage(), e);
        }
    }

    /** Shows what the network costs. */
    void putCost(NetworkCost cost) {
        try {
            put(COST, cost.text().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new FabricException("cannot write " + file(COST) + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns what rank 0 has measured, once it has.
     *
     * @param meanwhile is called again and again until then
     */
    NetworkCost awaitCost(Runnable meanwhile) {
        try {
            return NetworkCost.parse(new String(await(COST, 0, 0, meanwhile), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new FabricException("cannot read " + file(COST) + ": " + e.getMessage(), e);
        }
    }

    /** The file is there whole or not at all. */
    private void put(String name, byte[] content) throws IOException {
        Path draft = file(name + ".draft");
        JobDirectory.write(draft, ByteBuffer.wrap(content));
        Files.move(draft, file(name), StandardCopyOption.ATOMIC_MOVE);
    }

    private byte[] await(String name, int writer, int limit, Runnable meanwhile) throws IOException {
        Path file = file(name);
        for (long pause = PAUSE_NS; !Files.exists(file); pause = Math.min(2 * pause, LONGEST_PAUSE_NS)) {
            if (board.aborted()) {
                throw new FabricException("given up while other ranks joined: " + board.abortReason(), null);
            }
            // A rank that has ended writes no more: what is not there now never will be.
            if (board.endedAt(writer) != 0 && !Files.exists(file)) {
                throw new FabricException("rank " + writer + " has ended and did not join: on a network all join",
                        null);
            }
            if (limit > 0 && System.nanoTime() - startNs >= limit * 1_000_000_000L) {
                throw new FabricException(Roster.ranks(board.size(), peer -> !Files.exists(file("address." + peer)))
                        + " of " + board.size() + " did not join within " + limit + " s (--start-timeout)", null);
            }
            meanwhile.run();
            LockSupport.parkNanos(pause);
        }
        return Files.readAllBytes(file);
    }

    private Path file(String name) {
        return directory.resolve(name);
    }
}
