package io.rankwire.fabric.ofi;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Members;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.Secret;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Endpoints of all ranks of a test, on the loopback interface. */
public final class LoopbackEndpoints implements AutoCloseable {
    private static final byte[] SECRET = "a secret for tests only".getBytes(StandardCharsets.UTF_8);

    private final List<OfiEndpoint> endpoints = new ArrayList<>();
    private final List<byte[]> names = new ArrayList<>();

    public LoopbackEndpoints(String provider, int ranks) {
        this(provider, ranks, ranks);
    }

    /** As for all ranks; but those behind the first ones have no endpoint, and the address of the last that has. */
    LoopbackEndpoints(String provider, int endpointCount, int ranks) {
        for (int rank = 0; rank < endpointCount; rank++) {
            OfiEndpoint endpoint = (OfiEndpoint) new OfiFabric().bind(provider, InetAddress.getLoopbackAddress());
            endpoints.add(endpoint);
            names.add(endpoint.name());
        }
        names.addAll(Collections.nCopies(ranks - endpointCount, names.getLast()));
    }

    static Secret secret() {
        return new Secret(SECRET);
    }

    /** What the port of an encrypted job says. */
    String refusalIfEncrypted() {
        Members plain = members(0, names);
        Members encrypted = new Members(0, plain.addresses(), plain.hosts(), plain.secret(), true, names);
        return assertThrows(FabricException.class, () -> endpoints.getFirst().open(encrypted, 0, 10)).getMessage();
    }

    public String provider() {
        return endpoints.getFirst().provider();
    }

    /** Opens the port of a rank. */
    public Port open(int rank, OfiConfig config) {
        return endpoints.get(rank).open(members(rank, names), config);
    }

    static Members members(int self, List<byte[]> names) {
        int ranks = names.size();
        return new Members(self, Collections.nCopies(ranks, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)),
                Collections.nCopies(ranks, "here"), new Secret(SECRET), false, names);
    }

    List<byte[]> names() {
        return names;
    }

    /** Skips the test if the library or the provider is not there. */
    public static void assumeProvider(String provider) {
        String missing = null;
        try (OfiEndpoint endpoint = (OfiEndpoint) new OfiFabric().bind(provider, InetAddress.getLoopbackAddress())) {
            assumeTrue(endpoint.name().length > 0);
        } catch (FabricException e) {
            missing = e.getMessage();
        }
        String why = missing;
        assumeTrue(missing == null,
                () -> "skipped: needs provider " + provider + " of libfabric (Debian package libfabric1): " + why);
    }

    @Override
    public void close() {
        endpoints.forEach(OfiEndpoint::close);
    }
}
