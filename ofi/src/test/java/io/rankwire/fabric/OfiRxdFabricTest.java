package io.rankwire.fabric;

/** The contract over the provider {@code udp;ofi_rxd}. */
final class OfiRxdFabricTest extends OfiContract {
    OfiRxdFabricTest() {
        super("udp;ofi_rxd");
    }
}
