package io.rankwire.launch;

import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Members;
import io.rankwire.fabric.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.AbstractList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Files in the directory of a world by which ranks of one host find each other's sockets: {@code address.R} is where
 * rank R listens, and {@code secret} is made by rank 0 before its own port, or by any if rank 0 is dead. Only the user
 * of the job can read them. Ranks that come later than the world are not waited for.
 */
final class AddressFiles {
    private static final int SECRET_BYTES = 32;
    private static final long PAUSE_NS = 500_000;
    private static final long LONGEST_PAUSE_NS = 20_000_000;
    /** How long it may take until a rank is declared dead whose process has ended with a status other than 0. */
    private static final long DECLARED_NS = 5_000_000_000L;
    private static final String HOST = "this host";
    private static final String COST = "network.cost";
    /** Where no rank listens, for ranks that have died before they could. */
    private static final String NOWHERE = "1 127.0.0.1 00";

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

    /** Shows where this rank listens; returns when all ranks of the world have done so. */
    Members exchange(RankSocket socket) {
        InetSocketAddress own = socket.address();
        try {
            if (rank == 0) {
                JobDirectory.put(file("secret"), newSecret());
            }
            JobDirectory.put(file("address." + rank), (own.getPort() + " " + own.getAddress().getHostAddress() + " "
                    + HexFormat.of().formatHex(socket.name())).getBytes(StandardCharsets.UTF_8));
            for (int peer = 0; peer < board.worldSize(); peer++) {
                await(file("address." + peer), peer, seconds, () -> { });
            }
            Path secret = file("secret");
            await(secret, 0, 0, () -> { });
            if (!Files.exists(secret)) {
                putSecret();
            }
            String[][] found = new String[board.size()][];
            List<byte[]> names = socket.name().length == 0 ? List.of()
                    : late(peer -> HexFormat.of().parseHex(words(found, peer)[2]));
            return new Members(rank, late(peer -> address(words(found, peer))),
                    Collections.nCopies(board.size(), HOST), new Secret(Files.readAllBytes(secret)),
                    NetworkSettings.isEncrypted(System.getenv()), names);
        } catch (IOException e) {
            throw new FabricException("cannot exchange addresses in " + directory + ": " + e.getMessage(), e);
        }
    }

    private static InetSocketAddress address(String... words) throws IOException {
        return new InetSocketAddress(InetAddress.ofLiteral(words[1]), Integer.parseInt(words[0]));
    }

    /** The words of a rank's file, which is there before another rank wants to reach it, unless it is dead. */
    private String[] words(String[][] found, int peer) throws IOException {
        if (found[peer] == null) {
            Path file = file("address." + peer);
            found[peer] = (Files.exists(file) ? Files.readString(file) : NOWHERE).split(" ");
        }
        return found[peer];
    }

    private interface Lookup<T> {
        T of(int rank) throws IOException;
    }

    /** What is looked up when it is asked for. */
    private <T> List<T> late(Lookup<T> lookup) {
        return new AbstractList<>() {
            @Override
            public T get(int of) {
                try {
                    return lookup.of(of);
                } catch (IOException e) {
                    throw new FabricException("cannot read " + file("address." + of) + ": " + e.getMessage(), e);
                }
            }

            @Override
            public int size() {
                return board.size();
            }
        };
    }

    private static byte[] newSecret() {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return secret;
    }

    /** Makes the secret in the place of rank 0, which is dead, unless another rank does so: the first one counts. */
    private void putSecret() throws IOException {
        Path draft = file("secret." + rank + ".draft");
        JobDirectory.write(draft, ByteBuffer.wrap(newSecret()));
        try {
            Files.createLink(file("secret"), draft);
        } catch (FileAlreadyExistsException e) {
            // All take the other one.
        }
        Files.delete(draft);
    }

    /** Shows what the network costs. */
    void putCost(NetworkCost cost) {
        try {
            JobDirectory.put(file(COST), cost.text().getBytes(StandardCharsets.UTF_8));
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
            await(file(COST), 0, 0, meanwhile);
            return NetworkCost.parse(Files.readString(file(COST)));
        } catch (IOException e) {
            throw new FabricException("cannot read " + file(COST) + ": " + e.getMessage(), e);
        }
    }

    /** Waits until a file is there, or its writer is dead. */
    private void await(Path file, int writer, int limit, Runnable meanwhile) {
        long goneNs = 0;
        for (long pause = PAUSE_NS; !Files.exists(file); pause = Math.min(2 * pause, LONGEST_PAUSE_NS)) {
            if (board.failures().isDead(writer)) {
                return;
            }
            if (board.aborted()) {
                throw new FabricException("given up while other ranks joined: " + board.abortReason(), null);
            }
            // A rank that has ended writes no more: what is not there now never will be.
            if (board.endedAt(writer) != 0 && !Files.exists(file)) {
                boolean isThere = ProcessIdentity.of(board.pid(writer)).start() != 0;
                goneNs = isThere || goneNs != 0 ? goneNs : System.nanoTime();
                if (mayBeDeclared(writer, goneNs)) {
                    LockSupport.parkNanos(pause);
                    continue;
                }
                throw new FabricException("rank " + writer + " has ended and did not join: on a network all join",
                        null);
            }
            if (limit > 0 && System.nanoTime() - startNs >= limit * 1_000_000_000L) {
                throw new FabricException(
                        Roster.ranks(board.worldSize(), peer -> !Files.exists(file("address." + peer)))
                        + " of " + board.worldSize() + " did not join within " + limit + " s (--start-timeout)", null);
            }
            meanwhile.run();
            LockSupport.parkNanos(pause);
        }
    }

    /**
     * Whether a rank that has ended may have failed, so that it is declared dead when its process has gone.
     *
     * @param goneNs since when the process has gone; 0 while it is there
     */
    private boolean mayBeDeclared(int rank, long goneNs) {
        return board.failures().goesOn()
                && (board.failure(rank) >= 0 || goneNs == 0 || System.nanoTime() - goneNs < DECLARED_NS);
    }

    private Path file(String name) {
        return directory.resolve(name);
    }
}
