package io.rankwire.fabric.ofi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.FabricException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Providers are chosen by what they offer, and what is missing is said in a sentence. */
final class ProvidersTest {
    private static final long GOOD = Abi.FI_MSG | Abi.FI_MULTI_RECV | Abi.FI_RMA;
    private static final long ORDER = Abi.FI_ORDER_SAS | Abi.FI_ORDER_SAW;

    private static Provider provider(String name, long caps, long order, int registration) {
        return new Provider(name, "fabric", "domain", caps, 0, order, registration, 8, 64, 256, 256, 1 << 30, 2, 4);
    }

    @Test
    void shouldPreferNetworksOfTheirOwnAndFewLayers() {
        List<String> names = List.of("cxi", "verbs;ofi_rxm", "net", "tcp", "tcp;ofi_rxm", "net;ofi_rxm",
                "udp;ofi_rxd", "sockets");
        List<Provider> all = new ArrayList<>();
        for (String name : names.reversed()) {
            all.add(provider(name, GOOD, ORDER, name.startsWith("verbs") ? Abi.FI_MR_LOCAL : 0));
        }
        all.sort(Providers.BEST_FIRST);
        List<String> sorted = all.stream().map(Provider::name).toList();
        assertEquals(names.stream().filter(each -> !each.equals("net")).toList(),
                sorted.stream().filter(each -> !each.equals("net")).toList());
        assertTrue(sorted.indexOf("net") < sorted.indexOf("tcp;ofi_rxm"));
        Provider without = provider("psm3", GOOD & ~Abi.FI_RMA, ORDER, 0);
        assertTrue(Providers.cost(without) > Providers.cost(provider("opx", GOOD, ORDER, 0)));
        assertTrue(Providers.cost(without) < Providers.cost(provider("net", GOOD, ORDER, 0)));
    }

    @Test
    void shouldRefuseWhatCannotCarryAWorld() {
        assertTrue(Providers.isUsable(provider("efa", GOOD, Abi.FI_ORDER_SAS, Abi.FI_MR_LOCAL)));
        assertFalse(Providers.isUsable(provider("shm", GOOD, ORDER, 0)));
        assertFalse(Providers.isUsable(provider("shm;lnx", GOOD, ORDER, 0)));
        assertFalse(Providers.isUsable(provider("efa", GOOD, 0, 0)));
        assertFalse(Providers.isUsable(provider("efa", Abi.FI_MSG, ORDER, 0)));
        int raw = 1 << 3;
        assertFalse(Providers.isUsable(provider("efa", GOOD, ORDER, raw)));
    }

    @Test
    void shouldSayWhatIsMissing() {
        FabricException absent = assertThrows(FabricException.class, () -> Libfabric.open("libnothing.so.9"));
        assertTrue(absent.getMessage().contains("Debian package libfabric1"), absent.getMessage());
        FabricException other = assertThrows(FabricException.class, () -> Libfabric.open("libc.so.6"));
        assertTrue(other.getMessage().contains("it is not libfabric"), other.getMessage());
        assertTrue(Libfabric.refusal(1 << 16 | 16).contains("Debian package libfabric1"));
        assertTrue(Libfabric.refusal(3 << 16).contains("libfabric 3.0"));
        assertEquals(null, Libfabric.refusal(1 << 16 | 17));
        assertEquals(null, Libfabric.refusal(2 << 16 | 6));
    }

    @Test
    void shouldDescribeWhatThereIs() {
        LoopbackEndpoints.assumeProvider("net");
        List<String> lines = new OfiFabric().describe();
        assertTrue(lines.getFirst().matches("libfabric [12]\\.[0-9]+, would choose .+: .+"), lines.toString());
        assertTrue(lines.stream().anyMatch(line -> line.startsWith("  tcp;ofi_rxm")), lines.toString());
        assertTrue(lines.stream().noneMatch(line -> line.contains("shm")), lines.toString());
        FabricException wrong = assertThrows(FabricException.class,
                () -> new OfiFabric().bind("carrier-pigeon", InetAddress.getLoopbackAddress()));
        assertTrue(wrong.getMessage().contains("has no provider carrier-pigeon"), wrong.getMessage());
    }
}
