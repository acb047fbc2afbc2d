package io.rankwire.fabric;

/** The same where no foreign calls are possible. */
final class UdpChannelsTest extends UdpFabricTest {
    @Override
    boolean channels() {
        return true;
    }
}
