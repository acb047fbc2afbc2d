package io.rankwire.launch;

import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The addresses of this host at which a rank can listen, and the choice of one of them by the name of an interface, by
 * a subnet, or by both.
 */
public final class LocalAddresses {
    /** The environment variable with the name of an interface. */
    public static final String INTERFACE = "RANKWIRE_INTERFACE";
    /** The environment variable with a subnet, such as {@code 10.1.0.0/16}. */
    public static final String SUBNET = "RANKWIRE_SUBNET";

    /**
     * An address of this host.
     *
     * @param of the name of its interface
     * @param bits the length of its subnet's prefix
     */
    public record Candidate(String of, InetAddress address, int bits) {
        @Override
        public String toString() {
            return address.getHostAddress().replaceFirst("%.*", "") + "/" + bits;
        }
    }

    private record Subnet(byte[] address, int bits) {
        boolean has(InetAddress other) {
            byte[] bytes = other.getAddress();
            if (bytes.length != address.length) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                if (((bytes[bit / 8] ^ address[bit / 8]) >>> 7 - bit % 8 & 1) != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    private LocalAddresses() {}

    /**
     * The addresses of all interfaces that are up, those of the loopback interface last. IPv6 addresses that are valid
     * on one link alone are left out: other hosts cannot use them without the name of their own interface.
     */
    public static List<Candidate> all() {
        List<Candidate> found = new ArrayList<>();
        List<Candidate> loopback = new ArrayList<>();
        try {
            for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
                if (!each.isUp()) {
                    continue;
                }
                for (InterfaceAddress one : each.getInterfaceAddresses()) {
                    if (!one.getAddress().isLinkLocalAddress()) {
                        (each.isLoopback() ? loopback : found).add(new Candidate(
                                each.getName(), one.getAddress(), one.getNetworkPrefixLength()));
                    }
                }
            }
        } catch (SocketException e) {
            // A system that does not list its interfaces has none to choose from.
        }
        found.addAll(loopback);
        return found;
    }

    /** Lists addresses by interface: {@code eth0 10.0.0.1/24 fd00::1/64, lo 127.0.0.1/8}. */
    public static String describe(List<Candidate> candidates) {
        if (candidates.isEmpty()) {
            return "no address";
        }
        Map<String, List<Candidate>> byInterface = candidates.stream()
                .collect(Collectors.groupingBy(Candidate::of, LinkedHashMap::new, Collectors.toList()));
        return byInterface.entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue().stream().map(Candidate::toString)
                        .collect(Collectors.joining(" ")))
                .collect(Collectors.joining(", "));
    }

    /**
     * Chooses an address.
     *
     * @param interfaceName the interface it must belong to, or null
     * @param subnet the subnet it must lie in, as address/bits, or null
     * @param reached an address of this host; of several that fit, one of the same version is taken. Null for any
     * @param interfaceOption what the interface was given by, for errors
     * @param subnetOption what the subnet was given by
     * @return {@code reached} if neither is given
     * @throws IllegalArgumentException naming the option, what was given and the candidates
     */
    public static InetAddress choose(String interfaceName, String subnet, InetAddress reached, String interfaceOption,
            String subnetOption) {
        return interfaceName == null && subnet == null ? reached
                : choose(all(), interfaceName, subnet, reached, interfaceOption, subnetOption);
    }

    static InetAddress choose(List<Candidate> all, String interfaceName, String subnet, InetAddress reached,
            String interfaceOption, String subnetOption) {
        List<Candidate> left = all;
        String has = "; this host has " + describe(all);
        if (interfaceName != null) {
            left = left.stream().filter(each -> each.of().equals(interfaceName)).toList();
            if (left.isEmpty()) {
                throw new IllegalArgumentException(interfaceOption + " is \"" + interfaceName
                        + "\", which is no interface with an address that other hosts can use" + has);
            }
        }
        if (subnet != null) {
            Subnet wanted = subnet(subnet, subnetOption);
            left = left.stream().filter(each -> wanted.has(each.address())).toList();
            if (left.isEmpty()) {
                throw new IllegalArgumentException(subnetOption + " is \"" + subnet + "\", in which no address "
                        + (interfaceName == null ? "" : "of " + interfaceName + " ") + "lies" + has);
            }
        }
        for (Candidate each : left) {
            if (reached == null || reached.getClass() == each.address().getClass()) {
                return each.address();
            }
        }
        return left.getFirst().address();
    }

    private static Subnet subnet(String text, String option) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        try {
            byte[] bytes = InetAddress.ofLiteral(address).getAddress();
            int bits = slash < 0 ? -1 : Integer.parseInt(text.substring(slash + 1));
            if (bits >= 0 && bits <= 8 * bytes.length) {
                return new Subnet(bytes, bits);
            }
        } catch (IllegalArgumentException e) {
            // Neither an address nor a number.
        }
        throw new IllegalArgumentException(option + " is \"" + text
                + "\", not an address and a number of bits such as 10.1.0.0/16 or fd00::/64");
    }
}
