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
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Files in the directory of a world by which ranks of one host find each other's sockets: {@code port.R} is where rank
 * R listens, and {@code secret} is made by rank 0 before its own port. Only the user of the job can read them.
 */
final class AddressFiles {
    private static final int SECRET_BYTES = 32;
    private static final long PAUSE_NS = 500_000;
    private static final String HOST = "this host";

    private final Path directory;
    private final int rank;
    private final Board board;

    AddressFiles(Path directory, int rank, Board board) {
        this.directory = directory;
        this.rank = rank;
        this.board = board;
    }

    /** Binds the socket of this rank at any port of the loopback address. */
    static RankSocket bind(String fabric) {
        try {
            return Fabrics.bind(fabric, InetAddress.getLoopbackAddress(), 0);
        } catch (IOException e) {
            throw new FabricException("cannot listen at the loopback address: " + e.getMessage(), e);
        }
    }

    /** Shows where this rank listens; returns when all ranks have done so. */
    Members exchange(int ownPort) {
        try {
            if (rank == 0) {
                byte[] secret = new byte[SECRET_BYTES];
                new SecureRandom().nextBytes(secret);
                put("secret", secret);
            }
            put("port." + rank, Integer.toString(ownPort).getBytes(StandardCharsets.UTF_8));
            List<InetSocketAddress> addresses = new ArrayList<>();
            for (int peer = 0; peer < board.size(); peer++) {
                String port = new String(await("port." + peer, peer), StandardCharsets.UTF_8);
                addresses.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port)));
            }
            return new Members(rank, addresses, Collections.nCopies(board.size(), HOST),
                    new Secret(await("secret", 0)));
        } catch (IOException e) {
            throw new FabricException("cannot exchange addresses in " + directory + ": " + e.getMessage(), e);
        }
    }

    /** The file is there whole or not at all. */
    private void put(String name, byte[] content) throws IOException {
        Path draft = directory.resolve(name + ".draft");
        JobDirectory.write(draft, ByteBuffer.wrap(content));
        Files.move(draft, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    private byte[] await(String name, int writer) throws IOException {
        Path file = directory.resolve(name);
        while (!Files.exists(file)) {
            if (board.aborted()) {
                throw new FabricException("given up while other ranks joined: " + board.abortReason(), null);
            }
            // A rank that has ended writes no more: what is not there now never will be.
            if (board.endedAt(writer) != 0 && !Files.exists(file)) {
                throw new FabricException("rank " + writer + " has ended and did not join: on a network all join",
                        null);
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
        return Files.readAllBytes(file);
    }
}
