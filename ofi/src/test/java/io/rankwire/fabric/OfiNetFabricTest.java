package io.rankwire.fabric;

/** The contract over the provider {@code net}. */
final class OfiNetFabricTest extends OfiContract {
    OfiNetFabricTest() {
        super("net");
    }
}
