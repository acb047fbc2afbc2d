package io.rankwire.fabric;

import java.net.InetAddress;
import java.util.List;

/**
 * A network whose backend is in a jar of its own, beside the one of the core. A backend is found by {@link
 * java.util.ServiceLoader} when its name is asked for, and loads nothing native before {@link #bind} or {@link
 * #describe}.
 */
public interface NetworkFabric {
    /** The word that chooses it: {@code ofi} in {@code --fabric=ofi} and {@code --fabric=ofi:net}. */
    String name();

    /**
     * Opens what the other ranks reach this one by.
     *
     * @param provider what the user has chosen behind the name, or null for the best there is
     * @param at an address of this host, for networks that have such addresses; null for any
     * @throws FabricException if the network is not there, with a sentence that says what to do
     */
    NetworkEndpoint bind(String provider, InetAddress at);

    /** The provider that {@link #bind} takes at this address if the user has named none, or null. */
    default String best(InetAddress at) {
        return null;
    }

    /** Lines for {@code rankwire doctor}: what there is on this host, what would be chosen, and why. */
    List<String> describe();
}
