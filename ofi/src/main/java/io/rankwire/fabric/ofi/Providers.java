package io.rankwire.fabric.ofi;

import io.rankwire.fabric.FabricException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Finds the providers that can carry a world, and chooses one by what it offers. It needs endpoints that reach all
 * peers, messages into shared buffers, and messages in order; memory of peers is wanted. A network of its own is
 * better than one over sockets of the system, and one layer better than two.
 */
final class Providers {
    private static final long NEEDED = Abi.FI_MSG | Abi.FI_MULTI_RECV;
    private static final int HONOURED = Abi.FI_MR_LOCAL | Abi.FI_MR_VIRT_ADDR | Abi.FI_MR_ALLOCATED
            | Abi.FI_MR_PROV_KEY | Abi.FI_MR_ENDPOINT;
    /** Over sockets of the system, fastest first: what the names of others are does not matter. */
    private static final List<String> OVER_SOCKETS = List.of("net", "tcp", "udp", "sockets");
    /** Of one host alone, with signal handlers of its own; or wrappers that may choose it. */
    private static final Set<String> NEVER = Set.of("shm", "sm2", "lnx");

    /**
     * One that can be opened.
     *
     * @param info its attributes, which {@link #close} gives back
     */
    record Choice(Libfabric library, Provider provider, long info) implements AutoCloseable {
        @Override
        public void close() {
            library.free(info);
        }
    }

    private final Libfabric library;

    Providers(Libfabric library) {
        this.library = library;
    }

    /** What there is, best first; each provider by its first domain of each kind. */
    List<Provider> list(String node) {
        List<Provider> result = new ArrayList<>();
        visit(0, null, node, info -> add(result, Provider.of(info)));
        if (node != null) {
            // Networks of their own may know nothing of addresses of the Internet.
            visit(0, null, null, info -> addOther(result, Provider.of(info)));
        }
        result.sort(BEST_FIRST);
        return result;
    }

    private static void add(List<Provider> found, Provider provider) {
        if (isUsable(provider) && found.stream().noneMatch(
                each -> each.name().equals(provider.name()) && each.domain().equals(provider.domain()))) {
            found.add(provider);
        }
    }

    private static void addOther(List<Provider> found, Provider provider) {
        if (found.stream().noneMatch(each -> each.name().equals(provider.name()))) {
            add(found, provider);
        }
    }

    static final Comparator<Provider> BEST_FIRST = Comparator.comparingInt(Providers::cost);

    static boolean isUsable(Provider provider) {
        for (String part : provider.name().split(";")) {
            if (NEVER.contains(part)) {
                return false;
            }
        }
        return provider.has(NEEDED) && provider.keeps(Abi.FI_ORDER_SAS)
                && (provider.registration() & ~HONOURED) == 0
                && (provider.mode() & ~(Abi.FI_CONTEXT | Abi.FI_CONTEXT2)) == 0;
    }

    /** The least is the best. */
    static int cost(Provider provider) {
        int over = OVER_SOCKETS.indexOf(provider.core());
        int cost = over < 0 ? 0 : 100;
        if (over >= OVER_SOCKETS.indexOf("udp")) {
            cost += 20 * (over - 1);
        }
        if (provider.isLayered()) {
            cost += 10;
        }
        if (provider.name().startsWith("net;")) {
            // Two layers that both make streams into messages.
            cost += 5;
        }
        return cost + (provider.has(Abi.FI_RMA) ? 0 : 50) + (provider.keeps(Abi.FI_ORDER_SAW) ? 0 : 1);
    }

    /** Why it comes where it comes. */
    static String reason(Provider provider) {
        boolean overSockets = OVER_SOCKETS.contains(provider.core());
        return (overSockets ? "over sockets of the system" : "a network of its own")
                + (provider.isLayered() ? ", in two layers" : ", in one layer")
                + (provider.has(Abi.FI_RMA) ? ", reaches memory of peers" : ", without memory of peers");
    }

    /**
     * Chooses the best one, or the best with this name.
     *
     * @param name as the user has written it, or null
     * @param node an address of this host, or null
     */
    Choice choose(String name, String node) {
        return choose(name, node, 0);
    }

    /** As {@link #choose(String, String)}, of those that have more capabilities. */
    Choice choose(String name, String node, long more) {
        List<Choice> found = new ArrayList<>();
        collect(found, name, node, more);
        if (node != null && found.stream().noneMatch(each -> Providers.cost(each.provider()) < 100)) {
            // A network of its own may know nothing of addresses of the Internet.
            collect(found, name, null, more);
        } else if (found.isEmpty()) {
            collect(found, name, null, more);
        }
        Choice best = null;
        for (Choice each : found) {
            boolean isBetter = best == null || cost(each.provider()) < cost(best.provider());
            if (isBetter && best != null) {
                best.close();
            }
            if (isBetter) {
                best = each;
            } else {
                each.close();
            }
        }
        if (best == null) {
            throw new FabricException(name == null
                    ? "libfabric " + library.versionText() + " has no provider on this host that carries messages in"
                            + " order between any ranks: choose --fabric=tcp"
                    : "libfabric " + library.versionText() + " has no provider " + name + " on this host that carries"
                            + " messages in order between any ranks: `rankwire doctor` lists those it has", null);
        }
        return best;
    }

    private void collect(List<Choice> found, String name, String node, long more) {
        visit(more, name, node, info -> {
            Provider provider = Provider.of(info);
            if (isUsable(provider)) {
                found.add(new Choice(library, provider, library.copy(info)));
            }
        });
    }

    private interface Visitor {
        void visit(long info);
    }

    private void visit(long more, String name, String node, Visitor visitor) {
        // A provider that does not keep an order that is asked for is not in the list at all.
        visit(more | Abi.FI_RMA, Abi.FI_ORDER_SAS | Abi.FI_ORDER_SAW, name, node, visitor);
        visit(more | Abi.FI_RMA, Abi.FI_ORDER_SAS, name, node, visitor);
        visit(more, Abi.FI_ORDER_SAS, name, node, visitor);
    }

    private void visit(long wanted, long order, String name, String node, Visitor visitor) {
        long hints = hints(wanted, order, name);
        try (Arena arena = Arena.ofConfined()) {
            long out = Raw.allocate(arena, Long.BYTES);
            int error = library.getInfo(node, hints, out);
            if (error == 0) {
                long first = Raw.word(out);
                for (long info = first; info != 0; info = Raw.word(info + Abi.INFO_NEXT)) {
                    visitor.visit(info);
                }
                library.free(first);
            }
        } finally {
            library.free(hints);
        }
    }

    private long hints(long wanted, long order, String name) {
        long hints = library.newHints();
        Raw.word(hints + Abi.INFO_CAPS, NEEDED | wanted);
        Raw.word(hints + Abi.INFO_MODE, Abi.FI_CONTEXT | Abi.FI_CONTEXT2);
        Raw.half(Raw.word(hints + Abi.INFO_EP) + Abi.EP_TYPE, Abi.FI_EP_RDM);
        Raw.word(Raw.word(hints + Abi.INFO_TX) + Abi.TX_MSG_ORDER, order);
        Raw.word(Raw.word(hints + Abi.INFO_RX) + Abi.RX_MSG_ORDER, order);
        long domain = Raw.word(hints + Abi.INFO_DOMAIN);
        Raw.half(domain + Abi.DOMAIN_THREADING, Abi.FI_THREAD_DOMAIN);
        Raw.half(domain + Abi.DOMAIN_MR_MODE, HONOURED);
        if (name != null) {
            Raw.word(Raw.word(hints + Abi.INFO_FABRIC) + Abi.FABRIC_PROV_NAME, library.ownedText(name));
        }
        return hints;
    }
}
