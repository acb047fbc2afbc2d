package io.rankwire.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.rankwire.fabric.ofi.LoopbackEndpoints;
import io.rankwire.fabric.ofi.OfiConfig;
import io.rankwire.fabric.ofi.OfiFabric;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ports over one provider of libfabric, all in this process, keep the contract of all fabrics. */
@Timeout(600)
abstract class OfiContract extends FabricContract {
    private static final int ROUNDS = 8;
    /** A connection of a provider needs this many visits of both ranks before it carries messages, and some time. */
    private static final int FIRST_ROUNDS = 300;
    private static final int FIRST_PASSES = 3;
    private static final long PAUSE_NS = 100_000;
    private static final int MOST_PAUSES = 30;
    /** One thread closes all ports here: a port that waits for the others would wait in vain. */
    private static final OfiConfig CONFIG = new OfiConfig(3, 300_000_000_000L, 0, false);

    private final String provider;
    private LoopbackEndpoints endpoints;
    private final List<Port> opened = new ArrayList<>();
    private int passes;

    OfiContract(String provider) {
        this.provider = provider;
    }

    /** Whether threads of the provider carry messages: time has to pass, not only visits. */
    boolean hasThreads() {
        return false;
    }

    @BeforeEach
    void needLibrary() {
        LoopbackEndpoints.assumeProvider(provider);
    }

    @Override
    Port open(int rank, int ranks) {
        if (endpoints == null) {
            endpoints = new LoopbackEndpoints(provider, ranks);
        }
        assertEquals(provider, endpoints.provider());
        Port port = endpoints.open(rank, CONFIG);
        opened.add(port);
        return port;
    }

    @AfterEach
    void closeEndpoints() {
        if (endpoints != null) {
            endpoints.close();
        }
    }

    @Override
    void pass() {
        boolean isFirst = passes++ < FIRST_PASSES && opened.size() < MANY;
        for (int round = 0; round < (isFirst ? FIRST_ROUNDS : ROUNDS); round++) {
            for (Port port : opened) {
                assertNull(port.advance(System.nanoTime()));
                port.rest();
            }
            if (isFirst) {
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
        // A message that has come has to be taken before all are acknowledged, so this ends in any case.
        for (int i = 0; hasThreads() && i < MOST_PAUSES && !opened.stream().allMatch(OfiFabric::isAtRest); i++) {
            LockSupport.parkNanos(PAUSE_NS);
            opened.forEach(port -> assertNull(port.advance(System.nanoTime())));
        }
    }

    @Test
    void shouldCarryMessagesOfDevices() throws Exception {
        carryMessages(port(0, 2), port(1, 2));
    }
}
