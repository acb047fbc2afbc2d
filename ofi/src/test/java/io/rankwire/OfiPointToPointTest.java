package io.rankwire;

import io.rankwire.fabric.ofi.LoopbackEndpoints;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The tests of messages over providers; {@code -Drankwire.test.fabric=net} does so with any tests of ranks. */
@ParameterizedClass
@ValueSource(strings = {"tcp;ofi_rxm", "sockets"})
final class OfiPointToPointTest extends PointToPointTest {
    @Parameter
    String provider;

    @BeforeEach
    void useProvider() {
        LoopbackEndpoints.assumeProvider(provider);
        Worlds.over(provider);
    }

    @AfterEach
    void leaveProvider() {
        Worlds.over(null);
    }
}
