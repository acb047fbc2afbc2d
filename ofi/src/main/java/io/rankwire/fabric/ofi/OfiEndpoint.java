package io.rankwire.fabric.ofi;

import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Members;
import io.rankwire.fabric.NetworkEndpoint;
import io.rankwire.fabric.Port;

/** An endpoint of libfabric before its port is open. */
public final class OfiEndpoint implements NetworkEndpoint {
    private final Engine engine;
    private final byte[] name;
    private boolean isGiven;

    OfiEndpoint(Engine engine) {
        this.engine = engine;
        this.name = engine.name();
    }

    @Override
    public byte[] name() {
        return name.clone();
    }

    /** The name of the provider that was chosen. */
    public String provider() {
        return engine.provider.name();
    }

    /** Processes that die and hosts that are silent are found by the job, over connections of its own. */
    @Override
    public Port open(Members members, int world, int silenceSeconds) {
        return open(members, OfiConfig.DEFAULT.withWorld(world));
    }

    /** As {@link #open(Members, int, int)}, with other choices than the default. */
    public Port open(Members members, OfiConfig config) {
        if (members.encrypted()) {
            throw new FabricException("libfabric carries frames as they are, and this job is encrypted:"
                    + " choose --fabric=tcp or --fabric=udp", null);
        }
        if (members.names().isEmpty()) {
            throw new IllegalArgumentException("members without addresses of libfabric");
        }
        if (isGiven) {
            throw new IllegalStateException("the port was opened before, or the endpoint is closed");
        }
        isGiven = true;
        return new OfiPort(members, config, engine);
    }

    @Override
    public void close() {
        if (!isGiven) {
            isGiven = true;
            engine.close();
        }
    }
}
