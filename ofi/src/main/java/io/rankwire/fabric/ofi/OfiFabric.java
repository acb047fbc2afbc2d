package io.rankwire.fabric.ofi;

import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.NetworkEndpoint;
import io.rankwire.fabric.NetworkFabric;
import io.rankwire.fabric.Port;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;

/** The fabric of networks that libfabric reaches. The library is opened when an endpoint or a description is wanted. */
public final class OfiFabric implements NetworkFabric {
    /** For addresses; the table grows with the world. */
    private static final int PEERS = 64;

    @Override
    public String name() {
        return "ofi";
    }

    @Override
    public NetworkEndpoint bind(String provider, InetAddress at) {
        try (Providers.Choice choice = choose(provider, at)) {
            return new OfiEndpoint(new Engine(choice, PEERS));
        }
    }

    private static Providers.Choice choose(String provider, InetAddress at) {
        Libfabric library = Libfabric.open();
        InetAddress address = at == null || at.isAnyLocalAddress() ? anAddress() : at;
        return new Providers(library).choose(provider, text(address));
    }

    /** The name of an interface behind an address is for addresses of one link alone. */
    private static String text(InetAddress address) {
        return address == null ? null : address.isLinkLocalAddress() ? address.getHostAddress()
                : address.getHostAddress().replaceFirst("%.*", "");
    }

    @Override
    public String best(InetAddress at) {
        try (Providers.Choice choice = choose(null, at)) {
            return choice.provider().name();
        }
    }

    /** Whether peers have acknowledged all that was sent through a port of this fabric, but for lost ones. */
    public static boolean isAtRest(Port port) {
        return ((OfiPort) port).isAtRest();
    }

    /** An address of this host that others may know, best of version 4; null if there is none. */
    private static InetAddress anAddress() {
        InetAddress best = null;
        try {
            for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
                for (InetAddress address : each.inetAddresses().toList()) {
                    if (each.isUp() && !address.isLinkLocalAddress() && worth(address) > worth(best)) {
                        best = address;
                    }
                }
            }
        } catch (SocketException e) {
            // Then the providers choose.
        }
        return best;
    }

    /** Some providers know no addresses but those of the old protocol. */
    private static int worth(InetAddress address) {
        return address == null ? 0 : (address.isLoopbackAddress() ? 1 : 3) + (address instanceof Inet4Address ? 1 : 0);
    }

    @Override
    public List<String> describe() {
        Libfabric library;
        try {
            library = Libfabric.open();
        } catch (FabricException e) {
            return List.of(e.getMessage());
        }
        List<Provider> found = new Providers(library).list(text(anAddress()));
        List<String> lines = new ArrayList<>();
        lines.add("libfabric " + library.versionText() + (found.isEmpty()
                ? " has no provider here that carries messages in order between any ranks"
                : ", would choose " + found.getFirst().name() + ": " + Providers.reason(found.getFirst())));
        for (Provider each : found) {
            lines.add("  " + line(each));
        }
        if (found.stream().anyMatch(Provider::registersMemory)) {
            lines.add(LockedMemory.text());
        }
        return lines;
    }

    private static String line(Provider provider) {
        StringBuilder line = new StringBuilder(provider.name()).append(" (").append(provider.domain()).append("): ")
                .append(Providers.reason(provider));
        line.append("; order of messages").append(provider.keeps(Abi.FI_ORDER_SAW) ? " and writes" : "");
        line.append("; ").append(provider.sends()).append(" operations, up to ").append(provider.injected())
                .append(" bytes copied at once");
        if (provider.registersMemory()) {
            line.append("; registers memory");
        }
        return line.toString();
    }
}
