package io.rankwire.launch;

import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Members;
import io.rankwire.fabric.NetworkEndpoint;
import io.rankwire.fabric.NetworkFabric;
import io.rankwire.fabric.Port;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Networks whose backends come in jars of their own: found on the class path when one is asked for. */
public final class Backends {
    /** Longer names of ranks are not accepted. */
    static final int MOST_NAME = 1024;

    private Backends() {}

    /**
     * The backend of this name, or null if its jar is not on the class path.
     *
     * @throws FabricException if it is there and does not go with this core
     */
    public static NetworkFabric find(String name) {
        try {
            for (NetworkFabric each : ServiceLoader.load(NetworkFabric.class, NetworkFabric.class.getClassLoader())) {
                if (each.name().equals(name)) {
                    return each;
                }
            }
            return null;
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new FabricException("rankwire-" + name + ".jar cannot be used: " + e.getMessage()
                    + "; it must be of the same build as rankwire.jar", e);
        }
    }

    /**
     * Opens what other ranks reach this one by.
     *
     * @param provider null for the best there is
     * @param at an address of this host, or null for any
     */
    static RankSocket bind(String name, String provider, InetAddress at) {
        NetworkFabric fabric = find(name);
        if (fabric == null) {
            throw new FabricException("there is no rankwire-" + name + ".jar on the class path, which fabric " + name
                    + " needs: add it beside rankwire.jar for every rank, or choose auto or tcp", null);
        }
        NetworkEndpoint endpoint = fabric.bind(provider, at);
        byte[] own = endpoint.name();
        if (own.length == 0 || own.length > MOST_NAME) {
            endpoint.close();
            throw new FabricException("fabric " + name + " names this rank in " + own.length + " bytes, not in 1 to "
                    + MOST_NAME, null);
        }
        return new Named(endpoint, own, new InetSocketAddress(at, 0));
    }

    private record Named(NetworkEndpoint endpoint, byte[] name, InetSocketAddress address) implements RankSocket {
        @Override
        public Port open(Members members, int world, int silenceSeconds) {
            return endpoint.open(members, world, silenceSeconds);
        }

        @Override
        public void close() {
            endpoint.close();
        }
    }
}
