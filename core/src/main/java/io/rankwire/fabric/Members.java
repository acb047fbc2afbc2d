package io.rankwire.fabric;

import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;

/**
 * The ranks of a job on a network, as each of them knows the others once all have found each other.
 *
 * @param self this rank
 * @param addresses where each rank accepts connections or datagrams, by rank; of ranks that come later, asked for when
 *     they are needed
 * @param hosts the name of the host of each rank, by rank, for errors; asked for as addresses are
 * @param secret what the members prove to each other before one reads a frame of the other; a rank never opens two
 *     ports with the same one
 * @param encrypted whether frames between them are sealed, the same for all members
 * @param names the address of each rank on a {@link NetworkFabric}, by rank, asked for as addresses are;
 *     empty on other fabrics
 */
public record Members(int self, List<InetSocketAddress> addresses, List<String> hosts, Secret secret,
        boolean encrypted, List<byte[]> names) {
    public Members {
        addresses = Collections.unmodifiableList(addresses);
        hosts = Collections.unmodifiableList(hosts);
        names = Collections.unmodifiableList(names);
        boolean named = names.isEmpty() || names.size() == hosts.size();
        if (addresses.size() != hosts.size() || self < 0 || self >= addresses.size() || !named) {
            throw new IllegalArgumentException("rank " + self + " of " + addresses.size() + " on " + hosts.size()
                    + ", " + names.size() + " named");
        }
    }

    /** Members on a fabric without addresses of its own. */
    public Members(int self, List<InetSocketAddress> addresses, List<String> hosts, Secret secret,
            boolean encrypted) {
        this(self, addresses, hosts, secret, encrypted, List.of());
    }

    /** Members whose frames are not sealed. */
    public Members(int self, List<InetSocketAddress> addresses, List<String> hosts, Secret secret) {
        this(self, addresses, hosts, secret, false);
    }

    public int size() {
        return addresses.size();
    }

    /** Names a rank in errors: {@code rank 3 on node7}. */
    public String name(int rank) {
        return "rank " + rank + " on " + hosts.get(rank);
    }
}
