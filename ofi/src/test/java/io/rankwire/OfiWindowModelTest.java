package io.rankwire;

import io.rankwire.fabric.ofi.LoopbackEndpoints;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The tests of windows against models, over providers. */
@ParameterizedClass
@ValueSource(strings = "net")
final class OfiWindowModelTest extends WindowModelTest {
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
