package io.rankwire.fabric;

/** The contract over the provider {@code tcp;ofi_rxm}. */
final class OfiRxmFabricTest extends OfiContract {
    OfiRxmFabricTest() {
        super("tcp;ofi_rxm");
    }
}
