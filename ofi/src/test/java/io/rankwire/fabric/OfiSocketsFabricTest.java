package io.rankwire.fabric;

/** The contract over the provider {@code sockets}. */
final class OfiSocketsFabricTest extends OfiContract {
    OfiSocketsFabricTest() {
        super("sockets");
    }

    @Override
    boolean hasThreads() {
        return true;
    }
}
